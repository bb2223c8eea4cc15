"""Worked examples: sections of shipped specs, as the role that owns them might have written them.

Of a spec nothing is shown but those sections and what its author saw before: never thresholds,
provenance or anything else of other tasks.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.resources import resource
from sandmle.roles.chance import shuffled
from sandmle.roles.role import DraftContext
from sandmle.spec.yaml_source import read_source

#: Worked examples of a prompt.
EXAMPLES = 2

#: What examples may be taken from.
_SHOWN = ("dna", "domain", "factors", "observe", "hidden", "noise", "narrative")


@dataclass(frozen=True)
class Example:
    """What a role was `given`, and what it `wrote`."""

    given: Mapping[str, Any]
    wrote: Mapping[str, Any]


def similar_specs(context: DraftContext) -> list[Mapping[str, Any]]:
    """The data of EXAMPLES shipped specs, by lot: of the seed's task and modality where there are
    such, then of its task, then of its modality.
    """
    seed = context.seed

    def distance(data: Mapping[str, Any]) -> tuple[bool, bool]:
        dna = data["dna"]
        return (dna["task"] != seed.task, dna["modality"] != seed.modality)

    found = shuffled(context.stream("examples"), _shipped())
    return sorted(found, key=distance)[:EXAMPLES]


@functools.lru_cache(maxsize=1)
def _shipped() -> tuple[Mapping[str, Any], ...]:
    """The sections of all shipped specs that may be shown, in the order of their names."""
    found = []
    for path in sorted((resource("specs") / "tasks").glob("**/*.yaml")):
        data = read_source(path).data
        found.append({name: data[name] for name in _SHOWN if name in data})
    return tuple(found)
