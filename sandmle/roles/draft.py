"""A seed in, valid and different specs out: the roles write, the spec language checks."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path

from sandmle.processes import workers
from sandmle.roles.assembly import changed, free_id
from sandmle.roles.developer import Developer
from sandmle.roles.drawing import Drawn, GivenUp, Order, draw
from sandmle.roles.novelty import Known, likeness_of
from sandmle.roles.operations import Operations
from sandmle.roles.repair import Judge
from sandmle.roles.role import DraftError, Role
from sandmle.roles.strategist import Strategist
from sandmle.roles.world import load_worlds
from sandmle.roles.writer import Writer
from sandmle.seeds.model import Seed
from sandmle.spec.model import Spec
from sandmle.vocabulary import load_vocabulary


def procedural_roles() -> tuple[Role, ...]:
    """The four roles that write by chance and rule, in the order in which they write."""
    return (Operations(), Strategist(), Developer(), Writer())


def draft(
    seed: Seed,
    *,
    count: int,
    random_seed: int,
    corpus: Path | None = None,
    roles: Sequence[Role] | None = None,
    taken: Sequence[str] = (),
    beside: Sequence[Spec] = (),
    judge: Judge | None = None,
    given_up: Callable[[GivenUp], None] | None = None,
    cores: int = 1,
    threads: bool = False,
) -> Iterator[Spec]:
    """`count` specs that keep the seed's DNA, no two alike in rule, domain and metric at once.

    None of them nearly repeats another or one of the specs that they come `beside`, see
    sandmle.spec.likeness. `corpus` is the folder whose rules/ and templates/ join the shipped ones;
    `taken` are ids not to use. Where `judge` finds faults in a draft it is repaired, see
    sandmle.roles.repair; others take the place of those that stay faulty, which `given_up` is
    told. `cores` work at it, see sandmle.processes. The same arguments give the same specs.
    Raises DraftError where the vocabulary holds nothing for the seed's modality and task, nothing
    that is new, or nothing good.
    """
    vocabulary, worlds = load_vocabulary(corpus), load_worlds(corpus)
    known, ids = Known(), set(taken)
    for spec in beside:
        known.add(spec.id, likeness_of(spec, vocabulary), same_call=False)
    order = Order(
        seed,
        0,
        random_seed,
        vocabulary=vocabulary,
        words=vocabulary,
        worlds=worlds,
        roles=roles or procedural_roles(),
    )
    orders = [dataclasses.replace(order, number=number) for number in range(count)]
    with workers(cores, threads=threads) as executor:
        for number, drawn in enumerate(_in_turn(orders, known, judge, executor, ahead=cores)):
            for one in drawn.given_up:
                if given_up is not None:
                    given_up(one)
            if drawn.spec is None or drawn.likeness is None:
                raise DraftError(f"{seed.name}: {number} of {count} drafts, then {drawn.failure}")
            identifier = free_id(drawn.spec.id, ids)
            ids.add(identifier)
            known.add(identifier, drawn.likeness)
            yield changed(drawn.spec, vocabulary, id=identifier)


def _in_turn(
    orders: Sequence[Order], known: Known, judge: Judge | None, executor: Executor, *, ahead: int
) -> Iterator[Drawn]:
    """What comes of orders, one after the other, where the executor works at `ahead` at a time.

    Where what came meanwhile is near one that was worked at, it is drawn again.
    """
    begun: deque[Future[Drawn]] = deque()
    for place, order in enumerate(orders):
        for coming in orders[place + len(begun) : place + ahead]:
            begun.append(executor.submit(draw, coming, known.about(coming.seed), judge))
        drawn = begun.popleft().result()
        yield drawn if known.all_new(drawn.checked) else draw(order, known, judge)
