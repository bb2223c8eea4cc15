"""What drafts must not repeat: the rules of their seed's others, and the dials of any spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.roles.assembly import rules_domain_metric
from sandmle.seeds.model import Seed
from sandmle.spec.likeness import first_near
from sandmle.spec.load import spec_data
from sandmle.spec.model import Spec
from sandmle.spec.outline import Outline, outline
from sandmle.vocabulary import Vocabulary


@dataclass(frozen=True)
class Likeness:
    """What a spec is compared by: `key` with others of its seed only, `outline` with all."""

    seed: str | None
    key: tuple[Any, ...]
    outline: Outline


def likeness_of(spec: Spec, vocabulary: Vocabulary) -> Likeness:
    """The likeness of a spec that is right by `vocabulary`."""
    return Likeness(spec.seed, rules_domain_metric(spec_data(spec)), outline(spec, vocabulary))


class Known:
    """The specs that drafts come beside, found by what they may be repeated in."""

    def __init__(self) -> None:
        self._keys: set[tuple[str | None, tuple[Any, ...]]] = set()
        self._alike: dict[tuple[Any, ...], dict[str, Outline]] = {}

    def add(self, name: str, likeness: Likeness, *, same_call: bool = True) -> None:
        """Adds a spec; one of another call may share rules, domain and metric with new ones."""
        if same_call:
            self._keys.add((likeness.seed, likeness.key))
        self._alike.setdefault(likeness.outline.structure, {})[name] = likeness.outline

    def repeated(self, likeness: Likeness) -> str | None:
        """What a spec repeats, in words; None where it is new."""
        if (likeness.seed, likeness.key) in self._keys:
            return "they have the rules, domain and metric of earlier ones"
        others: Mapping[str, Outline] = self._alike.get(likeness.outline.structure, {})
        near = first_near(likeness.outline, others)
        return None if near is None else f"they nearly repeat others, such as {near}"

    def about(self, seed: Seed) -> Known:
        """What a draft of a seed could repeat of it, which is little to send to a process.

        What is added later does not show in it.
        """
        found = Known()
        found._keys = {key for key in self._keys if key[0] == seed.name}
        kind = [seed.modality, seed.task]
        found._alike = {
            structure: dict(outlines)
            for structure, outlines in self._alike.items()
            if list(structure[:2]) == kind
        }
        return found

    def all_new(self, likenesses: Iterable[Likeness]) -> bool:
        """Whether none of them repeats anything."""
        return all(self.repeated(likeness) is None for likeness in likenesses)
