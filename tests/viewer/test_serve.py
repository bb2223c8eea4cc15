from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandmle.viewer.runs import find_runs
from sandmle.viewer.serve import Pages, make_server
from sandmle.viewer.write import write_view
from tests.viewer.episodes import climbing, write_rollouts


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    rollouts = write_rollouts(folder / "run.jsonl", [climbing()])
    write_view(find_runs([rollouts]), folder / "view")
    (folder / "view" / "secret.js").write_text("private")
    return folder / "view"


@pytest.fixture(scope="module")
def port(written: Path) -> Iterator[int]:
    with make_server(Pages.of(written), 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()


def ask(
    port: int, path: str, *, method: str = "GET", host: str | None = None
) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body of an answer. The path is sent as it is."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.headers), body


def chunk(written: Path) -> str:
    (file,) = written.glob("bodies-*/*.js")
    return f"/{file.relative_to(written)}"


def test_the_page_and_its_bodies_are_given_out(port: int, written: Path) -> None:
    status, headers, body = ask(port, "/")
    assert (status, body) == (200, (written / "index.html").read_bytes())
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert ask(port, "/index.html")[2] == body
    status, headers, body = ask(port, f"{chunk(written)}?anything")
    assert status == 200
    assert headers["Content-Type"].startswith("text/javascript")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert body.startswith(b"takeBodies(")
    assert ask(port, "/", method="HEAD")[2] == b""


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/secret.js",
            "/bodies",
            "/favicon.ico",
            "/.hidden",
            "/nothing.html",
            "*",
            "//etc/passwd",
        ),
        *(
            "/../run.jsonl",
            "/%2e%2e/run.jsonl",
            "/..%2frun.jsonl",
            "/..\\run.jsonl",
            "/./secret.js",
        ),
        *("/bodies-{0}/", "/bodies-{0}", "/bodies-{0}/../secret.js", "/bodies-{0}/..%2fsecret.js"),
        *("/bodies-{0}/00000.js/", "/bodies-{0}/00000.js%00", "/bodies-{0}/99999.js"),
        *("/bodies-{0}//00000.js", "http://127.0.0.1/../run.jsonl", "/index.html/"),
    ],
)
def test_no_path_leads_anywhere_else(port: int, written: Path, path: str) -> None:
    digest = chunk(written).split("/")[1].removeprefix("bodies-")
    status, headers, body = ask(port, path.format(digest))
    assert status == 404
    assert b"private" not in body
    assert b"secret" not in body, "no folder is listed"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_link_out_of_the_folder_is_not_followed(port: int, written: Path) -> None:
    link = written / chunk(written)[1:].replace("00000", "00009")
    link.symlink_to(written.parent / "run.jsonl")
    try:
        assert ask(port, f"/{link.relative_to(written)}")[0] == 404
    finally:
        link.unlink()


def test_a_name_that_was_made_to_lead_here_gets_nothing(port: int) -> None:
    assert ask(port, "/", host="evil.example")[0] == 421
    assert ask(port, "/", host=f"evil.example:{port}")[0] == 421
    assert ask(port, "/", host=f"localhost:{port}")[0] == 200


def test_nothing_but_reading_is_answered(port: int) -> None:
    assert ask(port, "/", method="POST")[0] == 501
    assert ask(port, "/", method="DELETE")[0] == 501


def test_only_this_machine_is_served(written: Path) -> None:
    with make_server(Pages.of(written), 0) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_a_page_by_itself_can_be_served_and_nothing_beside_it(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("<title>corpus</title>")
    pages = Pages.of(page)
    found = pages.find("/")
    assert found is not None
    assert found[0] == page
    assert pages.find("/report.html") is None
    with pytest.raises(ValueError, match="sandmle view"):
        Pages.of(tmp_path)
