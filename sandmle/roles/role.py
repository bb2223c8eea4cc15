"""What a role is, and what it is given to write from."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from sandmle.roles.world import World
from sandmle.seeds.model import Seed
from sandmle.spec.tasks import TaskKind, task_kind
from sandmle.vocabulary import Vocabulary

#: Sections of a spec as plain data, as its file holds them.
Sections = Mapping[str, Any]


class DraftError(Exception):
    """No draft could be made: it says what the seed asks for that the vocabulary lacks."""


class DroppedError(DraftError):
    """A draft is given up, as what is wrong with it was not mended: it says what that is."""


@dataclass(frozen=True)
class DraftContext:
    """All that a role may look at.

    `worlds` are the domains to choose from, `sections` what the roles before it wrote. `number`
    is the draft's place among those that were asked for, from 0. `name` tells it from others of
    the same `random_seed`; streams of random numbers follow from both. `turned` are the dials that
    a repair sets, by the names of sandmle.roles.repair.Dials.
    """

    seed: Seed
    vocabulary: Vocabulary
    worlds: Mapping[str, World]
    sections: Sections
    random_seed: int
    number: int
    name: str
    turned: Mapping[str, float] = field(default_factory=dict)

    def stream(self, purpose: str) -> np.random.Generator:
        """A stream of random numbers of its own for each purpose of each draft."""
        name = f"{self.name}.{purpose}"
        return np.random.default_rng([self.random_seed, zlib.crc32(name.encode())])

    @property
    def world(self) -> World:
        """The domain that the strategist chose."""
        return self.worlds[self.sections["domain"]["name"]]

    @property
    def task(self) -> TaskKind:
        """What the seed's kind of task asks for. Raises DraftError where there is no such kind."""
        if self.seed.task not in self.vocabulary.folder("tasks"):
            raise DraftError(f"no word in rules/tasks/ for a {self.seed.task} task")
        return task_kind(self.vocabulary, self.seed.task)

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """What the domain may ask: what the metric is about where it says so, such as places on a
        map, else the domain's own targets for the kind of task, else the kind's own.
        """
        by_metric = self.metric_trait("ASKS")
        if by_metric is not None:
            return (by_metric,)
        own = self.world.targets.get(self.seed.task, ())
        return own or (self.vocabulary.word("tasks", self.seed.task).traits["ASKS"],)

    def metric_trait(self, name: str) -> Any:
        """A trait of the metric that was chosen, or of the metric that it follows; else None."""
        metric = self.sections.get("dna", {}).get("metric")
        while metric is not None:
            use = metric if isinstance(metric, Mapping) else {"kind": metric}
            traits = self.vocabulary.word("metrics", use["kind"]).traits
            if name in traits:
                return traits[name]
            metric = use.get(traits.get("FOLLOWS"))
        return None


class Role(Protocol):
    """One author of a spec: by chance and rule here, by a language model elsewhere.

    A section belongs to one role; nobody else touches it.
    """

    @property
    def name(self) -> str:
        """The role's title."""

    @property
    def owns(self) -> tuple[str, ...]:
        """The dotted paths of its sections."""

    def write(self, context: DraftContext) -> Sections:
        """The sections that it owns. Raises DraftError where it finds none that fit."""
