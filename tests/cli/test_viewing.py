from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from tests.viewer.episodes import climbing, write_rollouts


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "first"
    folder.mkdir()
    write_rollouts(folder / "rollouts.jsonl", [climbing()])
    return folder


def test_the_page_of_a_run_lies_in_its_folder(run: Path) -> None:
    done = CliRunner().invoke(app, ["view", str(run)])
    assert done.exit_code == 0, done.output
    assert f"{run / 'view' / 'index.html'}: 1 rollout\n" in done.output
    assert (run / "view" / "index.html").is_file()


def test_the_page_of_a_file_lies_beside_it(run: Path) -> None:
    done = CliRunner().invoke(app, ["view", str(run / "rollouts.jsonl")])
    assert done.exit_code == 0, done.output
    assert (run / "rollouts-view" / "index.html").is_file()


def test_several_runs_need_a_folder(run: Path) -> None:
    done = CliRunner().invoke(app, ["view", str(run), str(run)])
    assert done.exit_code == 2
    assert "--out DIR" in done.output


def test_what_is_no_run_is_said(run: Path, tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["view", str(tmp_path / "gone")]).exit_code == 2
    done = CliRunner().invoke(app, ["view", str(tmp_path)])
    assert done.exit_code == 2
    assert "no run here" in done.output
    done = CliRunner().invoke(app, ["serve-report", str(run)])
    assert done.exit_code == 2
    assert "sandmle view" in done.output


def test_a_server_tells_its_address_and_ends_quietly(run: Path) -> None:
    assert CliRunner().invoke(app, ["view", str(run)]).exit_code == 0
    command = [sys.executable, "-m", "sandmle", "serve-report", str(run / "view"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", it.stdout.readline())
        assert address
        with urllib.request.urlopen(address[0], timeout=30) as answer:
            assert b"sandmle view" in answer.read()
        it.send_signal(signal.SIGINT)
        assert it.wait(timeout=30) == 0
        assert it.stderr is not None
        assert "Traceback" not in it.stderr.read()
