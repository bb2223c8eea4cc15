from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from tests.mlebench.standins import prepare

XRAY = "vinbigdata-chest-xray-abnormalities-detection"


@pytest.mark.parametrize(
    "command", [["play", "{}"], ["eval", "--policy", "dummy", "--tasks", "{}"]]
)
def test_what_cannot_be_graded_is_refused_before_anything_is_played(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "data"
    prepare(data, XRAY, answers=[("image_id", "PredictionString"), ("a", "14 1 0 0 1 1")])
    told = CliRunner().invoke(app, [part.format(f"mlebench:{data}") for part in command])
    assert told.exit_code == 2
    assert f"{XRAY} is graded by box_average_precision" in told.output
    assert "install the package mlebench" in told.output
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
