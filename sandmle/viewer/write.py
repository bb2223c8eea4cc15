"""Writes the page for runs: one pass over their rollouts, of which one at a time is in memory."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandmle.evaluation.summary import band, summarize
from sandmle.evaluation.tally import Tallies
from sandmle.play.rollout import read_rollouts
from sandmle.viewer.body import body
from sandmle.viewer.chunks import FOLDER, ChunkWriter
from sandmle.viewer.index import Index
from sandmle.viewer.metrics import metrics_by_policy
from sandmle.viewer.page import GENERATOR, page
from sandmle.viewer.runs import Run
from sandmle.writing import write_whole

PAGE = "index.html"

#: The page says what wrote it among its first characters.
_HEAD = 4096


def write_view(
    runs: Sequence[Run], out: Path, *, progress: Callable[[], None] | None = None
) -> int:
    """Writes the page for `runs` into the folder `out` and returns how many rollouts it shows.

    The page appears whole, after the bodies that it loads; one that was there before stays as it is
    until then. `progress` is called after each rollout.

    Raises FileExistsError where `out` holds a page that something else wrote, RolloutError where a
    file of rollouts is broken, and OSError.
    """
    _refuse_foreign(out)
    missing = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    partial = out / f".bodies.{os.getpid()}"
    partial.mkdir()
    try:
        chunks = ChunkWriter(partial)
        index = _read(runs, chunks, progress)
        bodies = out / chunks.close()
        if not bodies.exists():
            partial.rename(bodies)
        title = ", ".join(run.name for run in runs)
        write_whole(out / PAGE, page({**index, "bodies": bodies.name}, title=title))
    except BaseException:
        shutil.rmtree(out if missing else partial, ignore_errors=True)
        raise
    shutil.rmtree(partial, ignore_errors=True)
    for old in out.iterdir():
        if FOLDER.fullmatch(old.name) and old != bodies:
            shutil.rmtree(old)
    return len(index["rollouts"])


def _read(
    runs: Sequence[Run], chunks: ChunkWriter, progress: Callable[[], None] | None
) -> dict[str, Any]:
    """Writes the bodies of all rollouts, and returns the index."""
    index = Index()
    told = []
    difficulty: dict[str, str] = {}
    for number, run in enumerate(runs):
        tallies = Tallies()
        for rollout in read_rollouts(run.rollouts):
            index.add(number, rollout, chunks.add(body(rollout)))
            tallies.add(rollout)
            if progress is not None:
                progress()
        told.append(_told(run, tallies))
        difficulty |= {task: band(share) for task, share in run.difficulty.items()}
    return index.data(told, difficulty)


def _told(run: Run, tallies: Tallies) -> dict[str, Any]:
    summary = summarize(tuple(tallies.all()), difficulty=run.difficulty)
    return {
        "name": run.name,
        "config": run.played_with,
        "rollouts": tallies.rollouts,
        "expected": None if run.config is None else run.config.rollouts,
        "policies": metrics_by_policy(summary),
    }


def _refuse_foreign(out: Path) -> None:
    existing = out / PAGE
    if not existing.exists():
        return
    with existing.open(encoding="utf-8", errors="replace") as file:
        if f'name="generator" content="{GENERATOR} ' not in file.read(_HEAD):
            raise FileExistsError(f"{existing}: not a page of `{GENERATOR}`; give another --out")
