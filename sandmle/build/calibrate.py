"""Thresholds computed afresh, and whether they make a task whose medals mean skill."""

from __future__ import annotations

import dataclasses
import tempfile
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from sandmle.build.kept_ladder import keep
from sandmle.build.ladder import Ladder, climb
from sandmle.build.panel import dead_problem, reaches_of_ladder
from sandmle.build.prepare import prepare
from sandmle.build.reliability import flip_problem, flip_rate
from sandmle.build.thresholds import compute_thresholds, gate, margin_problem, order_problem
from sandmle.build.verdict import TEST_DRAW, Margin
from sandmle.spec.model import Spec, Thresholds
from sandmle.vocabulary import load_vocabulary


@dataclass(frozen=True)
class Calibration:
    """A task's ladder weighed against thresholds; `reasons` say why it is no good with them.

    `flip_rate` is the share of redrawn test sets on which honest work wins another medal.
    """

    ladder: Ladder
    thresholds: Thresholds
    margins: tuple[Margin, ...]
    flip_rate: float
    reasons: tuple[str, ...]


def calibrate(spec: Spec, *, corpus: Path, keep_good: bool = False) -> Calibration:
    """Runs the ladder in a temporary folder, whatever thresholds the spec has.

    With `keep_good`, the ladder of a good task is kept for its build, see kept_ladder.
    Raises Rejected where the spec's numbers give no data, CompileError where it can't be compiled.
    """
    fresh = dataclasses.replace(spec, thresholds=None)
    with tempfile.TemporaryDirectory(prefix="sandmle-") as folder, threadpool_limits(1):
        prepared = prepare(fresh, Path(folder), corpus=corpus)
        ladder = climb(prepared, load_vocabulary(corpus))
    found = weigh(ladder, compute_thresholds(ladder))
    if keep_good and not found.reasons:
        keep(ladder, prepared)
    return found


def weigh(ladder: Ladder, thresholds: Thresholds) -> Calibration:
    """What a ladder says of thresholds: their order and distances, and whether skill wins them."""
    lower = ladder.is_lower_better
    margins = gate(ladder, thresholds)
    flips = flip_rate(ladder.own.score, ladder.redrawn, thresholds, is_lower_better=lower)
    problems = [
        order_problem(thresholds, is_lower_better=lower),
        *(margin_problem(margin) for margin in margins if not margin.passed),
        dead_problem(reaches_of_ladder(ladder, thresholds)),
        flip_problem(flips, TEST_DRAW),
    ]
    reasons = tuple(problem for problem in problems if problem is not None)
    return Calibration(ladder, thresholds, margins, flips, reasons)
