"""Finds out which back ends work here, by running a step that does nothing."""

from __future__ import annotations

import asyncio
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.sandbox import plain
from sandmle.sandbox.backends import BACKENDS, ISOLATED, open_backend
from sandmle.sandbox.host import advise, read_host
from sandmle.sandbox.limits import Limits

_WORD = "the sandbox works"


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found out about a back end.

    Attributes:
        name: The back end.
        isolated: Whether it holds hostile code.
        works: Whether the step ran.
        why_not: What went wrong; empty where it works.
        advice: What to do about it; empty where it works.
    """

    name: str
    isolated: bool
    works: bool
    why_not: str
    advice: str


def probe_all() -> tuple[Probe, ...]:
    """Probes every back end, strongest first; takes a second or two."""
    return tuple(probe(name) for name in BACKENDS)


@cache
def probe(name: str) -> Probe:
    """Probes one back end, once in the life of this process.

    Raises:
        SandboxError: there is no such back end.
    """
    if name not in BACKENDS:
        raise SandboxError(f"no back end {name!r}: there are {', '.join(BACKENDS)}")
    # A thread of its own: the caller may be inside an event loop.
    with ThreadPoolExecutor(1) as threads:
        why_not = threads.submit(asyncio.run, _try(name)).result()
    advice = advise(why_not, read_host()) if why_not else ""
    return Probe(name, name in ISOLATED, not why_not, why_not, advice)


def strongest(*, unsafe: bool = False) -> str:
    """The strongest back end that works here.

    Raises:
        SandboxError: none isolates; with ``unsafe`` the plain one is taken instead.
    """
    probes = [probe(name) for name in ISOLATED]
    for found in probes:
        if found.works:
            return found.name
    if unsafe:
        return plain.NAME
    reasons = "; ".join(f"{found.name}: {found.why_not} ({found.advice})" for found in probes)
    raise SandboxError(f"no back end that isolates works here. {reasons}")


async def _try(name: str) -> str:
    """Why the back end does not work; empty where it does."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        try:
            sandbox = open_backend(name, Path(folder), unsafe=True, libraries=())
            try:
                result = await sandbox.run(f"print({_WORD!r})", Limits(wall_seconds=30))
            finally:
                await sandbox.close()
        except SandboxError as error:
            return str(error)
    if result.stdout.strip() == _WORD:
        return ""
    return f"a step printed {result.stdout!r}, {result.stderr!r}"
