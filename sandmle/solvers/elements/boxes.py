"""Boxes as outputs: parts that stand out from their surroundings, told apart by their form.

What stands out, and from which level on, is chosen so that the parts' boxes meet the training
boxes; a forest then says of each part which class it is, or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import ndimage
from scipy.spatial import cKDTree
from sklearn.cluster import KMeans
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.preprocessing import StandardScaler

from sandmle.solvers.elements.surroundings import (
    Parts,
    part_boxes,
    part_columns,
    part_forms,
    parts_of,
    picture_stack,
)
from sandmle.solvers.files import read_table
from sandmle.solvers.reading import Competition

#: Levels that are tried, as shares of what the lightest thousandth of pixels exceeds.
BOX_LEVELS = (0.25, 0.35, 0.45, 0.55, 0.65)
#: A box is met by one whose intersection with it is at least this share of their union.
LEAST_OVERLAP = 0.5
#: How large boxes are thought to be, in pixels, where only their centres are known.
USUAL_SIDE = 11.0
#: Parts of fewer pixels are dust.
FEWEST_PIXELS = 6
#: Kinds of form that parts are sorted into, to be looked for around each other.
FORM_KINDS = 8
#: Least probability of a box where a metric ranks boxes, and where it counts them.
LEAST_RANKED, LEAST_COUNTED = 0.03, 0.4
#: Submissions of the dummy with the boxes of random training pictures.
RANDOM_BOXES = 4


@dataclass(frozen=True)
class KnownBoxes:
    """Boxes of training pictures: each one's picture, class, and left, top, width, height."""

    picture: np.ndarray
    name: np.ndarray
    sides: np.ndarray


@dataclass(frozen=True)
class FoundParts:
    """Parts of all pictures, their boxes (parts, 4), and the known box each meets (-1: none)."""

    parts: Parts
    boxes: np.ndarray
    match: np.ndarray


