"""`sandmle train` beside a training that is not one: how it is followed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.train.configuration import Training
from tests.curves.trainings import step_line, validation_line, write_training


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "tiny"


@pytest.fixture
def pages(out: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The page after each line of metrics, empty where there was none; filled by the command."""
    found: list[str] = []

    def run(
        training: Training, *, progress: Callable[[Mapping[str, Any]], None], **_: Any
    ) -> dict[str, Any]:
        lines = [validation_line(0), step_line(1), validation_line(1, any_medal=0.5)]
        write_training(out, [])
        for line in lines:
            with (out / "metrics.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")
            progress(line)
            page = out / "training.html"
            found.append(page.read_text(encoding="utf-8") if page.is_file() else "")
        before, after = lines[0], lines[-1]
        summary = {"before": before, "after": after, "best": "checkpoint-1"}
        (out / "summary.json").write_text(json.dumps(summary))
        return summary

    monkeypatch.setattr("sandmle.train.run.train", run)
    return found


def test_the_page_is_written_anew_after_every_evaluation_and_at_the_end(
    out: Path, pages: list[str]
) -> None:
    done = CliRunner().invoke(app, ["train", "tiny", "--out", str(out)])
    assert done.exit_code == 0, done.output
    first, second, third = pages
    assert "<b>25%</b>" in first
    assert second == first
    assert "25% → <b>50%</b>" in third
    assert "best checkpoint-1" not in third
    assert "best checkpoint-1" in (out / "training.html").read_text(encoding="utf-8")
    assert f"page: {out / 'training.html'}" in done.output


def test_a_page_that_cannot_be_written_ends_no_training(
    out: Path, pages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("sandmle.curves.page.write_whole", full)
    done = CliRunner().invoke(app, ["train", "tiny", "--out", str(out), "--json"])
    assert done.exit_code == 0, done.output
    assert pages == ["", "", ""]
    assert "the page of the training is not written: no space left on device" in done.stderr
    assert json.loads(done.stdout)["best"] == "checkpoint-1"
