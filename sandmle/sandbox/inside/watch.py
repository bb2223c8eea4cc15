"""Measures what the processes of a step hold, from the outside."""

from __future__ import annotations

import os
from collections.abc import Sequence

# Resident files of the libraries do not count, and shared memory lies in a file system that is
# measured itself.
_HELD = ("RssAnon:", "VmSwap:", "VmPTE:")
_HELD_IN_SHARES = ("Pss_Anon:", "SwapPss:")


def descendants(root: int) -> list[int]:
    """The processes below a process, without it."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def held_bytes(processes: Sequence[int], most: int) -> int:
    """Memory that the processes hold, in bytes; not exact where it is below ``most``.

    The quick figure counts pages that a fork shares once for each process. Only where that is too
    much are they counted in shares, for which the kernel must look at every page.
    """
    total = sum(_sum_of(f"/proc/{process}/status", _HELD) for process in processes)
    if total <= most:
        return total
    return sum(
        _sum_of(f"/proc/{process}/smaps_rollup", _HELD_IN_SHARES)
        or _sum_of(f"/proc/{process}/status", _HELD)  # it has hidden itself
        for process in processes
    )


def _sum_of(path: str, keys: tuple[str, ...]) -> int:
    """The sum, in bytes, of a file's lines that start with one of the keys; 0 without the file."""
    try:
        with open(path) as file:
            lines = file.read().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(keys))


def file_system_usage(path: str) -> tuple[int, int]:
    """Bytes and inodes in use on the file system mounted at a path."""
    usage = os.statvfs(path)
    return (usage.f_blocks - usage.f_bfree) * usage.f_frsize, usage.f_files - usage.f_ffree


def folder_usage(path: str) -> tuple[int, int]:
    """Bytes and entries below a folder of a shared file system; what cannot be read is not seen."""
    size = entries = 0
    for folder, folders, files in os.walk(path, onerror=None):
        entries += len(folders) + len(files)
        for name in files:
            try:
                size += os.lstat(os.path.join(folder, name)).st_blocks * 512
            except OSError:
                continue  # removed meanwhile
    return size, entries


def open_sockets() -> int:
    """Sockets of this network namespace: each may hold memory that no process shows."""
    with open("/proc/net/sockstat") as file:
        return int(file.readline().split()[2])


def _children(process: int) -> list[int]:
    children: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                children += [int(number) for number in file.read().split()]
    except OSError:
        pass  # it has just ended
    return children
