"""What a solver sees is micro: it is copied, read and measured thousands of times."""

from __future__ import annotations

from sandmle.build.auditing import Examined, Finding

CLAIM = "public files are small"
COST = "cheap"

#: Bytes of all public files together.
MOST_BYTES = 2_000_000


def examine(task: Examined) -> Finding:
    """Adds up the sizes of all public files."""
    size = sum(map(len, task.prepared.dataset.public.values()))
    return Finding(size <= MOST_BYTES, f"{size / 1e6:.2f} MB, at most {MOST_BYTES / 1e6:g}")
