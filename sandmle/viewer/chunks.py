"""Bodies of rollouts in small script files beside the page, which loads them as they are opened.

A page that lies on a disk may not fetch() its neighbours, but may load scripts. A file is one call
of the page's function `takeBodies` with its number and one string of JSON for each body, so
whatever a rollout holds, nothing of it is ever read as a script.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

#: The folder of a page's bodies, whose name tells what is in it, so that no page meets those of
#: another; and its files.
FOLDER = re.compile(r"bodies-[0-9a-f]{16}")
FILE = re.compile(r"[0-9]{5,}\.js")

#: A file is closed when it has grown to this: small enough to open at once, and few files.
_FULL = 256 * 1024


class ChunkWriter:
    """Writes bodies into files of a folder, a file full at a time.

    The last file is there after `close`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._bodies: list[str] = []
        self._size = 0
        self._digest = hashlib.sha256()

    def add(self, body: dict[str, Any]) -> tuple[int, int]:
        """Adds a body and returns its place: the file's number and the place in it, from 0."""
        place = self._number, len(self._bodies)
        text = script_string(json.dumps(body, ensure_ascii=False, allow_nan=False))
        self._bodies.append(text)
        self._size += len(text)
        if self._size >= _FULL:
            self._flush()
        return place

    def close(self) -> str:
        """Writes what is left and returns the name of the folder that it belongs into."""
        if self._bodies:
            self._flush()
        return f"bodies-{self._digest.hexdigest()[:16]}"

    def _flush(self) -> None:
        bodies = ",\n".join(self._bodies)
        content = f"takeBodies({self._number}, [\n{bodies}\n]);\n".encode("ascii")
        (self._folder / f"{self._number:05d}.js").write_bytes(content)
        self._digest.update(content)
        self._number += 1
        self._bodies, self._size = [], 0


def script_string(text: str) -> str:
    """A text as a string literal that JSON and scripts read alike, in ASCII and without `<`.

    U+2028 and U+2029 end a line of a script, `</script>` a script, `<!--` begins a comment.
    """
    return json.dumps(text).replace("<", "\\u003c")
