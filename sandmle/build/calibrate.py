"""Thresholds computed afresh, for an author to look at and to write into the spec."""

from __future__ import annotations

import dataclasses
import tempfile
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from sandmle.build.ladder import Ladder, climb
from sandmle.build.prepare import prepare
from sandmle.build.thresholds import compute_thresholds, gate, margin_problem, order_problem
from sandmle.build.verdict import Margin
from sandmle.spec.model import Spec, Thresholds
from sandmle.vocabulary import load_vocabulary


@dataclass(frozen=True)
class Calibration:
    """A task's ladder and the thresholds that follow from it; `reasons` say why it is no good."""

    ladder: Ladder
    thresholds: Thresholds
    margins: tuple[Margin, ...]
    reasons: tuple[str, ...]


def calibrate(spec: Spec, *, corpus: Path) -> Calibration:
    """Runs the ladder in a temporary folder, whatever thresholds the spec has.

    Raises Rejected where the spec's numbers give no data, CompileError where it can't be compiled.
    """
    fresh = dataclasses.replace(spec, thresholds=None)
    with tempfile.TemporaryDirectory(prefix="sandmle-") as folder, threadpool_limits(1):
        prepared = prepare(fresh, Path(folder), corpus=corpus)
        ladder = climb(prepared, load_vocabulary(corpus))
    thresholds = compute_thresholds(ladder)
    margins = gate(ladder, thresholds)
    problems = [
        order_problem(thresholds, is_lower_better=ladder.is_lower_better),
        *(margin_problem(margin) for margin in margins if not margin.passed),
    ]
    reasons = tuple(problem for problem in problems if problem is not None)
    return Calibration(ladder, thresholds, margins, reasons)
