"""Opens a sandbox, the strongest that works here unless another is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.sandbox.interface import Sandbox
from sandmle.sandbox.libraries import DEFAULT


async def open_sandbox(
    public: Path,
    *,
    backend: str = "auto",
    unsafe: bool = False,
    libraries: Sequence[str] = DEFAULT,
) -> Sandbox:
    """Opens a sandbox over a task's public data.

    Args:
        public: The folder of the public data, shown read-only.
        backend: A back end's name, or "auto" for the strongest that works here.
        unsafe: Allows the back end "subprocess", which does not isolate. "auto" takes it if nothing
            else works.
        libraries: Modules, or sets of them (``libraries.SETS``), that the back end "warm" imports
            before the first step; the others have each step import what it needs.

    Raises:
        SandboxError: no such folder, back end or library, or the back end does not work here.
    """
    # Here, for whoever needs no more than the limits imports this package too.
    from sandmle.sandbox.backends import open_backend
    from sandmle.sandbox.plain import warn_once
    from sandmle.sandbox.probe import strongest

    if not public.is_dir():
        raise SandboxError(f"there is no folder {public}")
    if backend == "auto":
        backend = await asyncio.to_thread(strongest, unsafe=unsafe)
    sandbox = open_backend(backend, public.resolve(), unsafe=unsafe, libraries=libraries)
    if not sandbox.isolated:
        warn_once()
    return sandbox
