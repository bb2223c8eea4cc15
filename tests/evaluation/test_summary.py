"""What a summary says of rollouts, counted by hand."""

from __future__ import annotations

import json

import pytest

from sandmle.evaluation.summary import Summary, band, summarize, summary_data
from sandmle.evaluation.tally import METRICS, Tallies
from sandmle.play.rollout import Call, Rollout, Step
from tests.evaluation.examples import attempts, played


def summary(*rollouts: Rollout, difficulty: dict[str, float | None] | None = None) -> Summary:
    return summarize(Tallies(rollouts).all(), difficulty=difficulty or {})


def test_metrics_are_means_over_tasks_of_means_over_attempts() -> None:
    found = summary(
        *attempts("a", "gold", "silver", "median", "invalid"),
        *attempts("b", "bronze", "valid"),
        *attempts("c", "nothing"),
    )
    assert (found.rollouts, found.unscored, found.tasks) == (7, 0, 3)
    assert found.metrics == {
        "reward_mean": pytest.approx(((1 + 0.9 + 0.5 + 0.1) / 4 + (0.7 + 0.4) / 2 + 0.1) / 3),
        "valid_submission": pytest.approx((3 / 4 + 1 + 0) / 3),
        "above_median": pytest.approx((3 / 4 + 1 / 2 + 0) / 3),
        "bronze": pytest.approx((0 + 1 / 2 + 0) / 3),
        "silver": pytest.approx((1 / 4 + 0 + 0) / 3),
        "gold": pytest.approx((1 / 4 + 0 + 0) / 3),
        "any_medal": pytest.approx((2 / 4 + 1 / 2 + 0) / 3),
        "format_rate": 1.0,
    }


def test_every_metric_lies_in_its_interval() -> None:
    found = summary(*attempts("a", "gold"), *attempts("b", "valid"), *attempts("c", "invalid"))
    for name in METRICS:
        value, bounds = found.metrics[name], found.intervals[name]
        assert value is not None
        assert bounds is not None
        assert 0 <= bounds[0] <= value <= bounds[1] <= 1


def test_an_unscored_rollout_is_counted_and_is_no_zero() -> None:
    found = summary(*attempts("a", "gold", "unscored"), *attempts("b", "unscored"))
    assert (found.rollouts, found.unscored, found.tasks, found.unscored_tasks) == (3, 2, 1, 1)
    assert found.metrics["any_medal"] == 1.0
    assert found.terminations == {"policy_error": 2, "answer": 1}
    assert found.any_medal_at == {1: 1.0}


def test_nothing_scored_is_none_and_not_zero() -> None:
    found = summary(*attempts("a", "unscored"))
    assert set(found.metrics.values()) == {None}
    assert set(found.intervals.values()) == {None}
    assert found.any_medal_at == {}
    assert json.loads(json.dumps(summary_data(found)))["reward_mean"] is None


def test_one_task_has_no_interval() -> None:
    assert set(summary(*attempts("a", "gold", "valid")).intervals.values()) == {None}


def test_any_medal_at_k_is_estimated_from_all_attempts() -> None:
    found = summary(
        *attempts("a", "gold", "valid", "valid", "valid"),
        *attempts("b", "bronze", "silver", "valid", "unscored"),
    )
    # At 2: of the pairs of a's four attempts half hold the medal, of b's three all do.
    assert found.any_medal_at == {
        1: pytest.approx((1 / 4 + 2 / 3) / 2),
        2: pytest.approx((1 / 2 + 1) / 2),
        4: 1.0,  # a alone has four scored attempts
    }
    assert found.any_medal_at_intervals[4] is None


def test_groups_are_summed_up_like_the_whole() -> None:
    found = summary(
        *attempts("a", "gold", modality="image", policy="one"),
        *attempts("b", "valid", modality="text", policy="one", metric="f1"),
        *attempts("a", "valid", modality="image", policy="two", task_type="ranking"),
        difficulty={"a": 0.9, "b": 0.1},
    )
    assert found.metrics["gold"] == 0.25  # of a half, of b none
    assert {name: group.metrics["gold"] for name, group in found.by["modality"].items()} == {
        "image": 0.5,
        "text": 0.0,
    }
    assert {name: group.rollouts for name, group in found.by["metric"].items()} == {
        "roc_auc": 2,
        "f1": 1,
    }
    assert found.by["difficulty"].keys() == {"hard", "easy"}
    assert found.by["task_type"].keys() == {"binary", "ranking"}
    one = found.by["policy"]["one"]
    assert isinstance(one, Summary)
    assert one.metrics["gold"] == 0.5
    assert one.by["modality"]["image"].metrics["gold"] == 1.0
    assert "policy" not in one.by


@pytest.mark.parametrize(
    ("difficulty", "name"),
    [
        (-0.2, "easy"),
        (0.3, "easy"),
        (0.34, "medium"),
        (0.7, "hard"),
        (1.5, "hard"),
        (None, "unknown"),
    ],
)
def test_difficulty_has_three_bands(difficulty: float | None, name: str) -> None:
    assert band(difficulty) == name


def test_time_is_split_by_who_takes_it() -> None:
    call = Call("python", 0, False, False, 0.5, 0.4)
    step = Step(1, 100, 10, "stop", 1, 0, 2.0, 0.75, 0.25, (call,))
    rollouts = [
        played("valid", task="a", steps=(step, step), seconds=6.2, cost=0.5),
        # Its seconds after the last turn are the policy's, which was waited for.
        played("valid", task="b", steps=(step,), seconds=60.0, termination="time_limit", cost=None),
    ]
    found = summary(*rollouts)
    assert found.per_step_ms == {
        "model": pytest.approx(2000),
        "sandbox": pytest.approx(750),
        "score": pytest.approx(250),
        "harness": pytest.approx(100),
    }
    assert found.per_code_run_ms == pytest.approx(500)
    assert (found.turns, found.prompt_tokens, found.answer_tokens, found.retries) == (3, 300, 30, 3)
    assert (found.cost, found.priced) == (0.5, 1)


def test_the_data_name_the_metrics_first_and_their_intervals_beside() -> None:
    data = summary_data(summary(*attempts("a", "gold", "gold"), *attempts("b", "valid", "gold")))
    assert list(data)[:3] == ["reward_mean", "valid_submission", "above_median"]
    assert data["any_medal"] == 0.75
    assert data["intervals"].keys() == set(METRICS)
    assert data["any_medal_at"] == {"1": 0.75, "2": 1.0}
    assert data["by"]["policy"]["test"]["any_medal"] == 0.75
    assert json.loads(json.dumps(data, allow_nan=False)) == data
