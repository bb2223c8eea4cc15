"""What one step may use.

This module is also sent into the sandbox, so it imports nothing but the standard library.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one step; every one of them is enforced from outside the solver's processes.

    Attributes:
        wall_seconds: Real time until everything in the sandbox is killed.
        cpu_seconds: Processor time of each single process, in whole seconds.
        memory_bytes: Memory of all processes together, with what lies in ``/tmp`` and ``/dev/shm``.
        file_bytes: Size of the largest file that may be written.
        processes: Processes and threads alive at one time.
        open_files: Open file descriptors of one process.
        workspace_bytes: Size of the working folder. The size of ``/tmp`` is the same.
        workspace_files: Files and folders in the working folder, and again in ``/tmp``.
        output_bytes: Bytes kept of stdout, and again of stderr: the head and the tail.
        submission_bytes: Size of the largest submission that is read.

    The sizes of the working folder are fixed by a sandbox's first step; the rest may differ from
    step to step.

    Raises:
        ValueError: a limit is not a finite number above zero.
    """

    wall_seconds: float = 120.0
    cpu_seconds: int = 240
    memory_bytes: int = 2048 * MEBIBYTE
    file_bytes: int = 128 * MEBIBYTE
    processes: int = 128
    open_files: int = 512
    workspace_bytes: int = 256 * MEBIBYTE
    workspace_files: int = 10_000
    output_bytes: int = 16 * 1024
    submission_bytes: int = 64 * MEBIBYTE

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{field.name} must be a finite number above zero, not {value!r}")


def limits_for(
    *, wall_seconds: float, memory_bytes: int, workspace_bytes: int = 256 * MEBIBYTE
) -> Limits:
    """The limits of a step that may take so long and so much.

    Processor time and the sizes of files and of submissions grow along, in the proportions of the
    defaults, below which they never are.
    """
    usual = Limits()
    return Limits(
        wall_seconds=wall_seconds,
        cpu_seconds=max(usual.cpu_seconds, math.ceil(2 * wall_seconds)),
        memory_bytes=memory_bytes,
        file_bytes=max(usual.file_bytes, workspace_bytes // 2),
        workspace_bytes=workspace_bytes,
        submission_bytes=max(usual.submission_bytes, workspace_bytes // 4),
    )


def limits_to_mapping(limits: Limits) -> dict[str, float]:
    """The limits as plain data, for the way into the sandbox."""
    return asdict(limits)


def limits_from_mapping(mapping: Mapping[str, float]) -> Limits:
    """The limits back from plain data.

    Raises:
        TypeError: a key that is not a limit.
        ValueError: a limit is not a finite number above zero.
    """
    kinds = {field.name: float if field.name == "wall_seconds" else int for field in fields(Limits)}
    return Limits(**{name: kinds.get(name, float)(value) for name, value in mapping.items()})  # type: ignore[arg-type]
