"""Reads what the solver hands in, once nothing of the solver is alive."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

NAME = "submission.csv"


def read_submission(folder: str, most_bytes: int) -> tuple[bytes | None, str | None]:
    """What ``submission.csv`` in a folder holds, or why it is refused; None where there is none.

    Only a regular file counts, and no link is followed: what it leads to is not the solver's work.
    """
    try:
        # Non-blocking: opening a pipe must not wait for a writer.
        file = os.open(os.path.join(folder, NAME), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None, None
    except OSError as error:
        return None, _why_not(os.path.join(folder, NAME), error)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            return None, _not_regular(found.st_mode)
        if found.st_size > most_bytes:
            return None, f"too large: {found.st_size} bytes, at most {most_bytes} are read"
        with open(file, "rb", closefd=False) as stream:
            return stream.read(most_bytes), None
    finally:
        os.close(file)


def _why_not(path: str, error: OSError) -> str:
    with suppress(OSError):
        mode = os.lstat(path).st_mode
        if not stat.S_ISREG(mode):
            return _not_regular(mode)
    return f"cannot be read: {error.strerror}"


def _not_regular(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
    }
    return f"not a regular file: {kinds.get(stat.S_IFMT(mode), 'a device')}"
