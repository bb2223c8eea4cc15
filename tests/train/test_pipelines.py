"""The turns of the embedded policy: whole replies, that the reader of replies takes as they are."""

from __future__ import annotations

import pytest

from sandmle.play.conversation import reasons_properly
from sandmle.play.reply import read_reply
from sandmle.train.pipelines import pipeline_names, turn_texts

TURNS = turn_texts()


def test_there_are_many() -> None:
    assert len(pipeline_names()) >= 12
    assert len(set(TURNS.values())) == len(TURNS)


@pytest.mark.parametrize("name", pipeline_names())
def test_a_pipeline_thinks_and_runs_one_script(name: str) -> None:
    turn = read_reply(TURNS[name], cut=True)
    assert reasons_properly(turn.text)
    (call,) = turn.tool_calls
    assert (call.name, call.fault) == ("python", "")
    code = call.arguments["code"]
    compile(code, name, "exec")
    assert "sandmle" not in code


def test_other_turns_answer_ask_for_the_score_and_babble() -> None:
    assert read_reply(TURNS["answer"]).answer == "It is submitted."
    assert read_reply(TURNS["score"]).tool_calls[0].name == "score"
    babble = read_reply(TURNS["babble"])
    assert babble.answer is None
    assert not babble.tool_calls
    assert not reasons_properly(babble.text)
