"""A corpus of drafts from many seeds: in the mix asked for, by several processes, resumable.

Orders are given in a fixed order, each a pure function of its seed, its number and what was drafted
before. Processes work ahead of it with what is known by then; where a spec came meanwhile that
theirs nearly repeats, the order is drawn again. So the specs are the same for any number of
processes, and after any interruption.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path

from sandmle.errors import Problem, SpecError
from sandmle.processes import workers
from sandmle.roles.assembly import changed, free_id
from sandmle.roles.draft import procedural_roles
from sandmle.roles.draft_files import write_draft
from sandmle.roles.drawing import Drawn
from sandmle.roles.holdout import TRAIN, VALIDATION, hold_out
from sandmle.roles.log import LOG_FILE, Line, append_line, drop_last_line, read_log
from sandmle.roles.mix import MIXES, Rota, properties_of, rake
from sandmle.roles.novelty import Known, likeness_of
from sandmle.roles.repair import Judge
from sandmle.roles.role import DraftError, Role
from sandmle.roles.workers import Desk, Ticket, fill
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec
from sandmle.vocabulary import Vocabulary, load_vocabulary
from sandmle.writing import sweep

#: Orders that each process may be ahead, so that none waits while another mends its draft. Those
#: that a kill interrupts are drawn again.
_AHEAD = 3

#: Who writes where no model does, as provenance tells of it.
_BY_RULE = dict.fromkeys(("operations", "strategist", "developer", "writer"), "procedural")


@dataclass(frozen=True)
class Plan:
    """What a corpus is drafted from, and how. `validation` is the share of validation tasks.

    `way` tells plans apart that differ in who writes, or in whether drafts are repaired.
    """

    seeds: Mapping[str, Seed]
    mix: str
    random_seed: int
    validation: float
    way: str = ""

    @property
    def id(self) -> str:
        """Tells the drafts of this plan from others in the same folder."""
        told = (sorted(self.seeds), self.mix, self.random_seed, self.validation, self.way)
        return hashlib.sha256(repr(told).encode()).hexdigest()[:8]


@dataclass
class Summary:
    """What came of drafting a plan.

    `count` specs were drafted, `found` of them by earlier runs; `repaired` of those that are there
    were repaired, and `splits` counts what they are for. `given_up` counts drafts that no repair
    has mended, by reason; `exhausted` are the seeds that have run out.
    """

    count: int = 0
    found: int = 0
    repaired: int = 0
    given_up: Counter[str] = field(default_factory=Counter)
    exhausted: Sequence[str] = ()
    splits: Counter[str] = field(default_factory=Counter)


def read_plan(
    folder: Path,
    *,
    mix: str,
    random_seed: int,
    validation: float,
    way: str,
    vocabulary: Vocabulary,
) -> Plan:
    """The plan that goes by all seeds of a folder. Raises SpecError for a faulty seed."""
    paths = sorted(folder.glob("*.yaml"))
    seeds = {path.stem: load_seed(path, vocabulary) for path in paths}
    return Plan(seeds, mix, random_seed, validation, way)


def draft_corpus(
    plan: Plan,
    *,
    count: int,
    folder: Path,
    corpus: Path,
    judge: Judge | None = None,
    roles: tuple[Role, ...] | None = None,
    cores: int = 1,
    threads: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Drafts specs into `folder` until there are `count` of the plan, those there included.

    The mix holds at any time, so that a greater count later only adds to it. Seeds that give
    nothing new leave their share to others. `threads` take the place of processes where roles wait
    for others. Raises DraftError where all have run out, SpecError as write_draft and read_log do.
    """
    vocabulary = load_vocabulary(corpus)
    turns = Turns(plan, vocabulary)
    sweep(folder, ".yaml")
    done = _Done(plan, folder, corpus, vocabulary)
    for line in done.lines:
        turns.note(line, where=folder / LOG_FILE)
    done.summary.found = turns.done
    desk = Desk(corpus, plan.random_seed, turns.holdout, roles or procedural_roles(), judge)
    with workers(cores, threads=threads) as executor:
        ahead = _Ahead(executor, desk, done.known)
        while turns.done < count:
            window = min(count - turns.done, cores * _AHEAD if cores > 1 else 1)
            tickets = turns.upcoming(window)
            if not tickets:
                raise DraftError(f"{turns.done} of {count} drafts, then all seeds have run out")
            line = done.keep(tickets[0], ahead.take(tickets))
            turns.note(line, where=folder / LOG_FILE)
            if progress is not None:
                progress(turns.done)
    return dataclasses.replace(done.summary, count=turns.done, exhausted=turns.exhausted)


