"""What the template of evaluate.py is filled in with."""

from __future__ import annotations

import ast
from dataclasses import asdict
from typing import Any

from sandmle.compiler.calls import Calls
from sandmle.compiler.judging import metric_factors, traits_of_metric
from sandmle.compiler.layout import call, literal
from sandmle.spec.model import Thresholds


def evaluate_context(calls: Calls, thresholds: Thresholds | None) -> dict[str, Any]:
    """The constants of evaluate.py and the call of its metric."""
    spec = calls.spec
    return {
        "is_lower_better": not traits_of_metric(spec, calls.vocabulary).greater_is_better,
        "thresholds": None if thresholds is None else asdict(thresholds),
        "score": calls.metric(spec.dna.metric, ast.Name("truth"), ast.Name("prediction")),
        "metric_factors": [
            (name, _values(calls, name)) for name in metric_factors(spec, calls.vocabulary)
        ],
    }


def _values(calls: Calls, factor: str) -> ast.expr:
    """The values of a factor that the answers hold."""
    kind = calls.vocabulary.word("factors", calls.spec.factors[factor].kind).traits["YIELDS"]
    return call(
        "factor_values", ast.Name("key"), literal(factor), ast.Name("samples"), kind=literal(kind)
    )
