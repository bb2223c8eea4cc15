"""Masks as outputs: a model of single pixels, and of pixels with their surroundings.

Each training picture is predicted by a model that did not see it. On these predictions the level
is chosen from which a pixel counts, and a second model learns from them which parts count.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy import ndimage
from sklearn.ensemble import ExtraTreesClassifier

from sandmle.solvers.elements.pixel_models import (
    MOST_OFFERED,
    boosted_chance,
    halves,
    logistic_chance,
)
from sandmle.solvers.elements.surroundings import (
    Parts,
    bare_pixels,
    columns_of,
    part_columns,
    parts_of,
    picture_stack,
    surroundings,
)
from sandmle.solvers.files import read_table
from sandmle.solvers.reading import Competition

#: Probabilities from which a pixel may count, and least areas of a part in pixels.
LEVELS = tuple(np.round(np.arange(0.1, 0.91, 0.05), 2))
LEAST_AREAS = (0, 4, 10)
#: Pixels as likely as such a share of the likeliest anywhere make up the parts to be judged.
CANDIDATE_SHARES = (0.25, 0.4)
#: Training masks that the dummy submits at random.
RANDOM_MASKS = 4


def mask_submissions(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Submissions of masks for a rung, best first but for dummies."""
    stack = picture_stack(competition)
    truth = read_masks(competition, stack.shape[1], stack.shape[2])
    if rung == "dummy":
        yield from constant_masks(competition, truth)
        return
    random_seed = competition.random_seed
    learnt = partial(halves, random_seed=random_seed)
    if rung == "naive":
        pixels = bare_pixels(stack)
        found = {
            "trees on pixels": learnt(pixels, truth, boosted_chance),
            "logistic on pixels": learnt(pixels, truth, logistic_chance),
        }
    else:
        pixels = surroundings(stack, competition.frame)
        trees = learnt(pixels, truth, boosted_chance)
        both = (trees + learnt(pixels, truth, logistic_chance)) / 2
        described = [described_parts(both, share, stack) for share in CANDIDATE_SHARES]
        again = learnt(in_context(both, *described[0]), truth, boosted_chance)
        found = {
            "trees on surroundings": trees,
            "both on surroundings": both,
            "context": again,
            "context and surroundings": (both + again) / 2,
        }
        for share, (parts, columns) in zip(CANDIDATE_SHARES, described, strict=True):
            found[f"parts over {share:g}"] = judged_parts(parts, columns, truth, random_seed)
    beta = competition.settings.get("beta", 1.0)
    scored = {name: best_level(chance[: len(truth)], truth, beta) for name, chance in found.items()}
    for name in sorted(scored, key=lambda name: -scored[name][0])[:MOST_OFFERED]:
        _, level, least = scored[name]
        masks = without_dust(found[name][len(truth) :] >= level, least)
        yield name, mask_table(competition, masks)


