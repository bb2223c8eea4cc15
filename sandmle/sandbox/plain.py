"""The back end without isolation: resource limits and nothing else, only on demand."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.sandbox.bootstrap import COLD
from sandmle.sandbox.inside.tidy import empty_folder
from sandmle.sandbox.launch import Child, call_in_keeper, start_child
from sandmle.sandbox.layout import solver_environment
from sandmle.sandbox.limits import Limits
from sandmle.sandbox.supervised import SupervisedSandbox, Supervisor, greet_child

NAME = "subprocess"


def open_plain(public: Path, *, unsafe: bool) -> SupervisedSandbox:
    """Opens a sandbox that isolates nothing.

    Raises:
        SandboxError: it was not asked for with ``unsafe``.
    """
    if not unsafe:
        raise SandboxError(
            "the back end 'subprocess' does not isolate: the code can read the answers, your files "
            "and the network; allow it with unsafe=True where that does no harm"
        )

    async def start(limits: Limits) -> Supervisor:
        folder = tempfile.mkdtemp(prefix="sandmle-")
        work, temporary = os.path.join(folder, "work"), os.path.join(folder, "tmp")
        os.mkdir(work)
        os.mkdir(temporary)
        settings = {
            "work": work,
            "data": str(public),
            "python": sys.executable,
            "environment": solver_environment(sys.executable, work, temporary),
            "temporary": [temporary],
            "user": None,
            "contained": False,
        }
        launch = partial(start_child, (sys.executable,), COLD)
        started = False
        try:
            child = await call_in_keeper(launch, Child.end)
            supervisor = await greet_child(child, settings)
            started = True
        finally:
            if not started:
                _remove(folder)
        return replace(supervisor, end=partial(_end, supervisor, folder))

    return SupervisedSandbox(NAME, isolated=False, start=start)


def _end(supervisor: Supervisor, folder: str) -> None:
    supervisor.end()
    _remove(folder)


def _remove(folder: str) -> None:
    empty_folder(folder)
    os.rmdir(folder)


@cache
def warn_once() -> None:
    """Tells on stderr, once in the life of this process, what this back end does not do."""
    print(
        "WARNING: the back end 'subprocess' does NOT isolate the code that it runs. It can read "
        "the hidden answers, your files and the network, and can kill your processes. Do not "
        "train or evaluate with it.",
        file=sys.stderr,
    )