class Turns:
    """Whose turn it is, by split and seed, given what came of all turns before."""

    def __init__(self, plan: Plan, vocabulary: Vocabulary) -> None:
        self.plan = plan
        mix = MIXES[plan.mix]
        properties = {name: properties_of(seed, vocabulary) for name, seed in plan.seeds.items()}
        self.holdout = hold_out(
            plan.seeds,
            rake(properties, mix, fixed={}),
            {name: " ".join(own.values()) for name, own in properties.items()},
            vocabulary,
            share=plan.validation,
            random_seed=plan.random_seed,
        )
        self._shares = {TRAIN: 1 - plan.validation, VALIDATION: plan.validation}
        self._rotas = {
            split: Rota(
                {name: own for name, own in properties.items() if self.split(name) == split},
                mix,
            )
            for split in self._shares
        }

    def split(self, seed: str) -> str:
        """What the drafts of a seed are for."""
        return VALIDATION if seed in self.holdout.seeds else TRAIN

    @property
    def done(self) -> int:
        """Drafts so far."""
        return sum(rota.done for rota in self._rotas.values())

    @property
    def exhausted(self) -> list[str]:
        """Seeds that have run out."""
        return sorted(name for rota in self._rotas.values() for name in rota.exhausted)

    def upcoming(self, count: int) -> list[Ticket]:
        """The next orders, at most `count`, if all of them come to something."""
        rotas = {split: rota.copy() for split, rota in self._rotas.items()}
        tickets: list[Ticket] = []
        while len(tickets) < count and (turn := self._next(rotas)) is not None:
            name, number = turn
            rotas[self.split(name)].note(name, drawn=True, exhausted=False)
            tickets.append(self._ticket(name, number))
        return tickets

    def note(self, line: Line, *, where: Path) -> None:
        """Notes what came of the order whose turn it was.

        Raises SpecError where that was another one, naming the log at `where`.
        """
        if (line.seed, line.number) != self._next(self._rotas):
            message = f"{line.seed} {line.number}: not this plan's order; other seeds or words?"
            raise SpecError([Problem(str(where), 1, 1, "", message)])
        rota = self._rotas[self.split(line.seed)]
        rota.note(line.seed, drawn=line.id is not None, exhausted=line.exhausted)

    def _next(self, rotas: Mapping[str, Rota]) -> tuple[str, int] | None:
        """The seed and the number of the order next to come."""
        place = 1 + sum(rota.done for rota in rotas.values())
        behind = sorted(rotas, key=lambda split: rotas[split].done - self._shares[split] * place)
        turns = (rotas[split].next() for split in behind)
        return next((turn for turn in turns if turn is not None), None)

    def _ticket(self, name: str, number: int) -> Ticket:
        split = self.split(name)
        told = {"roles": _BY_RULE, "plan": self.plan.id}
        told |= {"split": split} if self.plan.validation else {}
        return Ticket(self.plan.seeds[name], number, split, told)


class _Done:
    """The drafts that are there: the log, the specs, and what they leave to be drawn."""

    def __init__(self, plan: Plan, folder: Path, corpus: Path, vocabulary: Vocabulary) -> None:
        self.plan, self.folder, self.corpus, self.vocabulary = plan, folder, corpus, vocabulary
        self.summary = Summary()
        self.known = Known()
        self.ids = {path.stem for path in folder.glob("*.yaml")}
        self.lines = self._read()
        own = {line.id for line in self.lines}
        for path in sorted(folder.glob("*.yaml")):
            with contextlib.suppress(SpecError):
                spec = load_spec(path, corpus=corpus)
                likeness = likeness_of(spec, vocabulary)
                self.known.add(spec.id, likeness, same_call=spec.id in own)
                if spec.id in own:
                    self._count(spec)
        for line in self.lines:
            self._count_given_up(line)

    def _read(self) -> list[Line]:
        """The log's lines of this plan, but for a last one whose spec was not written any more."""
        lines = read_log(self.folder)
        if lines and lines[-1].plan == self.plan.id and lines[-1].id not in (None, *self.ids):
            drop_last_line(self.folder)
            lines.pop()
        return [line for line in lines if line.plan == self.plan.id]

    def keep(self, ticket: Ticket, drawn: Drawn) -> Line:
        """Writes down what came of an order, and the spec if there is one."""
        identifier = None if drawn.spec is None else free_id(drawn.spec.id, self.ids)
        line = Line(
            plan=self.plan.id,
            seed=ticket.seed.name,
            number=ticket.number,
            id=identifier,
            exhausted=drawn.exhausted,
            given_up=tuple(one.data for one in drawn.given_up),
        )
        append_line(self.folder, line)
        self._count_given_up(line)
        if drawn.spec is not None and drawn.likeness is not None and identifier is not None:
            spec = changed(drawn.spec, self.vocabulary, id=identifier)
            write_draft(spec, self.folder, self.corpus)
            self.ids.add(identifier)
            self.known.add(identifier, drawn.likeness)
            self._count(spec)
        return line

    def _count(self, spec: Spec) -> None:
        self.summary.repaired += "repairs" in spec.provenance
        self.summary.splits[str(spec.provenance.get("split", TRAIN))] += 1

    def _count_given_up(self, line: Line) -> None:
        for one in line.given_up:
            self.summary.given_up[f"{one['because']}: {one['margin']}"] += 1


class _Ahead:
    """Work that processes have begun before its turn came."""

    def __init__(self, executor: Executor, desk: Desk, known: Known) -> None:
        self._executor, self._desk, self._known = executor, desk, known
        self._begun: dict[tuple[str, int], Future[Drawn]] = {}

    def take(self, tickets: Sequence[Ticket]) -> Drawn:
        """What comes of the first of some orders; the others are begun."""
        for ticket in tickets:
            key = (ticket.seed.name, ticket.number)
            if key not in self._begun:
                self._begun[key] = self._begin(ticket)
        first = tickets[0]
        drawn = self._begun.pop((first.seed.name, first.number)).result()
        if self._known.all_new(drawn.checked):
            return drawn
        return self._begin(first).result()

    def _begin(self, ticket: Ticket) -> Future[Drawn]:
        known = self._known.about(ticket.seed)
        return self._executor.submit(fill, self._desk, ticket, known)
