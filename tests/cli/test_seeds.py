from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sandmle.cli import app
from sandmle.resources import resource
from sandmle.seeds.examples import write_example_competition


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_from_a_competition_to_specs_that_are_right(tmp_path: Path) -> None:
    competition = write_example_competition("wine", tmp_path / "wine")
    corpus = tmp_path / "mine"
    assert run("init", str(corpus)).exit_code == 0
    seed = corpus / "specs" / "seeds" / "wine.yaml"
    profiled = run("profile", str(competition), "-o", str(seed))
    assert profiled.exit_code == 0, profiled.output
    assert "tabular, multiclass, log_loss" in profiled.stdout
    drafted = run("draft", "--seed", str(seed), "-n", "2", "-S", "5", "-C", str(corpus))
    assert drafted.exit_code == 0, drafted.output
    paths = [Path(line) for line in drafted.stdout.splitlines()]
    assert len(paths) == 2
    assert all(path.parent == corpus / "specs" / "tasks" for path in paths)
    assert paths[0].read_text("utf-8").startswith("# yaml-language-server: $schema=../schema.json")
    assert run("check", "-C", str(corpus)).exit_code == 0


def test_a_folder_that_is_no_competition_is_refused_by_name(tmp_path: Path) -> None:
    done = run("profile", str(tmp_path), "-o", str(tmp_path / "seed.yaml"))
    assert done.exit_code == 1
    assert str(tmp_path) in done.stderr
    assert not (tmp_path / "seed.yaml").exists()


def test_a_seed_that_is_wrong_is_refused_with_its_line(tmp_path: Path) -> None:
    seed = tmp_path / "seed.yaml"
    text = (resource("specs") / "seeds" / "wine.yaml").read_text("utf-8")
    seed.write_text(text.replace("task: multiclass", "task: guessing"), encoding="utf-8")
    done = run("draft", "--seed", str(seed), "-o", str(tmp_path / "out"))
    assert done.exit_code == 1
    line = 1 + text.splitlines().index("task: multiclass")
    assert done.stderr.startswith(f"{seed}:{line}:")


def test_calibrate_writes_thresholds_and_keeps_comments(tmp_path: Path) -> None:
    shipped = resource("specs") / "tasks" / "hotel-cancellation-weekday.yaml"
    text = shipped.read_text("utf-8")
    given = next(line for line in text.splitlines() if line.startswith("thresholds:"))
    path = tmp_path / "specs" / "tasks" / shipped.name
    path.parent.mkdir(parents=True)
    commented = text.replace(given + "\n", "").replace("factors:", "# what is drawn\nfactors:")
    path.write_text(commented, encoding="utf-8")
    done = run("calibrate", str(path), "--write", "--json")
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout).values()
    assert found["reasons"] == []
    limits = found["thresholds"]
    assert limits["median"] < limits["bronze"] < limits["silver"] < limits["gold"]
    written = path.read_text("utf-8").splitlines()
    assert "# what is drawn" in written
    added = set(written) - set(commented.splitlines())
    assert [line for line in added if line.startswith("thresholds:")]
    assert f"gold: {limits['gold']}" in "\n".join(added)
    assert set(commented.splitlines()) <= set(written)


@pytest.mark.parametrize("command", ["profile", "draft", "compile", "calibrate"])
def test_a_path_that_is_not_there_is_a_matter_of_usage(command: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    arguments = ("--seed", missing) if command == "draft" else (missing, "-o", str(tmp_path / "o"))
    if command == "calibrate":
        arguments = (missing,)
    done = run(command, *arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"Usage: sandmle {command}")
