"""Pictures as outputs: each pixel's brightness from itself, or from what lies around it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from sandmle.solvers.elements.pixel_models import (
    MOST_OFFERED,
    boosted_number,
    halves,
    linear_number,
)
from sandmle.solvers.elements.surroundings import (
    bare_pixels,
    columns_of,
    picture_stack,
    surroundings,
)
from sandmle.solvers.files import find_images, read_table
from sandmle.solvers.measures.images import read_images
from sandmle.solvers.reading import Competition

#: A pixel's raw neighbours reach so far.
PATCH_REACH = 2


def picture_submissions(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Submissions of pictures for a rung, best first but for dummies."""
    stack = picture_stack(competition)
    truth = read_clean(competition)
    rows = len(competition.ids) - len(truth)
    if rung == "dummy":
        yield "sample", read_table(competition.folder / "sample_submission.csv")
        for name, picture in (
            ("average", truth.mean(axis=0)),
            ("one tone", np.full(truth.shape[1:], truth.mean())),
            ("median tone", np.full(truth.shape[1:], np.median(truth))),
        ):
            yield name, pixel_table(competition, np.broadcast_to(picture, (rows, *picture.shape)))
        return
    learnt = partial(halves, random_seed=competition.random_seed)
    if rung == "naive":
        pixels = bare_pixels(stack)
        found = {
            "trees on pixels": learnt(pixels, truth, boosted_number),
            "line on pixels": learnt(pixels, truth, linear_number),
        }
        if stack.shape[3] == 1:
            found["unchanged"] = stack[..., 0]
    else:
        pixels = surroundings(stack, competition.frame)
        plane = learnt(np.concatenate([pixels, raw_patches(stack)], axis=3), truth, linear_number)
        trees = learnt(pixels, truth, boosted_number)
        # What neighbours were predicted to be tells more of a pixel than what they show.
        first = trees[..., None]
        near = [surroundings(first, competition.frame[[]]), raw_patches(first), bare_pixels(stack)]
        again = learnt(np.concatenate(near, axis=3), truth, boosted_number)
        found = {
            "trees on surroundings": trees,
            "plane on patches": plane,
            "both": (trees + plane) / 2,
            "trees on predictions": again,
            "trees on both": (trees + again) / 2,
        }
    error = {
        name: float(((values[: len(truth)] - truth) ** 2).mean()) for name, values in found.items()
    }
    for name in sorted(error, key=error.__getitem__)[:MOST_OFFERED]:
        yield name, pixel_table(competition, found[name][len(truth) :])


def raw_patches(stack: np.ndarray) -> np.ndarray:
    """The pixels around each, (N, height, width, columns); beyond the border, its own repeat."""
    reach = PATCH_REACH
    padded = np.pad(stack, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge")
    _, height, width, channels = stack.shape
    return columns_of(
        [
            padded[:, down : down + height, across : across + width, channel]
            for channel in range(channels)
            for down in range(2 * reach + 1)
            for across in range(2 * reach + 1)
        ]
    )


def read_clean(competition: Competition) -> np.ndarray:
    """The clean training pictures (train, height, width)."""
    known = competition.ids[: competition.train]
    folders = find_images(competition.folder, known)
    (paths,) = (paths for name, paths in folders.items() if name not in competition.images)
    return np.asarray(read_images(paths).mean(axis=3))


def pixel_table(competition: Competition, pictures: np.ndarray) -> pd.DataFrame:
    """A submission of pictures (test, height, width), a row a pixel."""
    sample = read_table(competition.folder / "sample_submission.csv")
    _, height, width = pictures.shape
    places = [f"_{row}_{column}" for row in range(1, height + 1) for column in range(1, width + 1)]
    names = [name + place for name in competition.ids[competition.train :] for place in places]
    values = pd.Series(np.clip(pictures, 0.0, 1.0).round(4).ravel(), index=names)
    keys = sample[competition.identifier]
    return pd.DataFrame(
        {competition.identifier: keys, competition.columns[0]: values[keys].to_numpy()}
    )
