"""Steps are measured by programs that run, in ways that take turns."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.bench import aide
from sandmle.bench.step import PROGRAMS, WAYS, StepBench, bench_step, program, write_data
from sandmle.cli import app

#: The part of AIDE's interpreter that is used, without AIDE.
INTERPRETER = """
import dataclasses, os
@dataclasses.dataclass
class Result:
    exc_type: "str | None"
    term_out: "list[str]"
class Interpreter:
    def __init__(self, folder, timeout):
        os.chdir(folder)
    def run(self, code):
        try:
            exec(code)
        except ValueError as error:
            return Result("ValueError", [str(error)])
        return Result(None, [])
    def cleanup_session(self):
        open("cleaned", "w").close()
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_submit_for_the_data_that_are_written(name: str, tmp_path: Path) -> None:
    write_data(tmp_path)
    (tmp_path / "data").symlink_to(tmp_path / "public")
    quick = program(name).replace("200", "2").replace("cv=5", "cv=2")
    done = subprocess.run([sys.executable, "-c", quick], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    lines = (tmp_path / "submission.csv").read_text().splitlines()
    assert len(lines) == len((tmp_path / "data/test.csv").read_text().splitlines())


def test_a_bare_fork_is_timed_for_every_line() -> None:
    command = [sys.executable, "-m", "sandmle.bench.bare_fork", "json"]
    done = subprocess.run(command, input='""\n""\n', capture_output=True, text=True, check=True)
    assert [0 < float(line) < 10_000 for line in done.stdout.splitlines()] == [True, True]


@pytest.fixture
def with_aide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and a package `aide` that is found."""
    for name in aide.NEEDED:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise AssertionError('imported')")
    (tmp_path / "aide/interpreter.py").write_text(INTERPRETER)
    paths = [str(tmp_path), str(Path(aide.__file__).parents[2])]
    monkeypatch.setenv("PYTHONPATH", ":".join(paths))
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_aide_takes_part_where_it_is_installed(with_aide: Path) -> None:
    assert aide.reason_against() is None
    command = [sys.executable, "-m", "sandmle.bench.aide", str(with_aide)]
    lines = json.dumps("x = 1\nopen('ran', 'w')") + "\n"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert float(done.stdout) > 0
    assert {"ran", "cleaned"} <= {path.name for path in with_aide.iterdir()}


def test_code_that_fails_is_told(with_aide: Path) -> None:
    command = [sys.executable, "-m", "sandmle.bench.aide", str(with_aide)]
    lines = json.dumps("raise ValueError('no good')") + "\n"
    done = subprocess.run(command, input=lines, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.endswith("RuntimeError: no good\n")


def test_without_aide_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aide, "NEEDED", ("no_such_module", "json"))
    assert "no_such_module not installed" in str(aide.reason_against())


def test_the_command_prints_one_object_or_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    times = {"warm_ms": 100.0, "cold_ms": 1200.0, "bwrap_cold_ms": 1300.0, "aide_ms": None}
    machine = {
        "cores": 2,
        "processor": "one",
        "load": [1.5, 1.0, 1.0],
        "python": "3",
        "notes": ["why"],
    }
    found = StepBench(4.0, 8.0, 50.0, dict.fromkeys(PROGRAMS, times), machine)
    monkeypatch.setattr("sandmle.bench.step.bench_step", lambda **options: found)
    printed = CliRunner().invoke(app, ["bench", "step", "--json"]).stdout
    assert json.loads(printed) == {
        "fork_ms": 4.0,
        "empty_ms": 8.0,
        "empty_steps_per_s": 50.0,
        "steps": dict.fromkeys(PROGRAMS, times),
        "machine": machine,
    }
    table = CliRunner().invoke(app, ["bench", "step"]).stdout
    assert "logreg     100  1200          1300     -         12.0" in table
    assert "2.0 bare forks" in table
    assert "why" in table


@pytest.mark.slow
def test_everything_is_measured() -> None:
    found = bench_step(rounds=1)
    assert found.steps.keys() == set(PROGRAMS)
    for times in found.steps.values():
        assert times.keys() == {f"{way}_ms" for way in WAYS}
        known = [value for value in times.values() if value is not None]
        assert len(known) >= 3
        assert all(math.isfinite(value) and value > 0 for value in known)
    assert found.fork_ms > 0
    assert found.empty_ms > 0
    assert found.empty_steps_per_s > 0
    assert found.machine["cores"] >= 1
