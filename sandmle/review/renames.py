"""Factors that have only got another name: found by what refers to them, and made the same."""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from sandmle.review.values import same
from sandmle.spec.formula import with_names as with_factors
from sandmle.spec.model import Spec, Target, WordUse
from sandmle.spec.references import all_slots, factor_references
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Vocabulary


def renamed_factors(old: Spec, new: Spec, vocabulary: Vocabulary) -> dict[str, str]:
    """New names of factors by their old ones.

    A factor that went and one of the same kind that came are one where the same places of both
    specs refer to them; of several, those are that more places agree on.
    """
    went = {name for name in old.factors if name not in new.factors}
    came = {name for name in new.factors if name not in old.factors}
    if not went or not came:
        return {}
    before, after = _references(old, vocabulary), _references(new, vocabulary)
    votes = Counter(
        (name, after[place])
        for place, name in before.items()
        if name in went and after.get(place) in came
    )
    ranked = sorted(
        (not _alike(old.factors[one], new.factors[other]), -count, one, other)
        for (one, other), count in votes.items()
        if old.factors[one].kind == new.factors[other].kind
    )
    found: dict[str, str] = {}
    for _, _, one, other in ranked:
        if one not in found and other not in found.values():
            found[one] = other
    return found


def with_names(spec: Spec, names: Mapping[str, str], vocabulary: Vocabulary) -> Spec:
    """A spec with new names for some of its factors, wherever it refers to them."""
    if not names:
        return spec

    def use(folder: str, given: WordUse) -> WordUse:
        return _with_names(given, folder, names, vocabulary)

    split, dna = spec.dna.split, spec.dna
    by = names.get(split.by, split.by) if split.by is not None else None
    return dataclasses.replace(
        spec,
        dna=dataclasses.replace(
            dna, metric=use("metrics", dna.metric), split=dataclasses.replace(split, by=by)
        ),
        factors={names.get(name, name): use("factors", u) for name, u in spec.factors.items()},
        observe=tuple(use("observe", entry) for entry in spec.observe),
        targets=tuple(_target(target, use("hidden", target.rule)) for target in spec.targets),
        noise=tuple(use("noise", entry) for entry in spec.noise),
    )


def _target(target: Target, rule: WordUse) -> Target:
    return dataclasses.replace(target, rule=rule)


def _alike(one: WordUse, other: WordUse) -> bool:
    return one.kind == other.kind and same(one.parameters, other.parameters)


def _uses(spec: Spec) -> Iterator[tuple[str, WordUse]]:
    yield "metrics", spec.dna.metric
    for folder, uses in (
        ("factors", spec.factors.values()),
        ("observe", spec.observe),
        ("hidden", [target.rule for target in spec.targets]),
        ("noise", spec.noise),
    ):
        for use in uses:
            yield folder, use


def _references(spec: Spec, vocabulary: Vocabulary) -> dict[tuple[Any, ...], str]:
    """The factors that a spec refers to, by where: in a formula, by their number in it."""
    found: dict[tuple[Any, ...], str] = {}
    if spec.dna.split.by is not None:
        found["split",] = spec.dna.split.by
    for folder, use in _uses(spec):
        word = vocabulary.word(folder, use.kind)
        count: Counter[DataPath] = Counter()
        for reference in factor_references(use, word, vocabulary):
            found[*reference.path, use.kind, count[reference.path]] = reference.name
            count[reference.path] += 1
    return found


def _with_names(
    use: WordUse, folder: str, names: Mapping[str, str], vocabulary: Vocabulary
) -> WordUse:
    parameters: Any = copy.deepcopy(dict(use.parameters))
    for slot in all_slots(use, vocabulary.word(folder, use.kind), vocabulary):
        if not isinstance(slot.value, str):
            continue
        value = slot.value
        if slot.definitions == ("formula",):
            value = with_factors(value, names)
        elif slot.is_factor:
            value = names.get(value, value)
        place = parameters
        *steps, last = slot.path[len(use.path) :]
        for step in steps:
            place = place[step]
        place[last] = value
    return dataclasses.replace(use, parameters=parameters)
