"""Test samples that stand in train, as they are or nearly so."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
from PIL import Image

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.files import owned_files, png
from sandmle.bench.faults.planting import (
    TEST,
    TRAIN,
    frame,
    with_frames,
    with_public,
)
from sandmle.bench.faults.samples import generator, twins
from sandmle.build.auditing import Examined


def same_rows(
    task: Examined, *, share: float, edit: Callable[[str, np.random.Generator], str] | None = None
) -> Examined:
    """Test samples that are train samples of the same label; `edit` changes what cells hold.

    All that belongs to a sample is copied: cells, rows in second tables, files.
    """
    rng, pairs = generator(), {test: train for train, test in twins(task, share)}
    change = edit or (lambda cell, rng: cell)
    features = frame(task, TEST).columns[1:]
    shown = frame(task, TRAIN)
    known = dict(zip(shown["id"], shown[features].itertuples(index=False), strict=True))

    def copied(table: pd.DataFrame) -> pd.DataFrame:
        rows = [
            [test, *(change(cell, rng) for cell in known[pairs[test]])]
            if (test := cells[0]) in pairs
            else list(cells)
            for cells in table.itertuples(index=False)
        ]
        return pd.DataFrame(rows, columns=table.columns)

    return with_frames(task, copied, TEST)


def same_readings(task: Examined, *, file: str, share: float) -> Examined:
    """Test samples whose rows in a second table are those of a train sample of the same label."""
    pairs = {test: train for train, test in twins(task, share)}

    def copied(table: pd.DataFrame) -> pd.DataFrame:
        rows = dict(list(table.groupby("id", sort=False)))
        parts = [rows[pairs.get(str(name), str(name))].assign(id=name) for name in rows]
        return pd.DataFrame(pd.concat(parts, ignore_index=True))

    return with_frames(task, copied, file)


def same_files(
    task: Examined, *, share: float, edit: Callable[[bytes], bytes] | None = None
) -> Examined:
    """Files of test samples that are, but for `edit`, those of train samples of the same label."""
    pairs = {test: train for train, test in twins(task, share)}
    public = task.prepared.dataset.public
    change = edit or (lambda file: file)
    return with_public(
        task,
        {
            name: change(public[name.replace(owner, pairs[owner])])
            for name, owner in owned_files(task).items()
            if owner in pairs
        },
    )


def jittered(cell: str, rng: np.random.Generator) -> str:
    """A number off by a thousandth."""
    try:
        return f"{float(cell) * (1 + rng.normal(0, 0.001)):.6g}"
    except ValueError:
        return cell


def mistyped(cell: str, rng: np.random.Generator) -> str:
    """A text with one letter twice, and in small letters."""
    place = int(rng.integers(0, max(len(cell), 1)))
    return (cell[:place] + cell[place : place + 1] + cell[place:]).lower()


def grainy(file: bytes) -> bytes:
    """A picture whose pixels are off by at most two shades."""
    pixels = np.array(Image.open(io.BytesIO(file))).astype(int)
    noise = generator().integers(-2, 3, pixels.shape)
    return png(Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8)), level=0)


def quieter(file: bytes) -> bytes:
    """A recording of 8 bits a tenth more quiet."""
    start = file.index(b"data") + 8
    samples = np.frombuffer(file[start:], np.uint8).astype(float)
    return file[:start] + np.rint(128 + 0.9 * (samples - 128)).astype(np.uint8).tobytes()


def same_samples(task: Examined, *, share: float) -> Examined:
    """Test samples with the cells, in numbers off by little, and the picture of a train sample."""
    return same_files(same_rows(task, share=share, edit=jittered), share=share, edit=grainy)


FAULTS = (
    fault("duplicates", "rows", "loan-instalment-fit", same_rows, share=0.04),
    mild_fault(
        "duplicates", "rows with jitter", "alloy-strength", same_rows, share=0.03, edit=jittered
    ),
    mild_fault(
        "duplicates", "texts with a slip", "rent-letters", same_rows, share=0.04, edit=mistyped
    ),
    mild_fault(
        "duplicates", "readings", "heartbeat-fitness", same_readings, file="pulse.csv", share=0.04
    ),
    fault("duplicates", "pictures", "weld-cracks", same_files, share=0.04),
    mild_fault(
        "duplicates", "pictures and rows with jitter", "road-cracks", same_samples, share=0.04
    ),
    mild_fault(
        "duplicates", "quieter recordings", "right-whale", same_files, share=0.05, edit=quieter
    ),
)
