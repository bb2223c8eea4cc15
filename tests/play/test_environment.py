"""An episode: its tools, its limits, what it tells, and what it records."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from sandmle.errors import SandboxError
from sandmle.grading import Grade, load_grader
from sandmle.play.conversation import ToolCall, Turn
from sandmle.play.environment import Environment
from sandmle.play.reply import read_reply
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Limits, StepResult
from tests.play.conftest import FakeSandbox, result

DONE = Turn("<think>so</think>done", answer="done")


def python(code: str = "x", *, tokens: int = 0) -> Turn:
    return Turn("<think>so</think>", (ToolCall("c1", "python", {"code": code}),), tokens=tokens)


def score() -> Turn:
    return Turn("<think>so</think>", (ToolCall("c2", "score", {}),))


#: Many turns of these tests are alike.
UNWATCHED = Settings(repeats=None)


class Stage:
    """An environment over a fake sandbox that returns `results` one after the other."""

    def __init__(
        self,
        task: Task,
        results: list[StepResult | Exception],
        settings: Settings | None = None,
        grade: Callable[[bytes], Grade] | None = None,
    ) -> None:
        coming: Iterator[StepResult | Exception] = iter(results)

        def run_code(code: str) -> StepResult:
            found = next(coming)
            if isinstance(found, Exception):
                raise found
            return found

        self.sandbox = FakeSandbox(run_code)

        async def open_sandbox() -> FakeSandbox:
            return self.sandbox

        grade = grade or load_grader(task.folder).grade
        self.environment = Environment(task, grade, open_sandbox, settings or UNWATCHED)

    def play(self, *turns: Turn) -> Environment:
        """Plays turns; the last may be left out by the episode's end."""

        async def run() -> None:
            async with self.environment as environment:
                await environment.reset()
                for turn in turns:
                    await environment.step(turn)

        asyncio.run(run())
        return self.environment


def told(environment: Environment) -> list[str]:
    """The results of tools."""
    return [message.content for message in environment.messages if message.role == "tool"]


def test_the_opening_shows_the_rules_the_task_and_the_public_files(task: Task) -> None:
    environment = Stage(task, [], Settings(turns=7)).play()
    system, user = environment.messages
    assert (system.role, user.role) == ("system", "user")
    assert "7 turns" in system.content
    assert "- score()" in system.content
    assert "Finding damaged road segments" in user.content
    assert "train.csv (" in user.content
    assert "answers" not in user.content


def test_the_opening_tells_how_to_call_tools_in_the_text_where_that_is_asked_for(
    task: Task,
) -> None:
    told = Stage(task, [], Settings(tools="text")).play().messages[0].content
    assert "<tool_call>" in told
    (call,) = read_reply(f"<tool_call>{told.partition('<tool_call>')[2]}").tool_calls[:1]
    assert call.arguments == {"code": "print(1)"}
    assert "<tool_call>" not in Stage(task, []).play().messages[0].content


def test_the_opening_offers_no_score_where_none_is_told(task: Task) -> None:
    environment = Stage(task, [], Settings(score="none")).play()
    assert "- score()" not in environment.messages[0].content


def test_code_runs_and_its_output_comes_back_shortened(task: Task) -> None:
    long = "a" * 500 + "b" * 500
    results = [result(stdout=long, stderr="Traceback: no", exit_code=1)]
    environment = Stage(task, results, Settings(output_characters=100)).play(python())
    (text,) = told(environment)
    assert "exit code 1" in text
    assert "a" * 50 in text
    assert "b" * 50 in text
    assert "900 characters in 1 lines were cut" in text
    assert "Traceback: no" in text
    assert "submission.csv: not there yet" in text


def test_a_run_that_was_stopped_says_why(task: Task) -> None:
    results = [
        result(timed_out=True, exit_code=137),
        result(out_of_memory=True, exit_code=137),
        result(refused="not a regular file: a folder"),
    ]
    step = Limits(wall_seconds=5, memory_bytes=64 * 2**20)
    environment = Stage(task, results, Settings(step=step)).play(python(), python(), python())
    assert "longer than 5 s" in told(environment)[0]
    assert "more than 64 MiB" in told(environment)[1]
    assert "not read: not a regular file: a folder" in told(environment)[2]


def test_score_tells_all_in_training(task: Task, perfect: bytes) -> None:
    environment = Stage(task, [result(perfect)]).play(score(), python(), score())
    assert told(environment)[0] == "There is no submission.csv in the working folder."
    text = told(environment)[2]
    assert "roc_auc on the test set: 1.0 (higher is better)" in text
    assert "medal: gold" in text
    assert "median 0.6, bronze 0.7, silver 0.8, gold 0.9" in text


