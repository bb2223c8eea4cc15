"""Splits: the same mix at random, whole groups, or the past and the future."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.runtime.split import (
    FEWEST,
    check_split,
    group_split,
    random_split,
    time_split,
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def labels_of(*counts: int) -> np.ndarray:
    """Class indices with so many samples of each class, in random order."""
    return rng(1).permutation(np.repeat(np.arange(len(counts)), counts))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(16, 200), min_size=2, max_size=6),
    st.integers(50, 200),
    st.integers(0, 99),
)
def test_a_random_split_keeps_shares_and_the_fewest(
    counts: list[int], train: int, seed: int
) -> None:
    labels = labels_of(*counts)
    train = min(train, len(labels) // 2)
    mask = random_split(rng(seed), {"y": labels}, train)
    share = train / len(labels)
    fewest = max(1, min(FEWEST, train // (2 * len(counts))))

    assert mask.sum() == train
    check_split({"y": labels}, mask)
    for value, count in enumerate(counts):
        taken = int((labels[mask] == value).sum())
        assert taken >= min(fewest, count // 2)
        if share * min(counts) > fewest + 1:
            assert abs(taken - share * count) <= 1


def test_rare_positives_are_topped_up() -> None:
    labels = labels_of(984, 16)
    mask = random_split(rng(), {"y": labels}, 100)

    assert mask.sum() == 100
    assert (labels[mask] == 1).sum() == FEWEST
    assert (labels[~mask] == 1).sum() == 8


def test_numbers_are_stratified_too() -> None:
    values = rng(2).gamma(1.0, 1.0, 500)
    mask = random_split(rng(), {"y": values}, 100)

    assert mask.sum() == 100
    for quantile in (0.1, 0.5, 0.9):
        assert (values[mask] < np.quantile(values, quantile)).mean() == pytest.approx(
            quantile, abs=0.02
        )


def test_several_targets_keep_their_shares() -> None:
    truth = {name: (rng(seed).random(600) < 0.3).astype(int) for seed, name in enumerate("abcde")}
    mask = random_split(rng(), truth, 100)

    assert mask.sum() == 100
    for labels in truth.values():
        assert labels[mask].sum() >= FEWEST
        assert labels[mask].mean() == pytest.approx(labels.mean(), abs=0.1)


def test_the_split_follows_from_its_stream_alone() -> None:
    labels = labels_of(300, 300)

    assert np.array_equal(
        random_split(rng(5), {"y": labels}, 100), random_split(rng(5), {"y": labels}, 100)
    )
    assert not np.array_equal(
        random_split(rng(5), {"y": labels}, 100), random_split(rng(6), {"y": labels}, 100)
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(10, 80), st.integers(0, 99))
def test_a_group_split_keeps_groups_whole(groups: int, seed: int) -> None:
    member = rng(seed).integers(0, groups, 600).astype(str)
    labels = rng(seed + 1).integers(0, 2, 600)
    mask = group_split(rng(seed), {"y": labels}, 120, groups=member)

    assert not set(member[mask]) & set(member[~mask])
    assert abs(int(mask.sum()) - 120) <= 12
    check_split({"y": labels}, mask)


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_groups_that_are_too_large_are_refused(groups: int) -> None:
    member = np.arange(600) % groups
    with pytest.raises(ValueError, match=f"{groups} groups can't be divided"):
        group_split(rng(), {"y": labels_of(300, 300)}, 120, groups=member)


def test_a_time_split_trains_on_the_earliest() -> None:
    times = rng().permutation(100).astype(float)

    assert np.array_equal(np.flatnonzero(time_split(times, 30)), np.flatnonzero(times < 30))


def test_ties_in_time_are_broken_by_order() -> None:
    assert time_split(np.zeros(5), 2).tolist() == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("labels", "train", "message"),
    [
        ([0, 0, 0, 0], [1, 1, 0, 0], "class 0 of 'y' has 2 rows in train and 2 in test"),
        ([0, 0, 1, 1], [1, 1, 0, 0], "class 0 of 'y' has 2 rows in train and 0 in test"),
        ([0, 0, 1, 1], [1, 1, 1, 0], "class 0 of 'y' has 2 rows in train and 0 in test"),
        ([0, 0, 1, 0], [1, 1, 0, 0], "class 1 of 'y' has 0 rows in train and 1 in test"),
    ],
)
def test_a_class_that_cannot_be_learnt_or_graded_is_refused(
    labels: list[int], train: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        check_split({"y": np.array(labels)}, np.array(train, dtype=bool))


def test_numbers_need_no_check() -> None:
    check_split({"y": np.zeros(4)}, np.array([True, False, False, False]))
