"""What the template of description.md is filled in with."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from sandmle.compiler.calls import Calls
from sandmle.compiler.classes import class_names, submission_word
from sandmle.compiler.inline import Wanted, inline
from sandmle.runtime.tables import csv_bytes, random_ids

#: How test rows differ from training rows, by kind of split.
_DIFFERENCE = {
    "random": "",
    "group": "; they belong to other groups than those of `train.csv`",
    "time": "; they are later than those of `train.csv`",
}


def description_context(calls: Calls) -> dict[str, Any]:
    """What a solver may know; nothing of factors, rules and noise.

    `files` and `tables` are paths, `example` the first lines of a submission.
    """
    spec = calls.spec
    observed: dict[str, list[str]] = {"columns": [], "files": [], "rows": []}
    for use in spec.observe:
        writes = calls.word("observe", use.kind).traits["WRITES"]
        observed[writes].append(str(use.parameters.get("file", "")))
    metric = calls.word("metrics", spec.dna.metric.kind)
    settings = {
        name: spec.dna.metric.parameters.get(name, fragment.get("default"))
        for name, fragment in metric.parameters.items()
    }
    return {
        "metric": metric,
        "parameters": [f"{name} = {value}" for name, value in settings.items()],
        "is_lower_better": not metric.traits["GREATER_IS_BETTER"],
        "files": observed["files"],
        "tables": observed["rows"],
        "about": "about " if spec.dna.split.kind == "group" else "",
        "difference": _DIFFERENCE[spec.dna.split.kind],
        "has_columns": bool(observed["columns"]),
        "example": _example(calls),
    }


def _example(calls: Calls) -> str:
    """The header and three rows of a submission, under ids that are made up."""
    spec = calls.spec
    word = submission_word(spec, calls.vocabulary)
    source = inline([Wanted(word.path, ("sample",))])
    namespace: dict[str, Any] = {}
    exec(f"{source.imports}\n\n{source.definitions}", namespace)
    columns = namespace["sample"]([target.name for target in spec.targets], class_names(spec), 3)
    rng = np.random.default_rng([spec.random_seed, zlib.crc32(b"example")])
    return csv_bytes({"id": random_ids(rng, 3), **columns}).decode()
