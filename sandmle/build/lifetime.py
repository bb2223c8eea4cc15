"""Ties the life of a process to that of the one that started it, even where that is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def end_with_parent(parent: int) -> None:
    """Has this process killed when its parent, the process `parent`, has ended.

    More exactly, when the thread of the parent that started this process has. Does nothing where
    the system cannot do that: on anything but Linux.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was faster
        os.kill(os.getpid(), signal.SIGKILL)
