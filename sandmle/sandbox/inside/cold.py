"""A rollout whose every step starts Python anew."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from typing import NoReturn

from sandmle.sandbox.inside import confine
from sandmle.sandbox.inside.rollout import Interpreter, Settings, confine_self, serve
from sandmle.sandbox.inside.wire import open_connection, receive


def main(connection: int) -> None:
    """Serves the caller's steps until it hangs up."""
    caller = open_connection(connection)
    header, _ = receive(caller)
    become = partial(_execute, header.pop("python") or sys.executable, header.pop("environment"))
    settings = Settings(**header)
    confine_self(settings)
    confine.die_with_parent()  # after the change of user, which ends it
    serve(caller, settings, Interpreter(become))


def _execute(python: str, environment: dict[str, str], program: str) -> NoReturn:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and so would its heir
        signal.signal(number, signal.SIG_DFL)
    os.execve(python, ["python", program], environment)
