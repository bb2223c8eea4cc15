"""Masks, pictures and boxes: who looks at what surrounds a pixel gets further than who does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from scipy import ndimage

from sandmle.solvers.elements.boxes import KnownBoxes, meeting, read_boxes
from sandmle.solvers.elements.masks import mask_table, mean_overlap, read_masks
from sandmle.solvers.elements.surroundings import (
    brought_over,
    part_forms,
    parts_of,
    rank_in_picture,
    within_labels,
)
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import read_competition

TRAIN, TEST, SIDE = 40, 24, 24
IDS = [f"k{index:03d}q" for index in range(TRAIN + TEST)]


def write_pictures(
    folder: Path,
    pictures: np.ndarray,
    *,
    task: str,
    form: str,
    labels: list[str] | None = None,
    sample: Mapping[str, object],
    metric: str = "dice",
) -> Path:
    """A public folder with a picture a row, values 0..1."""
    (folder / "images").mkdir(parents=True)
    for name, picture in zip(IDS, pictures, strict=True):
        levels = np.rint(np.clip(picture, 0, 1) * 255).astype(np.uint8)
        Image.fromarray(levels).save(folder / "images" / f"{name}.png", compress_level=0)
    train = pd.DataFrame({"id": IDS[:TRAIN]})
    if labels is not None:
        train["mark"] = labels
    train.to_csv(folder / "train.csv", index=False)
    pd.DataFrame({"id": IDS[TRAIN:]}).to_csv(folder / "test.csv", index=False)
    pd.DataFrame(sample).to_csv(folder / "sample_submission.csv", index=False)
    (folder / "description.md").write_text(
        f"Task: {task}\n\nMetric: {metric}\n\nFormat: {form}\n", encoding="utf-8"
    )
    return folder


def discs(rng: np.random.Generator, count: int) -> np.ndarray:
    """Masks of one disc each."""
    down, across = np.mgrid[:SIDE, :SIDE]
    centre = rng.uniform(6, SIDE - 6, (2, count, 1, 1))
    return (down - centre[0]) ** 2 + (across - centre[1]) ** 2 <= rng.uniform(9, 25, (count, 1, 1))


def uneven(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """Discs a little lighter than a background that differs more than they do."""
    light = ndimage.gaussian_filter(rng.normal(size=masks.shape), (0, 7, 7), mode="wrap")
    light /= light.std()
    return 0.45 + 0.12 * light + 0.25 * masks + rng.normal(0, 0.03, masks.shape)


def runs(masks: np.ndarray) -> list[str]:
    """Masks as runs down the columns, found pixel by pixel."""
    cells = []
    for mask in masks:
        places = np.flatnonzero(mask.T.ravel()) + 1
        cells.append(" ".join(f"{place} 1" for place in places) or "-")
    return cells


@pytest.fixture(scope="module")
def discs_folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray]:
    rng = np.random.default_rng(3)
    masks = discs(rng, TRAIN + TEST)
    folder = write_pictures(
        tmp_path_factory.mktemp("discs") / "data",
        uneven(rng, masks),
        task="segmentation",
        form="run_lengths (order = columns)",
        labels=runs(masks[:TRAIN]),
        sample={"id": IDS[TRAIN:], "mark": "-"},
    )
    return folder, masks


def read_runs(table: pd.DataFrame) -> np.ndarray:
    """Masks of a submission."""
    masks = np.zeros((len(table), SIDE * SIDE), dtype=bool)
    for mask, cell in zip(masks, table["mark"], strict=True):
        numbers = [int(number) for number in cell.split()] if cell != "-" else []
        for start, length in zip(numbers[::2], numbers[1::2], strict=True):
            mask[start - 1 : start - 1 + length] = True
    return masks.reshape(-1, SIDE, SIDE).transpose(0, 2, 1)


def test_masks_improve_from_rung_to_rung(discs_folder: tuple[Path, np.ndarray]) -> None:
    folder, masks = discs_folder
    scores = [
        max(
            mean_overlap(read_runs(table), masks[TRAIN:], 1.0)
            for _, table in candidates(read_competition(folder), rung)
        )
        for rung in ("dummy", "naive", "honest")
    ]
    assert scores[0] + 0.1 < scores[1] < scores[2] - 0.1
    assert scores[2] > 0.85


@pytest.mark.parametrize("order", ["rows", "columns"])
def test_written_masks_are_read_as_they_were(
    order: str, discs_folder: tuple[Path, np.ndarray], tmp_path: Path
) -> None:
    _, masks = discs_folder
    folder = write_pictures(
        tmp_path / "data",
        masks,
        task="segmentation",
        form=f"run_lengths (order = {order})",
        labels=["-"] * TRAIN,
        sample={"id": IDS[TRAIN:], "mark": "-"},
    )
    written = mask_table(read_competition(folder), masks[:TEST])["mark"]
    train = pd.DataFrame({"id": IDS[:TRAIN], "mark": ["-"] * (TRAIN - TEST) + list(written)})
    train.to_csv(folder / "train.csv", index=False)
    read = read_masks(read_competition(folder), SIDE, SIDE)
    np.testing.assert_array_equal(read[TRAIN - TEST :], masks[:TEST])
    assert not read[: TRAIN - TEST].any()


def test_the_largest_of_several_parts_is_learnt(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    small = discs(rng, TRAIN + TEST)
    large = np.roll(ndimage.binary_dilation(small, np.ones((1, 3, 3))), 11, axis=1)
    small &= ~ndimage.binary_dilation(large, np.ones((1, 3, 3)))
    shown = 0.3 + 0.4 * (small | large) + rng.normal(0, 0.03, small.shape)
    folder = write_pictures(
        tmp_path / "data",
        shown,
        task="segmentation",
        form="run_lengths (order = columns)",
        labels=runs(large[:TRAIN]),
        sample={"id": IDS[TRAIN:], "mark": "-"},
    )
    table = next(table for _, table in candidates(read_competition(folder), "honest"))
    assert mean_overlap(read_runs(table), large[TRAIN:], 1.0) > 0.85


def test_pictures_improve_from_rung_to_rung(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    clean = 0.2 + 0.6 * discs(rng, TRAIN + TEST)
    places = [f"_{row}_{column}" for row in range(1, SIDE + 1) for column in range(1, SIDE + 1)]
    keys = [name + place for name in IDS[TRAIN:] for place in places]
    folder = write_pictures(
        tmp_path / "data",
        clean + rng.normal(0, 0.2, clean.shape),
        task="image_to_image",
        form="pixels",
        sample={"id": keys, "mark": 0.5},
        metric="rmse",
    )
    (folder / "train_clean").mkdir()
    for name, picture in zip(IDS[:TRAIN], clean, strict=False):
        levels = np.rint(picture * 255).astype(np.uint8)
        Image.fromarray(levels).save(folder / "train_clean" / f"{name}.png")
    errors = []
    for rung in ("dummy", "naive", "honest"):
        tables = [table for _, table in candidates(read_competition(folder), rung)]
        assert all(list(table["id"]) == keys for table in tables)
        guesses = [table["mark"].astype(float).to_numpy() for table in tables]
        errors.append(
            min(np.sqrt(np.mean((guess - clean[TRAIN:].ravel()) ** 2)) for guess in guesses)
        )
    assert errors[0] > 1.5 * errors[1] > 2 * errors[2]


@pytest.mark.parametrize("form", ["bounding_boxes", "centres"])
def test_discs_are_boxed_among_squares(form: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    shown = 0.3 + rng.normal(0, 0.04, (TRAIN + TEST, SIDE, SIDE))
    cells, true = [], []
    for picture in shown:
        left, top = rng.integers(0, 3, 2), rng.integers(0, SIDE - 9, 2)
        left[1] += 12
        disc = int(rng.integers(0, 2))
        down, across = np.mgrid[:9, :9] - 4
        for place in (0, 1):
            shape = np.hypot(down, across) <= 4.3 if place == disc else np.ones((9, 9))
            picture[top[place] : top[place] + 9, left[place] : left[place] + 9] += 0.4 * shape
        x, y = int(left[disc]), int(top[disc])
        true.append((x, y))
        cells.append(f"disc {x + 4.5} {y + 4.5}" if form == "centres" else f"disc 1 {x} {y} 9 9")
    folder = write_pictures(
        tmp_path / "data",
        shown,
        task="detection",
        form=form,
        labels=cells[:TRAIN],
        sample={"id": IDS[TRAIN:], "mark": "-"},
        metric="centre_f1",
    )
    assert len(read_boxes(read_competition(folder)).picture) == TRAIN
    table = next(table for _, table in candidates(read_competition(folder), "honest"))
    right = 0
    for cell, (x, y) in zip(table["mark"], true[TRAIN:], strict=True):
        values = cell.split()
        if len(values) == (3 if form == "centres" else 6):
            numbers = [float(value) for value in values[1:]]
            centre = (
                numbers
                if form == "centres"
                else [n + s / 2 for n, s in zip(numbers[1:3], numbers[3:], strict=True)]
            )
            right += abs(centre[0] - x - 4.5) < 1.5 and abs(centre[1] - y - 4.5) < 1.5
    assert right >= 0.9 * TEST


def test_boxes_meet_the_known_one_that_they_overlap_by_half() -> None:
    known = KnownBoxes(
        np.array([0, 2]), np.array(["a", "b"]), np.array([[0.0, 0, 4, 4], [8, 8, 4, 4]])
    )
    boxes = np.array([[0.0, 1, 4, 4], [2, 0, 4, 4], [8, 8, 4, 4], [8, 8, 4, 5]])
    assert meeting(boxes, np.array([0, 0, 1, 2]), known).tolist() == [0, -1, -1, 1]


def test_pictures_that_moved_are_brought_over_each_other() -> None:
    fixed = np.random.default_rng(7).random((3, 16, 16)).astype(np.float32)
    moved = np.stack([np.roll(fixed[index], (index, -index), axis=(0, 1)) for index in range(3)])
    np.testing.assert_array_equal(brought_over(moved, fixed), fixed)


def test_parts_are_ranked_within_their_picture_and_known_by_form() -> None:
    masks = np.zeros((2, 12, 12), dtype=bool)
    masks[0, :3, :3] = True
    masks[0, 6:12, 6:12] = True
    masks[0, 8:10, 8:10] = False
    masks[1, 4, 2:9] = True
    parts = parts_of(masks)
    forms = np.stack(part_forms(parts), axis=1)
    assert rank_in_picture(parts, forms[:, 3]).tolist() == [1, 0, 0]
    assert forms[:, 3].tolist() == [9, 32, 7]
    assert forms[1, 6] == pytest.approx(32 / 36)
    assert forms[2, 8] == pytest.approx(7.0)  # long over short axis of 7 x 1 pixels
    assert forms[:, 11].tolist() == [pytest.approx(1 / 9), 0, pytest.approx(1 / 7)]


def test_what_lies_within_labels() -> None:
    rng = np.random.default_rng(2)
    labels, plane = rng.integers(0, 6, (3, 8, 8)), rng.normal(size=(3, 8, 8))
    labels[labels == 4] = 0
    found = within_labels(plane, labels, 5)
    there = [1, 2, 3, 5]
    for values, measure in zip(
        found, (ndimage.mean, ndimage.minimum, ndimage.maximum), strict=True
    ):
        assert np.allclose(values[np.array(there) - 1], measure(plane, labels, there))
        assert np.isnan(values[3])
