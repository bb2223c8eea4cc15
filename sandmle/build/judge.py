"""What is wrong with a draft, by the gate that the build will hold it to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sandmle.build.calibrate import calibrate
from sandmle.build.prepare import Rejected
from sandmle.errors import CompileError
from sandmle.roles.repair import NOT_BUILT, TOO_EASY, TOO_HARD, TOO_NARROW, Fault
from sandmle.spec.model import Spec

#: What a margin that is missed says of a draft; the others say that its scores range too little.
_BECAUSE: Mapping[str, str] = {"silver over naive": TOO_EASY, "honest over silver": TOO_HARD}


def faults(spec: Spec, *, corpus: Path) -> tuple[Fault, ...]:
    """The margins that a draft misses, or else what speaks against it; none where it is good.

    What was found out about a good one is kept for its build.
    """
    try:
        found = calibrate(spec, corpus=corpus, keep_good=True)
    except (Rejected, CompileError) as error:
        return (Fault(NOT_BUILT, str(error)),)
    missed = [
        Fault(_BECAUSE.get(one.name, TOO_NARROW), one.name, round(one.value - one.least, 4))
        for one in found.margins
        if not one.passed
    ]
    # Medals that chance flips, and rewards that do not tell solvers apart, come of narrow scores.
    others = [Fault(TOO_NARROW, reason.partition(":")[0]) for reason in found.reasons]
    return tuple(missed or others)
