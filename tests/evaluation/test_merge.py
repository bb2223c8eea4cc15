"""Shards that were played apart become one run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.evaluation.merge import merge
from sandmle.evaluation.run import ConflictError, read_config
from sandmle.play.rollout import read_rollouts

SHARDS = 2


@pytest.fixture
def shards(corpus: Path, tmp_path: Path) -> list[Path]:
    return [play(corpus, tmp_path / name, f"{name}/{SHARDS}") for name in ("1", "2")]


def play(corpus: Path, folder: Path, shard: str, *more: str) -> Path:
    command = ["eval", "-p", "broken:babbles", "--unsafe", "--backend", "subprocess", "-k", "2"]
    command += ["--tasks", "all", "--shard", shard, "-o", str(folder), "-C", str(corpus), *more]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return folder


def test_shards_together_are_the_whole_run(
    corpus: Path, shards: list[Path], tmp_path: Path
) -> None:
    run = merge(shards, tmp_path / "run")
    assert (run.rollouts, run.expected) == (10, 10)
    played = read_rollouts(tmp_path / "run" / "rollouts.jsonl")
    assert set(Counter((one.task, one.attempt) for one in played).values()) == {1}
    assert read_config(tmp_path / "run").shard is None
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["complete"] is True
    assert merge(shards, tmp_path / "run").rollouts == 10


def test_a_shard_half_done_makes_a_run_half_done(shards: list[Path], tmp_path: Path) -> None:
    rollouts = shards[0] / "rollouts.jsonl"
    rollouts.write_bytes(rollouts.read_bytes()[:-5])
    run = merge(shards, tmp_path / "run")
    assert (run.rollouts, run.expected) == (9, 10)
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["complete"] is False


def test_what_is_not_all_shards_of_one_run_is_refused(
    corpus: Path, shards: list[Path], tmp_path: Path
) -> None:
    with pytest.raises(ConflictError, match="expected the shards 1/1, got 1/2"):
        merge(shards[:1], tmp_path / "run")
    with pytest.raises(ConflictError, match="expected the shards 1/2, 2/2, got 1/2, 1/2"):
        merge([shards[0], shards[0]], tmp_path / "run")
    other = play(corpus, tmp_path / "other", "2/2", "--turns", "3")
    with pytest.raises(ConflictError, match=r"settings\.turns: 30, now 3"):
        merge([shards[0], other], tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_another_run_is_not_overwritten(corpus: Path, shards: list[Path], tmp_path: Path) -> None:
    merge(shards, tmp_path / "run")
    others = [
        play(corpus, tmp_path / f"other{name}", f"{name}/{SHARDS}", "--turns", "3")
        for name in ("1", "2")
    ]
    with pytest.raises(ConflictError, match="holds another run"):
        merge(others, tmp_path / "run")
