"""The opening messages of an episode, rendered from templates/play/.

Evaluation and training open every episode with them; nothing else that a policy is told before
its first turn stands anywhere else.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from sandmle.compiler.render import find_template, render
from sandmle.play.conversation import Message
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.resources import find_corpus, layers

SYSTEM, TASK = "play/system.md.j2", "play/task.md.j2"

#: Of a folder with more files than this, only the first and the number are shown.
_FILES_SHOWN = 12

#: No more files of a folder are counted: a real competition may have a million.
_FILES_COUNTED = 10_000

#: Of more files and folders at the top than this, only the first and the number are shown.
_ENTRIES_SHOWN = 60


def opening_messages(task: Task, settings: Settings) -> tuple[Message, ...]:
    """The system's message and the task: its description and what lies in data/.

    Raises CompileError naming template and line where a corpus folder's own template fails.
    """
    folders = layers("templates", find_corpus(task.folder))
    system = {
        "score": settings.score,
        "tools": settings.tools,
        "turns": settings.turns,
        "seconds": f"{settings.seconds:.6g}",
        "step_seconds": f"{settings.step.wall_seconds:.6g}",
        "step_mebibytes": settings.step.memory_bytes // 2**20,
    }
    user = {"description": task.description.strip(), "files": list_files(task.public)}
    return (
        Message("system", render(folders, SYSTEM, task.id, system)),
        Message("user", render(folders, TASK, task.id, user)),
    )


def templates_digest(task: Task) -> str:
    """SHA-256 over the templates of the opening messages, as this task's corpus has them."""
    folders = layers("templates", find_corpus(task.folder))
    digest = hashlib.sha256()
    for name in (SYSTEM, TASK):
        text = find_template(folders, name).read_bytes()
        digest.update(hashlib.sha256(text).digest())
    return digest.hexdigest()


def list_files(public: Path) -> list[str]:
    """A line a file of the public folder; of a large folder, its first files and the number.

    Where there are very many, as in a real competition, neither all are counted nor all shown.
    """
    entries = sorted(public.iterdir())
    lines = [line for entry in entries[:_ENTRIES_SHOWN] for line in _lines(entry, public)]
    if len(entries) > _ENTRIES_SHOWN:
        lines.append(f"... and {len(entries) - _ENTRIES_SHOWN:,} more files and folders")
    return lines


def _lines(entry: Path, public: Path) -> list[str]:
    """What is shown of a file or a folder at the top of the public folder."""
    inside = sorted(itertools.islice(_files(entry), _FILES_COUNTED + 1))
    if len(inside) <= _FILES_SHOWN:
        return [f"{path.relative_to(public)} ({path.stat().st_size:,} bytes)" for path in inside]
    count = f"{len(inside):,}" if len(inside) <= _FILES_COUNTED else f"over {_FILES_COUNTED:,}"
    first = ", ".join(path.name for path in inside[:3])
    return [f"{entry.name}/ ({count} files: {first}, ...)"]


def _files(entry: Path) -> Iterator[Path]:
    """The file itself, or all files below a folder, one by one."""
    if not entry.is_dir():
        yield entry
        return
    with os.scandir(entry) as found:
        for path in found:
            if path.is_dir(follow_symlinks=False):
                yield from _files(Path(path.path))
            elif path.is_file():
                yield Path(path.path)
