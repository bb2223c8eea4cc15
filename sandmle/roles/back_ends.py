"""Who plays the four roles: rules and chance, or language models, in any mixture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandmle.asking.connection import Connection, model_of
from sandmle.roles.developer import Developer
from sandmle.roles.operations import Operations
from sandmle.roles.prompted.part import ORDER
from sandmle.roles.prompted.team import PROCEDURAL, ROUNDS, Team
from sandmle.roles.repair import Judge
from sandmle.roles.role import Role
from sandmle.roles.strategist import Strategist
from sandmle.roles.writer import Writer


def roles_of(
    choices: Sequence[str],
    *,
    connection: Connection,
    rounds: int = ROUNDS,
    fall_back: str = PROCEDURAL,
    judge: Judge | None = None,
    corpus: Path | None = None,
) -> tuple[Role, ...]:
    """The roles that choices name, in the order in which they write.

    A choice is BACK_END for all roles or ROLE=BACK_END for one (operations, strategist, developer,
    writer), later ones win; BACK_END is `procedural` or `openai:MODEL`. Where a model plays any
    part, the roles come as one that lets them mend each other's faults. Raises ValueError saying
    what was expected.
    """
    back_ends = dict.fromkeys(ORDER, PROCEDURAL)
    for choice in choices:
        role, named, back_end = choice.partition("=")
        if not named or ":" in role:  # a model's name may hold an =
            named, back_end = "", choice
        elif role not in ORDER:
            raise ValueError(
                f"{choice!r}: no role is called {role!r}; known are {', '.join(ORDER)}"
            )
        if back_end != PROCEDURAL:
            model_of(back_end)
        back_ends |= dict.fromkeys([role] if named else ORDER, back_end)
    procedural: dict[str, Role] = {
        "operations": Operations(),
        "strategist": Strategist(),
        "developer": Developer(),
        "writer": Writer(),
    }
    askers = {
        key: connection.model(model_of(back_end))
        for key, back_end in back_ends.items()
        if back_end != PROCEDURAL
    }
    if not askers:
        return tuple(procedural[key] for key in ORDER)
    return (
        Team(procedural, askers, rounds=rounds, fall_back=fall_back, judge=judge, corpus=corpus),
    )


def asks_models(roles: Sequence[Role]) -> bool:
    """Whether a model plays any of the roles."""
    return any(isinstance(role, Team) for role in roles)
