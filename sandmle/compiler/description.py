"""What the template of description.md is filled in with."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Vocabulary, Word, meant

#: How test rows differ from training rows, by kind of split, and by which column where one tells.
_DIFFERENCE = {
    "random": ("", ""),
    "group": ("; they belong to other groups than those of `train.csv`", ": no `{}` is in both"),
    "time": ("; they are later than those of `train.csv`", ", by `{}`"),
}

#: Rows of the example of a submission.
_EXAMPLES = 3

#: The tables that hold what is known of a sample itself.
_MAIN = ("train.csv", "test.csv")


@dataclass(frozen=True)
class Column:
    """What a solver is told of a column: its meaning, and the files that it stands in."""

    meaning: str
    files: tuple[str, ...]


def description_context(calls: Calls) -> dict[str, Any]:
    """What a solver may know; nothing of factors, rules and noise.

    `files` and `rows` are paths, `tables` by path the column that joins them and where it stands,
    `columns` what is told of each by name, `has_places` whether some stand elsewhere than in the
    main tables; `has_shares` says whether a target is
    shown as a column a class, `several_rows` whether a sample has several in a submission;
    `metrics` are the metric and those nested in it, `example` the first lines of a submission.
    """
    spec, vocabulary = calls.spec, calls.vocabulary
    observed: dict[str, list[str]] = {"columns": [], "files": [], "rows": [], "table": []}
    for use in spec.observe:
        writes = vocabulary.word("observe", use.kind).traits["WRITES"]
        observed[writes].append(str(use.parameters.get("file", "")))
    submission, use = submission_use(spec, vocabulary)
    columns = _columns(spec, vocabulary)
    return {
        "metrics": _words(spec.dna.metric, vocabulary),
        "metric": stated_metric(spec, vocabulary),
        "is_lower_better": not traits_of_metric(spec, vocabulary).greater_is_better,
        "files": observed["files"],
        "rows": observed["rows"],
        "tables": _tables(spec, vocabulary),
        "shown_as": submission.traits.get("TRAIN", "columns"),
        "several_rows": "KEY" in submission.traits,
        "about": "about " if spec.dna.split.kind == "group" else "",
        "difference": _difference(spec, vocabulary),
        "has_columns": bool(observed["columns"]),
        "columns": columns,
        "has_places": any(set(column.files) - {*_MAIN} for column in columns.values()),
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


def stated_metric(spec: Spec, vocabulary: Vocabulary) -> str:
    """The metric with all its settings, where factors are called as the columns that show them."""
    use = spec.dna.metric
    word = vocabulary.word("metrics", use.kind)
    shown = columns_of_factors(spec, vocabulary)
    factors = {
        str(slot.path[-1]): shown[slot.value]
        for slot in slots(use, word)
        if slot.is_factor and slot.value in shown
    }
    return stated(dataclasses.replace(use, parameters={**use.parameters, **factors}), word)


def columns_of_factors(spec: Spec, vocabulary: Vocabulary) -> dict[str, str]:
    """The columns of the main tables that show one factor each, by factor."""
    found: dict[str, str] = {}
    for use in spec.observe:
        word = vocabulary.word("observe", use.kind)
        if word.traits["WRITES"] == "columns":
            names = [name for _, name in named_columns(use, word)]
            factors = [slot.value for slot in slots(use, word) if slot.is_factor]
            if len(names) == len(factors) == 1:
                found.setdefault(factors[0], names[0])
    return found


def _difference(spec: Spec, vocabulary: Vocabulary) -> str:
    """How the test rows differ from the training rows, and which column tells so."""
    says, by = _DIFFERENCE[spec.dna.split.kind]
    column = columns_of_factors(spec, vocabulary).get(spec.dna.split.by or "")
    return says + (by.format(column) if column else "")


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


def _columns(spec: Spec, vocabulary: Vocabulary) -> dict[str, Column]:
    """What is told of each column: those that the author explains, then those that observe words
    write and nobody explains, in the order of their names, which does not tell what matters."""
    meanings: dict[str, str] = {}
    files: dict[str, list[str]] = {}
    for use in spec.observe:
        word = vocabulary.word("observe", use.kind)
        is_main = word.traits["WRITES"] == "columns"
        for _, name in named_columns(use, word):
            files.setdefault(name, []).extend(_MAIN if is_main else [str(use.parameters["file"])])
        for path, name in _surely_written(use, word):
            meaning = meant(word.traits.get("MEANS", {}), str(path[len(use.path)]), name)
            meanings.setdefault(name, meaning or "")
    explained = dict(spec.narrative.columns)
    told = explained | {name: meanings[name] for name in sorted(meanings.keys() - explained.keys())}
    targets = {target.name: [_MAIN[0]] for target in spec.targets}
    return {
        name: Column(meaning, tuple(dict.fromkeys(files.get(name, targets.get(name, _MAIN)))))
        for name, meaning in told.items()
    }


def _tables(spec: Spec, vocabulary: Vocabulary) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The tables that are not by sample, with the column that joins each, and where that stands:
    the first of its columns that another file has, too; so the main tables where none is known.
    """
    written: dict[str, list[str]] = {}
    tables: dict[str, list[str]] = {}
    for use in spec.observe:
        word = vocabulary.word("observe", use.kind)
        names = [name for _, name in named_columns(use, word)]
        if word.traits["WRITES"] == "table":
            tables[str(use.parameters["file"])] = names
        for name in names if word.traits["WRITES"] != "table" else ():
            is_main = word.traits["WRITES"] == "columns"
            written.setdefault(name, []).extend(_MAIN if is_main else [str(use.parameters["file"])])
    joined = {
        path: next((name for name in names if name in written), names[0])
        for path, names in tables.items()
    }
    return {
        path: (name, tuple(dict.fromkeys(written.get(name, _MAIN))))
        for path, name in joined.items()
    }


def _surely_written(use: WordUse, word: Word) -> Iterator[tuple[DataPath, str]]:
    """The columns that a word writes; of one that may do without a factor those that are named in
    the spec, as it may leave out others with the factor."""
    does_without = any(
        "factor" in str(fragment.get("$ref", "")) and "default" in fragment
        for fragment in word.parameters.values()
    )
    for path, name in named_columns(use, word):
        if not does_without or path[len(use.path)] in use.parameters:
            yield path, name


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
    pattern, first = str(word.traits.get("KEY", "{id}")), int(word.traits.get("COUNTED_FROM", 1))
    keys = _keys(pattern, first, random_ids(rng, _EXAMPLES).tolist(), targets)
    sample = _run(word.path, "sample")
    columns = sample(np.array(keys), targets, class_names(spec, vocabulary), **use.parameters)
    return csv_bytes(columns).decode()


def _keys(pattern: str, first: int, names: Sequence[str], targets: Sequence[str]) -> list[str]:
    """The first keys of a submission: all of one sample where it has several rows."""
    if "{target}" in pattern:
        keys = [pattern.replace("{target}", one) for one in targets]
        return [key.replace("{id}", name) for name in names for key in keys][:_EXAMPLES]
    before, count, after = pattern.rpartition("{n}")
    if not count:
        return [pattern.replace("{id}", name) for name in names]
    keys = [f"{before}{number}{after}" for number in range(first, first + _EXAMPLES)]
    return [key.replace("{id}", names[0]).replace("{n}", str(first)) for key in keys]
