"""Factors: names that say what they are, and each of them of use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.references import factor_references

_SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")

#: Parts of names that stand for a longer word, and the word.
ABBREVIATIONS = {
    "amp": "amplitude",
    "amt": "amount",
    "avg": "average",
    "calc": "calculated",
    "cnt": "count",
    "coef": "coefficient",
    "cond": "condition",
    "corr": "correlation",
    "curr": "current",
    "deg": "degree",
    "dist": "distance",
    "dur": "duration",
    "fac": "factor",
    "feat": "feature",
    "freq": "frequency",
    "grp": "group",
    "idx": "index",
    "len": "length",
    "lvl": "level",
    "num": "number",
    "param": "parameter",
    "pct": "percent",
    "perc": "percent",
    "pos": "position",
    "prev": "previous",
    "qty": "quantity",
    "sz": "size",
    "temp": "temperature",
    "tmp": "temperature",
    "tot": "total",
    "val": "value",
    "var": "variable",
    "vol": "volume",
    "wt": "weight",
}


def snake_case(draft: Draft) -> Iterator[Problem]:
    """Factors are called in lower-case words joined by one underscore each."""
    for name in draft.factor_types:
        if not _SNAKE_CASE.fullmatch(name):
            better = re.sub("_+", "_", name).strip("_")
            message = f"factor {name!r} is not in snake_case; write {better!r}"
            yield draft.source.at_key(("factors", name), message)


def whole_words(draft: Draft) -> Iterator[Problem]:
    """Factors are called by whole words: a reviewer knows a rule by what its factors are."""
    for name in draft.factor_types:
        place = ("factors", name)
        if len(name) == 1:
            yield draft.source.at_key(place, f"factor {name!r} says nothing; name what it is")
            continue
        parts = name.split("_")
        short = [part for part in parts if part in ABBREVIATIONS]
        if short:
            better = "_".join(ABBREVIATIONS.get(part, part) for part in parts)
            message = f"factor {name!r} is abbreviated; write {better!r}"
            yield draft.source.at_key(place, message)


def unused_factor(draft: Draft) -> Iterator[Problem]:
    """Every factor is shown, or a rule, the metric, the split, noise or another factor needs it."""
    used = {
        reference.name
        for use, word in draft.uses
        for reference in factor_references(use, word, draft.vocabulary)
    }
    used.add(str(draft.get("dna", "split", "by")))
    for name in draft.factor_types:
        if name not in used:
            message = f"nothing uses factor {name!r}; remove it, or show it as a column"
            yield draft.source.at_key(("factors", name), message)


def unseen_cause(draft: Draft) -> Iterator[Problem]:
    """A rule looks only at factors that show, in themselves or by another that hangs on them.

    What follows from a factor that nothing shows is noise to every solver.
    """
    shown = {
        reference.name
        for use, word in draft.uses
        if word.folder == "observe"
        for reference in factor_references(use, word, draft.vocabulary)
    }
    links = [
        (str(use.path[1]), reference.name)
        for use, word in draft.uses
        if word.folder == "factors"
        for reference in factor_references(use, word, draft.vocabulary)
    ]
    while found := {
        name for pair in links if shown & set(pair) for name in pair if name not in shown
    }:
        shown |= found
    for use, word in draft.uses:
        if word.folder != "hidden":
            continue
        for reference in factor_references(use, word, draft.vocabulary):
            if reference.name not in shown:
                message = f"no observe word shows factor {reference.name!r}: it can't be learnt"
                yield draft.source.at_value(reference.path, message, offset=reference.offset)
