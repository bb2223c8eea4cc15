"""`sandmle train` on the command line: what it refuses, and how."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.train.configuration import Training
from tests.train.test_configuration import SHIPPED

TINY = next(path for path in SHIPPED if path.stem == "tiny")


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["train", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_wrong_file_is_one_line_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("model: {path: tiny, precison: float32}\n")
    code, output = run(path)
    assert code == 1
    assert "mine.yaml:1:21: model.precison: unknown key" in output
    assert "did you mean 'precision'?" in output


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sandmle.train.needs.find_spec", lambda name: None)
    code, output = run(TINY, "--corpus", tmp_path)
    assert code == 2
    assert "pip install torch==2.13.0" in output
    assert "Traceback" not in output


def test_a_corpus_that_is_not_built_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def nothing(training: Training) -> None:
        return None

    monkeypatch.setattr("sandmle.train.run.missing", nothing)
    code, output = run(TINY, "--corpus", tmp_path)
    assert code == 2
    assert "not built" in output


def test_shipped_files_go_by_their_names(tmp_path: Path) -> None:
    code, output = run("qwen3-8b", "--corpus", tmp_path, "--dry-run")
    assert code == 2  # nothing is built there
    assert "loss_type: grpo" in output
    code, output = run("qwen3-9b", "--corpus", tmp_path)
    assert code == 1
    assert "qwen3-9b:1:1: cannot be read" in output


def test_a_dry_run_tells_as_json_and_fails_where_something_is_wrong(tmp_path: Path) -> None:
    code, output = run(TINY, "--corpus", tmp_path, "--dry-run", "--json")
    assert code == 2
    plan = json.loads(output)
    checks = {check["name"]: check["is_right"] for check in plan["checks"]}
    assert checks["batch"]
    assert not checks["data"]
    assert plan["arguments"]["epsilon_high"] == 0.28
    assert not (tmp_path / "runs").exists()


def test_reading_a_training_file_loads_no_heavy_library() -> None:
    code = (
        "import sys; from pathlib import Path; import sandmle.cli.training; "
        "from sandmle.train.configuration import load_training; "
        f"load_training(Path({str(TINY)!r})); "
        "print({'torch', 'transformers', 'trl', 'pandas'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
