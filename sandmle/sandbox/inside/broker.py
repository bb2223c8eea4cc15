"""Lends host folders to sandboxes, read-only: runs outside of them, and never runs their code.

A zygote sees no task's data. For each rollout this process turns one folder into a mount, which
goes into the rollout's own view and nowhere else.
"""

from __future__ import annotations

import os
import socket

from sandmle.sandbox.inside import confine
from sandmle.sandbox.inside.namespaces import clone_folder, enter_user_namespace
from sandmle.sandbox.inside.wire import encode, receive


def main(connection: int) -> None:
    """Answers each path with a mount, until the caller hangs up."""
    caller = socket.socket(fileno=connection)
    confine.die_with_parent()
    if os.geteuid() != 0:
        enter_user_namespace(os.geteuid())  # it takes the right to mount
    while True:
        try:
            header, _ = receive(caller)
        except EOFError:
            return
        try:
            mount = clone_folder(header["folder"])
        except OSError as error:
            caller.sendall(encode({"failed": str(error)}))
        else:
            socket.send_fds(caller, [encode({})], [mount])
            os.close(mount)
