"""Calls functions as a user without rights, in a process of that user that this one, root, starts.

Run as a program it is that process: it reads pickled calls from stdin and answers on stdout.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

Result = TypeVar("Result")

NOBODY = 65534
_CHECKOUT = Path(__file__).parents[2]

# The interpreter may lie in root's home. A mount namespace shows it to the user all the same.
_OPEN_HOME = """
set -e
mount --make-rprivate /
mkdir -p "$2"
mount --rbind "$1" "$2"
home=$3
mount -t tmpfs -o mode=755 tmpfs "$home"
mkdir -p "$1"
mount --rbind "$2" "$1"
shift 3
exec setpriv --reuid "$0" --regid "$0" --clear-groups "$@"
"""


class Unprivileged:
    """The other user's process, started when it is first asked for something."""

    def __init__(self, spare: Path) -> None:
        """``spare`` is a folder to mount something on."""
        self._spare = spare
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Calls a function of a module in that user's process, and returns what it returned.

        Raises:
            EOFError: the user cannot run this interpreter here, or the call failed.
        """
        if self._process is None:
            self._process = subprocess.Popen(
                self._command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_CHECKOUT
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((function, arguments), self._process.stdin)
        self._process.stdin.flush()
        result: Result = pickle.load(self._process.stdout)
        return result

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.communicate(timeout=20)

    def _command(self) -> list[str]:
        program = [sys.executable, "-m", "tests.sandbox.unprivileged"]
        prefix = Path(sys.base_prefix)
        closed = next((p for p in (prefix, *prefix.parents) if not p.stat().st_mode & 1), None)
        if closed is None:
            user = str(NOBODY)
            return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", *program]
        script = ["unshare", "--mount", "sh", "-c", _OPEN_HOME, str(NOBODY)]
        return [*script, str(prefix), str(self._spare), str(closed), *program]


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    while True:
        try:
            function, arguments = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(function(*arguments), answers)
        answers.flush()


if __name__ == "__main__":
    assert os.geteuid() == NOBODY
    _serve(sys.stdin.buffer, sys.stdout.buffer)
