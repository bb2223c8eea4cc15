from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sandmle.play.conversation import Message, ToolCall
from sandmle.viewer.body import body
from sandmle.viewer.climb import climb
from tests.viewer.episodes import climbing, hostile, submission


def test_a_turn_holds_its_calls_and_what_came_of_each() -> None:
    turns = body(climbing())["turns"]
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4, 5, 6]
    assert turns[1]["calls"][0]["record"]["exit_code"] == 1
    assert "TypeError" in turns[1]["calls"][0]["told"]
    ran, unread = turns[2]["calls"]
    assert ran["record"]["exit_code"] == 0
    assert unread["record"] is None
    assert unread["fault"].startswith("the arguments are not valid JSON")
    assert unread["told"].startswith("Not run")
    assert turns[3]["notes"][0]["role"] == "user"
    in_text, scored = turns[4]["calls"]
    assert in_text["in_text"]
    assert scored["record"]["tool"] == "score"
    assert scored["told"] == "submission.csv is valid."
    assert turns[5]["parts"][-1] == {
        "kind": "answer",
        "text": "Boosted trees, 900 rounds.",
        "closed": True,
    }


def test_a_call_that_could_not_run_takes_no_other_calls_record() -> None:
    calls = (ToolCall("a", "python", {"kode": "1"}), ToolCall("b", "python", {"code": "2"}))
    messages = (
        Message("assistant", "", calls),
        Message("tool", "Not run: python takes one argument", tool_call_id="a"),
        Message("tool", "exit code 0", tool_call_id="b"),
    )
    (turn,) = body(climbing(messages=messages))["turns"]
    assert [call["record"] is None for call in turn["calls"]] == [True, False]
    assert [call["code"] for call in turn["calls"]] == [None, "2"]


def test_nothing_that_was_said_is_lost() -> None:
    for rollout in (climbing(), hostile()):
        shown = json.dumps(body(rollout))
        for message in rollout.messages:
            if message.role != "assistant":
                assert json.dumps(message.content) in shown


def test_an_episode_without_a_turn_is_a_body_too() -> None:
    messages = climbing().messages[:2]
    data = body(climbing(messages=messages, steps=(), submissions=(), final=None, reward=None))
    assert data["turns"] == []
    assert data["climb"]["points"] == []
    assert data["reward"] is None


@pytest.mark.parametrize("lower", [False, True])
def test_a_better_submission_stands_higher(lower: bool) -> None:
    rollout = climbing(
        is_lower_better=lower, submissions=(submission(1, 0.7), submission(2, 0.8)), final=1
    )
    worse, better = (point["place"] for point in climb(rollout)["points"][:: -1 if lower else 1])
    assert worse < better


def test_the_climb_tells_lines_invalid_submissions_and_which_one_counts() -> None:
    found = climb(climbing())
    assert [line["name"] for line in found["lines"]] == ["median", "bronze", "silver", "gold"]
    assert [point["place"] is None for point in found["points"]] == [True, False, False]
    assert [point["final"] for point in found["points"]] == [False, False, True]
    assert found["points"][2]["level"] == "gold"
    assert found["points"][2]["place"] > found["lines"][3]["place"]


def test_a_submission_far_below_the_lines_is_drawn_at_the_edge() -> None:
    found = climb(climbing(submissions=(submission(1, -40.0), submission(2, 0.9)), final=1))
    assert found["points"][0]["beyond"]
    assert found["points"][0]["place"] == 0
    assert found["lines"][3]["place"] > found["lines"][0]["place"] > 0.2


def test_without_thresholds_there_are_no_lines() -> None:
    assert climb(replace(climbing(), thresholds=None))["lines"] == []
