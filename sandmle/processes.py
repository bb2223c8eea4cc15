"""Work in several processes, which end with this one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any


class _Here(Executor):
    """Does what it is given at once, in this process, and raises what comes of it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def workers(cores: int, *, threads: bool = False) -> Iterator[Executor]:
    """An executor of `cores` processes; of this one where that is enough.

    With `threads` it is made of threads, for work that mostly waits for others' answers. What they
    are still at when an exception leaves this is thrown away. Processes are started afresh, since
    a forked one would share the locks of this one's threads, and end with this one, even where it
    is killed.
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
