from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from tests.curves.trainings import step_line, validation_line, write_training


@pytest.fixture
def run(tmp_path: Path) -> Path:
    lines = [validation_line(0), step_line(1), validation_line(1, any_medal=0.5)]
    return write_training(tmp_path / "runs" / "tiny", lines)


def curves(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["curves", *map(str, arguments)])
    return done.exit_code, done.output


def test_a_run_is_shown_and_its_page_lies_in_its_folder(run: Path) -> None:
    code, output = curves(run)
    assert code == 0, output
    assert "Any medal             25% → 50%" in output
    assert str(run / "training.html") in output
    assert "50%" in (run / "training.html").read_text(encoding="utf-8")


def test_several_runs_need_a_page(run: Path, tmp_path: Path) -> None:
    other = write_training(tmp_path / "runs" / "other", [step_line(1)])
    code, output = curves(run, other)
    assert code == 2
    assert "--out FILE" in output
    code, output = curves(run, other, "--out", tmp_path / "new" / "page.html")
    assert code == 0, output
    assert "tiny, other" in (tmp_path / "new" / "page.html").read_text(encoding="utf-8")


def test_figures_are_told_as_json(run: Path) -> None:
    code, output = curves(run, "--json")
    assert code == 0, output
    told = json.loads(output)
    assert told["page"] == str(run / "training.html")
    (one,) = told["runs"]
    assert (one["step"], one["planned"]) == (1, 30)
    assert one["reward"] == {"training": [[1, 0.4]], "held_out": [[0, 0.4], [1, 0.4]]}
    assert one["held_out"]["gains"]["any_medal"]["difference"] == 0.25
    assert one["seconds"]["sandbox"] == 6.0


def test_what_is_no_training_is_said(run: Path, tmp_path: Path) -> None:
    code, output = curves(tmp_path)
    assert code == 2
    assert "no training run here" in output
    (run / "metrics.jsonl").write_text("{]\n")
    code, output = curves(run)
    assert code == 2
    assert f"{run / 'metrics.jsonl'}: not a file of metrics" in output
