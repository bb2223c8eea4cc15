"""What the template of evaluate.py is filled in with."""

from __future__ import annotations

import ast
from dataclasses import asdict
from typing import Any

from sandmle.compiler.calls import Calls
from sandmle.compiler.layout import call, literal
from sandmle.spec.model import Thresholds


def evaluate_context(calls: Calls, thresholds: Thresholds | None) -> dict[str, Any]:
    """The constants of evaluate.py and the call of its metric."""
    metric = calls.word("metrics", calls.spec.dna.metric.kind)
    parameters = {name: literal(value) for name, value in calls.spec.dna.metric.parameters.items()}
    return {
        "is_lower_better": not metric.traits["GREATER_IS_BETTER"],
        "thresholds": None if thresholds is None else asdict(thresholds),
        "score": call(metric.name, ast.Name("truth"), ast.Name("prediction"), **parameters),
    }
