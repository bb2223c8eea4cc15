"""How large a draft is: classes, labels, rows, pictures; few enough for 200 rows to teach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sandmle.seeds.model import Seed
from sandmle.spec.skeleton import TEST_ROWS as ROWS_TO_PREDICT
from sandmle.spec.skeleton import TRAIN_ROWS
from sandmle.spec.tasks import TaskKind

#: Classes that 200 rows can teach, of which columns leave more room than pictures and the like.
_CLASSES_AT_MOST = {"columns": 6, "carriers": 4}

#: Labels and further targets, as many as domains have names for.
_TARGETS_AT_MOST = 4

#: Test rows that keep medals reliable: clean test labels, noisy test numbers, and outputs of which
#: each row judges many parts, or every pixel.
TEST_ROWS = {"classes": 500, "numbers": 1000, "parts": 120, "pixels": 100}

#: Samples at the most, train and test, that show what takes much room, so that a task stays small:
#: what is shown together shares the room. Train takes as many as it may.
SAMPLES_WITH_FILES = {"image": 700, "signal": 500, "series": 750, "audio": 360, "graph": 700}

#: Pixels, and for pictures that are restored, of which a submission has a row for each pixel.
_IMAGE_SIDE = (32, 48)
_RESTORED_SIDE = (16, 20)
#: Pixels of pictures of which each pixel is judged, with several files a sample maybe.
_MARKED_SIDE = (28, 36)
_SERIES_LENGTH = (96, 128)
_WORDS = (70, 100)


def classes_of(seed: Seed, task: TaskKind) -> int | None:
    """Classes of a draft's target; None where it has none, always two, or those of its rule."""
    if task.classes is None or task.several or task.classes == (2, 2):
        return None
    if not {"number", "distribution"} & set(task.yields):
        return None
    least, most = task.classes
    shown = "columns" if seed.modality == "tabular" else "carriers"
    return int(np.clip(seed.classes, least, min(most, _CLASSES_AT_MOST[shown])))


def targets_of(seed: Seed, task: TaskKind) -> int:
    """Targets of a draft: 1, or as many as the seed has, within bounds."""
    return max(2, min(len(seed.targets), _TARGETS_AT_MOST)) if task.several else 1


def test_rows(seed: Seed, task: TaskKind) -> int:
    """Rows to predict."""
    if "number" in task.yields:
        kind = "classes" if task.classes else "numbers"
    else:
        kind = {"distribution": "classes", "image": "pixels"}.get(task.yields[0], "parts")
    mixed = seed.modality == "mixed"
    shown = roomiest([files.kind for files in seed.files] if mixed else [seed.modality])
    room = [SAMPLES_WITH_FILES[one] for one in shown if one in SAMPLES_WITH_FILES]
    if not room:
        return TEST_ROWS[kind]
    samples = 1 / sum(1 / most for most in room)
    return int(np.clip(samples - TRAIN_ROWS[1], ROWS_TO_PREDICT[0], TEST_ROWS[kind]))


def roomiest(kinds: Iterable[str]) -> list[str]:
    """Two of several kinds of what samples show, at the most: those that take the least room."""
    return sorted(
        dict.fromkeys(kinds), key=lambda kind: -SAMPLES_WITH_FILES.get(kind, TEST_ROWS["numbers"])
    )[:2]


def measures_of(seed: Seed, task: TaskKind) -> dict[str, Any]:
    """What the DNA says of pictures, readings and documents, as parameters of words.

    `background` holds those of the factors that words show as they are.
    """
    found: dict[str, Any] = {}
    background: dict[str, Any] = {}
    lengths = [column.length for column in seed.columns if column.length]
    words = [column.words for column in seed.columns if column.words]
    for files in seed.files:
        if files.width and files.height:
            judged = {"image": _RESTORED_SIDE, "mask": _MARKED_SIDE}
            bounds = judged.get(task.yields[0], _IMAGE_SIDE)
            sides = np.clip((files.width, files.height), *bounds)
            found["size"] = background["size"] = [int(side) for side in sides]
        lengths += [files.length] if files.kind == "series" and files.length else []
        words += [files.words] if files.words else []
    if lengths:
        background["length"] = int(np.clip(lengths[0], *_SERIES_LENGTH))
    if words:
        background["length"] = int(np.clip(max(words), *_WORDS))
    return {**found, "background": background} if background else found


def shares_of(seed: Seed, classes: int) -> list[float]:
    """The shares of a draft's classes: the seed's largest ones, equal where they are not known.

    They are kept from being so small that train would lack some.
    """
    known = np.array((seed.targets[0].shares or ())[:classes], dtype=float)
    if len(known) < classes:
        known = np.ones(classes)
    floored = np.maximum(known / known.sum(), 0.5 / classes)
    return [float(share) for share in floored / floored.sum()]
