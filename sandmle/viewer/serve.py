"""Pages for browsers on this machine alone.

Only the files of one report are given out, by their exact names: no path leads anywhere else, and
no folder is listed. A request from a page of another origin gets nothing, whether it comes by a
name that was made to lead here (the Host header tells) or by a script element (the browser is told
to refuse that by Cross-Origin-Resource-Policy).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from sandmle.viewer.chunks import FILE, FOLDER
from sandmle.viewer.write import PAGE

_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class Pages:
    """What is given out: a page, and the folder of the files that it loads, if it loads any."""

    page: Path
    folder: Path | None

    @classmethod
    def of(cls, report: Path) -> Self:
        """The pages of a folder that `view` wrote, or of a page by itself.

        Raises ValueError where it is neither.
        """
        if report.is_dir() and (report / PAGE).is_file():
            return cls(report / PAGE, report)
        if report.is_file() and report.suffix == ".html":
            return cls(report, None)
        raise ValueError(
            f"{report}: expected a folder with {PAGE}, as `sandmle view` writes it, or a page"
        )

    def find(self, path: str) -> tuple[Path, str] | None:
        """The file at the path of a request and its type, None where there is none to give out."""
        if path in ("/", f"/{PAGE}"):
            return self.page, "text/html; charset=utf-8"
        folder, _, script = path.removeprefix("/").partition("/")
        if self.folder is None or not (FOLDER.fullmatch(folder) and FILE.fullmatch(script)):
            return None
        file = self.folder / folder / script
        root = self.folder.resolve()
        if not file.is_file() or not file.resolve().is_relative_to(root):
            return None
        return file, "text/javascript; charset=utf-8"


def make_server(pages: Pages, port: int) -> ThreadingHTTPServer:
    """A server on 127.0.0.1, not yet serving; port 0 takes one that is free.

    Raises OSError where the port is taken.
    """
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, pages))
    server.daemon_threads = True
    return server


class _Handler(BaseHTTPRequestHandler):
    server_version = "sandmle"
    sys_version = ""

    def __init__(self, pages: Pages, *arguments: Any) -> None:
        self._pages = pages
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Answers with a file."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answers with what a file is like."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        port = self.server.server_port
        if self.headers.get("Host") not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "This is not the host asked for")
            return
        found = self._pages.find(urlsplit(self.path).path)
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        path, kind = found
        content = path.read_bytes()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def end_headers(self) -> None:
        """Sends the headers, with those that every answer has."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is told of requests."""
