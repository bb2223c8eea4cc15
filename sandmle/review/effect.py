"""What a change of a spec does: to the labels, to the ladder of baselines, to the thresholds."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from sandmle.build.calibrate import weigh
from sandmle.build.ladder import Ladder, climb
from sandmle.build.prepare import Prepared, Rejected, prepare
from sandmle.build.thresholds import compute_thresholds, drift_problem
from sandmle.build.verdict import RUNGS
from sandmle.errors import CompileError
from sandmle.processes import workers
from sandmle.runtime.dataset import Dataset
from sandmle.spec.model import Spec
from sandmle.vocabulary import load_vocabulary


@dataclass(frozen=True)
class Outcome:
    """What one version of a spec gives.

    `rungs` are the best baselines' scores, `thresholds` those in force: pinned by the spec or
    computed. `reasons` say why the ladder speaks against the task; the audits of a build are not
    run. Where no task came of the spec, `rungs` and `thresholds` are empty and a reason says why.
    """

    rungs: Mapping[str, float]
    thresholds: Mapping[str, float]
    is_pinned: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Labels:
    """How the rows differ, sample by sample: those with one id in both versions are compared.

    `train` and `test` are the rows of the new version that were there before, and of these
    `train_changed` and `test_changed` have another label; `moved` went from one half to the other,
    `came` and `went` are in one version only. `typical` is the median distance of numbers that
    changed, in standard deviations of the label; None where labels are no numbers.
    """

    train: int
    test: int
    train_changed: int
    test_changed: int
    moved: int
    came: int
    went: int
    typical: float | None = None


@dataclass(frozen=True)
class Effect:
    """What both versions give; a side is None where the spec is not sound or not there.

    `labels` is None where a side has no data, or the labels are of another form.
    """

    before: Outcome | None
    after: Outcome | None
    labels: Labels | None


@dataclass(frozen=True)
class Measured:
    """One version of a spec with what came of it; where that is nothing, the rest is None."""

    spec: Spec
    outcome: Outcome
    prepared: Prepared | None
    ladder: Ladder | None


def measure(spec: Spec, *, corpus: Path, like: Measured | None = None) -> Measured:
    """Compiles a spec with the words of `corpus`, draws its data and climbs the ladder.

    Where the data and the metric are those of `like`, so is the ladder.
    """
    with tempfile.TemporaryDirectory(prefix="sandmle-") as folder, threadpool_limits(1):
        try:
            unpinned = dataclasses.replace(spec, thresholds=None)
            prepared = prepare(unpinned, Path(folder), corpus=corpus)
        except (CompileError, Rejected) as error:
            return Measured(spec, Outcome({}, {}, False, (str(error),)), None, None)
        ladder = None
        if like is not None and like.prepared is not None and _same_task(like.prepared, prepared):
            ladder = like.ladder
        if ladder is None:
            ladder = climb(prepared, load_vocabulary(corpus))
    return Measured(spec, _outcome(spec, ladder), prepared, ladder)


def effects(
    pairs: Sequence[tuple[Spec | None, Spec | None]], *, corpus: Path, cores: int
) -> Iterator[Effect | None]:
    """The effect of each change, in order, several at a time; None where no spec is left."""
    with workers(max(1, min(cores, len(pairs)))) as executor:
        befores, afters = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        yield from executor.map(_effect_of, befores, afters, repeat(corpus))


def _effect_of(before: Spec | None, after: Spec | None, corpus: Path) -> Effect | None:
    if after is None:
        return None
    old = None if before is None else measure(before, corpus=corpus)
    return effect(old, measure(after, corpus=corpus, like=old))


def effect(before: Measured | None, after: Measured | None) -> Effect:
    """What a change does; a side is None where there is no sound spec."""
    labels = None
    if before and after and before.prepared and after.prepared:
        labels = compare_labels(before.prepared.dataset, after.prepared.dataset)
    outcomes = [None if side is None else side.outcome for side in (before, after)]
    return Effect(outcomes[0], outcomes[1], labels)


def compare_labels(before: Dataset, after: Dataset) -> Labels | None:
    """How the labels in the files differ, by sample; None where they are of another form."""
    places = {name: index for index, name in enumerate(before.ids)}
    shared = [(places[name], index) for index, name in enumerate(after.ids) if name in places]
    old, new = (np.array([pair[side] for pair in shared], dtype=int) for side in (0, 1))
    changed = np.zeros(len(shared), dtype=bool)
    distances: list[float] = []
    if len(before.labels) != len(after.labels):
        return None
    for one, other in zip(before.labels.values(), after.labels.values(), strict=True):
        if one.dtype.kind != other.dtype.kind or one.shape[1:] != other.shape[1:]:
            return None
        differs = _differs(one[old], other[new])
        changed |= differs
        if one.dtype.kind == "f" and differs.any():
            apart = np.abs(one[old] - other[new])[differs]
            distances += list(np.ravel(apart / (np.std(one) or 1.0)))
    train = after.train[new]
    return Labels(
        train=int(train.sum()),
        test=int((~train).sum()),
        train_changed=int((changed & train).sum()),
        test_changed=int((changed & ~train).sum()),
        moved=int((before.train[old] != train).sum()),
        came=len(after.ids) - len(shared),
        went=len(before.ids) - len(shared),
        typical=float(f"{np.median(distances):.3g}") if distances else None,
    )


def _outcome(spec: Spec, ladder: Ladder) -> Outcome:
    """What a ladder says; thresholds that the spec pins are held against fresh ones."""
    fresh, pinned = compute_thresholds(ladder), spec.thresholds
    thresholds = pinned or fresh
    drift = drift_problem(pinned, fresh, ladder.standard_error) if pinned else None
    reasons = (*weigh(ladder, thresholds).reasons, *([drift] if drift else []))
    return Outcome(
        rungs={rung: ladder.best(rung).score for rung in RUNGS},
        thresholds=dataclasses.asdict(thresholds),
        is_pinned=pinned is not None,
        reasons=reasons,
    )


def _same_task(one: Prepared, other: Prepared) -> bool:
    """Whether two versions have the same data, graded in the same way."""
    return (
        one.spec.dna == other.spec.dna
        and one.dataset.public == other.dataset.public
        and one.dataset.private == other.dataset.private
    )


def _differs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which entries of two arrays differ, along the first axis."""
    if one.dtype.kind == "O":
        pairs = zip(one, other, strict=True)
        return np.array([not np.array_equal(a, b) for a, b in pairs], dtype=bool)
    differs: np.ndarray = np.any(one != other, axis=tuple(range(1, one.ndim)))
    return differs
