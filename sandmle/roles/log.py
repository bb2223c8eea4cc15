"""The log of a folder of drafts: what came of each order, one line each.

A line is written before the spec that it tells of, so that a run that was killed goes on where it
stopped: at worst with the one spec whose line is there and whose file is not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sandmle.errors import Problem, SpecError

#: The log's file, beside the specs.
LOG_FILE = "drafted.jsonl"


@dataclass(frozen=True)
class Line:
    """What came of one order.

    `plan` tells the orders of one plan from others, empty where there is none. `id` is the spec's,
    None where there is none: the seed has then run out, or no draft was good. `given_up` are
    drafts on the way to it, as plain data.
    """

    plan: str
    seed: str
    number: int
    id: str | None
    exhausted: bool
    given_up: tuple[Mapping[str, Any], ...]


def read_log(folder: Path) -> list[Line]:
    """The lines of a folder's log, but for one that a kill cut off. Raises SpecError."""
    path = folder / LOG_FILE
    found = []
    for number, line in enumerate(_whole_lines(path), 1):
        try:
            data = json.loads(line)
            found.append(Line(**{**data, "given_up": tuple(data["given_up"])}))
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            message = f"not a line of this log: {error!r}"
            raise SpecError([Problem(str(path), number, 1, "", message)]) from None
    return found


def append_line(folder: Path, line: Line) -> None:
    """Adds a line, over one that a kill cut off. Raises SpecError."""
    _write(folder, _whole_lines(folder / LOG_FILE), json.dumps(asdict(line), ensure_ascii=False))


def drop_last_line(folder: Path) -> None:
    """Takes the last line back. Raises SpecError."""
    _write(folder, _whole_lines(folder / LOG_FILE)[:-1], "")


def _write(folder: Path, kept: Sequence[bytes], text: str) -> None:
    """Cuts the log after the lines that are `kept` from its beginning, and adds another."""
    path = folder / LOG_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.truncate(sum(map(len, kept)))
            file.write(f"{text}\n".encode() if text else b"")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise SpecError([Problem(str(path), 1, 1, "", message)]) from None


def _whole_lines(path: Path) -> list[bytes]:
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    return [line for line in lines if line.endswith(b"\n")]
