"""Rollouts made by hand, and by the thousand, for tests of the page that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from sandmle.play.conversation import Message, ToolCall
from sandmle.play.rollout import Call, Medal, Rollout, Step, Submission, rollout_line
from sandmle.spec.model import Thresholds
from tests.play.examples import rollout

#: Text that would run, break the page, or lie about itself, if it were anything but text.
HOSTILE = (
    '</script><script>globalThis.pwned = "script"</script>'
    '<img src=x onerror="globalThis.pwned = 1"><style>body { display: none }</style>'
    "<!--<script>\u2028\u2029 ]]> ${globalThis.pwned = 2} `\\u003c` "
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 NUL\0 \u202eesrever\u202c \ud7ff \U0001f600 é"
)

THRESHOLDS = Thresholds(median=0.62, bronze=0.71, silver=0.8, gold=0.86)


def submission(turn: int, score: float | None, medal: Medal | None = None) -> Submission:
    """A submission of a turn with its grade; one without a score is not valid."""
    return Submission(
        turn=turn,
        digest=f"{turn:x}" * 64,
        size=9000 + turn,
        valid=score is not None,
        score=score,
        above_median=score is not None and score >= THRESHOLDS.median,
        medal=medal,
        reason=None if score is not None else "row 3: id 'a' is not in the test set",
    )


def step(turn: int, *calls: Call, tokens: int = 400, elided: int = 0) -> Step:
    """A turn that took a while."""
    return Step(
        turn=turn,
        prompt_tokens=2000 * turn,
        tokens=tokens,
        finish="tool_calls" if calls else "stop",
        retries=0,
        elided=elided,
        policy_seconds=3.0 + turn,
        sandbox_seconds=0.4 * len(calls),
        score_seconds=0.012 if calls else 0.0,
        calls=calls,
    )


def ran(exit_code: int = 0, *, timed_out: bool = False) -> Call:
    """A run of code."""
    return Call("python", exit_code, timed_out, False, 0.38, 0.31)


SCORED = Call("score", None, None, None, None, None)

_LOOK = 'import pandas as pd\n\ntrain = pd.read_csv("data/train.csv")\nprint(train.describe())'
_FIT = '''"""A first model."""
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

train, test = (pd.read_csv(f"data/{name}.csv") for name in ("train", "test"))  # both
model = HistGradientBoostingClassifier(learning_rate=0.05, max_iter=300)


def features(table):
    return table.drop(columns=["id", "has_damage"], errors="ignore")


model.fit(features(train), train["has_damage"])
chance = model.predict_proba(features(test))[:, 1]
pd.DataFrame({"id": test["id"], "has_damage": chance}).to_csv("submission.csv", index=False)
'''
_TRACE = (
    "exit code 1 after 0.38 s\nstderr:\nTraceback (most recent call last):\n"
    '  File "script.py", line 4, in <module>\n    model.fit(train)\n'
    "TypeError: fit() missing 1 required positional argument: 'y'\nsubmission.csv: not there yet"
)


def climbing(**changes: object) -> Rollout:
    """Six turns of a model: it looks, fails, submits, writes a call as text, and wins gold."""
    first, second, third, fourth = (
        ToolCall("c1", "python", {"code": _LOOK}),
        ToolCall("c2", "python", {"code": "model.fit(train)"}),
        ToolCall("c3", "python", {"code": _FIT}),
        ToolCall("c4", "python", {"code": _FIT.replace("300", "900")}, in_text=True),
    )
    unread = ToolCall("c5", "python", {}, fault="the arguments are not valid JSON: line 1")
    long = "\n".join(f"[{number:>3}] loss {0.7 - number / 400:.4f}" for number in range(120))
    messages = (
        Message("system", "You are a machine learning engineer in a competition."),
        Message("user", "# Finding damaged road segments\n\nTask: binary\nMetric: roc_auc"),
        Message("assistant", "<think>I look at the data first.</think>", (first,)),
        Message("tool", "exit code 0 after 0.38 s\nstdout:\n" + long, tool_call_id="c1"),
        Message("assistant", "<think>" + "Trees suit this. " * 60 + "</think>Fit one.", (second,)),
        Message("tool", _TRACE, tool_call_id="c2"),
        Message("assistant", "<think>The target is missing.</think>", (third, unread)),
        Message("tool", "exit code 0 after 0.38 s\nsubmission.csv: 9,003 bytes", tool_call_id="c3"),
        Message("tool", "Not run: the arguments are not valid JSON.", tool_call_id="c5"),
        Message("assistant", "I wonder what it is worth."),
        Message("user", "Your turn had neither a tool call nor an answer."),
        Message(
            "assistant",
            f"<think>More trees.</think>\n<tool_call>{fourth.arguments['code']}</tool_call>",
            (fourth, ToolCall("c6", "score", {})),
        ),
        Message("tool", "exit code 0 after 0.38 s\nsubmission.csv: 9,005 bytes", tool_call_id="c4"),
        Message("tool", "submission.csv is valid.", tool_call_id="c6"),
        Message("assistant", "<think>Done.</think><answer>Boosted trees, 900 rounds.</answer>"),
    )
    plain = rollout(
        submission(2, None),
        submission(3, 0.74, "bronze"),
        submission(5, 0.883, "gold"),
        task="road-damage-0001",
        thresholds=THRESHOLDS,
        policy="openai:demo-7b",
        messages=messages,
        steps=(
            step(1, ran()),
            step(2, ran(1)),
            step(3, ran()),
            step(4),
            step(5, ran(), SCORED, elided=1),
            step(6),
        ),
        sampling={"base_url": "http://127.0.0.1:8000/v1", "temperature": 0.7, "seed": 3},
        cost=0.0123,
        seconds=64.2,
        final=2,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def hostile() -> Rollout:
    """A rollout of which every text is hostile."""
    call = ToolCall("c1", "python", {"code": HOSTILE})
    other = ToolCall("c2", HOSTILE, {HOSTILE: [HOSTILE]})
    long = "x" * 2_000_000
    return climbing(
        task="hostile-0001",
        policy=f"openai:{HOSTILE}",
        messages=(
            Message("system", HOSTILE),
            Message("user", HOSTILE),
            Message("assistant", f"<think>{HOSTILE}</think>{HOSTILE}", (call, other)),
            Message("tool", HOSTILE, tool_call_id="c1"),
            Message("tool", long, tool_call_id="c2"),
            Message("user", HOSTILE),
            Message("assistant", f"<answer>{HOSTILE}"),
        ),
        steps=(step(1, ran()), step(2)),
        submissions=(replace(submission(1, None), reason=HOSTILE),),
        final=0,
        sampling={"__proto__": HOSTILE, "seed": HOSTILE},
        digests={HOSTILE: HOSTILE},
        error=HOSTILE,
    )


_OUTCOMES: tuple[tuple[float | None, Medal | None], ...] = (
    (0.9, "gold"),
    (0.82, "silver"),
    (0.75, "bronze"),
    (0.65, None),
    (0.5, None),
    (None, None),
)
_MODALITIES = ("tabular", "image", "text", "series", "mixed", "audio", "graph", "signal")


def many(count: int) -> Iterator[Rollout]:
    """That many small rollouts of two policies on 500 tasks of all modalities."""
    plain = climbing()
    for number in range(count):
        task = number // 2 % 500
        score, medal = _OUTCOMES[(number * 7 + task) % len(_OUTCOMES)]
        yield replace(
            plain,
            task=f"task-{task:03d}",
            modality=_MODALITIES[task % len(_MODALITIES)],
            policy=f"policy-{number % 2}",
            attempt=number // 1000,
            messages=(*plain.messages[:2], Message("assistant", f"needle-{number} in the hay")),
            steps=(step(1),),
            submissions=(submission(1, score, medal),),
            final=0,
            termination="answer" if number % 5 else "turn_limit",
        )


def write_rollouts(path: Path, rollouts: Iterable[Rollout]) -> Path:
    """A file of rollouts, as a run writes it."""
    with path.open("wb") as file:
        file.writelines(map(rollout_line, rollouts))
    return path
