"""A role's context for any seed, with what the earlier roles wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sandmle.resources import resource
from sandmle.roles.operations import Operations
from sandmle.roles.role import DraftContext
from sandmle.roles.strategist import Strategist
from sandmle.roles.world import load_worlds
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed
from sandmle.vocabulary import load_vocabulary

SEEDS = resource("specs") / "seeds"


def seed_of(name: str) -> Seed:
    return load_seed(Path(SEEDS / f"{name}.yaml"))


def context_of(seed: Seed, *, number: int = 0, name: str = "draft") -> DraftContext:
    """The context in which the MLE Developer writes."""
    sections: dict[str, Any] = {}
    for role in (Operations(), Strategist()):
        context = DraftContext(seed, load_vocabulary(), load_worlds(), sections, 1, number, name)
        for key, value in role.write(context).items():
            known = sections.get(key)
            sections[key] = {**known, **value} if isinstance(known, dict) else value
    return DraftContext(seed, load_vocabulary(), load_worlds(), sections, 1, number, name)
