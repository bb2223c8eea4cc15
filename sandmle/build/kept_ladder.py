"""The ladder of a draft that was judged good, kept for the build that comes next.

Judging a draft climbs the very ladder that its build needs, and climbing is most of a build's work.
A ladder is kept under all that it follows from, and taken away by the build that uses it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from pathlib import Path

from sandmle.build.engine import engine_digest
from sandmle.build.ladder import Ladder
from sandmle.build.prepare import Prepared
from sandmle.build.verdict import Rung
from sandmle.vocabulary import load_vocabulary
from sandmle.writing import write_whole

#: The folder of kept ladders in a corpus' build folder: one within, by the engine that climbed.
FOLDER = "ladders"


def keep(ladder: Ladder, prepared: Prepared) -> None:
    """Keeps a prepared task's ladder; those that another engine has climbed go."""
    path = _place(prepared)
    path.parent.mkdir(parents=True, exist_ok=True)
    for other in path.parent.parent.iterdir():
        if other != path.parent:
            shutil.rmtree(other, ignore_errors=True)
    write_whole(path, json.dumps(dataclasses.asdict(ladder)))


def take(prepared: Prepared) -> Ladder | None:
    """The ladder kept for a prepared task, which is kept no longer; None where there is none."""
    path = _place(prepared)
    try:
        data = json.loads(path.read_text())
    except FileNotFoundError:
        return None
    path.unlink(missing_ok=True)
    return Ladder(
        rungs=tuple(Rung(**rung) for rung in data["rungs"]),
        standard_error=data["standard_error"],
        is_lower_better=data["is_lower_better"],
        own=Rung(**data["own"]),
        redrawn=tuple(data["redrawn"]),
    )


def _place(prepared: Prepared) -> Path:
    """The file for a ladder, named by what it follows from: the compiled texts and the words.

    The scripts' headers name the spec and its digest, which provenance and a new id change.
    """
    spec, compiled = prepared.spec, prepared.compiled
    digest = hashlib.sha256()
    for text in (compiled.generate, compiled.evaluate, compiled.description):
        same = text.replace(f"Task:     {spec.id}\n", "").replace(spec.digest, "")
        digest.update(hashlib.sha256(same.encode()).digest())
    for words in load_vocabulary(prepared.corpus).words.values():
        for word in words.values():
            digest.update(word.digest.encode())
    folder = prepared.corpus / "build" / FOLDER / engine_digest()[:16]
    return folder / f"{digest.hexdigest()}.json"
