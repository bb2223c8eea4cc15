"""Gives up what a process does not need: user, capabilities, system calls, resources."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
from functools import cache

from sandmle.sandbox.inside.seccomp import build_filter, install_filter
from sandmle.sandbox.limits import Limits

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
_MOST_CAPABILITIES = 64

# Address space that libraries reserve and never touch: OpenBLAS buffers, thread stacks, arenas.
ADDRESS_SPACE_HEADROOM = 2 * 1024**3


def become_user(user: int) -> None:
    """Leaves root for an unprivileged user and the group of the same number.

    Raises:
        OSError: not root, or the number does not exist in this user namespace.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def die_with_parent() -> None:
    """Has the kernel kill this process when its parent dies; lost at each change of user."""
    _control(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Makes this process the parent of every descendant whose own parent dies."""
    _control(_PR_SET_CHILD_SUBREAPER, 1)


def set_readable(readable: bool) -> None:
    """Whether other processes of this user may look into this one (``/proc/PID/mem``, ``fd``)."""
    _control(_PR_SET_DUMPABLE, int(readable))


def prefer_as_memory_victim() -> None:
    """If the machine runs out of memory, the kernel takes this process and its children first."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def bar_capabilities() -> None:
    """Empties the bounding set: no program started from here on can gain a capability.

    Without the right to do so nothing happens; ``drop_capabilities`` bars them by other means.
    """
    for capability in range(_MOST_CAPABILITIES):
        _library().prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # EINVAL past the last one


def drop_capabilities() -> None:
    """Gives up every capability, and every way back to one, for this process and all it starts.

    Raises:
        OSError: the kernel refused it.
    """
    _library().prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("II", _CAPABILITY_VERSION_3, 0)
    if _library().capset(header, bytes(24)) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"capset: {os.strerror(error)}")
    _control(_PR_SET_NO_NEW_PRIVS, 1)


def filter_system_calls() -> None:
    """Installs the seccomp filter of this machine; needs ``drop_capabilities`` first.

    Raises:
        OSError: the kernel has no seccomp, or no filter is known for the machine.
    """
    install_filter(build_filter(platform.machine()))


def limit_resources(limits: Limits, *, count_processes: bool = True) -> None:
    """Sets the limits that the kernel holds for each process.

    ``count_processes`` is for a user of the sandbox's own: the kernel counts all that a user runs.
    """
    address_space = limits.memory_bytes + ADDRESS_SPACE_HEADROOM
    processes = limits.processes if count_processes else resource.RLIM_INFINITY
    for kind, soft, hard in (
        (resource.RLIMIT_CORE, 1, 1),  # 1 keeps even a crash handler of the host from starting
        (resource.RLIMIT_AS, address_space, address_space),
        (resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (resource.RLIMIT_NPROC, processes, processes),
        (resource.RLIMIT_NOFILE, limits.open_files, limits.open_files),
        (resource.RLIMIT_MEMLOCK, 65536, 65536),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        # The soft limit sends SIGXCPU, which ends Python; the hard one cannot be ignored.
        (resource.RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1),
    ):
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = (min(value, ceiling) if value >= 0 else ceiling for value in (soft, hard))
        resource.setrlimit(kind, (soft, hard))


def close_descriptors_from(first: int) -> None:
    """Closes every file descriptor from ``first`` on."""
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _control(option: int, value: int) -> None:
    if _library().prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl {option}: {os.strerror(error)}")
