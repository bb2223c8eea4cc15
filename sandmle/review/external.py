"""As git's external diff: the arguments that git gives such a program, and files that are no specs.

https://git-scm.com/docs/git#Documentation/git.txt-GITEXTERNALDIFF
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandmle.review.comparison import Content

_MODE = re.compile(r"[0-7]{6}|\.")
_NO_FILE = "/dev/null"


@dataclass(frozen=True)
class Asked:
    """One file of `git diff`, in two versions; None where it is not in one."""

    path: str
    before: Content | None
    after: Content | None


def asked_by_git(arguments: Sequence[str]) -> Asked | None:
    """What git asks for; None where it is not git that asks.

    git gives path, old file, old hash, old mode, new file, new hash, new mode, and of a file that
    was renamed the new path and a description besides.
    """
    if len(arguments) not in (7, 9):
        return None
    path, old_file, _, old_mode, new_file, _, new_mode = arguments[:7]
    if not (_MODE.fullmatch(old_mode) and _MODE.fullmatch(new_mode)):
        return None
    new_path = arguments[7] if len(arguments) == 9 else path
    before = _content(f"a/{path}", path, old_file)
    return Asked(new_path, before, _content(f"b/{new_path}", new_path, new_file))


def line_diff(before: Content | None, after: Content | None) -> str:
    """The lines that differ between two versions of any file, as diff -u writes them."""
    names = [_NO_FILE if side is None else side.name for side in (before, after)]
    try:
        texts = ["" if side is None else side.raw.decode() for side in (before, after)]
    except UnicodeDecodeError:
        return f"Binary files {names[0]} and {names[1]} differ\n"
    old, new = (text.splitlines(keepends=True) for text in texts)
    lines = difflib.unified_diff(old, new, names[0], names[1])
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _content(name: str, path: str, file: str) -> Content | None:
    return None if file == _NO_FILE else Content(name, path, Path(file).read_bytes())
