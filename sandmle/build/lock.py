"""One build at a time in a build folder, by a lock that a killed process gives back."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

LOCK = ".lock"


def hold_lock(build: Path) -> IO[str]:
    """Locks a build folder for as long as the result is open.

    Snakemake's own lock is a file that outlives a kill and then has to be removed by hand; this
    one belongs to the process. Raises BlockingIOError where another process holds it.
    """
    build.mkdir(parents=True, exist_ok=True)
    file = (build / LOCK).open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise BlockingIOError(f"another build is at work in {build}; wait for it") from None
    return file
