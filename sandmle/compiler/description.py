"""What the template of description.md is filled in with."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sandmle.compiler.calls import Calls
from sandmle.compiler.inline import Wanted, inline
from sandmle.compiler.judging import class_names, submission_use, traits_of_metric
from sandmle.runtime.tables import csv_bytes, random_ids
from sandmle.spec.checks.columns import named_columns
from sandmle.spec.model import Spec, WordUse
from sandmle.spec.references import nested_use, slots
from sandmle.vocabulary import Vocabulary, Word

#: How test rows differ from training rows, by kind of split.
_DIFFERENCE = {
    "random": "",
    "group": "; they belong to other groups than those of `train.csv`",
    "time": "; they are later than those of `train.csv`",
}


def description_context(calls: Calls) -> dict[str, Any]:
    """What a solver may know; nothing of factors, rules and noise.

    `files`, `rows` and `tables` are paths, `columns` what each means by name; `has_shares` says
    whether a target is shown as a column a class, `several_rows` whether a sample has several in a
    submission; `metrics` are the metric and those nested in it, `example` the first lines of a
    submission.
    """
    spec, vocabulary = calls.spec, calls.vocabulary
    observed: dict[str, list[str]] = {"columns": [], "files": [], "rows": [], "table": []}
    for use in spec.observe:
        writes = vocabulary.word("observe", use.kind).traits["WRITES"]
        observed[writes].append(str(use.parameters.get("file", "")))
    submission, use = submission_use(spec, vocabulary)
    return {
        "metrics": _words(spec.dna.metric, vocabulary),
        "metric": stated(spec.dna.metric, vocabulary.word("metrics", spec.dna.metric.kind)),
        "is_lower_better": not traits_of_metric(spec, vocabulary).greater_is_better,
        "files": observed["files"],
        "rows": observed["rows"],
        "tables": observed["table"],
        "shown_as": submission.traits.get("TRAIN", "columns"),
        "several_rows": "KEY" in submission.traits,
        "about": "about " if spec.dna.split.kind == "group" else "",
        "difference": _DIFFERENCE[spec.dna.split.kind],
        "has_columns": bool(observed["columns"]),
        "columns": _columns(spec, vocabulary),
        "has_shares": any(
            vocabulary.word("hidden", target.rule.kind).traits["YIELDS"] == "distribution"
            for target in spec.targets
        ),
        "asked": _asked(calls),
        "form": stated(use, submission),
        "example": _example(calls),
    }


def stated(use: WordUse, word: Word) -> str:
    """A word with all its settings, defaults too: `f_beta (beta = 2)`, `per_column (of = rmse)`."""
    settings = {
        name: use.parameters.get(name, fragment.get("default"))
        for name, fragment in word.parameters.items()
    }
    listed = ", ".join(f"{name} = {_shown(value)}" for name, value in settings.items())
    return f"{use.kind} ({listed})" if listed else use.kind


def _shown(value: Any) -> str:
    """A setting as an author writes it; a nested word by its name and own settings."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    if not isinstance(value, Mapping):
        return str(value)
    inner = ", ".join(f"{name} = {_shown(item)}" for name, item in value.items() if name != "kind")
    return f"{value['kind']} ({inner})" if inner else str(value["kind"])


def _words(use: WordUse, vocabulary: Vocabulary) -> list[Word]:
    """A metric's word and those of the metrics nested in it, outermost first."""
    word = vocabulary.word("metrics", use.kind)
    nested = [nested_use(slot) for slot in slots(use, word)]
    return [word, *(inner for entry in nested if entry for inner in _words(entry, vocabulary))]


def _columns(spec: Spec, vocabulary: Vocabulary) -> dict[str, str]:
    """What each column means: as the author explains them, then those that observe words write
    and nobody explains, in the order of their names, which does not tell what matters."""
    named = {
        name
        for use in spec.observe
        for name in _surely_written(use, vocabulary.word("observe", use.kind))
    }
    explained = dict(spec.narrative.columns)
    return explained | dict.fromkeys(sorted(named - explained.keys()), "")


def _surely_written(use: WordUse, word: Word) -> list[str]:
    """The columns that a word writes; of one that may do without a factor those that are named in
    the spec, as it may leave out others with the factor."""
    does_without = any(
        "factor" in str(fragment.get("$ref", "")) and "default" in fragment
        for fragment in word.parameters.values()
    )
    return [
        name
        for path, name in named_columns(use, word)
        if not does_without or path[len(use.path)] in use.parameters
    ]


def _run(path: Path, name: str) -> Callable[..., Any]:
    """A function of a word, to be called here."""
    source = inline([Wanted(path, (name,))])
    namespace: dict[str, Any] = {}
    exec(f"{source.imports}\n\n{source.definitions}", namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def _asked(calls: Calls) -> str:
    """What the target is, in the words of the kind of task."""
    spec, vocabulary = calls.spec, calls.vocabulary
    describe = _run(vocabulary.word("tasks", spec.dna.task).path, "describe")
    targets = [target.name for target in spec.targets]
    return str(describe(targets, class_names(spec, vocabulary)))


def _example(calls: Calls) -> str:
    """The header and three rows of a submission, under ids that are made up."""
    spec, vocabulary = calls.spec, calls.vocabulary
    word, use = submission_use(spec, vocabulary)
    targets = [target.name for target in spec.targets]
    rng = np.random.default_rng([spec.random_seed, zlib.crc32(b"example")])
    pattern = str(word.traits.get("KEY", "{id}"))
    keys = [
        pattern.replace("{id}", name).replace("{target}", targets[0]).replace("{n}", "1")
        for name in random_ids(rng, 3)
    ]
    sample = _run(word.path, "sample")
    columns = sample(np.array(keys), targets, class_names(spec, vocabulary), **use.parameters)
    return csv_bytes(columns).decode()
