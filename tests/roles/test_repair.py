"""What is turned in a draft that is no good, and what a spec tells of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandmle.resources import resource
from sandmle.roles.draft import draft
from sandmle.roles.draft_files import write_drafts
from sandmle.roles.drawing import GivenUp
from sandmle.roles.log import read_log
from sandmle.roles.repair import (
    MOST_TRIES,
    NOT_BUILT,
    TOO_EASY,
    TOO_HARD,
    TOO_NARROW,
    Dials,
    Fault,
    next_dials,
)
from sandmle.roles.role import DraftError
from sandmle.seeds.load import load_seed
from sandmle.spec.load import dump_spec, load_spec
from sandmle.spec.model import Spec
from sandmle.spec.outline import outline
from sandmle.vocabulary import load_vocabulary

SEEDS = resource("specs") / "seeds"
DIALS = Dials(difficulty=0.6, rule=0.0, noise=1.0, train=160, test=500)


def fault(because: str, by: float | None = -0.1) -> Fault:
    return Fault(because, "some margin", by)


class Bench:
    """A judge that finds faults in the first specs that it sees."""

    def __init__(self, *verdicts: str) -> None:
        self.verdicts = list(verdicts)
        self.seen: list[Spec] = []

    def __call__(self, spec: Spec) -> Sequence[Fault]:
        self.seen.append(spec)
        return [fault(self.verdicts.pop(0))] if self.verdicts else []


def drafted(judge: Bench, name: str = "wine", count: int = 1) -> list[Spec]:
    seed = load_seed(SEEDS / f"{name}.yaml")
    return list(draft(seed, count=count, random_seed=3, judge=judge))


def test_what_is_too_hard_gets_easier_and_less_noisy() -> None:
    turned = next_dials([(DIALS, [fault(TOO_HARD)])], tabular=True)
    assert turned is not None
    assert turned.difficulty < DIALS.difficulty
    assert 0 < turned.noise < DIALS.noise
    shown = next_dials([(DIALS, [fault(TOO_HARD)])], tabular=False)
    assert shown is not None
    assert (shown.noise, shown.train) == (0.0, 200)
    again = next_dials(
        [(DIALS, [fault(TOO_HARD)]), (turned, [fault(TOO_HARD, -0.01)])], tabular=True
    )
    assert again is not None
    assert (again.difficulty, again.noise, again.train) == (0.0, 0.0, 200)


@pytest.mark.parametrize("tabular", [True, False])
def test_what_is_too_easy_gets_harder(tabular: bool) -> None:
    turned = next_dials([(DIALS, [fault(TOO_EASY)])], tabular=tabular)
    assert turned is not None
    assert turned.difficulty > DIALS.difficulty
    assert (turned.rule > 0) is not tabular
    assert turned.noise == DIALS.noise


def test_a_turn_too_far_is_taken_back_by_half() -> None:
    first = next_dials([(DIALS, [fault(TOO_EASY)])], tabular=True)
    assert first is not None
    back = next_dials([(DIALS, [fault(TOO_EASY)]), (first, [fault(TOO_HARD)])], tabular=True)
    assert back is not None
    assert DIALS.difficulty < back.difficulty < first.difficulty


def test_what_is_too_narrow_gets_rows_where_there_is_room_and_else_other_data() -> None:
    turned = next_dials([(DIALS, [fault(TOO_NARROW)])], tabular=True)
    assert turned is not None
    assert (turned.test, turned.noise, turned.reseeded) == (1000, 0.5, 0)
    turned = next_dials([(DIALS, [fault(TOO_NARROW)])], tabular=False)
    assert turned is not None
    assert (turned.test, turned.noise, turned.reseeded) == (500, 0.0, 1)


def test_dials_are_turned_as_far_as_makes_a_difference() -> None:
    seed = load_seed(SEEDS / "wine.yaml")
    for random_seed in range(6):
        judge = Bench(TOO_HARD)
        list(draft(seed, count=1, random_seed=random_seed, judge=judge))
        before, after = (outline(spec, load_vocabulary()) for spec in judge.seen)
        assert before != after


@pytest.mark.parametrize(
    "tried",
    [
        [(DIALS, [fault(NOT_BUILT, None)])],
        [(DIALS, [fault(TOO_EASY), fault(TOO_HARD)])],
        [(DIALS, [fault(TOO_HARD, -0.1)]), (DIALS, [fault(TOO_HARD, -0.09)])],
        [(dataclasses.replace(DIALS, difficulty=1.0), [fault(TOO_EASY)])],
        [(DIALS, [fault(TOO_HARD, -n / 10)]) for n in (9, 4, 1)],
    ],
    ids=["not built", "contradictory", "in vain", "at its end", "turned twice"],
)
def test_what_turning_does_not_mend_is_drawn_anew(
    tried: list[tuple[Dials, list[Fault]]],
) -> None:
    assert next_dials(tried, tabular=True) is None


def test_a_good_draft_is_left_as_it_is() -> None:
    judge = Bench()
    (spec,) = drafted(judge)
    (unjudged,) = draft(load_seed(SEEDS / "wine.yaml"), count=1, random_seed=3)
    assert dump_spec(spec) == dump_spec(unjudged)
    assert len(judge.seen) == 1


def test_a_turned_draft_differs_by_its_dials_alone() -> None:
    judge = Bench(TOO_HARD)
    (spec,) = drafted(judge, "breast-cancer")
    before = judge.seen[0]
    assert spec.random_seed == before.random_seed
    assert [target.rule.kind for target in spec.targets] == [
        target.rule.kind for target in before.targets
    ]
    assert spec.domain == before.domain
    assert spec.dna.metric == before.dna.metric
    (repair,) = spec.provenance["repairs"]
    assert repair["because"] == "too hard"
    assert repair["margin"] == "some margin"
    assert repair["turned"]["difficulty"] == [before.dna.difficulty, spec.dna.difficulty]
    assert spec.dna.difficulty is not None
    assert before.dna.difficulty is not None
    assert spec.dna.difficulty < before.dna.difficulty


def test_a_draft_drawn_anew_says_so() -> None:
    judge = Bench(NOT_BUILT)
    (spec,) = drafted(judge)
    assert [repair["redrawn"] for repair in spec.provenance["repairs"]] == [True]
    assert spec.random_seed != judge.seen[0].random_seed


def test_the_next_attempt_takes_the_place_of_a_draft_given_up(tmp_path: Path) -> None:
    judge = Bench(*[TOO_HARD] * MOST_TRIES)
    heard: list[Path | GivenUp] = []
    (path,) = write_drafts(
        SEEDS / "wine.yaml",
        count=1,
        random_seed=3,
        folder=tmp_path,
        judge=judge,
        told=heard.append,
    )
    assert len(judge.seen) == MOST_TRIES + 1
    assert "repairs" not in load_spec(path).provenance
    given_up, written = heard
    assert isinstance(given_up, GivenUp)
    assert (given_up.data["because"], given_up.data["margin"]) == ("too hard", "some margin")
    assert len(given_up.data["provenance"]["repairs"]) == MOST_TRIES - 1
    assert written == path
    (line,) = read_log(tmp_path)
    assert line.given_up == (given_up.data,)


def test_a_seed_that_gives_nothing_good_is_refused_with_the_reason() -> None:
    with pytest.raises(DraftError, match="wine: 0 of 1 drafts, then they stay too hard: some"):
        drafted(Bench(*[TOO_HARD] * 100))
