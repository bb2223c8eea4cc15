"""Validation tasks share neither seed nor rules with training tasks."""

from __future__ import annotations

from collections import Counter

from sandmle.resources import resource
from sandmle.roles.filling import has_definition
from sandmle.roles.holdout import TRAIN, VALIDATION, Holdout, hold_out
from sandmle.seeds.load import load_seed
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
SEEDS = {
    path.stem: load_seed(path, VOCABULARY)
    for path in sorted((resource("specs") / "seeds").glob("*.yaml"))
}


def held(share: float, random_seed: int = 1) -> Holdout:
    return hold_out(
        SEEDS,
        dict.fromkeys(SEEDS, 1 / len(SEEDS)),
        {name: seed.modality for name, seed in SEEDS.items()},
        VOCABULARY,
        share=share,
        random_seed=random_seed,
    )


def test_every_modality_of_three_seeds_and_more_keeps_seeds_on_both_sides() -> None:
    holdout = held(0.07)
    of = Counter(seed.modality for seed in SEEDS.values())
    out = Counter(SEEDS[name].modality for name in holdout.seeds)
    assert set(out) == {modality for modality, count in of.items() if count >= 3}
    assert all(out[modality] < of[modality] for modality in out)
    assert len(holdout.seeds) < 0.2 * len(SEEDS)


def test_the_two_sides_share_no_rule_but_those_that_combine_others() -> None:
    holdout = held(0.07)
    train, validation = (
        set(holdout.words(split, VOCABULARY).folder("hidden")) for split in (TRAIN, VALIDATION)
    )
    assert train | validation == set(VOCABULARY.folder("hidden"))
    assert all(
        has_definition(VOCABULARY.word("hidden", name), "rule") for name in train & validation
    )
    assert len(validation - train) == len(holdout.rules) >= 8


def test_others_are_held_out_by_another_number_and_none_where_none_is_wanted() -> None:
    assert held(0.07) == held(0.07)
    assert held(0.07) != held(0.07, random_seed=2)
    nothing = held(0)
    assert nothing == Holdout()
    assert nothing.words(TRAIN, VOCABULARY) is VOCABULARY
