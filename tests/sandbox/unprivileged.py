"""Plays steps as a user without rights, in a process of that user that this one, root, starts.

Run as a program it is that process: it reads pickled requests from stdin and answers on stdout.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from sandmle.sandbox import Limits, StepResult
from sandmle.sandbox.probe import probe

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

    def works(self, backend: str) -> bool:
        """Whether the user can use the back end."""
        return bool(self._ask(("probe", backend)))

    def play(
        self, public: Path, backend: str, codes: Sequence[str], limits: Limits
    ) -> list[StepResult]:
        """Runs steps of one rollout, in order."""
        answer = self._ask(("play", public, backend, tuple(codes), limits))
        assert isinstance(answer, list), answer
        return answer

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.communicate(timeout=20)

    def _ask(self, request: object) -> object:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_CHECKOUT
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
            return pickle.load(self._process.stdout)
        except (EOFError, OSError):
            return None  # the user cannot run this interpreter here

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
    from .conftest import play_in

    while True:
        try:
            kind, *rest = pickle.load(requests)
        except EOFError:
            return
        if kind == "probe":
            answer: object = probe(rest[0]).works
        else:
            public, backend, codes, limits = rest
            answer = play_in(public, backend, *codes, limits=limits)
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    assert os.geteuid() == NOBODY
    _serve(sys.stdin.buffer, sys.stdout.buffer)
