"""Test data that differ from training data."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
from PIL import Image, ImageFilter

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.files import owned_files, png
from sandmle.bench.faults.planting import TEST, with_description, with_frames, with_public
from sandmle.bench.faults.samples import (
    generator,
    ids_of,
    marked,
    without_samples,
)
from sandmle.build.auditing import Examined

#: A change of one table's column, all its cells given as text.
Change = Callable[["pd.Series[str]"], "pd.Series[str]"]


def numbers_in_test(
    task: Examined, columns: tuple[str, ...], *, shift: float = 0.0, scale: float = 1.0
) -> Examined:
    """Columns moved in test by some of their standard deviations, and spread around their mean."""

    def moved(cells: pd.Series[str]) -> pd.Series[str]:
        values = pd.to_numeric(cells)
        around = values.mean() + scale * (values - values.mean())
        return (around + shift * values.std()).map("{:.6g}".format).where(cells != "", "")

    return cells_in_test(task, columns, moved)


def cells_in_test(task: Examined, columns: tuple[str, ...], change: Change) -> Examined:
    """Columns changed in test."""
    return with_frames(
        task, lambda table: table.assign(**{name: change(table[name]) for name in columns}), TEST
    )


def emptied(cells: pd.Series[str]) -> pd.Series[str]:
    """A sixth of the cells is empty."""
    return cells.where(generator().random(len(cells)) > 1 / 6, "")


def relabelled(cells: pd.Series[str]) -> pd.Series[str]:
    """A fifth of the cells holds a level that train does not know."""
    return cells.where(generator().random(len(cells)) > 0.2, "other")


def shuffled(cells: pd.Series[str]) -> pd.Series[str]:
    """The cells of other rows, as if two tables had been joined wrongly."""
    return pd.Series(generator().permutation(cells), cells.index)


def shortened(cells: pd.Series[str]) -> pd.Series[str]:
    """The first two thirds of the words of each text."""
    return cells.map(lambda text: " ".join(text.split()[: max(2 * len(text.split()) // 3, 1)]))


def mistyped(cells: pd.Series[str]) -> pd.Series[str]:
    """A tenth of the words with their letters in reverse."""
    rng = generator()

    def typed(text: str) -> str:
        return " ".join(word[::-1] if rng.random() < 0.1 else word for word in text.split())

    return cells.map(typed)


def fewer_of_a_class(task: Examined, *, share: float) -> Examined:
    """A share of one class's test samples left out; the description knows how many are left."""
    rows = len(ids_of(task, "test"))
    changed = without_samples(task, marked(task, share, part="test"))
    return with_description(changed, f"{rows} rows", f"{len(ids_of(changed, 'test'))} rows")


def pictures_in_test(task: Examined, change: Callable[[Image.Image], Image.Image]) -> Examined:
    """Pictures changed in test."""
    test, public = set(ids_of(task, "test")), task.prepared.dataset.public
    return with_public(
        task,
        {
            name: png(change(Image.open(io.BytesIO(public[name]))), level=0)
            for name, owner in owned_files(task).items()
            if owner in test
        },
    )


def brighter(image: Image.Image) -> Image.Image:
    """Brighter by 25 shades of 256."""
    return Image.fromarray(np.minimum(np.asarray(image).astype(int) + 25, 255).astype(np.uint8))


def blurred(image: Image.Image) -> Image.Image:
    """Out of focus."""
    return image.filter(ImageFilter.GaussianBlur(0.7))


def recordings_in_test(task: Examined, change: Callable[[np.ndarray], np.ndarray]) -> Examined:
    """Recordings of 8 bits changed in test; `change` gets samples around 0."""
    test, public = set(ids_of(task, "test")), task.prepared.dataset.public

    def heard(file: bytes) -> bytes:
        start = file.index(b"data") + 8
        samples = np.frombuffer(file[start:], np.uint8).astype(float) - 128
        found = np.clip(np.rint(128 + change(samples)), 0, 255)
        return file[:start] + bytes(found.astype(np.uint8))

    return with_public(
        task,
        {name: heard(public[name]) for name, owner in owned_files(task).items() if owner in test},
    )


def quieter(samples: np.ndarray) -> np.ndarray:
    """Less loud by a third."""
    return samples / 1.5


def humming(samples: np.ndarray) -> np.ndarray:
    """With a hum."""
    return np.asarray(samples + 12 * np.sin(0.12 * np.arange(len(samples))))


def fewer_readings(task: Examined, *, file: str) -> Examined:
    """Every other row of test samples left out of a second table."""
    test = set(ids_of(task, "test"))

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        place = table.groupby("id").cumcount()
        return table[~table["id"].isin(test) | (place % 2 == 0)]

    return with_frames(task, edit, file)


FAULTS = (
    fault(
        "shift",
        "a column by one deviation",
        "alloy-strength",
        numbers_in_test,
        columns=("copper_percent",),
        shift=1.0,
    ),
    mild_fault(
        "shift",
        "a column by less than half",
        "press-fit-parity",
        numbers_in_test,
        columns=("pin_mm",),
        shift=0.4,
    ),
    fault("shift", "brighter pictures", "weld-cracks", pictures_in_test, change=brighter),
    fault(
        "shift",
        "shorter texts",
        "rent-letters",
        cells_in_test,
        columns=("letter",),
        change=shortened,
    ),
    mild_fault(
        "shift",
        "empty cells",
        "loan-instalment-fit",
        cells_in_test,
        columns=("savings",),
        change=emptied,
    ),
    mild_fault(
        "shift",
        "unknown level",
        "shopper-types",
        cells_in_test,
        columns=("branch",),
        change=relabelled,
    ),
    fault("shift", "quieter recordings", "right-whale", recordings_in_test, change=quieter),
    mild_fault("shift", "fewer of one class", "wash-trades", fewer_of_a_class, share=0.5),
    fault(
        "adversarial",
        "two columns spread wider",
        "loan-instalment-fit",
        numbers_in_test,
        columns=("savings", "open_cards"),
        scale=1.8,
    ),
    mild_fault(
        "adversarial",
        "a column of other rows",
        "club-form",
        cells_in_test,
        columns=("club",),
        change=shuffled,
    ),
    fault("adversarial", "blurred pictures", "weld-cracks", pictures_in_test, change=blurred),
    fault(
        "adversarial", "half of the readings", "heartbeat-fitness", fewer_readings, file="pulse.csv"
    ),
    mild_fault(
        "adversarial",
        "mistyped words",
        "rent-letters",
        cells_in_test,
        columns=("letter",),
        change=mistyped,
    ),
    fault("adversarial", "a hum", "kiosk-words", recordings_in_test, change=humming),
)
