"""Which tasks a selection means."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.evaluation.selection import select_tasks
from tests.evaluation.conftest import TASKS, verdict, write_index, write_task


def names(corpus: Path, *selections: str, limit: int | None = None) -> list[str]:
    return [task.id for task in select_tasks(selections, corpus=corpus, limit=limit)]


def test_a_split_an_id_and_all(corpus: Path) -> None:
    assert names(corpus, "validation") == ["birds", "dogs", "eggs"]
    assert names(corpus, "train") == ["apples", "cars"]
    assert names(corpus, "all") == [name for name, _, _ in TASKS]
    assert names(corpus, "cars") == ["cars"]


def test_several_selections_hold_each_task_once(corpus: Path) -> None:
    assert names(corpus, "dogs", "validation") == ["dogs", "birds", "eggs"]


def test_a_limit_lets_modalities_take_turns(corpus: Path) -> None:
    assert names(corpus, "all", limit=3) == ["apples", "birds", "cars"]
    assert names(corpus, "all", limit=4) == ["apples", "birds", "cars", "eggs"]
    assert len(names(corpus, "all", limit=99)) == len(TASKS)


def test_a_rejected_task_is_never_meant(corpus: Path) -> None:
    rejected = verdict("dogs", "image", "validation", accepted=False, reasons=("dead: easy",))
    write_task(corpus, rejected)
    assert names(corpus, "validation") == ["birds", "eggs"]
    with pytest.raises(FileNotFoundError, match="rejected: dead: easy"):
        names(corpus, "dogs")


def test_what_means_nothing_is_told(corpus: Path) -> None:
    with pytest.raises(FileNotFoundError, match="did you mean 'cars'"):
        names(corpus, "car")
    with pytest.raises(ValueError, match="no tasks are selected"):
        names(corpus)
    with pytest.raises(ValueError, match="at least 1"):
        names(corpus, "all", limit=0)
    write_index(corpus, [verdict(*TASKS[0])])
    with pytest.raises(ValueError, match=r"by 'validation'; .* has 1 for train"):
        names(corpus, "validation")


def test_competitions_are_read_from_their_folder(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = select_tasks(["apples"], corpus=corpus)
    asked = []

    def load(folder: Path, *, complexity: str | None) -> list[object]:
        asked.append((folder, complexity))
        return list(found)

    monkeypatch.setattr("sandmle.evaluation.selection.load_competitions", load)
    assert names(corpus, "mlebench:data/mle") == ["apples"]
    assert names(corpus, "mlebench-lite:data/mle") == ["apples"]
    assert asked == [(Path("data/mle"), None), (Path("data/mle"), "low")]


def test_difficulty_is_what_naive_work_leaves(corpus: Path) -> None:
    (task,) = select_tasks(["cars"], corpus=corpus)
    assert task.difficulty == pytest.approx(2 / 3)
