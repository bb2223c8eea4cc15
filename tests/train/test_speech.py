"""Conversations become token ids once, and what was sampled stays as it was sampled."""

from __future__ import annotations

from sandmle.play.conversation import Message
from sandmle.train.pipelines import turn_texts
from tests.train.examples import speech, tokenizer
from tests.train.extra import needs_train

pytestmark = needs_train

OPENING = [Message("system", "Task: binary"), Message("user", "Metric: roc_auc")]
ANSWER = Message("tool", "exit code 0 and then exit code 1", tool_call_id="call_1")


def tokens(ids: list[int]) -> list[str]:
    return [str(token) for token in tokenizer().convert_ids_to_tokens(ids)]


def test_the_embedded_model_sees_what_tells_tasks_apart() -> None:
    found = tokens(speech().opening(OPENING))
    assert [token for token in found if not token.startswith("<|")] == [
        "Task: binary",
        "Metric: roc_auc",
    ]
    assert found[-1] == "<|im_start|>"


def test_every_turn_is_one_token_and_decodes_to_itself() -> None:
    speaking = speech()
    for text in turn_texts().values():
        ids = tokenizer()(text, add_special_tokens=False)["input_ids"]
        assert len(ids) == 1
        assert speaking.text([*ids, tokenizer().eos_token_id]) == text


def test_pieces_make_what_the_template_makes_of_the_whole() -> None:
    """The opening, a turn and what follows it are what Qwen3's template renders at once."""
    speaking = speech()
    said = turn_texts()["babble"]
    opening = speaking.opening(OPENING)
    turn = tokenizer()(said, add_special_tokens=False)["input_ids"]
    following = speaking.following([ANSWER], ended=False)
    messages = [
        *({"role": message.role, "content": message.content} for message in OPENING),
        {"role": "assistant", "content": said},
        {"role": "tool", "content": ANSWER.content},
    ]
    whole = tokenizer().apply_chat_template(
        messages, tools=speaking.tools, add_generation_prompt=True, tokenize=False
    )
    assert [*opening, *turn, *following] == tokenizer()(whole)["input_ids"]


def test_the_end_of_a_turn_is_there_once() -> None:
    speaking = speech()
    missing = speaking.following([ANSWER], ended=False)
    said = speaking.following([ANSWER], ended=True)
    assert missing == [tokenizer().eos_token_id, *said]