def constant_masks(
    competition: Competition, truth: np.ndarray
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The sample, all pixels, those that are mostly marked, and training masks at random."""
    yield "sample", read_table(competition.folder / "sample_submission.csv")
    rows = len(competition.ids) - len(truth)
    share = truth.mean(axis=0, keepdims=True)
    beta = competition.settings.get("beta", 1.0)
    _, level, _ = best_level(np.broadcast_to(share, truth.shape), truth, beta)
    for name, mask in (("average", share >= level), ("all", np.ones_like(truth[:1]))):
        yield name, mask_table(competition, np.broadcast_to(mask, (rows, *truth.shape[1:])))
    for seed in range(RANDOM_MASKS):
        chosen = np.random.default_rng(seed).integers(0, len(truth), rows)
        yield "random", mask_table(competition, truth[chosen])


def in_context(chance: np.ndarray, parts: Parts, columns: np.ndarray) -> np.ndarray:
    """What a first model's probabilities (N, height, width) say around each pixel.

    Blurred, against the picture's highest, and as connected parts with all that these are like.
    """
    blurs = [chance, *(ndimage.gaussian_filter(chance, (0, size, size)) for size in (1, 2, 4))]
    highest = chance.max(axis=(1, 2), keepdims=True)
    shown = np.concatenate([np.full((1, columns.shape[1]), -1.0), columns])[parts.labels]
    return columns_of([*blurs, chance / (highest + 1e-3), *np.moveaxis(shown, 3, 0)])


def judged_parts(
    parts: Parts, columns: np.ndarray, truth: np.ndarray, random_seed: int
) -> np.ndarray:
    """The probability of each part to count, at all its pixels; 0 elsewhere."""
    order = np.arange(1, len(columns) + 1)
    seen = parts.picture < len(truth)
    counts = ndimage.mean(truth, parts.labels[: len(truth)], order[seen]) > 0.5
    fold = parts.picture % 2
    judged = np.zeros(len(columns))
    for index in range(2):
        known, asked = seen & (fold != index), ~seen | (fold == index)
        labels = counts[known[seen]]
        if not labels.any() or labels.all():
            judged[asked] += labels.all()
            continue
        model = ExtraTreesClassifier(
            60, min_samples_leaf=2, max_features=0.4, random_state=random_seed
        )
        judged[asked] += model.fit(columns[known], labels).predict_proba(columns[asked])[:, 1]
    judged[~seen] /= 2
    return np.asarray(np.concatenate([[0.0], judged])[parts.labels])


def described_parts(
    chance: np.ndarray, share: float, stack: np.ndarray
) -> tuple[Parts, np.ndarray]:
    """The connected parts likelier than a share of the likeliest, and what they are like."""
    planes = [chance]
    for channel in np.moveaxis(stack, 3, 0):
        fine, rough = (ndimage.gaussian_filter(channel, (0, size, size)) for size in (0.7, 4))
        planes += [fine - rough, fine]
    parts = parts_of(chance >= share * np.quantile(chance, 0.99))
    return parts, part_columns(parts, planes)


def best_level(chance: np.ndarray, truth: np.ndarray, beta: float) -> tuple[float, float, int]:
    """The mean F-beta score of the best level and least area, and these."""
    tried = [(mean_overlap(chance >= level, truth, beta), level, 0) for level in LEVELS]
    level = max(tried)[1]
    for least in LEAST_AREAS[1:]:
        masks = without_dust(chance >= level, least)
        tried.append((mean_overlap(masks, truth, beta), level, least))
    return max(tried)


def mean_overlap(masks: np.ndarray, truth: np.ndarray, beta: float) -> float:
    """The mean F-beta score of masks, that is Dice where beta is 1; two empty ones agree fully."""
    common, found, wanted = (plane.sum(axis=(1, 2)) for plane in (masks & truth, masks, truth))
    total = beta**2 * wanted + found
    return float(np.where(total > 0, (1 + beta**2) * common / np.maximum(total, 1e-9), 1.0).mean())


def without_dust(masks: np.ndarray, least: int) -> np.ndarray:
    """The masks without parts of fewer than `least` pixels."""
    if not least:
        return masks
    parts = parts_of(masks)
    area = np.bincount(parts.labels.ravel())
    area[0] = 0
    return np.asarray((area >= least)[parts.labels])


def read_masks(competition: Competition, height: int, width: int) -> np.ndarray:
    """The training masks (train, height, width) from their runs."""
    (target,) = competition.targets
    masks = np.zeros((competition.train, height * width), dtype=bool)
    for mask, cell in zip(masks, competition.labels[target].fillna(""), strict=True):
        runs = [int(number) for number in cell.split() if number.isdigit()]
        for start, length in zip(runs[::2], runs[1::2], strict=True):
            mask[start - 1 : start - 1 + length] = True
    if runs_down(competition):
        return masks.reshape(-1, width, height).transpose(0, 2, 1)
    return masks.reshape(-1, height, width)


def runs_down(competition: Competition) -> bool:
    """Whether pixels are counted down the columns; along the rows otherwise."""
    return competition.choices.get("order", "columns") == "columns"


def mask_table(competition: Competition, masks: np.ndarray) -> pd.DataFrame:
    """A submission of masks (test, height, width)."""
    flat = (masks.transpose(0, 2, 1) if runs_down(competition) else masks).reshape(len(masks), -1)
    edges = np.diff(flat.astype(np.int8), axis=1, prepend=0, append=0)
    cells = []
    for row in edges:
        starts, ends = np.flatnonzero(row == 1), np.flatnonzero(row == -1)
        runs = np.stack([starts + 1, ends - starts], axis=1).ravel()
        cells.append(" ".join(map(str, runs)) or "-")
    ids = competition.ids[competition.train :]
    return pd.DataFrame({competition.identifier: ids, competition.columns[0]: cells})
