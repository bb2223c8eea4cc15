"""What changed in the lists of a spec: what is observed, and the noise.

An entry is compared with what it became: known by what it writes or disturbs and by its kind, not
by where it stands.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

from sandmle.review.alignment import align
from sandmle.review.uses import Change, described, use_changes, use_data
from sandmle.review.values import same
from sandmle.spec.checks.columns import named_columns
from sandmle.spec.model import Spec, WordUse
from sandmle.spec.references import factor_references
from sandmle.spec.yaml_source import dotted
from sandmle.vocabulary import Vocabulary


def observe_changes(old: Spec, new: Spec, vocabulary: Vocabulary) -> Iterator[Change]:
    def shows(use: WordUse) -> tuple[str, set[str]]:
        word = vocabulary.word("observe", use.kind)
        return _written(use, vocabulary), {
            reference.name for reference in factor_references(use, word, vocabulary)
        }

    def kinship(one: WordUse, other: WordUse) -> float:
        (written, factors), (written_now, factors_now) = shows(one), shows(other)
        same_kind = one.kind == other.kind
        shared = len(factors & factors_now) / max(1, len(factors | factors_now))
        if written != written_now and not (same_kind and (shared or not factors | factors_now)):
            return 0.0
        equal = same_kind and same(one.parameters, other.parameters)
        return 4.0 * equal + 3 * (written == written_now) + 2 * same_kind + shared

    def subject(use: WordUse) -> str:
        return f"{use.kind} {_written(use, vocabulary)}"

    pairs, came, went = align(old.observe, new.observe, kinship)
    for i, j in sorted(pairs, key=lambda pair: pair[1]):
        one, other = old.observe[i], new.observe[j]
        if one.kind == other.kind:
            yield from _renamed(one, other, subject)
            yield from use_changes(
                "observe", _with_name(one, other), other, subject(other), vocabulary
            )
        else:
            place = f"{_written(other, vocabulary)}:"
            yield from use_changes("observe", one, other, place, vocabulary)
    yield from _came(new.observe, came, "observe", subject, vocabulary)
    yield from _went(old.observe, went, subject)
    order = [j for _, j in pairs]
    if order != sorted(order):
        before = [subject(old.observe[i]) for i, _ in pairs]
        after = [subject(new.observe[j]) for j in sorted(order)]
        text = f"observed in another order: {', '.join(after)}"
        yield Change("observe", text, before, after)


def _renamed(old: WordUse, new: WordUse, subject: Callable[[WordUse], str]) -> Iterator[Change]:
    """The new name of what an observe word writes."""
    for key in ("name", "file"):
        before, after = old.parameters.get(key), new.parameters.get(key)
        if before is not None and after is not None and before != after:
            text = f"{subject(old)} renamed {after}"
            yield Change(dotted((*new.path, key)), text, before, after)


def _with_name(old: WordUse, new: WordUse) -> WordUse:
    names = {
        key: new.parameters[key]
        for key in ("name", "file")
        if key in old.parameters and key in new.parameters
    }
    return dataclasses.replace(old, parameters={**old.parameters, **names})


def _written(use: WordUse, vocabulary: Vocabulary) -> str:
    """What an observe word writes: its file, or the names of its columns."""
    if "file" in use.parameters:
        return str(use.parameters["file"])
    word = vocabulary.word("observe", use.kind)
    return ", ".join(name for _, name in named_columns(use, word))


def noise_changes(old: Spec, new: Spec, vocabulary: Vocabulary) -> Iterator[Change]:
    def disturbs(use: WordUse) -> str:
        return str(vocabulary.word("noise", use.kind).traits["DISTURBS"])

    on_labels = [[use for use in spec.noise if disturbs(use) == "labels"] for spec in (old, new)]
    is_only = max(map(len, on_labels)) == 1

    def subject(use: WordUse) -> str:
        if disturbs(use) == "labels" and is_only:
            return "label noise"
        factor = use.parameters.get("factor")
        return f"noise {use.kind}" + (f" of {factor}" if factor is not None else "")

    def kinship(one: WordUse, other: WordUse) -> float:
        same_kind = one.kind == other.kind
        if not same_kind and not (disturbs(one) == disturbs(other) == "labels"):
            return 0.0
        if same_kind and one.parameters.get("factor") != other.parameters.get("factor"):
            return 0.0
        equal = same(one.parameters, other.parameters)
        on = same(one.parameters.get("only"), other.parameters.get("only"))
        return 1.0 + 4 * (same_kind and equal) + 2 * same_kind + on

    pairs, came, went = align(old.noise, new.noise, kinship)
    for i, j in sorted(pairs, key=lambda pair: pair[1]):
        one, other = old.noise[i], new.noise[j]
        name = subject(other)
        dial = next(iter(vocabulary.word("noise", other.kind).parameters), "")
        bare = dial if name == "label noise" else ""
        yield from use_changes("noise", one, other, name, vocabulary, bare)
    yield from _came(new.noise, came, "noise", subject, vocabulary)
    yield from _went(old.noise, went, subject)
    order = [j for _, j in pairs]
    if order != sorted(order):
        after = [subject(new.noise[j]) for j in sorted(order)]
        before = [subject(old.noise[i]) for i, _ in pairs]
        yield Change("noise", f"noise in another order: {', '.join(after)}", before, after)


def _came(
    uses: Sequence[WordUse],
    came: list[int],
    folder: str,
    subject: Callable[[WordUse], str],
    vocabulary: Vocabulary,
) -> Iterator[Change]:
    for j in came:
        use, name = uses[j], subject(uses[j])
        details = described(use, folder, vocabulary, kind=use.kind not in name)
        text = f"{name} added" + (f": {details}" if details else "")
        yield Change(dotted(use.path), text, None, use_data(use))


def _went(
    uses: Sequence[WordUse], went: list[int], subject: Callable[[WordUse], str]
) -> Iterator[Change]:
    for i in went:
        yield Change(dotted(uses[i].path), f"{subject(uses[i])} removed", use_data(uses[i]), None)
