"""Measures what the processes of a step hold, from the outside."""

from __future__ import annotations

import os
from collections.abc import Iterable

# What a process holds alone or shares with its children only. Resident files of the libraries do
# not count, and shared memory lies in a file system that is measured itself.
_HELD = ("RssAnon:", "VmSwap:", "VmPTE:")


def descendants(root: int) -> list[int]:
    """The processes below a process, without it."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def held_bytes(processes: Iterable[int]) -> int:
    """Memory that the processes hold, in bytes.

    Pages that a fork shares are counted for each process that has them: an upper bound.
    """
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/status") as file:
                lines = file.read().splitlines()
        except OSError:
            continue  # it has just ended
        total += sum(int(line.split()[1]) for line in lines if line.startswith(_HELD))
    return total * 1024


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
