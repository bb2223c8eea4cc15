"""Repair before rejection: what is turned in a draft that is too easy, too hard or too narrow.

A judge says what is wrong with a draft; the roles know nothing of how it finds out. Turning keeps
the draft as it is otherwise, as its streams of random numbers stay the same: the dial of its rules,
the share of its noise, its rows. A draft is judged MOST_TRIES times in all, drawn anew where
turning does not help, then given up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandmle.spec.model import Spec

#: How often a draft is judged before it is given up (the recipe that won among those compared for
#: the gate of sandmle.build.thresholds reseeds five times), and turned before it is drawn anew.
MOST_TRIES, MOST_TURNS = 5, 2

#: How far a turn moves the difficulty and the rules' dials, on their ways from 0 to 1.
STEP = 0.5

#: Training rows of a draft that was too hard: as many as a spec may have.
_MOST_TRAIN = 200
#: How many times more test rows a table gets whose scores vary too much.
_MORE_TEST, _MOST_TEST = 2, 2000

TOO_EASY, TOO_HARD, TOO_NARROW, NOT_BUILT = "too easy", "too hard", "too narrow", "not built"

#: Why a draft is given up that its roles could not write without fault.
NOT_MENDED = "not mended"


@dataclass(frozen=True)
class Fault:
    """What is wrong with a draft: one of the four above, and the margin that it misses.

    `by` is how far the margin is missed in the metric's units, below zero; None where there is no
    such number, and `margin` then says what happened.
    """

    because: str
    margin: str
    by: float | None = None


#: Says what is wrong with a spec, nothing where it is good.
Judge = Callable[[Spec], Sequence[Fault]]


@dataclass(frozen=True)
class Dials:
    """What repairs turn.

    `difficulty` is the DNA's. `rule` is added to what the difficulty makes of the rules' own dials.
    `noise` is the share that is left of the noise, nothing of it at 0. `train` and `test` are rows.
    `reseeded` counts draws of the data: each has another random seed.
    """

    difficulty: float
    rule: float
    noise: float
    train: int
    test: int
    reseeded: int = 0


@dataclass(frozen=True)
class Repair:
    """One repair: the fault, and each dial with its value before and after; none where the draft
    was drawn anew.
    """

    fault: Fault
    turned: Mapping[str, tuple[float, float]]

    def as_data(self) -> dict[str, Any]:
        """The repair as a spec's provenance tells of it."""
        data: dict[str, Any] = fault_data(self.fault)
        if not self.turned:
            return data | {"redrawn": True}
        return data | {"turned": {name: list(values) for name, values in self.turned.items()}}


def fault_data(fault: Fault) -> dict[str, Any]:
    """A fault as plain data."""
    data = {"because": fault.because, "margin": fault.margin, "by": fault.by}
    return {name: value for name, value in data.items() if value is not None}


def dials_of(spec: Spec, turned: Mapping[str, float]) -> Dials:
    """Where the dials of a draft stand that was written with some of them turned."""
    return Dials(
        difficulty=spec.dna.difficulty or 0.0,
        rule=turned.get("rule", 0.0),
        noise=turned.get("noise", 1.0),
        train=spec.dna.train,
        test=spec.dna.test,
        reseeded=int(turned.get("reseeded", 0)),
    )


def worst(faults: Sequence[Fault]) -> Fault:
    """The fault that is repaired first: what is too easy or too hard before what is too narrow."""
    order = (NOT_BUILT, TOO_EASY, TOO_HARD, TOO_NARROW)
    return min(faults, key=lambda fault: order.index(fault.because))


def next_dials(
    tried: Sequence[tuple[Dials, Sequence[Fault]]], *, tabular: bool, reach: int = 1
) -> Dials | None:
    """The dials to try next, given those tried of one draft and what was wrong with each.

    `reach` is how many times as far as usual they are turned: dials have few positions, and a
    usual turn may change nothing. None where the draft is better drawn anew: nothing is left to
    turn, turning did not help, or its faults contradict each other.
    """
    dials, faults = tried[-1]
    kinds = {fault.because for fault in faults}
    if len(tried) > MOST_TURNS or NOT_BUILT in kinds or {TOO_EASY, TOO_HARD} <= kinds:
        return None
    before = worst(tried[-2][1]) if len(tried) > 1 else None
    fault = worst(faults)
    same = before is not None and before.because == fault.because
    if before is not None and same and _gained_little(before, fault):
        return None
    step = reach * (STEP if before is None or same else STEP / 2)
    farther = same or reach > 1
    if fault.because == TOO_EASY:
        turned = _harder(dials, step, tabular)
    elif fault.because == TOO_HARD:
        turned = _easier(dials, step, clean=farther or not tabular, easiest=farther)
    else:
        turned = _wider(dials, clean=farther or not tabular, tabular=tabular)
    return turned if turned != dials else None


def differences(before: Dials, after: Dials) -> dict[str, tuple[float, float]]:
    """The dials that differ, with both values."""
    pairs = {name: (value, getattr(after, name)) for name, value in vars(before).items()}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _gained_little(before: Fault, after: Fault) -> bool:
    """Whether a turn has mended less than a third of what was missed."""
    if before.by is None or after.by is None:
        return False
    return after.by < before.by * 2 / 3


def _harder(dials: Dials, step: float, tabular: bool) -> Dials:
    """Beside pictures, sounds and texts the difficulty hardly reaches the rules' own dials."""
    return dataclasses.replace(
        dials,
        difficulty=_within(dials.difficulty + step),
        rule=dials.rule if tabular else _within(dials.rule + step),
    )


def _easier(dials: Dials, step: float, *, clean: bool, easiest: bool) -> Dials:
    """Beside pictures, sounds and texts, what models read in them is hard enough: there all noise
    goes at once.
    """
    return dataclasses.replace(
        dials,
        difficulty=0.0 if easiest else _within(dials.difficulty - step),
        rule=0.0 if easiest else _within(dials.rule - step),
        noise=0.0 if clean else dials.noise / 2,
        train=_MOST_TRAIN if clean else dials.train,
    )


def _wider(dials: Dials, *, clean: bool, tabular: bool) -> Dials:
    """More test rows make scores vary less, where there is room for them, and less noise parts them
    farther; where neither is left, other data may.
    """
    more = min(dials.test * _MORE_TEST, max(dials.test, _MOST_TEST)) if tabular else dials.test
    turned = dataclasses.replace(dials, noise=0.0 if clean else dials.noise / 2, test=more)
    if turned.test == dials.test:
        turned = dataclasses.replace(turned, reseeded=dials.reseeded + 1)
    return turned


def _within(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 2)
