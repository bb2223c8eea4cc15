"""What the template of generate.py is filled in with."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from sandmle.compiler.calls import Calls
from sandmle.compiler.judging import class_names, metric_factors, submission_use
from sandmle.compiler.layout import call, item, literal
from sandmle.errors import CompileError
from sandmle.spec.model import Target, WordUse


def generate_context(calls: Calls) -> dict[str, Any]:
    """The expressions of generate.py, by the names that its template uses.

    `factors`, `scores`, `truth`, `sample_files`, `rows`, `tables` and `metric_factors` are (name,
    expression) pairs; so are `factor_noise`, `label_noise` and `column_noise`, in the order of the
    spec. `shown_as` says how train.csv shows the labels.
    """
    spec = calls.spec
    noise = _noise(calls)
    observed: dict[str, list[tuple[str, ast.expr]]] = {
        "columns": [],
        "files": [],
        "rows": [],
        "table": [],
    }
    for index, use in enumerate(spec.observe):
        writes = calls.word("observe", use.kind).traits["WRITES"]
        shown = calls.call("observe", use, f"observe.{index}.{use.kind}")
        observed[writes].append((use.parameters.get("file", ""), shown))
    return {
        "factors": [
            (name, calls.call("factors", spec.factors[name], f"factors.{name}", _samples()))
            for name in calls.factor_order()
        ],
        "scores": [(target.name, _score(calls, target)) for target in spec.targets],
        "truth": [(target.name, _truth(calls, target)) for target in spec.targets],
        "columns": [shown for _, shown in observed["columns"]],
        "sample_files": observed["files"],
        "rows": observed["rows"],
        "tables": observed["table"],
        "metric_factors": [
            (name, item("factors", name)) for name in metric_factors(spec, calls.vocabulary)
        ],
        "shown_as": submission_use(spec, calls.vocabulary)[0].traits.get("TRAIN", "columns"),
        "split": _split(calls),
        **noise,
    }


def _samples() -> ast.expr:
    return ast.Name("SAMPLES")


def _score(calls: Calls, target: Target) -> ast.expr:
    """What the target's rule gives, rounded."""
    return call("settle", calls.call("hidden", target.rule, f"hidden.{target.name}"))


def _truth(calls: Calls, target: Target) -> ast.expr:
    """The target's labels, from its score."""
    score = item("scores", target.name)
    if target.quantiles is not None:
        return call("cut", score, literal(target.quantiles))
    if calls.word("hidden", target.rule.kind).traits["YIELDS"] != "category":
        return score
    return call("class_index", score, literal(len(class_names(calls.spec, calls.vocabulary))))


def _split(calls: Calls) -> ast.expr:
    """Which samples train."""
    split = calls.spec.dna.split
    train, stream = ast.Name("TRAIN"), call("stream", literal("split"))
    if split.kind == "random":
        return call("random_split", stream, ast.Name("truth"), train)
    by = item("factors", split.by or "")
    if split.kind == "group":
        return call("group_split", stream, ast.Name("truth"), train, groups=by)
    return call("time_split", by, train)


def _noise(calls: Calls) -> dict[str, list[Any]]:
    """The calls of the noise words, by what they disturb.

    Noise on labels is (target, expression, whether it disturbs train only).
    """
    factors: list[tuple[str, ast.expr]] = []
    columns: list[ast.expr] = []
    labels: list[tuple[str, ast.expr, bool]] = []
    counts: Counter[str] = Counter()
    for use in calls.spec.noise:
        stream = f"noise.{use.kind}.{counts[use.kind]}"
        counts[use.kind] += 1
        disturbs = calls.word("noise", use.kind).traits["DISTURBS"]
        if disturbs == "factor":
            name = use.parameters["factor"]
            factors.append((name, calls.call("noise", use, stream, item("seen", name))))
        elif disturbs == "columns":
            columns.append(calls.call("noise", use, stream, ast.Name("columns")))
        elif disturbs == "labels":
            labels += _label_noise(calls, use, stream)
        else:
            raise CompileError(f"rules/noise/{use.kind}.py: DISTURBS = {disturbs!r} is unknown")
    return {"factor_noise": factors, "column_noise": columns, "label_noise": labels}


def _label_noise(calls: Calls, use: WordUse, stream: str) -> list[tuple[str, ast.expr, bool]]:
    """A noise word's calls for all targets, each with a stream of its own."""
    targets = calls.spec.targets
    train_only = use.parameters.get("split", "train") == "train"
    return [
        (
            target.name,
            calls.call(
                "noise",
                use,
                stream if len(targets) == 1 else f"{stream}.{target.name}",
                item("labels", target.name),
            ),
            train_only,
        )
        for target in targets
    ]
