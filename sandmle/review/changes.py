"""What changed in meaning from one spec to another, a line a change; its order is the spec's.

Comments, the order of keys, the layout, how a number is written, and a default that is written out
mean nothing and are not told.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandmle.review.alignment import align
from sandmle.review.renames import renamed_factors, with_names
from sandmle.review.uses import Change, described, likeness, use_changes, use_data
from sandmle.review.values import list_change, quoted, same, shown, text_changes
from sandmle.review.word_lists import noise_changes, observe_changes
from sandmle.spec.model import Spec, Split, Target, Thresholds, WordUse
from sandmle.spec.yaml_source import DataPath, dotted
from sandmle.vocabulary import Vocabulary

#: What lines call the plain entries of the DNA.
_DNA = {
    "modality": "modality",
    "task": "task",
    "train": "train rows",
    "test": "test rows",
    "prevalence": "prevalence",
    "classes": "classes",
    "difficulty": "difficulty",
}


def spec_changes(old: Spec, new: Spec, vocabulary: Vocabulary) -> tuple[Change, ...]:
    """The changes from a spec to another; both are right by `vocabulary`. Ids are not compared."""
    names = renamed_factors(old, new, vocabulary)
    old = with_names(old, names, vocabulary)
    return (
        *_plain("seed", old.seed, new.seed, ("seed",)),
        *_plain("random seed", old.random_seed, new.random_seed, ("random_seed",)),
        *_dna(old, new, vocabulary),
        *_plain("domain", old.domain.name, new.domain.name, ("domain", "name")),
        *_plain("entity", old.domain.entity, new.domain.entity, ("domain", "entity")),
        *_factors(old, new, names, vocabulary),
        *observe_changes(old, new, vocabulary),
        *_targets(old, new, vocabulary),
        *noise_changes(old, new, vocabulary),
        *_thresholds(old.thresholds, new.thresholds),
        *_narrative(old, new),
        *data_changes(dict(old.provenance), dict(new.provenance), ("provenance",)),
    )


def data_changes(old: Any, new: Any, path: DataPath = ()) -> Iterator[Change]:
    """The changes between plain data by where they are: for what is no sound spec."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*new, *old]):
            here = (*path, key)
            if key not in old:
                text = f"{dotted(here)} {shown(new[key])} added"
                yield Change(dotted(here), text, None, new[key])
            elif key not in new:
                text = f"{dotted(here)} {shown(old[key])} removed"
                yield Change(dotted(here), text, old[key], None)
            else:
                yield from data_changes(old[key], new[key], here)
    elif isinstance(old, list) and isinstance(new, list) and not same(old, new):
        if not all(isinstance(item, Mapping) for item in (*old, *new)):
            yield Change(dotted(path), f"{dotted(path)} {list_change(old, new)}", old, new)
            return
        pairs, came, went = align(old, new, likeness)
        for i, j in pairs:
            yield from data_changes(old[i], new[j], (*path, j))
        for i in went:
            place = dotted((*path, i))
            yield Change(place, f"{place} {shown(old[i])} removed", old[i], None)
        for j in came:
            place = dotted((*path, j))
            yield Change(place, f"{place} {shown(new[j])} added", None, new[j])
    else:
        yield from _plain(dotted(path), old, new, path)


def _plain(subject: str, old: Any, new: Any, path: DataPath) -> Iterator[Change]:
    if same(old, new):
        return
    if old is None:
        text = f"{subject} {shown(new)} added"
    elif new is None:
        text = f"{subject} {shown(old)} removed"
    else:
        text = f"{subject} {shown(old)} -> {shown(new)}"
    yield Change(dotted(path), text, old, new)


def _dna(old: Spec, new: Spec, vocabulary: Vocabulary) -> Iterator[Change]:
    for name, subject in _DNA.items():
        yield from _plain(subject, getattr(old.dna, name), getattr(new.dna, name), ("dna", name))
        if name == "task":
            yield from use_changes("metrics", old.dna.metric, new.dna.metric, "metric", vocabulary)
            yield from _submission(old.dna.submission, new.dna.submission, vocabulary)
    one, other = old.dna.split, new.dna.split
    if one != other:
        text = f"split {_split(one)} -> {_split(other)}"
        yield Change("dna.split", text, dataclasses.asdict(one), dataclasses.asdict(other))


def _submission(
    old: WordUse | None, new: WordUse | None, vocabulary: Vocabulary
) -> Iterator[Change]:
    if old is not None and new is not None:
        yield from use_changes("submissions", old, new, "submission", vocabulary)
        return
    before, after = (
        None if use is None else described(use, "submissions", vocabulary) for use in (old, new)
    )
    if before != after:
        default = "the usual one"
        text = f"submission {before or default} -> {after or default}"
        yield Change("dna.submission", text, before, after)


