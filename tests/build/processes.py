"""Looking at processes that tests start and end."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def eventually(is_so: Callable[[], bool]) -> None:
    """Waits until something is so, which on a busy machine may take a while."""
    limit = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.02)


def is_running(process: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")")[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False
