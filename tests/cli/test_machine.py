"""doctor: what it says where things work, and where they do not."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.sandbox import host, probe
from sandmle.sandbox.probe import Probe

WARM = Probe("warm", isolated=True, works=True, why_not="", advice="")
PLAIN = Probe("subprocess", isolated=False, works=True, why_not="", advice="")
BROKEN = Probe("warm", isolated=True, works=False, why_not="no [user] namespace", advice="allow it")
MACHINE = host.Host("Linux", "6.1.0", "x86_64", 1000, True, "v2", {host.MOST_NAMESPACES: 0})


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "read_host", lambda: MACHINE)
    monkeypatch.setattr(host, "installed_packages", lambda: {"numpy": "2.0", "scipy": None})


def test_it_names_what_is_taken_and_what_isolates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "probe_all", lambda: (WARM, PLAIN))
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0
    assert "warm       works (taken by default)\n" in done.stdout
    assert "subprocess works (isolates nothing; only with --unsafe)\n" in done.stdout
    assert "Linux 6.1.0 x86_64, in a container" in done.stdout
    assert "scipy MISSING" in done.stdout


def test_it_says_why_not_and_what_to_do_and_exits_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "probe_all", lambda: (BROKEN, PLAIN))
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "warm       does not work\n           why: no [user] namespace\n" in done.stdout
    assert "           do: allow it\n" in done.stdout
    assert "nothing can be played safely" in done.stdout


@pytest.mark.parametrize(("first", "taken", "code"), [(WARM, "warm", 0), (BROKEN, None, 1)])
def test_json_is_one_document(
    monkeypatch: pytest.MonkeyPatch, first: Probe, taken: str | None, code: int
) -> None:
    monkeypatch.setattr(probe, "probe_all", lambda: (first, PLAIN))
    done = CliRunner().invoke(app, ["doctor", "--json"])
    assert done.exit_code == code
    found = json.loads(done.stdout)
    assert found["taken"] == taken
    assert [backend["name"] for backend in found["backends"]] == ["warm", "subprocess"]
    assert found["host"]["switches"] == {"user.max_user_namespaces": 0}
    assert found["packages"] == {"numpy": "2.0", "scipy": None}
