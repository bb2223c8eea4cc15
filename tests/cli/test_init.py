from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sandmle.cli import app
from sandmle.resources import resource


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_a_new_corpus_holds_one_right_spec_and_its_schema(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert run("init", str(folder)).exit_code == 0
    (spec,) = (folder / "specs" / "tasks").glob("*.yaml")
    assert run("check", "--corpus", str(folder)).exit_code == 0
    first = spec.read_text("utf-8").splitlines()[0]
    schema = spec.parent / first.removeprefix("# yaml-language-server: $schema=")
    assert json.loads(schema.read_text("utf-8"))["$schema"].startswith("https://json-schema.org")
    assert {path.name for path in folder.iterdir()} == {
        *("README.md", ".gitignore", ".vscode", "rules", "templates", "specs"),
        *("Snakefile", "profiles"),
    }


def test_with_examples_the_whole_shipped_corpus_comes_along(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert run("init", "--with-examples", str(folder)).exit_code == 0
    shipped = resource("specs")
    for part in ("tasks", "seeds"):
        names = {path.name for path in (shipped / part).glob("*.yaml")}
        assert {path.name for path in (folder / "specs" / part).glob("*.yaml")} == names
    assert run("check", "--corpus", str(folder)).exit_code == 0


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    done = run("init", str(tmp_path))
    assert done.exit_code == 2
    assert "README.md is already there" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.slow
def test_in_a_new_corpus_build_works_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("init", str(tmp_path / "mine")).exit_code == 0
    monkeypatch.chdir(tmp_path / "mine")
    built = run("build")
    assert built.exit_code == 0, built.output
    assert "1 tasks accepted, 0 rejected" in built.output
    assert run("show", "hotel-cancellation-weekday").exit_code == 0
    assert run("report").exit_code == 0
    assert Path("build/report.html").read_text("utf-8").count("<article") == 1


def test_plain_snakemake_plans_the_same_build(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert run("init", str(folder)).exit_code == 0
    planned = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert planned.returncode == 0, planned.stderr
    counts = dict(re.findall(r"(?m)^(task|index|gate)\s+(\d+)$", planned.stdout + planned.stderr))
    assert counts == {"task": "1", "index": "1", "gate": "1"}
