"""A rollout whose every step starts Python anew."""

from __future__ import annotations

import os
import signal
import socket
from typing import NoReturn

from sandmle.sandbox.inside import confine
from sandmle.sandbox.inside.rollout import Interpreter, Settings, confine_self, serve
from sandmle.sandbox.inside.wire import receive


def main(connection: int) -> None:
    """Serves the caller's steps until it hangs up."""
    caller = socket.socket(fileno=connection)
    settings = Settings(**receive(caller)[0])
    confine_self(settings)
    confine.die_with_parent()  # after the change of user, which ends it
    serve(caller, settings, Interpreter(_nothing_to_prepare, _execute))


def _nothing_to_prepare() -> None:
    pass


def _execute(settings: Settings, program: str) -> NoReturn:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and so would its heir
        signal.signal(number, signal.SIG_DFL)
    os.execve(settings.python, ["python", program], settings.environment)
