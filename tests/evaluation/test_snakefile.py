"""The Snakefile's target `eval`: shards as jobs, planned and played."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sandmle.resources import resource

SETTINGS = "policy: broken:babbles\ntasks: all\nattempts: 2\nunsafe: true\nbackend: subprocess\n"


def snakemake(corpus: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "snakemake", "-s", str(resource("Snakefile"))]
    command += ["--profile", str(resource("profiles") / "default"), "--cores", "2", "eval"]
    return subprocess.run(
        [*command, *arguments], cwd=corpus, capture_output=True, text=True, timeout=300
    )


def test_each_shard_is_a_job(corpus: Path) -> None:
    (corpus / "eval.yaml").write_text(SETTINGS)
    done = snakemake(corpus, "--dry-run", "--config", "shards=3")
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    counts = dict(re.findall(r"^(\w+) +(\d+)$", told, re.MULTILINE))
    assert counts == {"shard": "3", "eval": "1", "total": "4"}
    assert not (corpus / "runs").exists()


def test_nothing_to_play_is_told(corpus: Path) -> None:
    done = snakemake(corpus, "--dry-run")
    assert done.returncode != 0
    assert "eval.yaml" in done.stdout + done.stderr


@pytest.mark.slow
def test_shards_are_played_and_merged_and_a_failed_one_goes_on(corpus: Path) -> None:
    (corpus / "eval.yaml").write_text(SETTINGS)
    arguments = ("--config", "shards=2", "run=runs/mine")
    done = snakemake(corpus, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    run = corpus / "runs" / "mine"
    assert json.loads((run / "summary.json").read_text())["rollouts"] == 10
    # As after a job that was killed: Snakemake keeps nothing of its output, but what was played.
    playing = run / "playing" / "1-of-2" / "rollouts.jsonl"
    before = playing.read_bytes()
    playing.write_bytes(before[:-9])
    shutil.rmtree(run / "shards" / "1-of-2")
    done = snakemake(corpus, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (run / "rollouts.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 10
    assert set(before.splitlines(keepends=True)[:-1]) < set(lines)
    assert json.loads((run / "summary.json").read_text())["complete"] is True
