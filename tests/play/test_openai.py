"""The real client against a real server on loopback, with all that models and servers do."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import sandmle.play.play as playing
from sandmle.asking.chat import NoReply
from sandmle.errors import BudgetSpent, EndpointError
from sandmle.play.context import ContextFull
from sandmle.play.conversation import Message, Turn, reasons_properly
from sandmle.play.play import play
from sandmle.play.policies import Policy, load_policy
from sandmle.play.rollout import Rollout
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Sandbox
from tests.asking.server import (
    Action,
    Answer,
    Drop,
    Hang,
    Raw,
    Server,
    Status,
    in_turn,
    serving,
)
from tests.play.conftest import FakeSandbox, result

OPENING = (Message("system", "rules"), Message("user", "the task"))
RUN = ("python", '{"code": "print(1)"}')
STREAMING = pytest.mark.parametrize("stream", [False, True], ids=["whole", "in a stream"])


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-key")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def policy(server: Server, settings: Settings | None = None, **options: Any) -> Policy:
    options = {"base_url": server.url, "first_wait": 0.01, "timeout": 5.0, **options}
    return load_policy("openai:small", settings=settings, **options)


def ask(asked: Policy, task: Task, messages: Sequence[Message] = OPENING, attempt: int = 0) -> Turn:
    return asyncio.run(asked.respond(messages, task, attempt))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, task: Task) -> Callable[..., Rollout]:
    """Plays one episode in a sandbox that takes the code for the submission."""

    async def open_fake(public: Path, **choices: object) -> Sandbox:
        return FakeSandbox(lambda code: result(code.encode(), stdout="so it ran"))

    monkeypatch.setattr(playing, "open_sandbox", open_fake)

    def run(player: Policy, settings: Settings | None = None) -> Rollout:
        (rollout,) = asyncio.run(play([task], [player], settings=settings))
        return rollout

    return run


# --- what a model says


@STREAMING
def test_a_native_call_with_reasoning_beside_it(task: Task, stream: bool) -> None:
    for place in ("reasoning_content", "reasoning"):
        answer = Answer("Go.", "tool_calls", calls=[RUN, ("score", "")], reasoning="I think so.",
                        reasoning_field=place)  # fmt: skip
        with serving(in_turn(answer)) as server:
            turn = ask(policy(server, stream=stream), task)
        assert turn.text == "<think>\nI think so.\n</think>\n\nGo."
        assert reasons_properly(turn.text)
        assert [(call.name, dict(call.arguments)) for call in turn.tool_calls] == [
            ("python", {"code": "print(1)"}),
            ("score", {}),
        ]
        assert (turn.tokens, turn.prompt_tokens, turn.finish) == (20, 100, "tool_calls")
        assert (turn.retries, turn.elided, turn.cost) == (0, 0, None)


@STREAMING
def test_a_call_in_the_text(task: Task, stream: bool) -> None:
    text = '<think>so</think><tool_call>{"name": "python", "arguments": {"code": "1"}}</tool_call>'
    with serving(in_turn(Answer(text))) as server:
        turn = ask(policy(server, Settings(tools="text"), stream=stream), task)
        assert "tools" not in server.requests[0]
    assert turn.text == text
    assert turn.tool_calls[0].arguments == {"code": "1"}
    assert turn.tool_calls[0].in_text


@STREAMING
def test_an_answer_that_was_cut_off_and_one_without_words(task: Task, stream: bool) -> None:
    with serving(in_turn(Answer("<code>\nprint(1", "length"), Answer(None))) as server:
        asked = policy(server, stream=stream)
        turn = ask(asked, task)
        assert turn.finish == "length"
        assert "cut off" in turn.tool_calls[0].fault
        assert ask(asked, task) == Turn("", tokens=20, prompt_tokens=100, finish="stop")


@STREAMING
def test_an_endpoint_that_tells_no_usage_is_estimated(task: Task, stream: bool) -> None:
    with serving(in_turn(Answer("a" * 300, usage=None))) as server:
        turn = ask(policy(server, stream=stream, prices=["1/10"]), task)
    assert 100 < turn.tokens < 200
    assert turn.prompt_tokens > 100
    assert turn.cost == pytest.approx((turn.prompt_tokens + 10 * turn.tokens) / 1e6)


# --- how it is asked


def test_a_request_holds_what_was_asked_for_and_the_record_says_so(task: Task) -> None:
    with serving(in_turn(Answer("so"))) as server:
        asked = policy(
            server, temperature=0.5, top_p=0.9, max_tokens=99, random_seed=3, extra={"top_k": 5}
        )
        for attempt in (0, 0, 1):
            ask(asked, task, attempt=attempt)
        first, again, other = server.requests
    assert first == again
    assert first["seed"] != other["seed"]
    expected = {"temperature": 0.5, "top_p": 0.9, "max_completion_tokens": 99, "top_k": 5}
    assert expected.items() <= first.items()
    assert [tool["function"]["name"] for tool in first["tools"]] == ["python", "score"]
    assert asked.sampling(task, 1) == {
        "model": "small",
        "base_url": server.url,
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 99,
        "random_seed": 3,
        "stream": False,
        "extra": {"top_k": 5},
        "seed": other["seed"],
    }


def test_what_is_not_asked_for_is_left_to_the_endpoint(task: Task) -> None:
    with serving(in_turn(Answer("so"))) as server:
        ask(policy(server, Settings(score="none")), task)
        (body,) = server.requests
    assert body.keys() == {"model", "messages", "max_completion_tokens", "seed", "tools"}
    assert [tool["function"]["name"] for tool in body["tools"]] == ["python"]


def test_no_secret_of_an_address_is_recorded(task: Task) -> None:
    player = load_policy("openai:small", base_url="https://me:secret@host:8/v1?key=secret")
    assert "secret" not in json.dumps(player.sampling(task, 0))
    assert player.sampling(task, 0)["base_url"] == "https://host:8/v1"  # type: ignore[index]
    assert player.name == "openai:small"


def test_digests_tell_apart_what_was_asked_differently() -> None:
    ways: list[dict[str, Any]] = [{}, {"temperature": 1.0}, {"base_url": "http://a/v1"}]
    assert len({load_policy("openai:small", **way).digest for way in ways}) == 3


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("openai", {}, "as in openai:MODEL"),
        ("openai:m", {"max_tokens": 0}, "max_tokens must be above zero"),
        ("openai:m", {"budget": "lots"}, "no budget"),
        ("openai:m", {"budget": "$5"}, "needs the price"),
        ("openai:m", {"settings": Settings(context_tokens=8_000)}, "leave room for a reply"),
        ("openai:m", {"warmth": 1}, "takes no option 'warmth' (it takes base_url, budget"),
        ("honest", {"temperature": 1.0}, "takes no option 'temperature' (it takes none)"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=r"openai|policy|max_tokens|budget") as caught:
        load_policy(text, **options)
    assert message in str(caught.value)


def test_an_option_that_is_none_is_not_given() -> None:
    assert load_policy("honest", temperature=None).name == "honest"


# --- what endpoints do not take


@pytest.mark.parametrize("code", [400, 422])
@pytest.mark.parametrize(
    ("refused", "instead"),
    [("max_completion_tokens", "max_tokens"), ("seed", None), ("stream_options", None)],
)
def test_what_an_endpoint_does_not_know_is_not_asked_for_again(
    task: Task, code: int, refused: str, instead: str | None
) -> None:
    def act(body: dict[str, Any]) -> Action:
        if refused in body:
            return Status(code, error={"message": f"unknown field {refused}"})
        return Answer("so")

    with serving(act) as server:
        asked = policy(server, stream=True)
        assert [ask(asked, task).text for _ in range(2)] == ["so", "so"]
        assert [refused in body for body in server.requests] == [True, False, False]
        assert instead is None or server.requests[-1][instead] == 8192
        assert (asked.sampling(task, 0) or {})["seed"] == server.requests[-1].get("seed")


def test_calls_at_the_same_time_learn_together_what_an_endpoint_does_not_know(task: Task) -> None:
    def act(body: dict[str, Any]) -> Action:
        if "max_completion_tokens" in body:
            time.sleep(0.05)  # all are under way when the first is refused
            return Status(400)
        return Status(400, error={"message": "no seed"}) if "seed" in body else Answer("so")

    async def many() -> list[Turn]:
        asked = policy(server)
        return await asyncio.gather(*(asked.respond(OPENING, task, n) for n in range(8)))

    with serving(act) as server:
        assert {turn.text for turn in asyncio.run(many())} == {"so"}


def test_an_endpoint_that_refuses_what_follows_its_replies_ends_the_run(
    task: Task, run: Callable[..., Rollout]
) -> None:
    def act(body: dict[str, Any]) -> Action:
        return Answer("", calls=[RUN]) if len(body["messages"]) == 2 else Status(400)

    with serving(act) as server, pytest.raises(EndpointError, match="refuses the request"):
        asyncio.run(play([task], [policy(server)], attempts=30))
    assert len(server.requests) < 20


def test_reasoning_goes_back_where_it_came_from_if_the_endpoint_takes_it(task: Task) -> None:
    def act(body: dict[str, Any]) -> Action:
        if takes_none and any("reasoning" in message for message in body["messages"]):
            return Status(400, error={"message": "reasoning is not a field of messages"})
        return Answer("Go.", reasoning="hm", reasoning_field="reasoning")

    for takes_none in (False, True):
        with serving(act) as server:
            asked = policy(server)
            turn = ask(asked, task)
            ask(asked, task, (*OPENING, Message("assistant", turn.text), Message("user", "go on")))
            assert server.requests[1]["messages"][2] == {
                "role": "assistant", "content": "Go.", "reasoning": "hm",
            }  # fmt: skip
            assert len(server.requests) == 2 + takes_none
            if takes_none:
                assert server.requests[2]["messages"][2] == {"role": "assistant", "content": "Go."}


def test_an_endpoint_that_takes_no_tools_is_told_of_the_other_way(task: Task) -> None:
    trouble = Status(400, error={"message": '"auto" tool choice requires --tool-call-parser'})
    told = r"refuses the request: .*; --tools text needs none"
    with serving(in_turn(trouble)) as server, pytest.raises(EndpointError, match=told):
        ask(policy(server), task)


def test_a_request_refused_after_others_were_answered_is_its_own_fault(
    task: Task, run: Callable[..., Rollout]
) -> None:
    trouble = Status(400, error={"message": "these words are not allowed"})
    with serving(in_turn(Answer("", calls=[RUN]), trouble)) as server:
        rollout = run(policy(server))
    assert rollout.termination == "policy_error"
    assert "refuses the request: Error code: 400" in (rollout.error or "")
    assert "not allowed" in (rollout.error or "")
    assert rollout.reward is None
    assert len(rollout.steps) == 1


# --- what passes, and what does not


@STREAMING
@pytest.mark.parametrize(
    "trouble",
    [
        Status(429, {"retry-after": "0.05"}),
        Status(500),
        Status(503, {"retry-after": "0.02"}),
        Drop(),
        Hang(),
        Raw(b"<html>busy</html>", "text/html"),
        Raw(b"{not json"),
        Raw(b'{"choices": []}'),
        Raw(b"\xff\xfe\x00"),
        Raw(b"data: {not json\n\n", "text/event-stream"),
        Raw(b'data: {"choices": [{"delta": {"content": "so"}}]}\n\n', "text/event-stream"),
    ],
    ids=[
        "429", "500", "503", "dropped", "hangs", "html", "no json", "no choices", "bytes",
        "broken event", "stream without an end",
    ],
)  # fmt: skip
def test_what_may_go_well_the_next_time_is_tried_again(
    task: Task, trouble: Action, stream: bool
) -> None:
    with serving(in_turn(trouble, trouble, Answer("so"))) as server:
        turn = ask(policy(server, stream=stream, timeout=0.5), task)
        assert (turn.text, turn.retries) == ("so", 2)
        assert len(server.requests) == 3


@STREAMING
def test_no_body_does_more_than_fail(task: Task, stream: bool) -> None:
    odd: list[Any] = [None, 5, "x", [], {}, [None], [5], ["x"], {"a": 1}, [{}], [{"index": "x"}]]
    calls = [*odd, [{"function": None}], [{"id": 5, "function": {"name": 5, "arguments": {}}}]]
    messages = [*odd, *({"tool_calls": some} for some in calls), *({"content": o} for o in odd)]
    choices = [*odd, *([{"message": m, "delta": m, "finish_reason": "stop"}] for m in messages)]
    bodies = [*odd, *({"choices": some} for some in choices)]
    bodies += [
        {"choices": [{"message": {"content": "so"}, "finish_reason": 5}], "usage": some}
        for some in (*odd, {"prompt_tokens": -1, "completion_tokens": 10**30})
    ]

    async def many() -> list[BaseException | Turn]:
        asked = policy(server, stream=stream, retries=0, prices=["1/1"])
        found = []
        for _ in bodies:
            found += await asyncio.gather(asked.respond(OPENING, task), return_exceptions=True)
        return found

    texts = [json.dumps(body) for body in bodies]
    raw = [
        Raw(f"data: {text}\n\ndata: [DONE]\n\n".encode(), "text/event-stream")
        if stream
        else Raw(text.encode())
        for text in texts
    ]
    with serving(in_turn(*raw)) as server:
        for text, found in zip(texts, asyncio.run(many()), strict=True):
            assert isinstance(found, Turn | NoReply | EndpointError), (text, found)
            if isinstance(found, Turn):
                assert min(found.tokens, found.prompt_tokens, found.cost or 0.0) >= 0, text
                assert found.answer is None, text


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Status(401), r"\(small\): Error code: 401.*so it is"),
        (Status(403), "403"),
        (Status(404, error={"message": "no model small"}), "no model small"),
        (Status(429, error={"message": "no money", "code": "insufficient_quota"}), "no money"),
        (Status(429, {"retry-after": "3600"}), "asks to wait 3600 s; run again then"),
        (Status(400), "refuses the request"),
    ],
)
def test_what_would_fail_for_all_episodes_ends_the_run(
    run: Callable[..., Rollout], trouble: Action, said: str
) -> None:
    with serving(in_turn(trouble)) as server:
        with pytest.raises(EndpointError, match=said):
            run(policy(server))
        assert len(server.requests) <= 2


def test_a_key_that_is_no_longer_taken_ends_the_run(run: Callable[..., Rollout]) -> None:
    answers = in_turn(Answer("", calls=[RUN]), Status(401))
    with serving(answers) as server, pytest.raises(EndpointError, match="401"):
        run(policy(server))


def test_one_call_that_fails_leaves_its_episode_unscored(run: Callable[..., Rollout]) -> None:
    with serving(in_turn(Answer("", calls=[RUN]), Status(500))) as server:
        rollout = run(policy(server, retries=1))
    assert rollout.termination == "policy_error"
    assert rollout.reward is None
    assert "NoReply: " in (rollout.error or "")
    assert "2 tries: Error code: 500" in (rollout.error or "")


def test_an_endpoint_that_has_gone_ends_the_run_after_a_few_calls(task: Task) -> None:
    async def many() -> list[BaseException]:
        asked = policy(server, retries=0)
        found = await asyncio.gather(
            *(asked.respond(OPENING, task, attempt) for attempt in range(8)), return_exceptions=True
        )
        return [error for error in found if isinstance(error, BaseException)]

    with serving(in_turn(Status(502))) as server:
        errors = asyncio.run(many())
    assert sum(isinstance(error, EndpointError) for error in errors) == 4
    assert "5 calls in a row were given up" in " ".join(map(str, errors))
    with serving(in_turn(Answer())) as server:
        pass
    errors = asyncio.run(many())
    assert "no connection" in str(errors[0])
    assert any(isinstance(error, EndpointError) for error in errors)


def test_a_pause_that_a_server_asks_of_one_call_is_heeded_by_all(task: Task) -> None:
    times: list[float] = []

    def act(_body: dict[str, Any]) -> Action:
        times.append(time.monotonic())
        return Status(429, {"retry-after": "0.3"}) if len(times) == 1 else Answer("so")

    async def many() -> None:
        asked = policy(server)
        first = asyncio.create_task(asked.respond(OPENING, task))
        while not times:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.1)  # the pause is known by now
        await asyncio.gather(first, *(asked.respond(OPENING, task) for _ in range(3)))

    with serving(act) as server:
        asyncio.run(many())
    assert len(times) == 5
    assert min(times[1:]) - times[0] >= 0.29


def test_no_more_calls_a_minute_than_wanted(task: Task) -> None:
    async def many() -> None:
        asked = policy(server, per_minute=60 / 0.05)
        await asyncio.gather(*(asked.respond(OPENING, task) for _ in range(5)))

    with serving(in_turn(Answer("so"))) as server:
        begun = time.monotonic()
        asyncio.run(many())
        assert time.monotonic() - begun >= 0.2


def test_a_budget_is_never_exceeded_and_ends_the_run(task: Task) -> None:
    async def many() -> list[object]:
        asked = policy(server, budget="3000", max_tokens=900)
        return await asyncio.gather(
            *(asked.respond(OPENING, task) for _ in range(30)), return_exceptions=True
        )

    with serving(in_turn(Answer("so"))) as server:
        found = asyncio.run(many())
        turns = [one for one in found if isinstance(one, Turn)]
        assert 5 <= len(turns) == len(server.requests) < 25
        assert server.most_at_once <= 3
    assert all(isinstance(one, Turn | BudgetSpent) for one in found)
    assert sum(turn.tokens + turn.prompt_tokens for turn in turns) <= 3000


def test_a_local_server_needs_no_key(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with serving(in_turn(Answer("so"))) as server:
        assert ask(policy(server), task).text == "so"
    with pytest.raises(EndpointError, match="OPENAI_API_KEY"):
        ask(load_policy("openai:small"), task)


# --- long conversations


def long_conversation(turns: int, words: int = 200) -> tuple[Message, ...]:
    said: list[Message] = list(OPENING)
    for number in range(turns):
        said.append(Message("assistant", f"<think>{number}</think><code>\n{number}\n</code>"))
        said.append(Message("user", "word " * words))
    return tuple(said)


def size(body: dict[str, Any]) -> int:
    return sum(len(message["content"]) for message in body["messages"])


def test_what_is_sent_stays_within_the_context(task: Task) -> None:
    settings = Settings(context_tokens=2_000)
    with serving(in_turn(Answer("so"))) as server:
        asked = policy(server, settings, max_tokens=500)
        turn = ask(asked, task, long_conversation(10))
        assert size(server.requests[0]) < 6 * 1_000
        assert turn.elided >= 5
        assert server.requests[0]["messages"][-1]["content"] == "word " * 200
        with pytest.raises(ContextFull):
            ask(asked, task, long_conversation(10, words=2_000))
        assert len(server.requests) == 1


def test_an_endpoint_that_finds_a_prompt_too_long_is_asked_again_with_less(task: Task) -> None:
    def act(body: dict[str, Any]) -> Action:
        if size(body) > 6_000:
            message = "This model's maximum context length is 2048 tokens; reduce the length"
            return Status(400, error={"message": message})
        return Answer("so")

    with serving(act) as server:
        asked = policy(server)
        assert ask(asked, task, long_conversation(10)).elided > 0
        tries = len(server.requests)
        assert tries <= 4
        assert ask(asked, task, long_conversation(10)).elided > 0
        assert len(server.requests) == tries + 1  # what it takes is known by now
        with pytest.raises(ContextFull):
            ask(asked, task, long_conversation(10, words=2_000))
        assert len(server.requests) == tries + 1


def test_a_reply_that_leaves_no_room_for_a_prompt_is_told_at_once(task: Task) -> None:
    message = "'max_tokens' is too large: 8192. This model's maximum context length is 4096 tokens"
    trouble, told = Status(400, error={"message": message}), "a smaller max_tokens leaves more"
    with serving(in_turn(trouble)) as server, pytest.raises(EndpointError, match=told):
        ask(policy(server), task)


def test_an_episode_that_outgrows_its_context_is_judged(run: Callable[..., Rollout]) -> None:
    turns = [Answer("<think>so</think>" + "w0rd " * 900, calls=[RUN]) for _ in range(6)]
    with serving(in_turn(*turns)) as server:
        settings = Settings(context_tokens=9_000)
        rollout = run(policy(server, settings, max_tokens=500), settings)
    assert rollout.termination == "context_limit"
    assert rollout.reward is not None
    assert 1 <= len(rollout.steps) < 6


# --- whole episodes


@STREAMING
@pytest.mark.parametrize("tools", ["native", "text"])
def test_an_episode_from_its_opening_to_its_medal(
    run: Callable[..., Rollout], perfect: bytes, stream: bool, tools: Any
) -> None:
    arguments = json.dumps({"code": perfect.decode()})
    written = f'<tool_call>{{"name": "python", "arguments": {arguments}}}</tool_call>'
    answers = [
        Answer("", calls=[("python", arguments)], reasoning="First.")
        if tools == "native"
        else Answer(f"<think>First.</think>{written}"),
        Answer("<think>Fine.</think> I am about to answer."),
        Answer("<think>Fine.</think><answer>Done.</answer>"),
    ]
    settings = Settings(tools=tools)
    with serving(in_turn(*answers)) as server:
        rollout = run(policy(server, settings, stream=stream, prices=["10/100"]), settings)
        last = server.requests[-1]["messages"]
    assert rollout.termination == "answer"
    assert rollout.error is None
    assert rollout.reward is not None
    assert rollout.reward.total == 1.0
    assert rollout.submission is not None
    assert rollout.submission.medal == "gold"
    assert rollout.cost == pytest.approx(3 * (100 * 10 + 20 * 100) / 1e6)
    assert rollout.sampling is not None
    assert rollout.sampling["seed"] == server.requests[0]["seed"]
    assert [step.prompt_tokens for step in rollout.steps] == [100] * 3
    roles = [message["role"] for message in last]
    result_role = "tool" if tools == "native" else "user"
    assert roles == ["system", "user", "assistant", result_role, "assistant", "user"]
    assert "so it ran" in last[3]["content"]
    assert ("<tool_response>" in last[3]["content"]) == (tools == "text")
    assert "neither a tool call nor an answer" in last[5]["content"]


def test_a_model_that_goes_round_in_circles_is_ended(run: Callable[..., Rollout]) -> None:
    with serving(in_turn(Answer("", calls=[RUN]))) as server:
        rollout = run(policy(server))
        assert len(server.requests) == 4
    assert rollout.termination == "repetition"
    assert rollout.reward is not None


def test_many_episodes_at_a_time_come_to_their_ends(
    task: Task, run: Callable[..., Rollout]
) -> None:
    def act(body: dict[str, Any]) -> Action:
        if body["seed"] % 5 == 0 and len(body["messages"]) == 2 and body["seed"] not in failed:
            failed.add(body["seed"])
            return Status(500)
        if len(body["messages"]) == 2:
            return Answer("", calls=[RUN])
        return Answer("<think>so</think><answer>done</answer>")

    failed: set[int] = set()
    with serving(act) as server:
        rollouts = asyncio.run(play([task], [policy(server)], attempts=40, concurrency=16))
    assert [rollout.attempt for rollout in rollouts] == list(range(40))
    assert {rollout.termination for rollout in rollouts} == {"answer"}
    assert sum(step.retries for rollout in rollouts for step in rollout.steps) == len(failed) > 0
