"""Prepared competitions of MLE-bench as tasks."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType

from sandmle.mlebench.known import known_competitions
from sandmle.mlebench.leaderboard import is_lower_better, medal_thresholds, read_leaderboard
from sandmle.mlebench.outcome import Outcome
from sandmle.mlebench.prepared import Competition, find_competition, prepared_folders
from sandmle.mlebench.process import Processes
from sandmle.play.task import Task

#: What tasks say of where they are from.
BENCHMARK = "MLE-bench"

#: How selections of competitions begin (`mlebench:DIR`), and of which complexity those then are:
#: MLE-bench Lite are the ones of low complexity.
PREFIXES: Mapping[str, str | None] = MappingProxyType({"mlebench:": None, "mlebench-lite:": "low"})

#: Seconds within which a grader must be there: it imports what it needs.
_SECONDS = 300.0


def load_competitions(
    folder: Path, *, ids: Collection[str] = (), complexity: str | None = None
) -> list[Task]:
    """The prepared competitions of MLE-bench's data folder, or of one competition's folder, as
    tasks in the order of their ids; those of `ids`, or all; those of a complexity (low, medium,
    high), or all.

    Their data stay where they are, and are not read but for descriptions, answers and leaderboards.
    Raises FileNotFoundError naming the file that is missing where a competition is not prepared,
    half prepared, or without a leaderboard, and ValueError where a file is broken or nothing here
    can grade it, with what to install.
    """
    # A link to a folder elsewhere keeps its name here, which is the competition's.
    place = Path(os.path.abspath(folder.expanduser()))
    competitions = [
        find_competition(path)
        for path in prepared_folders(place, ids)
        if complexity is None or _complexity(path.name) == complexity
    ]
    tasks = [_task(competition) for competition in competitions]
    _check_graders(competitions)
    return tasks


def _task(competition: Competition) -> Task:
    scores = read_leaderboard(competition.leaderboard)
    return Task(
        id=competition.id,
        folder=competition.folder,
        public=competition.public,
        description=_description(competition),
        modality=competition.modality,
        task=competition.task,
        metric=competition.metric,
        is_lower_better=_direction(competition, is_lower_better(scores)),
        thresholds=medal_thresholds(scores),
        digests={
            "public": _digest(_listing(competition.public)),
            "private": _file_digest(competition.answers),
            "leaderboard": _file_digest(competition.leaderboard),
        },
        split=_complexity(competition.id) or "test",
        benchmark=BENCHMARK,
    )


def _complexity(name: str) -> str | None:
    """MLE-bench's name for how hard a competition is, by which it splits them; None for others."""
    known = known_competitions().get(name)
    return None if known is None else known.complexity


def _description(competition: Competition) -> str:
    path = competition.public / "description.md"
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text") from None


def _direction(competition: Competition, told: bool | None) -> bool:
    """Which way is better, by the leaderboard's order, which must be that of the metric."""
    expected = competition.is_lower_better
    if told is None:
        return bool(expected)
    if expected is not None and told != expected:
        better = "lower" if expected else "higher"
        raise ValueError(
            f"{competition.leaderboard}: the best team must stand first, but {better} is better in "
            f"{competition.metric} and the last team's score is better than the first's"
        )
    return told


def _check_graders(competitions: Sequence[Competition]) -> None:
    """Raises ValueError for the first competition whose grader can't be had."""
    with Processes() as processes, ThreadPoolExecutor(max_workers=4) as threads:
        looking = functools.partial(processes.outcome, _look, seconds=_SECONDS)
        for competition, outcome in zip(
            competitions, threads.map(looking, competitions), strict=True
        ):
            if outcome is None or outcome.kind != "graded":
                whose = competition.config or competition.answers
                reason = outcome.reason if outcome else f"it took longer than {_SECONDS:g} s"
                raise ValueError(f"{whose}: {competition.id} cannot be graded: {reason}")


def _look(competition: Competition) -> Outcome:
    """Looks at a competition's grader in a process of its own."""
    from sandmle.mlebench.judging import look_at  # what it imports is for that process alone

    return look_at(competition)


def _listing(public: Path) -> list[str]:
    """What lies at the top of the public folder, by name and size; its description by content."""
    lines = [_file_digest(public / "description.md")]
    for path in sorted(public.iterdir()):
        lines.append(f"{path.name} {path.stat().st_size if path.is_file() else 'folder'}")
    return lines


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
