"""How fast calls may follow each other, and the pauses that a server asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopped(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """No more calls are wanted."""


class Schedule:
    """When the next call may begin: `per_minute` in a minute (None: no limit).

    When a server asks for a pause, all calls pause.
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._between = 0.0 if per_minute is None else 60.0 / per_minute
        self._next = 0.0

    def wait(self) -> float:
        """Seconds until a call may begin; 0 takes the turn."""
        now = time.monotonic()
        if self._next > now:
            return self._next - now
        self._next = now + self._between
        return 0.0

    def hold(self, seconds: float) -> None:
        """No call begins for so long."""
        self._next = max(self._next, time.monotonic() + seconds)


class Pace:
    """Lets `concurrency` calls run at once, and begin as a schedule says; safe for threads."""

    def __init__(self, *, concurrency: int = 4, per_minute: float | None = None) -> None:
        self._running = threading.Semaphore(concurrency)
        self._schedule = Schedule(per_minute)
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One call's turn. Raises Stopped after stop()."""
        with self._running:
            while (wait := self._wait()) > 0:
                self.sleep(wait)
            self.sleep(0)
            yield

    def hold(self, seconds: float) -> None:
        """No call begins for so long."""
        with self._lock:
            self._schedule.hold(seconds)

    def sleep(self, seconds: float) -> None:
        """Waits. Raises Stopped as soon as stop() was called."""
        if self._stopped.wait(seconds):
            raise Stopped

    def stop(self) -> None:
        """Ends all waits; calls under way run to their end, no other begins."""
        self._stopped.set()

    def _wait(self) -> float:
        """Seconds until a call may begin; 0 takes the turn."""
        with self._lock:
            return self._schedule.wait()
