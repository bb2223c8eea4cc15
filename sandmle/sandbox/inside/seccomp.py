"""The system calls that a solver's process may not make, as a seccomp filter in classic BPF.

A deny-list on top of namespaces: it closes what namespaces do not (kernel interfaces with a large
attack surface, memory that no limit sees) and what would build namespaces inside the sandbox.

Numbers, for x86-64 and aarch64: the kernel's arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

# Classic BPF: load a word; jump if equal, if greater or equal, if any bit is set; and; return.
_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_BITS = 0x20, 0x15, 0x35, 0x45
_AND, _RETURN = 0x54, 0x06
_ALLOW, _KILL_PROCESS, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000

# struct seccomp_data: number, architecture, instruction pointer, six 64-bit arguments.
_NUMBER, _ARCHITECTURE = 0, 4

_X32_CALLS = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* flag that clone(2) takes
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_ALLOWED_FAMILIES = (
    1,
    2,
    10,
)  # AF_UNIX, AF_INET, AF_INET6: the network namespace has a loopback and nothing else

_MACHINES = ("x86_64", "aarch64")

# Not permitted: they change what the sandbox is made of, or look into other processes.
_FORBIDDEN: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "syslog": (103, 116),
    "uselib": (134, None),
    "vhangup": (153, 58),
    "modify_ldt": (154, None),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "acct": (163, 89),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "lookup_dcookie": (212, 18),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "kexec_file_load": (320, 294),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "pidfd_getfd": (438, 438),
    "mount_setattr": (442, 442),
    "quotactl_fd": (443, 443),
    "open_tree_attr": (467, 467),
}

# As if the kernel had not been built with them: libraries then fall back to what the limits see.
# The flags of clone3 lie in memory, where a filter cannot look; the C library falls back to clone.
_ABSENT: dict[str, tuple[int | None, int | None]] = {
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "perf_event_open": (298, 241),
    "memfd_create": (319, 279),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "memfd_secret": (447, 447),
}

# Judged by an argument.
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE = {"x86_64": 56, "aarch64": 220}
_SOCKET = {"x86_64": 41, "aarch64": 198}
_MMAP = {"x86_64": 9, "aarch64": 222}
_SETPRIORITY = {"x86_64": 141, "aarch64": 140}
_ONE_PROCESS = 0  # for setpriority: not a group's or a user's

# Their first argument is a process; 0 is the one that calls.
_OF_ITSELF_ONLY: dict[str, tuple[int, int]] = {
    "prlimit64": (302, 261),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
}


def build_filter(machine: str) -> bytes:
    """The filter's instructions for a machine as named by ``uname -m``.

    Raises:
        OSError: no filter is known for the machine.
    """
    if machine not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no seccomp filter for the machine {machine!r}")
    column = _MACHINES.index(machine)
    program: list[bytes] = []

    def add(code: int, constant: int, if_true: int = 0, if_false: int = 0) -> None:
        program.append(struct.pack("HBBI", code, if_true, if_false, constant))

    add(_LOAD, _ARCHITECTURE)
    add(_JUMP_EQUAL, _ARCHITECTURES[machine], 1, 0)
    add(_RETURN, _KILL_PROCESS)
    add(_LOAD, _NUMBER)
    if machine == "x86_64":
        add(_JUMP_GREATER_EQUAL, _X32_CALLS, 0, 1)
        add(_RETURN, _KILL_PROCESS)

    # Where an argument decides, the program ends there: the argument has replaced the number.
    add(_JUMP_EQUAL, _CLONE[machine], 0, 4)
    add(_LOAD, _argument(0))
    add(_JUMP_BITS, _NEW_NAMESPACES, 0, 1)
    add(_RETURN, _FAIL | errno.EPERM)
    add(_RETURN, _ALLOW)

    add(_JUMP_EQUAL, _SOCKET[machine], 0, 6)
    add(_LOAD, _argument(0))
    for position, family in enumerate(_ALLOWED_FAMILIES):
        add(_JUMP_EQUAL, family, len(_ALLOWED_FAMILIES) - position, 0)
    add(_RETURN, _FAIL | errno.EAFNOSUPPORT)
    add(_RETURN, _ALLOW)

    # Shared anonymous memory outlives its page-table entries: no resident size shows it.
    add(_JUMP_EQUAL, _MMAP[machine], 0, 5)
    add(_LOAD, _argument(3))
    add(_AND, _MAP_SHARED | _MAP_ANONYMOUS)
    add(_JUMP_EQUAL, _MAP_SHARED | _MAP_ANONYMOUS, 0, 1)
    add(_RETURN, _FAIL | errno.EPERM)
    add(_RETURN, _ALLOW)

    # The supervisor may have the same user, and must not be slowed down or limited.
    for own in _OF_ITSELF_ONLY.values():
        add(_JUMP_EQUAL, own[column], 0, 4)
        add(_LOAD, _argument(0))
        add(_JUMP_EQUAL, 0, 1, 0)
        add(_RETURN, _FAIL | errno.EPERM)
        add(_RETURN, _ALLOW)
    add(_JUMP_EQUAL, _SETPRIORITY[machine], 0, 6)
    add(_LOAD, _argument(0))
    add(_JUMP_EQUAL, _ONE_PROCESS, 0, 2)
    add(_LOAD, _argument(1))
    add(_JUMP_EQUAL, 0, 1, 0)
    add(_RETURN, _FAIL | errno.EPERM)
    add(_RETURN, _ALLOW)

    for calls, error in ((_FORBIDDEN, errno.EPERM), (_ABSENT, errno.ENOSYS)):
        for numbers in calls.values():
            number = numbers[column]
            if number is not None:
                add(_JUMP_EQUAL, number, 0, 1)
                add(_RETURN, _FAIL | error)
    add(_RETURN, _ALLOW)
    return b"".join(program)


def install_filter(program: bytes) -> None:
    """Binds this process and all that it starts to the filter, for good.

    ``no_new_privs`` must be set.

    Raises:
        OSError: the kernel refused it.
    """

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]

    instructions = ctypes.create_string_buffer(program, len(program))
    structure = Program(len(program) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(structure), 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"seccomp: {os.strerror(error)}")


def _argument(position: int) -> int:
    """Where the low half of a call's argument lies; both machines are little-endian."""
    return 16 + 8 * position
