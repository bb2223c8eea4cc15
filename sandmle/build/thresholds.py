"""Medal thresholds from the ladder, and the gate that a task must pass.

The recipe and its numbers won a comparison over 216 generated tasks (18 rules, 12 data seeds):
after this gate honest baselines reach gold in .92 to .97 of the tasks, and a medal flips in about
.09 of reruns with other data. Thresholds from simulated leaderboards, and gold some standard
errors below the reference, did worse.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from itertools import pairwise

from sandmle.build.ladder import Ladder, oriented, significant
from sandmle.build.verdict import RUNGS, Margin
from sandmle.spec.model import Thresholds

#: Each threshold's share of the way from the best dummy to the best reference.
SHARES: Mapping[str, float] = {"median": 0.30, "bronze": 0.55, "silver": 0.75, "gold": 0.90}

#: Decimals that thresholds are rounded to; scores have five.
DECIMALS = 4

#: Least distances in standard errors: dummy to reference, dummy to median, medal to next medal.
LEAST_RANGE, LEAST_MEDIAN, LEAST_GAP = 4.0, 3.0, 2.0

#: How far thresholds that a spec pins may lie from freshly computed ones, in standard errors.
MOST_DRIFT = 2.0


def compute_thresholds(ladder: Ladder) -> Thresholds:
    """Thresholds at fixed shares of the way from the best dummy to the best reference.

    Rounded towards the better score, so that no score wins a medal by rounding.
    """
    low = oriented(ladder.best("dummy").score, ladder.is_lower_better)
    high = oriented(ladder.best("reference").score, ladder.is_lower_better)
    return Thresholds(
        **{
            name: oriented(rounded_up(low + share * (high - low)), ladder.is_lower_better)
            for name, share in SHARES.items()
        }
    )


def rounded_up(value: float) -> float:
    """The next number of DECIMALS decimals from `value` up; binary dust does not count."""
    scale = 10.0**DECIMALS
    return math.ceil(round(value * scale, 6)) / scale


def order_problem(thresholds: Thresholds, *, is_lower_better: bool) -> str | None:
    """Why thresholds are not strictly ordered in the metric's direction; None where they are."""
    steps = list(dataclasses.asdict(thresholds).items())
    for (lower, low), (higher, high) in pairwise(steps):
        if oriented(high, is_lower_better) <= oriented(low, is_lower_better):
            way = "below" if is_lower_better else "above"
            return f"the {higher} threshold {high:g} must lie {way} the {lower} threshold {low:g}"
    return None


def drift_problem(pinned: Thresholds, fresh: Thresholds, standard_error: float) -> str | None:
    """Why pinned thresholds no longer fit the task; None where they do."""
    most = MOST_DRIFT * standard_error + 10**-DECIMALS
    for name, value in dataclasses.asdict(pinned).items():
        now = getattr(fresh, name)
        if abs(value - now) > most:
            return (
                f"the {name} threshold {value:g} has drifted: the ladder now gives {now:g}, more "
                f"than {MOST_DRIFT:g} standard errors ({most:.2g}) away; "
                "run `sandmle calibrate SPEC --write`"
            )
    return None


def gate(ladder: Ladder, thresholds: Thresholds) -> tuple[Margin, ...]:
    """The distances that a good task keeps, in the metric's units, positive towards better."""
    best = {rung: oriented(ladder.best(rung).score, ladder.is_lower_better) for rung in RUNGS}
    lines = {
        name: oriented(value, ladder.is_lower_better)
        for name, value in dataclasses.asdict(thresholds).items()
    }
    medals = list(lines.values())
    smallest = min(high - low for low, high in pairwise(medals))
    error = ladder.standard_error
    to_naive = lines["silver"] - best["naive"]
    return (
        margin("reference over dummy", best["reference"] - best["dummy"], LEAST_RANGE * error),
        margin("median over dummy", lines["median"] - best["dummy"], LEAST_MEDIAN * error),
        margin("smallest gap of medals", smallest, LEAST_GAP * error),
        Margin("silver over naive", significant(to_naive), 0.0, bool(to_naive > 0)),
        margin("honest over silver", best["honest"] - lines["silver"], 0.0),
    )


def margin(name: str, value: float, least: float) -> Margin:
    """A margin that is kept when `value` is at least `least`."""
    return Margin(name, significant(value), significant(least), bool(value >= least))


#: What a failed margin means to an author.
ADVICE: Mapping[str, str] = {
    "reference over dummy": "even the true features say too little; lower the noise or add rows",
    "median over dummy": "the range of scores is too narrow; lower the noise or add test rows",
    "smallest gap of medals": "the range of scores is too narrow; lower the noise or add test rows",
    "silver over naive": "too easy: models on raw columns reach silver; turn a difficulty dial up",
    "honest over silver": "too hard: no honest model reaches silver; turn a difficulty dial down",
}


def margin_problem(margin: Margin) -> str:
    """A failed margin as a reason for an author."""
    return f"{ADVICE[margin.name]} ({margin.name}: {margin.value:.4g}, least {margin.least:.4g})"