def test_score_tells_a_medal_missed(task: Task, constant: bytes) -> None:
    environment = Stage(task, [result(constant)]).play(python(), score())
    assert "medal: none, not above the median" in told(environment)[1]


def test_score_tells_only_validity_in_evaluation(
    task: Task, perfect: bytes, constant: bytes
) -> None:
    results = [result(perfect), result(constant), result(b"id\n1\n")]
    turns = [python(), score()] * 3
    environment = Stage(task, results, Settings(score="validity")).play(*turns)
    first, second, third = told(environment)[1::2]
    assert first == second == "submission.csv is valid."
    assert third.startswith("submission.csv is not valid: ")
    assert all("1.0" not in text and "gold" not in text for text in told(environment))


def test_score_is_no_tool_where_none_is_told(task: Task, perfect: bytes) -> None:
    environment = Stage(task, [result(perfect)], Settings(score="none")).play(python(), score())
    assert told(environment)[1] == "Not run: there is no tool 'score', only python."


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (ToolCall("c", "bash", {"code": "ls"}), "there is no tool 'bash'"),
        (ToolCall("c", "python", {}), '"code"'),
        (ToolCall("c", "python", {"code": 3}), '"code"'),
        (ToolCall("c", "python", {"code": "x"}, "arguments are not valid JSON"), "not valid JSON"),
    ],
)
def test_a_wrong_call_runs_nothing_and_is_told(task: Task, call: ToolCall, message: str) -> None:
    stage = Stage(task, [])
    environment = stage.play(Turn("", (call,)))
    assert message in told(environment)[0]
    assert stage.sandbox.limits == []
    assert environment.steps[0].calls == ()
    assert environment.termination is None


def test_a_turn_with_neither_call_nor_answer_is_told_what_to_do(task: Task) -> None:
    environment = Stage(task, []).play(Turn("<think>hm</think>"))
    assert environment.messages[-1].role == "user"
    assert "Call a tool" in environment.messages[-1].content
    assert environment.termination is None


def test_calls_of_a_turn_run_in_order_and_each_is_answered(
    task: Task, constant: bytes, perfect: bytes
) -> None:
    turn = read_reply(
        "",
        [
            {"id": "a", "name": "python", "arguments": {"code": "1"}},
            {"id": "b", "name": "score"},
            {"id": "c", "name": "python", "arguments": {"code": "2"}},
            {"id": "d", "name": "score"},
        ],
    )
    environment = Stage(task, [result(constant), result(perfect)]).play(turn)
    answers = [message for message in environment.messages if message.role == "tool"]
    assert [message.tool_call_id for message in answers] == ["a", "b", "c", "d"]
    assert "medal: none" in answers[1].content
    assert "medal: gold" in answers[3].content
    assert [call.tool for call in environment.steps[0].calls] == [
        "python", "score", "python", "score",
    ]  # fmt: skip


def test_every_submission_is_recorded_with_its_grade(
    task: Task, constant: bytes, perfect: bytes
) -> None:
    results = [
        result(constant),
        result(constant, stdout="the same again"),
        result(b"nonsense"),
        result(None),
        result(perfect),
        result(refused="not a regular file: a link"),
        result(refused="not a regular file: a link"),
        result(perfect),
    ]
    environment = Stage(task, results).play(*[python()] * len(results))
    recorded = environment.submissions
    assert [found.turn for found in recorded] == [1, 3, 5, 6, 8]
    assert [found.valid for found in recorded] == [True, False, True, False, True]
    assert [found.score for found in recorded] == [0.5, None, 1.0, None, 1.0]
    assert [found.medal for found in recorded] == [None, None, "gold", None, "gold"]
    assert recorded[0].size == len(constant)
    assert recorded[1].reason
    assert recorded[3].digest is None
    assert recorded[3].reason == "not a regular file: a link"
    assert environment.final == 4


def test_a_submission_that_was_removed_does_not_count(task: Task, perfect: bytes) -> None:
    environment = Stage(task, [result(perfect), result(None)]).play(python(), python(), DONE)
    assert len(environment.submissions) == 1
    assert environment.final is None


def test_times_are_split(task: Task, perfect: bytes) -> None:
    def slow(submission: bytes) -> Grade:
        import time

        time.sleep(0.05)
        return load_grader(task.folder).grade(submission)

    environment = Stage(task, [result(perfect)], grade=slow).play(python("x", tokens=5))
    (step,) = environment.steps
    assert step.score_seconds >= 0.05
    assert 0 <= step.sandbox_seconds < 0.05
    assert step.policy_seconds >= 0
    assert step.tokens == 5
    assert step.calls[0].wall_seconds == 0.25


