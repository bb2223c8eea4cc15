"""The back ends by name, strongest first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.sandbox import bwrap, container, plain, warm
from sandmle.sandbox.interface import Sandbox
from sandmle.sandbox.libraries import DEFAULT, modules_of

ISOLATED = (warm.NAME, bwrap.NAME, container.DOCKER, container.PODMAN)
BACKENDS = (*ISOLATED, plain.NAME)


def open_backend(
    name: str, public: Path, *, unsafe: bool = False, libraries: Sequence[str] = DEFAULT
) -> Sandbox:
    """Opens a sandbox of the back end of that name.

    Raises:
        SandboxError: no such back end or library, or it refuses.
    """
    modules = modules_of(libraries)
    if name == warm.NAME:
        return warm.open_warm(public, modules)
    if name == bwrap.NAME:
        return bwrap.open_bwrap(public)
    if name in (container.DOCKER, container.PODMAN):
        return container.open_container(name, public)
    if name == plain.NAME:
        return plain.open_plain(public, unsafe=unsafe)
    raise SandboxError(f"no back end {name!r}: there are {', '.join(BACKENDS)}, and auto")
