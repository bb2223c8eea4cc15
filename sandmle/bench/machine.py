"""The machine that a measurement was made on, and how busy it was."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

_LIBRARIES = ("numpy", "pandas", "scikit-learn", "snakemake")


def describe_machine(notes: Sequence[str] = ()) -> dict[str, Any]:
    """The machine as plain data.

    `load` is the mean number of processes that ran or waited in the last 1, 5 and 15 minutes, this
    measurement's own among them. `notes` say what could not be measured, and why.
    """
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "load": [round(load, 2) for load in os.getloadavg()],
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "notes": list(notes),
    }


def _processor() -> str:
    """The processor's model, as far as the system tells."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()
