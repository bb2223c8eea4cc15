"""Factors: whoever uses one names one that exists, stands above, and has the right type."""

from __future__ import annotations

from collections.abc import Iterator

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.formula import FormulaError, parse_formula
from sandmle.spec.messages import suggestion
from sandmle.spec.model import WordUse
from sandmle.spec.references import Reference, all_slots, factor_references
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Word


def check_factors(draft: Draft) -> Iterator[Problem]:
    """References to factors, the order of definitions, the types, and formulas."""
    for use, word in draft.uses:
        references = [
            reference
            for reference in factor_references(use, word, draft.vocabulary)
            if draft.sound(*reference.path)
        ]
        for reference in references:
            yield from _reference(draft, use, word, reference)
        yield from _formulas(draft, use, word)
    yield from _split(draft)


def _reference(draft: Draft, use: WordUse, word: Word, reference: Reference) -> Iterator[Problem]:
    """One reference: unknown, defined too late, or of another type than wanted."""
    types, name = draft.factor_types, reference.name
    if name not in types:
        hint = suggestion(name, types) or (f"; known are {', '.join(types)}" if types else "")
        message = f"unknown factor {name!r}{hint}"
        yield draft.source.at_value(reference.path, message, offset=reference.offset)
    elif word.folder == "factors" and not _stands_above(draft, name, str(use.path[1])):
        own = str(use.path[1])
        message = (
            f"factor {own!r} uses itself"
            if name == own
            else f"factor {name!r} is defined below; a factor can use only those above it"
        )
        yield draft.source.at_value(reference.path, message, offset=reference.offset)
    elif reference.wanted and types[name] not in (None, *reference.wanted):
        wanted = " or ".join(reference.wanted)
        taker = _innermost_kind(draft, reference.path)
        message = f"factor {name!r} is a {types[name]}; {taker} takes a {wanted} here"
        yield draft.source.at_value(reference.path, message)


def _innermost_kind(draft: Draft, path: DataPath) -> str:
    """The name of the word, maybe nested in others, whose parameter lies at `path`."""
    kinds = [draft.get(*path[:length], "kind") for length in range(len(path))]
    return next(kind for kind in reversed(kinds) if isinstance(kind, str))


def _stands_above(draft: Draft, name: str, own: str) -> bool:
    order = list(draft.factor_types)
    return order.index(name) < order.index(own)


def _formulas(draft: Draft, use: WordUse, word: Word) -> Iterator[Problem]:
    """Formulas outside the language, or with a factor of a type that cannot stand there.

    Names that are no factors are reported as references; here they pass as numbers.
    """
    for slot in all_slots(use, word, draft.vocabulary):
        if slot.definitions != ("formula",) or not draft.sound(*slot.path):
            continue
        types = _TypesOrNumber(
            {name: kind or "number" for name, kind in draft.factor_types.items()}
        )
        try:
            parse_formula(slot.value, types)
        except FormulaError as error:
            yield draft.source.at_value(slot.path, error.message, offset=error.offset)


class _TypesOrNumber(dict[str, str]):
    """Factor types in which every other name is a number."""

    def __missing__(self, _name: str) -> str:
        return "number"

    def __contains__(self, _name: object) -> bool:
        return True


def _split(draft: Draft) -> Iterator[Problem]:
    """The factor that rows are split by."""
    if not draft.sound("dna", "split"):
        return
    kind, by = draft.get("dna", "split", "kind"), draft.get("dna", "split", "by")
    if kind == "random" and by is not None:
        yield draft.source.at_key(("dna", "split", "by"), "a random split takes no factor")
    elif kind != "random" and by is None:
        message = f"a {kind} split needs `by`, the factor that holds the {kind}"
        yield draft.source.at_value(("dna", "split"), message)
    elif by is not None and by not in draft.factor_types:
        message = f"unknown factor {by!r}{suggestion(by, draft.factor_types)}"
        yield draft.source.at_value(("dna", "split", "by"), message)
    elif by is not None:
        wanted = ("number",) if kind == "time" else ("number", "category")
        found = draft.factor_types[by]
        if found not in (None, *wanted):
            message = f"factor {by!r} is a {found}; a {kind} split takes a {' or '.join(wanted)}"
            yield draft.source.at_value(("dna", "split", "by"), message)
