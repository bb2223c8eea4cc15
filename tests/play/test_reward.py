"""Rewards equal the published formulas, worked out by hand here, and are never anything else."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.errors import SpecError
from sandmle.play.reward import Weights, load_weights, presets, reward
from sandmle.play.rollout import UNSCORED
from tests.play.examples import rollout, submission

PROPER, SLOPPY = "<think>so</think>", "so"

OUTCOMES = {
    "nothing": None,
    "invalid": submission(valid=False),
    "valid": submission(),
    "median": submission(above_median=True),
    "bronze": submission(above_median=True, medal="bronze"),
    "silver": submission(above_median=True, medal="silver"),
    "gold": submission(above_median=True, medal="gold"),
}

# By hand, with every turn in proper format.
GOLDEN = {
    # .1 format, .3 executes, then .1, .2, .2, .1 on top of each other
    "paper": {
        "nothing": 0.1,
        "invalid": 0.1,
        "valid": 0.4,
        "median": 0.5,
        "bronze": 0.7,
        "silver": 0.9,
        "gold": 1.0,
    },
    # .1 format, .2 executes, then one of .1, .5, .6, .7
    "release": {
        "nothing": 0.1,
        "invalid": 0.1,
        "valid": 0.3,
        "median": 0.4,
        "bronze": 0.8,
        "silver": 0.9,
        "gold": 1.0,
    },
    # .1 format and .9 for gold
    "sparse": {
        "nothing": 0.1,
        "invalid": 0.1,
        "valid": 0.1,
        "median": 0.1,
        "bronze": 0.1,
        "silver": 0.1,
        "gold": 1.0,
    },
}


def test_every_preset_has_golden_values() -> None:
    assert set(GOLDEN) == set(presets())


@pytest.mark.parametrize("preset", GOLDEN)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_golden(preset: str, outcome: str) -> None:
    final = OUTCOMES[outcome]
    episode = rollout(*([final] if final else []))
    earned = reward(episode, load_weights(preset))
    assert earned is not None
    assert earned.total == GOLDEN[preset][outcome]
    assert sum(earned.parts.values()) == pytest.approx(earned.total)
    assert earned.weights == preset


def test_parts_tell_what_was_earned() -> None:
    earned = reward(rollout(OUTCOMES["silver"]), load_weights("paper"))
    assert earned is not None
    assert earned.parts == {
        "format": 0.1,
        "executes": 0.3,
        "median": 0.1,
        "bronze": 0.2,
        "silver": 0.2,
        "gold": 0.0,
    }
    earned = reward(rollout(OUTCOMES["silver"]), load_weights("release"))
    assert earned is not None
    assert earned.parts == {
        "format": 0.1,
        "executes": 0.2,
        "median": 0.0,
        "bronze": 0.0,
        "silver": 0.6,
        "gold": 0.0,
    }


@pytest.mark.parametrize(
    ("replies", "share"),
    [
        ((PROPER,), 0.1),
        ((SLOPPY,), 0.0),
        ((PROPER, SLOPPY), 0.05),
        ((PROPER, SLOPPY, SLOPPY, SLOPPY), 0.025),
        ((), 0.0),
    ],
)
def test_format_is_paid_by_the_share_of_proper_turns(
    replies: tuple[str, ...], share: float
) -> None:
    earned = reward(rollout(replies=replies), load_weights("paper"))
    assert earned is not None
    assert earned.parts["format"] == pytest.approx(share)
    assert earned.total == pytest.approx(share)


@pytest.mark.parametrize("preset", GOLDEN)
def test_better_never_earns_less(preset: str) -> None:
    earned = [GOLDEN[preset][outcome] for outcome in OUTCOMES]
    assert earned == sorted(earned)


def test_the_submission_at_the_end_counts_not_the_best() -> None:
    episode = rollout(OUTCOMES["gold"], OUTCOMES["valid"])
    earned = reward(episode, load_weights("paper"))
    assert earned is not None
    assert earned.total == 0.4
    earned = reward(replace(episode, final=None), load_weights("paper"))
    assert earned is not None
    assert earned.total == 0.1


@pytest.mark.parametrize("termination", UNSCORED)
def test_unscored_is_none_and_not_zero(termination: str) -> None:
    episode = rollout(OUTCOMES["gold"], termination=termination)
    assert reward(episode, load_weights("paper")) is None


@pytest.mark.parametrize("worth", [float("nan"), float("inf"), -float("inf"), -0.1, 1.5, 1e308])
def test_a_reward_outside_its_range_is_a_bug_that_raises(worth: float) -> None:
    weights = Weights("odd", 0.1, worth, True, load_weights("paper").milestones)
    with pytest.raises(ValueError, match=r"\[0, 1\]|-inf"):
        reward(rollout(OUTCOMES["valid"]), weights)


@given(
    st.tuples(*[st.floats(0, 1)] * 6),
    st.booleans(),
    st.sampled_from([outcome for outcome in OUTCOMES.values() if outcome]),
)
def test_weights_within_one_pay_within_one(
    worth: tuple[float, ...], cumulative: bool, final: object
) -> None:
    share = [value / 6 for value in worth]
    names = ("median", "bronze", "silver", "gold")
    milestones = dict(zip(names, share[2:], strict=True))
    weights = Weights("any", share[0], share[1], cumulative, milestones)  # type: ignore[arg-type]
    earned = reward(rollout(final), weights)  # type: ignore[arg-type]
    assert earned is not None
    assert 0 <= earned.total <= weights.most + 1e-9


FILE = {
    "format": "0.1",
    "executes": "0.2",
    "milestones": "cumulative",
    "median": "0.1",
    "bronze": "0.1",
    "silver": "0.2",
    "gold": "0.3",
}


def write(path: Path, changes: dict[str, str | None]) -> Path:
    lines = {**FILE, **changes}
    text = "".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None)
    path.write_text(text)
    return path


def test_weights_of_ones_own_come_by_path(tmp_path: Path) -> None:
    weights = load_weights(write(tmp_path / "mine.yaml", {}))
    assert weights.name == "mine"
    earned = reward(rollout(OUTCOMES["bronze"]), weights)
    assert earned is not None
    assert earned.total == 0.5


def test_the_digest_is_of_the_meaning(tmp_path: Path) -> None:
    first = load_weights(write(tmp_path / "a.yaml", {}))
    same = load_weights(write(tmp_path / "b.yaml", {"gold": "0.30  # as before"}))
    other = load_weights(write(tmp_path / "c.yaml", {"gold": "0.2"}))
    assert first.digest == same.digest != other.digest


@pytest.mark.parametrize(
    ("changes", "place", "message"),
    [
        ({"gold": "1.5"}, "7:7: gold", "in [0, 1]"),
        ({"gold": "-0.1"}, "7:7: gold", "in [0, 1]"),
        ({"gold": ".nan"}, "7:7: gold", "not a finite number"),
        ({"gold": ".inf"}, "7:7: gold", "not a finite number"),
        ({"gold": "true"}, "7:7: gold", "in [0, 1]"),
        ({"gold": "high"}, "7:7: gold", "in [0, 1]"),
        ({"gold": None}, "1:1", "missing key 'gold'"),
        ({"golden": "0.1"}, "8:1: golden", "did you mean 'gold'?"),
        ({"milestones": "both"}, "3:13: milestones", "cumulative or exclusive"),
        ({"gold": "0.7"}, "1:1", "at most 1"),
        ({"milestones": "exclusive", "gold": "0.1"}, "7:7: gold", "better would earn less"),
    ],
)
def test_faulty_weights_are_refused_at_their_place(
    tmp_path: Path, changes: dict[str, str | None], place: str, message: str
) -> None:
    path = write(tmp_path / "mine.yaml", changes)
    with pytest.raises(SpecError) as caught:
        load_weights(path)
    assert f"mine.yaml:{place}" in str(caught.value)
    assert message in str(caught.value)


def test_an_unknown_preset_names_those_there_are() -> None:
    with pytest.raises(FileNotFoundError, match="sparse"):
        load_weights("dense")
