"""Who plays: every file of this folder is a policy, found by listing.

A file NAME.py defines `create(argument: str, *, OPTION: TYPE = DEFAULT, ...) -> Policy`; `NAME` or
`NAME:ARGUMENT` loads it. The keyword-only parameters of `create` are the options that it takes.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from sandmle.play.conversation import Message, Turn
from sandmle.play.settings import Settings
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

    def sampling(self, task: Task, attempt: int) -> Mapping[str, Any] | None:
        """How its model is asked in an episode, as plain JSON data without secrets.

        None where there is no model.
        """
        ...

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The next turn of an episode on `task`, its `attempt`th from 0, after `messages`.

        Whatever this raises ends the episode unscored, with the error in its rollout; but
        EndpointError and BudgetSpent end the run.
        """
        ...


def policy_names() -> tuple[str, ...]:
    """The names of all policies, sorted."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


def load_policy(text: str, *, settings: Settings | None = None, **options: Any) -> Policy:
    """The policy called `NAME` or `NAME:ARGUMENT`, as it plays under `settings`.

    `options` are passed on to its `create` by name (`base_url`, `temperature`, ..., see
    sandmle/play/policies/openai.py); one that is None is as good as not given. `settings`, the
    defaults unless given, reaches those that take it: they should be the ones of the episodes.

    Raises ValueError where there is none of that name, where it refuses its argument or the value
    of an option, or where it does not take an option that is given.
    """
    name, _, argument = text.partition(":")
    if name not in policy_names():
        close = difflib.get_close_matches(name, policy_names(), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no policy {name!r}{hint} (there are {', '.join(policy_names())})")
    create = importlib.import_module(f"{__name__}.{name}").create
    taken = [
        parameter.name
        for parameter in inspect.signature(create).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in taken:
            others = ", ".join(sorted({*taken} - {"settings"})) or "none"
            raise ValueError(f"the policy {name!r} takes no option {option!r} (it takes {others})")
    if "settings" in taken:
        given["settings"] = settings or Settings()
    policy: Policy = create(argument, **given)
    return policy
