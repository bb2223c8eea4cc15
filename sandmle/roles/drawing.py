"""One draft of a seed: drawn until it is new, judged, repaired, given up where that is in vain."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandmle.errors import SpecError
from sandmle.roles.assembly import assemble, changed, write_sections
from sandmle.roles.novelty import Known, Likeness, likeness_of
from sandmle.roles.repair import (
    MOST_TRIES,
    NOT_MENDED,
    Dials,
    Fault,
    Judge,
    Repair,
    dials_of,
    differences,
    fault_data,
    next_dials,
    worst,
)
from sandmle.roles.role import DraftContext, DraftError, DroppedError, Role
from sandmle.roles.world import World
from sandmle.seeds.model import Seed
from sandmle.spec.model import Spec
from sandmle.vocabulary import Vocabulary

#: Attempts at one draft before the seed counts as one that gives nothing new, and drafts that are
#: given up in the course of them.
ATTEMPTS, _GIVEN_UP = 60, 3

#: How many times as far dials are turned where less changes nothing.
_MOST_REACH = 3


@dataclass(frozen=True)
class Order:
    """What is to be drafted: the draft `number` of a seed, of those of one `random_seed`.

    `vocabulary` checks specs; roles write from `words`, which may be a part of it. `provenance` is
    what specs tell of where they come from beside seed and random seed.
    """

    seed: Seed
    number: int
    random_seed: int
    vocabulary: Vocabulary
    words: Vocabulary
    worlds: Mapping[str, World]
    roles: Sequence[Role]
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GivenUp:
    """A draft that no repair has mended: its id, DNA, last fault and repairs as plain data."""

    data: Mapping[str, Any]


@dataclass(frozen=True)
class Drawn:
    """What became of an order: a spec, or `failure` that says why there is none.

    `given_up` were drafts on the way. `checked` were all found new; had anything that is near them
    been known, another draft would have come.
    """

    spec: Spec | None
    likeness: Likeness | None
    failure: str
    exhausted: bool
    given_up: tuple[GivenUp, ...]
    checked: tuple[Likeness, ...]


@dataclass(frozen=True)
class _Written:
    """A draft that is right and new, and how it came about."""

    spec: Spec
    likeness: Likeness
    context: DraftContext

    @property
    def dials(self) -> Dials:
        """Where its dials stand."""
        return dials_of(self.spec, self.context.turned)


def draw(order: Order, known: Known, judge: Judge | None = None) -> Drawn:
    """A spec as ordered that repeats nothing known and in which `judge` finds no fault.

    The same order, judge and known specs give the same. Without a judge, nothing is repaired.
    """
    given_up: list[GivenUp] = []
    checked: list[Likeness] = []
    attempts = _attempts(order)
    failure, exhausted = "", False
    while len(given_up) < _GIVEN_UP:
        try:
            outcome = _good(order, attempts, known, judge, checked)
        except DroppedError as error:
            outcome = _dropped(order, error)
        except DraftError as error:
            failure, exhausted = str(error), True
            break
        if isinstance(outcome, _Written):
            spec, likeness = outcome.spec, outcome.likeness
            return Drawn(spec, likeness, "", False, tuple(given_up), tuple(checked))
        given_up.append(outcome)
        failure = f"they stay {outcome.data['because']}: {outcome.data['margin']}"
    return Drawn(None, None, failure, exhausted, tuple(given_up), tuple(checked))


def _attempts(order: Order) -> Iterator[DraftContext]:
    """A context for each attempt, whose name tells its streams of random numbers apart."""
    for attempt in range(ATTEMPTS):
        yield DraftContext(
            order.seed,
            order.words,
            order.worlds,
            {},
            order.random_seed,
            order.number,
            f"{order.seed.name}.{order.number}.{attempt}",
        )


def _good(
    order: Order,
    attempts: Iterator[DraftContext],
    known: Known,
    judge: Judge | None,
    checked: list[Likeness],
) -> _Written | GivenUp:
    """A draft in which the judge finds no fault, or what was tried in vain.

    Raises DraftError where the attempts end before there is any new draft.
    """
    written = _next_new(order, attempts, known)
    checked.append(written.likeness)
    if judge is None:
        return written
    repairs: list[Repair] = []
    tried: list[tuple[Dials, Sequence[Fault]]] = []
    while faults := judge(written.spec):
        tried.append((written.dials, faults))
        mended = None
        if len(repairs) < MOST_TRIES - 1:
            mended = _turned(order, written, tried, known) or _redrawn(order, attempts, known)
        if mended is None:
            return _give_up(written, repairs, worst(faults))
        is_turned = mended.context.name == written.context.name
        turned = differences(written.dials, mended.dials) if is_turned else {}
        repairs.append(Repair(worst(faults), turned))
        tried = tried if is_turned else []
        written = mended
        checked.append(written.likeness)
    return _with_trace(written, repairs, order)


def _next_new(order: Order, attempts: Iterator[DraftContext], known: Known) -> _Written:
    """The first draft of the attempts left that is right and new.

    Raises DraftError, and DroppedError where a role drops the draft.
    """
    failure: Exception = DraftError("no attempt is left")
    for context in attempts:
        try:
            written = _written(order, context)
        except DroppedError:
            raise
        except (DraftError, SpecError) as error:
            failure = error
            continue
        repeated = known.repeated(written.likeness)
        if repeated is None:
            return written
        failure = DraftError(repeated)
    raise DraftError(f"none in {ATTEMPTS} attempts: {failure}")


def _written(order: Order, context: DraftContext) -> _Written:
    """What the roles write in a context. Raises DraftError or SpecError where that is no spec."""
    sections = write_sections(context, order.roles)
    told = {"drafted_from": order.seed.name, "random_seed": order.random_seed, **order.provenance}
    told |= sections.pop("provenance", {})  # what roles say of themselves
    spec = assemble(sections, order.vocabulary, provenance=told)
    return _Written(spec, likeness_of(spec, order.vocabulary), context)


def _turned(
    order: Order,
    written: _Written,
    tried: Sequence[tuple[Dials, Sequence[Fault]]],
    known: Known,
) -> _Written | None:
    """The draft with its dials turned as far as makes a difference, None where that is in vain or
    makes it repeat another.
    """
    for reach in range(1, _MOST_REACH + 1):
        dials = next_dials(tried, tabular=order.seed.modality == "tabular", reach=reach)
        if dials is None:
            return None
        context = dataclasses.replace(written.context, turned=vars(dials))
        try:
            found = _written(order, context)
        except (DraftError, SpecError):
            return None
        if _differ(written, found):
            return found if known.repeated(found.likeness) is None else None
    return None


def _differ(one: _Written, other: _Written) -> bool:
    """Whether the data of two drafts differ."""
    seeds = one.spec.random_seed, other.spec.random_seed
    return seeds[0] != seeds[1] or one.likeness.outline != other.likeness.outline


def _redrawn(order: Order, attempts: Iterator[DraftContext], known: Known) -> _Written | None:
    """Another draft in the place of one that turning does not mend."""
    try:
        return _next_new(order, attempts, known)
    except DraftError:
        return None


def _with_trace(written: _Written, repairs: Sequence[Repair], order: Order) -> _Written:
    """The draft with its repairs in its provenance."""
    if not repairs:
        return written
    told = {**written.spec.provenance, "repairs": [repair.as_data() for repair in repairs]}
    spec = changed(written.spec, order.vocabulary, provenance=told)
    return dataclasses.replace(written, spec=spec)


def _dropped(order: Order, error: DroppedError) -> GivenUp:
    seed, told = order.seed, {"drafted_from": order.seed.name, **order.provenance}
    told.pop("roles", None)  # who wrote what is not known of it
    dna = {"modality": seed.modality, "task": seed.task, "metric": seed.metric.name}
    because = {"because": NOT_MENDED, "margin": str(error)}
    return GivenUp({"id": f"{seed.name}.{order.number}", **dna, **because, "provenance": told})


def _give_up(written: _Written, repairs: Sequence[Repair], fault: Fault) -> GivenUp:
    spec = written.spec
    told = {**spec.provenance, "repairs": [repair.as_data() for repair in repairs]}
    dna = {"modality": spec.dna.modality, "task": spec.dna.task, "metric": spec.dna.metric.kind}
    return GivenUp({"id": spec.id, **dna, **fault_data(fault), "provenance": told})
