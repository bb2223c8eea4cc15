"""Who plays: every file of this folder is a policy, found by listing.

A file NAME.py defines `create(argument: str) -> Policy`; `NAME` or `NAME:ARGUMENT` loads it.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from sandmle.play.conversation import Message, Turn
from sandmle.play.task import Task


class Policy(Protocol):
    """Plays tasks, many at a time: all that it knows of an episode stands in its messages.

    `name` is what results are listed under; `digest` is the SHA-256 of all that makes it play as
    it does, as far as it can be known.
    """

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    async def respond(self, messages: Sequence[Message], task: Task) -> Turn:
        """The next turn of an episode on `task`, after `messages`.

        Whatever this raises ends the episode unscored, with the error in its rollout.
        """
        ...


def policy_names() -> tuple[str, ...]:
    """The names of all policies, sorted."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


def load_policy(text: str) -> Policy:
    """The policy called `NAME` or `NAME:ARGUMENT`.

    Raises ValueError where there is none of that name, or where it refuses its argument.
    """
    name, _, argument = text.partition(":")
    if name not in policy_names():
        close = difflib.get_close_matches(name, policy_names(), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no policy {name!r}{hint} (there are {', '.join(policy_names())})")
    policy: Policy = importlib.import_module(f"{__name__}.{name}").create(argument)
    return policy
