"""What a role is, and what it is given to write from."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sandmle.roles.world import World
from sandmle.seeds.model import Seed
from sandmle.vocabulary import Vocabulary

#: Sections of a spec as plain data, as its file holds them.
Sections = Mapping[str, Any]


class DraftError(Exception):
    """No draft could be made: it says what the seed asks for that the vocabulary lacks."""


@dataclass(frozen=True)
class DraftContext:
    """All that a role may look at.

    `worlds` are the domains to choose from, `sections` what the roles before it wrote. `name`
    tells this draft from others of the same `random_seed`; streams of random numbers follow from
    both.
    """

    seed: Seed
    vocabulary: Vocabulary
    worlds: Mapping[str, World]
    sections: Sections
    random_seed: int
    name: str

    def stream(self, purpose: str) -> np.random.Generator:
        """A stream of random numbers of its own for each purpose of each draft."""
        name = f"{self.name}.{purpose}"
        return np.random.default_rng([self.random_seed, zlib.crc32(name.encode())])

    @property
    def world(self) -> World:
        """The domain that the strategist chose."""
        return self.worlds[self.sections["domain"]["name"]]


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