def box_submissions(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Submissions of boxes for a rung, best first but for dummies."""
    known = read_boxes(competition)
    if rung == "dummy":
        yield from constant_boxes(competition, known)
        return
    grey = picture_stack(competition).mean(axis=3)
    if rung == "naive":
        found = best_parts([grey, 1 - grey], known)
        pixels = np.bincount(found.parts.labels.ravel())[1:]
        columns = np.column_stack([found.boxes, pixels / found.boxes[:, 2:].prod(axis=1)])
    else:
        planes = standing_out(grey, known)
        found = best_parts([*planes, *(without_threads(plane) for plane in planes[:2])], known)
        own = part_columns(found.parts, [*planes[:2], grey])
        columns = np.concatenate([own, other_parts(found.parts, competition.random_seed)], axis=1)
    for leaf in (1, 3):
        chance = class_chances(competition, columns, found, known, leaf=leaf)
        table = box_table(competition, found, moved_boxes(found, known), chance)
        yield f"forest, leaves of {leaf}", table


def constant_boxes(
    competition: Competition, known: KnownBoxes
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The sample, each class's middle box in every picture, and training pictures at random."""
    yield "sample", read_table(competition.folder / "sample_submission.csv")
    test = competition.ids[competition.train :]
    names = np.unique(known.name)
    middle = [np.median(known.sides[known.name == name], axis=0) for name in names]
    entries = " ".join(entry(competition, *box) for box in zip(names, middle, strict=True)) or "-"
    yield (
        "middle",
        pd.DataFrame({competition.identifier: test, competition.columns[0]: [entries] * len(test)}),
    )
    cells = competition.labels[competition.targets[0]].to_numpy()
    for seed in range(RANDOM_BOXES):
        chosen = np.random.default_rng(seed).choice(cells, len(test))
        yield "random", pd.DataFrame({competition.identifier: test, competition.columns[0]: chosen})


def standing_out(grey: np.ndarray, known: KnownBoxes) -> list[np.ndarray]:
    """How much lighter, and how much darker, pixels are than all that is larger than a box."""
    sides = known.sides[:, 2:] if known.sides[:, 2:].any() else np.array([USUAL_SIDE])
    largest = np.percentile(sides, 95)
    window = (1, *(2 * [2 * int(0.7 * largest) + 3]))
    found = []
    for blur in (0.6, 1.2):
        smooth = ndimage.gaussian_filter(grey, (0, blur, blur))
        found += [ndimage.white_tophat(smooth, window), ndimage.black_tophat(smooth, window)]
    return found


def without_threads(plane: np.ndarray) -> np.ndarray:
    """The plane (N, height, width) without what is narrower than two pixels."""
    return np.asarray(ndimage.grey_opening(plane, (1, 2, 2)))


def best_parts(planes: Sequence[np.ndarray], known: KnownBoxes) -> FoundParts:
    """The parts of a plane above a level that meet most known boxes, with few others."""
    tried = []
    for plane in planes:
        highest = np.quantile(plane, 0.999)
        for level in BOX_LEVELS:
            parts = parts_of(plane >= level * highest)
            large = np.bincount(parts.labels.ravel())[1:] >= FEWEST_PIXELS
            parts = parts_of(np.concatenate([[False], large])[parts.labels])
            boxes = part_boxes(parts)
            match = meeting(boxes, parts.picture, known)
            met = len(np.unique(match[match >= 0]))
            seen = np.count_nonzero(parts.picture <= known.picture.max(initial=0))
            tried.append((met - 0.05 * seen, FoundParts(parts, boxes, match)))
    return max(tried, key=lambda entry: entry[0])[1]


def meeting(boxes: np.ndarray, picture: np.ndarray, known: KnownBoxes) -> np.ndarray:
    """The known box of its picture that each of `boxes` overlaps most, -1 where that is little.

    A known centre, a box without sides, must lie within half the way from middle to side.
    """
    match = np.full(len(boxes), -1)
    first, last = (np.searchsorted(known.picture, picture, side) for side in ("left", "right"))
    for index in np.flatnonzero(last > first):
        others = known.sides[first[index] : last[index]]
        low = np.maximum(boxes[index, :2], others[:, :2])
        high = np.minimum(boxes[index, :2] + boxes[index, 2:], others[:, :2] + others[:, 2:])
        common = np.prod(np.maximum(high - low, 0), axis=1)
        share = common / (boxes[index, 2:].prod() + others[:, 2:].prod(axis=1) - common)
        off = np.abs(boxes[index, :2] + boxes[index, 2:] / 2 - others[:, :2]) / boxes[index, 2:]
        share = np.where(others[:, 2] == 0, 1 - 2 * off.max(axis=1), share)
        if share.max() >= LEAST_OVERLAP:
            match[index] = first[index] + share.argmax()
    return match


def other_parts(parts: Parts, random_seed: int) -> np.ndarray:
    """How far from each part the next one of each kind of form is, shape (parts, FORM_KINDS)."""
    forms = np.stack(part_forms(parts), axis=1)
    places, kept = forms[:, :2], [5, *range(3, 5), *range(6, 13)]
    if len(forms) <= FORM_KINDS:
        return np.zeros((len(forms), FORM_KINDS))
    scaled = StandardScaler().fit_transform(forms[:, kept])
    kind = KMeans(FORM_KINDS, n_init=2, random_state=random_seed).fit_predict(scaled)
    found = np.full((len(forms), FORM_KINDS), 99.0)
    # Pictures lie so far apart that no part of another is ever the next.
    apart = np.column_stack([places, 1e4 * parts.picture])
    for index in range(FORM_KINDS):
        of_kind = np.flatnonzero(kind == index)
        distance, nearest = cKDTree(apart[of_kind]).query(apart, k=[1, 2])
        itself = of_kind[np.minimum(nearest[:, 0], len(of_kind) - 1)] == np.arange(len(apart))
        found[:, index] = np.minimum(np.where(itself, distance[:, 1], distance[:, 0]), 99.0)
    return found


def class_chances(
    competition: Competition,
    columns: np.ndarray,
    found: FoundParts,
    known: KnownBoxes,
    *,
    leaf: int,
) -> dict[str, np.ndarray]:
    """Each class's probability for all parts (parts,)."""
    seen = found.parts.picture < competition.train
    labels = np.where(found.match >= 0, np.append(known.name, "")[found.match], "")[seen]
    if not seen.any():
        return {}
    model = ExtraTreesClassifier(
        120, min_samples_leaf=leaf, max_features=0.4, random_state=competition.random_seed
    )
    model.fit(columns[seen], labels)
    chance = model.predict_proba(columns)
    return {str(name): chance[:, at] for at, name in enumerate(model.classes_) if name}


def moved_boxes(found: FoundParts, known: KnownBoxes) -> np.ndarray:
    """The parts' boxes, moved and sized as the known boxes differ from those that meet them."""
    met = found.match >= 0
    if not met.any() or not known.sides[:, 2:].any():
        return found.boxes
    off = known.sides[found.match[met]] - found.boxes[met]
    return np.asarray(found.boxes + np.median(off, axis=0))


def read_boxes(competition: Competition) -> KnownBoxes:
    """The training boxes; centres become boxes without sides."""
    centred = competition.format == "centres"
    width = 3 if centred else 6
    picture, name, sides = [], [], []
    for index, cell in enumerate(competition.labels[competition.targets[0]].fillna("-")):
        values = cell.split() if cell != "-" else []
        for at in range(0, len(values), width):
            picture.append(index)
            name.append(values[at])
            numbers = [float(value) for value in values[at + 1 : at + width]]
            sides.append([*numbers, 0.0, 0.0] if centred else numbers[1:])
    return KnownBoxes(np.array(picture, int), np.array(name, str), np.array(sides).reshape(-1, 4))


def entry(competition: Competition, name: str, box: np.ndarray, confidence: float = 1.0) -> str:
    """One object as a submission writes it."""
    left, top, width, height = (float(value) for value in box)
    if competition.format == "centres":
        return f"{name} {left + width / 2:.6g} {top + height / 2:.6g}"
    return f"{name} {confidence:.4g} {left:.6g} {top:.6g} {max(width, 1):.6g} {max(height, 1):.6g}"


def box_table(
    competition: Competition,
    found: FoundParts,
    boxes: np.ndarray,
    chance: dict[str, np.ndarray],
) -> pd.DataFrame:
    """A submission of the test pictures' parts, those that are likely enough."""
    least = LEAST_RANKED if "precision" in competition.metric else LEAST_COUNTED
    cells: list[list[str]] = [[] for _ in competition.ids]
    for name, values in chance.items():
        for part in np.flatnonzero(values >= least):
            text = entry(competition, name, boxes[part], values[part])
            cells[found.parts.picture[part]].append(text)
    tested = [" ".join(texts) or "-" for texts in cells[competition.train :]]
    ids = competition.ids[competition.train :]
    return pd.DataFrame({competition.identifier: ids, competition.columns[0]: tested})
