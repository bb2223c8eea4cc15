"""The back ends of container engines: a container a rollout, where each step starts Python anew.

The supervisor is process 1 of the container and speaks over its stdin and stdout; from there on all
is as in the back end "bwrap". It was tested with programs that take an engine's command line and
carry it out with bubblewrap, not with a daemon of Docker or with Podman itself.
"""

from __future__ import annotations

import os
import random
import shutil
from functools import partial
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.sandbox.bootstrap import COLD
from sandmle.sandbox.bwrap import SHARED_MEMORY
from sandmle.sandbox.launch import Child, call_in_keeper, start_child
from sandmle.sandbox.layout import DATA, TEMPORARY, WORK, solver_environment
from sandmle.sandbox.limits import Limits
from sandmle.sandbox.supervised import SupervisedSandbox, Supervisor, greet_child

DOCKER = "docker"
PODMAN = "podman"

# Made by the user, for it decides which libraries there are; nothing is ever pulled.
IMAGE = "sandmle-sandbox"
_PYTHON = "/usr/local/bin/python3"  # where the official images have it; others have it on the PATH

_HEADROOM_PROCESSES = 8  # the supervisor, and what is just being killed
# What systemd keeps for services without a user of their own: it is in the range of every engine.
_USERS = range(61184, 65520)


def open_container(engine: str, public: Path) -> SupervisedSandbox:
    """Opens a sandbox in a container of the engine, ``docker`` or ``podman``.

    Raises:
        SandboxError: the engine is not installed.
    """
    program = shutil.which(engine)
    if program is None:
        raise SandboxError(f"no {engine}: there is no such program on the PATH")

    async def start(limits: Limits) -> Supervisor:
        settings = {
            "work": WORK,
            "data": DATA,
            "python": None,  # the one that runs the supervisor
            "environment": solver_environment(_PYTHON, WORK, "/tmp"),
            "temporary": TEMPORARY,
            "user": None,
            "contained": True,
        }
        command = run_command(program, public, limits, random.SystemRandom().choice(_USERS))
        # The engine's own program finds its configuration by its environment; the container gets
        # nothing of that.
        launch = partial(start_child, command, COLD, environment=os.environ, over_stdio=True)
        return await greet_child(await call_in_keeper(launch, Child.end), settings)

    return SupervisedSandbox(engine, isolated=True, start=start)


def run_command(engine: str, public: Path, limits: Limits, user: int) -> tuple[str, ...]:
    """The command line that runs Python in a container, up to and with the interpreter."""
    folder = (
        f"rw,exec,nosuid,nodev,size={limits.workspace_bytes},nr_inodes={limits.workspace_files}"
    )
    memory = str(limits.memory_bytes + 2 * limits.workspace_bytes + SHARED_MEMORY)
    return (
        *(engine, "run", "--rm", "--interactive", "--pull", "never"),
        *("--network", "none", "--ipc", "private", "--hostname", "sandbox"),
        *("--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
        *("--user", f"{user}:{user}", "--workdir", "/"),
        *("--pids-limit", str(limits.processes + _HEADROOM_PROCESSES)),
        *("--memory", memory, "--memory-swap", memory),
        *("--shm-size", str(SHARED_MEMORY)),
        *("--tmpfs", f"{WORK}:{folder},mode=1777"),
        *("--tmpfs", f"/tmp:{folder},mode=1777"),
        *("--mount", f"type=bind,source={public},target={DATA},readonly"),
        *("--entrypoint", "python3", IMAGE),
    )
