"""Drafts made in other processes. What they are given is all that they go by."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sandmle.roles.drawing import Drawn, Order, draw
from sandmle.roles.holdout import Holdout
from sandmle.roles.novelty import Known
from sandmle.roles.repair import Judge
from sandmle.roles.role import Role
from sandmle.roles.world import load_worlds
from sandmle.seeds.model import Seed
from sandmle.vocabulary import Vocabulary, load_vocabulary


@dataclass(frozen=True)
class Ticket:
    """An order as another process can be given it: `split` says which rules it may have."""

    seed: Seed
    number: int
    split: str
    provenance: Mapping[str, Any]


@dataclass(frozen=True)
class Desk:
    """What is the same for all orders of a plan."""

    corpus: Path
    random_seed: int
    holdout: Holdout
    roles: tuple[Role, ...]
    judge: Judge | None


def fill(desk: Desk, ticket: Ticket, known: Known) -> Drawn:
    """Draws what a ticket asks for, beside what is known."""
    vocabulary = load_vocabulary(desk.corpus)
    order = Order(
        ticket.seed,
        ticket.number,
        desk.random_seed,
        vocabulary=vocabulary,
        words=_words(desk.corpus, desk.holdout, ticket.split),
        worlds=load_worlds(desk.corpus),
        roles=desk.roles,
        provenance=ticket.provenance,
    )
    return draw(order, known, desk.judge)


@lru_cache(maxsize=4)
def _words(corpus: Path, holdout: Holdout, split: str) -> Vocabulary:
    return holdout.words(split, load_vocabulary(corpus))


class _Here(Executor):
    """Does what it is given at once, in this process, and raises what comes of it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def workers(cores: int, *, threads: bool = False) -> Iterator[Executor]:
    """An executor of `cores` processes; of this one where that is enough.

    With `threads` it is made of threads, for roles that mostly wait for others' answers. What they
    are still at when an exception leaves this is thrown away. Processes end with this one, even
    where it is killed.
    """
    if cores == 1:
        yield _Here()
        return
    if threads:
        pool = ThreadPoolExecutor(cores)
        try:
            yield pool
        finally:  # whoever is waited for has to be told first, so this waits for nobody
            pool.shutdown(wait=False, cancel_futures=True)
        return
    others = multiprocessing.active_children()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores, mp_context=context, initializer=_begin) as processes:
        try:
            yield processes
        except BaseException:
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()
            raise


def _begin() -> None:
    """Leaves interrupts to the parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)
