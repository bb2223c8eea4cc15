"""Builds a rollout's own view of the machine, inside the one that bubblewrap built."""

from __future__ import annotations

import array
import ctypes
import fcntl
import os
import socket
import struct
from functools import cache

from sandmle.sandbox.limits import Limits

_NEW_MOUNTS, _NEW_CGROUP, _NEW_HOST_NAME, _NEW_IPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
_NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
_ALL_BUT_USER = (
    _NEW_MOUNTS | _NEW_CGROUP | _NEW_HOST_NAME | _NEW_IPC | _NEW_PROCESSES | _NEW_NETWORK
)

# mount(2)
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _NO_PROGRAMS = 1, 2, 4, 8
_REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 32, 1 << 12, 1 << 14, 1 << 18

# The calls of the newer mount interface have the same numbers on all machines.
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _AT_RECURSIVE = 1, os.O_CLOEXEC, 0x8000
_AT_FDCWD, _AT_EMPTY_PATH, _MOVE_MOUNT_FROM_EMPTY_PATH = -100, 0x1000, 4
_ATTRIBUTES_READ_ONLY_NO_SETUID_NO_DEVICES = 1 | 2 | 4

_GET_INTERFACE_FLAGS, _SET_INTERFACE_FLAGS, _INTERFACE_UP = 0x8913, 0x8914, 1
_SOLVER = 1000


def enter_namespaces() -> None:
    """Leaves every namespace but the user's; the next child is process 1 of a new one.

    Without root's rights they come with a user namespace, in which this user is number 1000.

    Raises:
        OSError: the kernel refused it.
    """
    if os.geteuid() == 0:
        _unshare(_ALL_BUT_USER)
    else:
        enter_user_namespace(_SOLVER, _ALL_BUT_USER)


def enter_user_namespace(user: int, others: int = _NEW_MOUNTS) -> None:
    """Enters a user namespace, in which this user has the number ``user`` and all capabilities.

    Raises:
        OSError: the kernel refused it.
    """
    outside_user, outside_group = os.geteuid(), os.getegid()
    _unshare(_NEW_USER | others)
    for name, content in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {outside_user} 1"),
        ("gid_map", f"{user} {outside_group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(content)


def clone_folder(path: str) -> int:
    """A read-only mount of a host folder as a descriptor, which may be sent to another namespace.

    Raises:
        OSError: the kernel refused it, or there is no such folder.
    """
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    mount = _call(_OPEN_TREE, ctypes.c_int(_AT_FDCWD), os.fsencode(path), ctypes.c_uint(flags))
    attributes = struct.pack("QQQQ", _ATTRIBUTES_READ_ONLY_NO_SETUID_NO_DEVICES, 0, 0, 0)
    flags = _AT_EMPTY_PATH | _AT_RECURSIVE
    try:
        _call(_MOUNT_SETATTR, mount, b"", ctypes.c_uint(flags), attributes, len(attributes))
    except OSError:
        os.close(mount)
        raise
    return mount


def build_view(
    data: int, work: str, data_path: str, shared_memory: int, limits: Limits, user: int
) -> None:
    """Mounts what is a rollout's own, over the read-only system that is there already.

    Args:
        data: The public data as a mount from ``clone_folder``.
        work: The working folder's path.
        data_path: The public data's path.
        shared_memory: The size of ``/dev/shm``, in bytes.
        limits: The sizes of the working folder and of ``/tmp``.
        user: Who owns the working folder.

    Raises:
        OSError: the kernel refused something.
    """
    _mount("none", "/", None, _PRIVATE | _RECURSIVE)
    size, files = limits.workspace_bytes, limits.workspace_files
    no = _NO_SETUID | _NO_DEVICES
    own = f"uid={user},gid={user}"
    _mount("tmpfs", work, "tmpfs", no, f"size={size},nr_inodes={files},mode=1777,{own}")
    _mount("tmpfs", "/tmp", "tmpfs", no, f"size={size},nr_inodes={files},mode=1777")
    _mount("tmpfs", "/dev/shm", "tmpfs", no, f"size={shared_memory},nr_inodes={files},mode=1777")
    # Terminals of other rollouts are none of this one's.
    _mount("devpts", "/dev/pts", "devpts", _NO_SETUID | _NO_PROGRAMS, "newinstance,ptmxmode=0666")
    _mount("proc", "/proc", "proc", no | _NO_PROGRAMS)
    _name_user(user, work)
    destination = os.fsencode(data_path)
    flags = ctypes.c_uint(_MOVE_MOUNT_FROM_EMPTY_PATH)
    _call(_MOVE_MOUNT, data, b"", ctypes.c_int(_AT_FDCWD), destination, flags)
    socket.sethostname("sandbox")
    _raise_loopback()


def _name_user(user: int, home: str) -> None:
    """Puts the user into ``/etc/passwd``, which is read-only: by a mount of another file."""
    draft = "/dev/shm/passwd"
    with open(draft, "w") as file:
        file.write(f"solver:x:{user}:{user}::{home}:/bin/sh\n")
    _mount(draft, "/etc/passwd", None, _BIND)
    _mount("none", "/etc/passwd", None, _REMOUNT | _BIND | _READ_ONLY | _NO_SETUID | _NO_DEVICES)
    os.unlink(draft)


def _raise_loopback() -> None:
    """A new network namespace has a loopback interface that is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = array.array("B", struct.pack("16sH14x", b"lo", 0))
        fcntl.ioctl(any_socket, _GET_INTERFACE_FLAGS, request)
        (flags,) = struct.unpack_from("H", request, 16)
        struct.pack_into("H", request, 16, flags | _INTERFACE_UP)
        fcntl.ioctl(any_socket, _SET_INTERFACE_FLAGS, request)


def _mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    result = _library().mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        options.encode(),
    )
    _check(result, f"mount {target}")


def _unshare(flags: int) -> None:
    _check(_library().unshare(flags), "unshare")


def _call(number: int, *arguments: object) -> int:
    return _check(_library().syscall(ctypes.c_long(number), *arguments), f"system call {number}")


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result