def _split(split: Split) -> str:
    return split.kind if split.by is None else f"by {split.kind} of {split.by}"


def _factors(
    old: Spec, new: Spec, names: Mapping[str, str], vocabulary: Vocabulary
) -> Iterator[Change]:
    was = {after: before for before, after in names.items()}
    for name, use in new.factors.items():
        place = dotted(("factors", name))
        if name in was:
            yield Change(place, f"factor {was[name]} renamed {name}", was[name], name)
        if name in old.factors:
            yield from use_changes("factors", old.factors[name], use, f"factor {name}", vocabulary)
        else:
            text = f"factor {name} added: {described(use, 'factors', vocabulary)}"
            yield Change(place, text, None, use_data(use))
    for name, use in old.factors.items():
        if name not in new.factors:
            place = dotted(("factors", name))
            yield Change(place, f"factor {name} removed", use_data(use), None)


def _targets(old: Spec, new: Spec, vocabulary: Vocabulary) -> Iterator[Change]:
    several = len(new.targets) > 1 or len(old.targets) > 1

    def kinship(one: Target, other: Target) -> float:
        equal = one.rule.kind == other.rule.kind and same(
            one.rule.parameters, other.rule.parameters
        )
        if several and one.name != other.name and not equal:
            return 0.0
        return 1.0 + 3 * (one.name == other.name) + equal

    pairs, came, went = align(old.targets, new.targets, kinship)
    for i, j in pairs:
        one, other = old.targets[i], new.targets[j]
        of = f" of {one.name}" if several else ""
        if one.name != other.name:
            text = f"target {one.name} renamed {other.name}"
            yield Change(dotted(other.path), text, one.name, other.name)
        yield from use_changes("hidden", one.rule, other.rule, f"rule{of}", vocabulary)
        yield from _cut(one, other, of)
        if one.labels != other.labels:
            before, after = (labels and list(labels) for labels in (one.labels, other.labels))
            text = f"labels{of} {list_change(before or [], after or [])}"
            yield Change(dotted((*other.path, "labels")), text, before, after)
    for j in came:
        target = new.targets[j]
        rule = described(target.rule, "hidden", vocabulary)
        yield Change(dotted(target.path), f"target {target.name} added: {rule}", None, target.name)
    for i in went:
        target = old.targets[i]
        yield Change(dotted(target.path), f"target {target.name} removed", target.name, None)
    order = [j for _, j in pairs]
    if order != sorted(order):
        names = [target.name for target in new.targets]
        text = f"targets in another order: {', '.join(names)}"
        yield Change("hidden.targets", text, [target.name for target in old.targets], names)


def _cut(old: Target, new: Target, of: str) -> Iterator[Change]:
    before, after = (cut and list(cut) for cut in (old.quantiles, new.quantiles))
    if same(before, after):
        return

    def told(cut: Sequence[float] | None) -> str:
        return "none" if cut is None else ", ".join(shown(share) for share in cut)

    text = f"cut{of} {told(before)} -> {told(after)}"
    yield Change(dotted((*new.path, "cut")), text, before, after)


def _thresholds(old: Thresholds | None, new: Thresholds | None) -> Iterator[Change]:
    before = None if old is None else dataclasses.asdict(old)
    after = None if new is None else dataclasses.asdict(new)
    if before is not None and after is not None:
        for medal, score in after.items():
            yield from _plain(medal, before[medal], score, ("thresholds", medal))
    elif after is not None:
        told = ", ".join(f"{medal} {shown(score)}" for medal, score in after.items())
        yield Change("thresholds", f"thresholds pinned: {told}", None, after)
    elif before is not None:
        text = "thresholds no longer pinned: computed at build"
        yield Change("thresholds", text, before, None)


def _narrative(old: Spec, new: Spec) -> Iterator[Change]:
    before, after = old.narrative, new.narrative
    if before.title != after.title:
        text = f"title {quoted(before.title)} -> {quoted(after.title)}"
        yield Change("narrative.title", text, before.title, after.title)
    if before.story != after.story:
        for told in text_changes(before.story, after.story):
            yield Change("narrative.story", f"story {told}", before.story, after.story)
    for name in dict.fromkeys([*after.columns, *before.columns]):
        one, other = before.columns.get(name), after.columns.get(name)
        place, subject = dotted(("narrative", "columns", name)), f"explanation of {name}"
        if one is None:
            yield Change(place, f"{subject} added: {quoted(other or '')}", None, other)
        elif other is None:
            yield Change(place, f"{subject} removed", one, None)
        elif one != other:
            for told in text_changes(one, other):
                yield Change(place, f"{subject} {told}", one, other)
