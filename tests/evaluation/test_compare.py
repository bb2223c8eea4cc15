"""Two runs compared task by task."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from sandmle.evaluation.compare import Compared, compare, compared_data
from sandmle.evaluation.config import CONFIG_FORMAT, Config, Selected
from sandmle.evaluation.run import Run
from sandmle.evaluation.tables import comparison_notes
from sandmle.evaluation.tally import METRICS, Tallies
from sandmle.play.rollout import Rollout
from sandmle.play.settings import Settings
from tests.evaluation.examples import attempts

CONFIG = Config(
    format=CONFIG_FORMAT,
    version="1",
    policies=("a",),
    options={},
    tasks=("all",),
    limit=None,
    attempts=1,
    reward="paper",
    settings=Settings(),
    digests={"weights": "w", "policy a": "p"},
    selected={},
    shard=None,
)


def run(*rollouts: Rollout, config: Config | None = None) -> Run:
    return Run(Path("run"), config, tuple(Tallies(rollouts).all()))


def many(policy: str, outcomes: str, **changes: str) -> list[Rollout]:
    """A rollout for each letter: gold, valid or nothing; tasks of two modalities."""
    names = {"g": "gold", "v": "valid", "n": "nothing"}
    return [
        rollout
        for number, letter in enumerate(outcomes)
        for rollout in attempts(
            f"t{number}",
            names[letter],
            policy=policy,
            modality="image" if number % 2 else "text",
            **changes,
        )
    ]


def both(first: str, second: str) -> Compared:
    return compare(run(*many("a", first)), run(*many("b", second)))


def test_means_differences_and_chances_are_those_of_the_pairs() -> None:
    found = both("vvvvnnvvgv", "gvgvvngggv")
    assert found.whole is not None
    assert (found.first, found.second, found.whole.tasks) == ("a", "b", 10)
    one = found.whole.metrics["any_medal"]
    assert (one.first, one.second, one.difference) == (0.1, 0.5, pytest.approx(0.4))
    assert one.interval is not None
    assert 0 < one.interval[0] < 0.4 < one.interval[1]
    # Four tasks got better and none worse: the sign test of four.
    assert one.p_value == pytest.approx(stats.binomtest(4, 4).pvalue)


def test_a_run_differs_from_itself_by_nothing() -> None:
    found = both("gvnvg", "gvnvg")
    assert found.whole is not None
    for name in METRICS:
        one = found.whole.metrics[name]
        assert (one.difference, one.interval, one.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_the_other_way_round_only_signs_change() -> None:
    there, back = both("vgvgnnvv", "gggvvvnn"), both("gggvvvnn", "vgvgnnvv")
    assert there.whole is not None
    assert back.whole is not None
    for name in METRICS:
        one, other = there.whole.metrics[name], back.whole.metrics[name]
        assert one.difference == pytest.approx(-other.difference)
        assert one.p_value == other.p_value
        assert one.interval is not None
        assert other.interval is not None
        assert np.sort(-np.array(other.interval)) == pytest.approx(one.interval)


def test_modalities_are_compared_by_themselves() -> None:
    found = both("vvvvvv", "gvgvgv")
    assert found.by_modality.keys() == {"text", "image"}
    assert found.by_modality["text"].metrics["gold"].difference == 1.0
    assert found.by_modality["image"].metrics["gold"].difference == 0.0
    assert found.by_modality["text"].tasks == 3


def test_only_tasks_of_both_are_compared_and_the_rest_is_told() -> None:
    first = run(*many("a", "ggg"), *attempts("only", "gold", policy="a"))
    second = run(*many("b", "gg"), *attempts("t2", "unscored", policy="b"))
    found = compare(first, second)
    assert found.whole is not None
    assert found.whole.tasks == 2
    assert (found.only_first, found.only_second) == (("t2", "only"), ())
    assert list(comparison_notes(found)) == [
        "left out: 2 tasks, only the first run has a scored rollout"
    ]


def test_tasks_that_were_built_anew_are_left_out_and_other_settings_told() -> None:
    selected = {f"t{number}": Selected("train", "text", None, "d") for number in range(3)}
    before = replace(CONFIG, selected=selected)
    now = replace(
        before,
        policies=("b",),
        attempts=9,
        settings=Settings(score="none"),
        selected={**selected, "t1": replace(selected["t1"], digest="e")},
    )
    found = compare(run(*many("a", "vvv"), config=before), run(*many("b", "ggg"), config=now))
    assert found.whole is not None
    assert found.whole.tasks == 2
    assert found.changed == ("t1",)
    assert found.differences == ('settings.score: "test", now "none"',)


def test_nothing_in_common_is_no_comparison() -> None:
    found = compare(run(*attempts("x", "gold")), run(*attempts("y", "gold")))
    assert found.whole is None
    assert json.loads(json.dumps(compared_data(found)))["whole"] is None


def test_one_task_has_no_interval_and_no_chance() -> None:
    found = both("v", "g")
    assert found.whole is not None
    one = found.whole.metrics["gold"]
    assert (one.difference, one.interval, one.p_value) == (1.0, None, None)


def test_of_several_policies_one_is_named() -> None:
    two = run(*many("a", "vvvv"), *many("b", "gggg"))
    found = compare(two, two, policies=("a", "b"))
    assert found.whole is not None
    assert found.whole.metrics["gold"].difference == 1.0
    with pytest.raises(ValueError, match="say which policy is meant of a, b"):
        compare(two, two)
    with pytest.raises(ValueError, match="no policy 'c' played"):
        compare(two, two, policies=("a", "c"))