def test_an_answer_ends_it_after_the_calls_of_its_turn(task: Task, perfect: bytes) -> None:
    turn = replace(python(), answer="done")
    environment = Stage(task, [result(perfect)]).play(turn)
    assert environment.termination == "answer"
    assert environment.final == 0


def test_the_last_turn_ends_it(task: Task) -> None:
    environment = Stage(task, [result()] * 3, Settings(turns=3)).play(*[python()] * 3)
    assert environment.termination == "turn_limit"


def test_an_answer_in_the_last_turn_is_an_answer(task: Task) -> None:
    environment = Stage(task, [result()], Settings(turns=2)).play(python(), DONE)
    assert environment.termination == "answer"


def test_spent_tokens_end_it(task: Task) -> None:
    stage = Stage(task, [result()] * 2, Settings(tokens=100))
    environment = stage.play(python(tokens=60), python(tokens=60))
    assert environment.termination == "token_limit"


def test_the_same_turn_again_and_again_ends_it(task: Task) -> None:
    stage = Stage(task, [result()] * 4, Settings(repeats=3))
    environment = stage.play(python("1"), python("2"), python("2"), python("2"))
    assert environment.termination == "repetition"
    assert environment.error is None


def test_a_nudge_in_vain_ends_it(task: Task) -> None:
    stage = Stage(task, [], Settings(repeats=3))
    environment = stage.play(*[Turn(f"<think>{n}</think> I think.") for n in range(3)])
    assert environment.termination == "repetition"


def test_spent_time_ends_it_and_bounds_each_step(task: Task) -> None:
    stage = Stage(task, [result()] * 2, Settings(seconds=0.3))
    environment = stage.environment

    async def run() -> None:
        async with environment:
            await environment.reset()
            await environment.step(python())
            assert environment.termination is None
            await asyncio.sleep(0.3)
            await environment.step(python())

    asyncio.run(run())
    assert stage.sandbox.limits[0].wall_seconds <= 0.3
    assert len(stage.sandbox.limits) == 1
    assert environment.termination == "time_limit"
    assert told(environment)[1] == "Not run: the episode is over."


def test_a_failing_sandbox_ends_it_unscored(task: Task) -> None:
    stage = Stage(task, [SandboxError("the supervisor died")])
    environment = stage.play(
        Turn("", (ToolCall("a", "python", {"code": "1"}), ToolCall("b", "score", {})))
    )
    assert environment.termination == "sandbox_error"
    assert environment.error == "the supervisor died"
    assert told(environment)[1] == "Not run: the episode is over."


def test_a_sandbox_that_does_not_open_ends_it_unscored(task: Task) -> None:
    async def open_sandbox() -> FakeSandbox:
        raise SandboxError("no namespaces left")

    async def run() -> Environment:
        grade = load_grader(task.folder).grade
        async with Environment(task, grade, open_sandbox, Settings()) as environment:
            await environment.reset()
            return environment

    environment = asyncio.run(run())
    assert environment.termination == "sandbox_error"
    assert environment.error == "no namespaces left"


def test_a_failing_grader_ends_it_unscored(task: Task, perfect: bytes) -> None:
    def broken(submission: bytes) -> Grade:
        raise ZeroDivisionError("a bug of the task")

    environment = Stage(task, [result(perfect)], grade=broken).play(python())
    assert environment.termination == "grader_error"
    assert environment.error == "ZeroDivisionError: a bug of the task"
    assert environment.final is None


def test_it_cannot_go_on_after_its_end(task: Task) -> None:
    stage = Stage(task, [])
    with pytest.raises(RuntimeError, match="reset"):
        stage.play(DONE, DONE)
    with pytest.raises(RuntimeError, match="reset"):
        asyncio.run(stage.environment.step(DONE))


def test_reset_begins_anew(task: Task, perfect: bytes) -> None:
    stage = Stage(task, [result(perfect)])
    stage.play(python(), DONE)
    environment = stage.play()
    assert environment.termination is None
    assert environment.submissions == environment.steps == ()
    assert len(environment.messages) == 2
    assert stage.sandbox.closed


@pytest.mark.parametrize(
    "wrong",
    [
        {"turns": 0},
        {"seconds": -1.0},
        {"seconds": float("inf")},
        {"tokens": 0},
        {"output_characters": 0},
        {"score": "all"},
        {"tools": "both"},
        {"context_tokens": 0},
        {"repeats": 1},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)  # type: ignore[arg-type]
