"""What a planted fault is, and all of them by listing."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.build.auditing import Examined

#: Turns a good task, in a folder of its own, into a faulty one, on disk and in memory.
Plant = Callable[[Examined], Examined]


@dataclass(frozen=True)
class Fault:
    """A fault that `audit` should catch, planted in the shipped task named `task`.

    `is_mild` where it is partial: a weak signal, one class, one of several files, test rows alone.
    A harmless change names no audit: none may raise an alarm.
    """

    audit: str
    name: str
    task: str
    plant: Plant
    is_mild: bool = False


def fault(
    audit: str, name: str, task: str, plant: Callable[..., Examined], /, **settings: Any
) -> Fault:
    """A fault, planted with some settings."""
    return Fault(audit, name, task, functools.partial(plant, **settings))


def mild_fault(
    audit: str, name: str, task: str, plant: Callable[..., Examined], /, **settings: Any
) -> Fault:
    """A mild fault, planted with some settings."""
    return Fault(audit, name, task, functools.partial(plant, **settings), is_mild=True)


@functools.cache
def planted_faults() -> tuple[Fault, ...]:
    """All faults, by the name of their audit and their own."""
    return tuple(sorted(_listed("FAULTS"), key=lambda found: (found.audit, found.name)))


@functools.cache
def harmless_changes() -> tuple[Fault, ...]:
    """All changes that harm nothing, by name and task."""
    return tuple(sorted(_listed("HARMLESS"), key=lambda found: (found.name, found.task)))


def _listed(name: str) -> list[Fault]:
    """What all modules of this folder hold by a name."""
    found: list[Fault] = []
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        found += getattr(importlib.import_module(f"{__package__}.{path.stem}"), name, ())
    return found
