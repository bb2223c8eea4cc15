"""Policies that play from a script: the same turns whatever they are told."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.task import Task
from sandmle.solvers.outputs import OUTPUTS, script


@dataclass(frozen=True)
class Scripted:
    """Plays the turns that `turns` gives for a task; after the last it answers."""

    name: str
    digest: str
    turns: Callable[[Task], Sequence[Turn]]

    def sampling(self, task: Task, attempt: int) -> None:
        """There is no model to ask."""

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The turn after those that the conversation holds already."""
        played = sum(message.role == "assistant" for message in messages)
        turns = self.turns(task)
        return turns[played] if played < len(turns) else answer("I have nothing to add.")


def solver_policy(name: str, argument: str, reasoning: str) -> Scripted:
    """Runs the solver of that name on the task, looks at the score, and answers.

    The argument is the share of the training rows that the solver knows; without one it knows all.
    Raises ValueError where it is anything else, CompileError where the solver can't be bundled.
    """
    share = known_share(name, argument)

    def turns(task: Task) -> Sequence[Turn]:
        return (
            run(reasoning, script(task.task, name, share=share)),
            look_at_score("The script is done; I check what it left."),
            answer(f"I submitted the predictions of the {name} solver."),
        )

    codes = [script(task, name, share=share) for task in ("", *OUTPUTS)]
    called = f"{name}:{argument}" if argument else name
    return Scripted(called, digest_of(*codes, reasoning), turns)


def known_share(name: str, argument: str) -> float:
    """The share of the training rows that an argument names; all of them without one."""
    if not argument:
        return 1.0
    share = float(argument) if re.fullmatch(r"[01]?\.\d+|1", argument) else 0.0
    if not 0 < share <= 1:
        raise ValueError(
            f"the policy {name!r} takes the share of the training rows that it knows, above 0 and "
            f"at most 1, as in {name}:0.25; not {argument!r}"
        )
    return share


def run(reasoning: str, code: str) -> Turn:
    """A turn that thinks, then runs code."""
    return Turn(_think(reasoning), (ToolCall("call_1", "python", {"code": code}),))


def look_at_score(reasoning: str) -> Turn:
    """A turn that thinks, then calls the tool `score`."""
    return Turn(_think(reasoning), (ToolCall("call_1", "score", {}),))


def answer(text: str) -> Turn:
    """A turn that ends the episode."""
    return Turn(f"{_think('I am done.')}<answer>{text}</answer>", answer=text)


def digest_of(*texts: str) -> str:
    """SHA-256 over texts."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()


def _think(reasoning: str) -> str:
    return f"<think>{reasoning}</think>"
