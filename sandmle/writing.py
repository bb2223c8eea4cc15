"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """Gives another path to write a file to; when all went well the file is moved to `path`.

    No reader ever sees a part of it. Where anything is raised, what was there is there still.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes) -> None:
    """Gives a file this content, text as UTF-8, in one step: no reader ever sees a part of it.

    Raises OSError where it cannot be written; what was there is there still.
    """
    with appearing(path) as partial:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
