"""calibrate and audit from the command line, on tasks that are really built."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sandmle.build.build import build_task
from sandmle.build.verdict import dump_verdict, load_verdict
from sandmle.cli import app

TASK = "hotel-cancellation-weekday"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "mine"
    assert run("init", str(folder)).exit_code == 0
    spec = folder / "specs" / "tasks" / f"{TASK}.yaml"
    build_task(spec, folder / "build" / "tasks" / TASK, corpus=folder)
    return folder


@pytest.fixture
def corpus(_built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_built, tmp_path / "mine"))


def test_calibrating_tells_all_and_writes_the_thresholds_alone(corpus: Path) -> None:
    spec = corpus / "specs" / "tasks" / f"{TASK}.yaml"
    before = spec.read_text()
    done = run("calibrate", str(spec), "--json", "--write")
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout).values()
    verdict = load_verdict(corpus / "build" / "tasks" / TASK)
    assert told["standard_error"] == verdict.standard_error
    assert told["flip_rate"] == verdict.flip_rates["test_draw"]
    assert [rung["score"] for rung in told["ladder"]] == [rung.score for rung in verdict.ladder]
    assert all(margin["passed"] for margin in told["margins"])
    lines = spec.read_text().splitlines()
    assert [line for line in lines if line in before.splitlines()] == before.splitlines()
    assert f"gold: {told['thresholds']['gold']}" in spec.read_text()


def test_auditing_a_good_task_finds_nothing(corpus: Path) -> None:
    done = run("audit", "--corpus", str(corpus), "--json")
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout).values()
    assert told["reasons"] == []
    assert {"row_order", "duplicates"} <= {audit["name"] for audit in told["audits"]}
    shown = run("audit", TASK, "--corpus", str(corpus))
    assert "✓ test rows are not in train" in shown.stdout


def test_a_gold_that_the_answers_miss_is_found(corpus: Path) -> None:
    folder = corpus / "build" / "tasks" / TASK
    text = dump_verdict(load_verdict(folder))
    gold = load_verdict(folder).thresholds
    assert gold is not None
    (folder / "verdict.json").write_text(text.replace(f'"gold": {gold.gold}', '"gold": 1.5'))
    done = run("audit", TASK, "--corpus", str(corpus))
    assert done.exit_code == 1
    assert "✗ a perfect submission reaches gold" in done.stdout


def test_data_of_an_earlier_spec_are_not_audited(corpus: Path) -> None:
    spec = corpus / "specs" / "tasks" / f"{TASK}.yaml"
    spec.write_text(re.sub(r"random_seed: \d+", "random_seed: 99", spec.read_text()))
    done = run("audit", TASK, "--corpus", str(corpus))
    assert done.exit_code == 1
    assert "the spec makes other data by now; run `sandmle build`" in done.stdout


def test_there_is_nothing_to_audit_before_a_build(tmp_path: Path) -> None:
    assert run("init", str(tmp_path / "mine")).exit_code == 0
    done = run("audit", "--corpus", str(tmp_path / "mine"))
    assert done.exit_code == 2
    assert "run `sandmle build` first" in done.stderr


@pytest.mark.slow
def test_a_deep_audit_plays_the_panel_and_is_kept(corpus: Path) -> None:
    done = run("audit", "--deep", "--corpus", str(corpus), "--json")
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout).values()
    assert told["flip_rate"].keys() == {"test_draw", "model_seed"}
    assert len(told["panel"]) >= 8
    assert {audit["cost"] for audit in told["audits"]} == {"cheap", "deep"}
    shown = run("audit", "--deep", TASK, "--corpus", str(corpus)).stdout
    assert "honest, 50% of the rows" in shown
    assert "of other random seeds" in run("show", TASK, "--corpus", str(corpus)).stdout
