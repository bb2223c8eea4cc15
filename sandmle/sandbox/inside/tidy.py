"""Removes what a hostile program left behind."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import count


def reopen_folder(folder: str) -> None:
    """Undoes what a program did to the permissions of a folder, if it owned it and so could."""
    with suppress(PermissionError):
        os.chmod(folder, stat.S_ISVTX | 0o777)


def empty_folder(folder: str) -> None:
    """Removes all that lies in a folder and keeps the folder; no process may be at work in it.

    Links are removed and never followed. A tree may be deeper than any stack or path: every folder
    found is moved up to the top before it is opened. A folder without permissions gets them back.

    Raises:
        OSError: something could not be removed, such as what another user owns.
    """
    unguessable = os.urandom(8).hex()  # a name that the program cannot have taken
    names = (f".remove-{unguessable}-{number}" for number in count())
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        waiting = _remove_files(top, top, names)
        while waiting:
            name = waiting.pop()
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            try:
                waiting += _remove_files(inner, top, names)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)


def _remove_files(folder: int, top: int, names: Iterator[str]) -> list[str]:
    """Removes the files of a folder; moves its folders to the top and returns their new names."""
    moved = []
    for entry in os.listdir(folder):
        if not stat.S_ISDIR(os.lstat(entry, dir_fd=folder).st_mode):
            os.unlink(entry, dir_fd=folder)
            continue
        os.chmod(entry, 0o700, dir_fd=folder)  # a folder that cannot be written cannot be moved
        name = next(names)
        os.rename(entry, name, src_dir_fd=folder, dst_dir_fd=top)
        moved.append(name)
    return moved
