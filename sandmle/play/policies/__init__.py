"""Who plays: every file of this folder is a policy, found by listing.

A file NAME.py defines `create(argument: str, *, OPTION: TYPE = DEFAULT, ...) -> Policy`; `NAME` or
`NAME:ARGUMENT` loads it. The keyword-only parameters of `create` are the options that it takes.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from sandmle.play.conversation import Message, Turn
from sandmle.play.settings import Settings
from sandmle.play.task import Task

#: The parameter of `create` that gets the settings of the episodes, and is no option.
SETTINGS = "settings"


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


def options_of(text: str) -> dict[str, Any]:
    """The options of the policy called `NAME` or `NAME:ARGUMENT`, with their types.

    Raises ValueError where there is none of that name.
    """
    create = _create(text.partition(":")[0])
    hints = typing.get_type_hints(create)
    return {
        parameter.name: hints[parameter.name]
        for parameter in inspect.signature(create).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name != SETTINGS
    }


def load_policy(text: str, *, settings: Settings | None = None, **options: Any) -> Policy:
    """The policy called `NAME` or `NAME:ARGUMENT`, as it plays under `settings`.

    `options` are passed on to its `create` by name (`base_url`, `temperature`, ..., see
    sandmle/play/policies/openai.py); one that is None is as good as not given. `settings`, the
    defaults unless given, reaches those that take it: they should be the ones of the episodes.

    Raises ValueError where there is none of that name, where it refuses its argument or the value
    of an option, or where it does not take an option that is given.
    """
    name, _, argument = text.partition(":")
    create, taken = _create(name), options_of(name)
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in taken:
            others = ", ".join(sorted(taken)) or "none"
            raise ValueError(f"the policy {name!r} takes no option {option!r} (it takes {others})")
    if SETTINGS in inspect.signature(create).parameters:
        given[SETTINGS] = settings or Settings()
    policy: Policy = create(argument, **given)
    return policy


def _create(name: str) -> Callable[..., Policy]:
    """What makes the policies of that name. Raises ValueError where there is none."""
    if name not in policy_names():
        close = difflib.get_close_matches(name, policy_names(), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no policy {name!r}{hint} (there are {', '.join(policy_names())})")
    create: Callable[..., Policy] = importlib.import_module(f"{__name__}.{name}").create
    return create
