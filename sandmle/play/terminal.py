"""Lines and texts from a person at a terminal, read without holding up the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

_BLOCK = 65_536

#: Control characters but for the tab and the end of a line: they are not shown, as they could
#: steer the terminal.
_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def harmless(text: str) -> str:
    """Text that a terminal shows and does not obey."""
    return text.translate(_CONTROLS)


class Lines:
    """The lines of standard input, one by one.

    The terminal itself lets lines be edited. Cancelling a read loses nothing.
    """

    def __init__(self) -> None:
        self._rest = b""

    async def read(self, prompt: str = "") -> str | None:
        """The next line without its end; None where input ends, as by Ctrl-D."""
        print(prompt, end="", flush=True)
        while b"\n" not in self._rest:
            await _readable(sys.stdin.fileno())
            data = os.read(sys.stdin.fileno(), _BLOCK)
            if not data:
                line, self._rest = self._rest, b""
                return line.decode("utf-8", "replace") if line else None
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")

    async def read_until(self, end: str, prompt: str = "") -> str:
        """The lines before one that is `end` alone, or before the end of input."""
        lines: list[str] = []
        while (line := await self.read(prompt)) is not None and line.strip() != end:
            lines.append(line + "\n")
        return "".join(lines)


async def _readable(file: int) -> None:
    """Waits until a read of `file` would not block."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(file, ready.set)
    except PermissionError:  # a file on disk: it can always be read, and so can't be waited for
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(file)


def editor() -> list[str] | None:
    """The command of the person's editor, as VISUAL or EDITOR give it; None where neither does."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    return shlex.split(command) if command else None


async def edit(command: list[str], text: str) -> str:
    """What a person makes of `text`, a script, in an editor. Raises OSError where it fails."""
    with tempfile.TemporaryDirectory(prefix="sandmle-") as folder, _interrupts_left_alone():
        path = Path(folder) / "script.py"
        path.write_text(text, encoding="utf-8")
        process = await asyncio.create_subprocess_exec(*command, str(path))
        try:
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()
        if code:
            raise OSError(f"{command[0]} ended with exit code {code}")
        return path.read_text(encoding="utf-8", errors="replace")


@contextlib.contextmanager
def _interrupts_left_alone() -> Iterator[None]:
    """Leaves Ctrl-C to the editor in the foreground."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
