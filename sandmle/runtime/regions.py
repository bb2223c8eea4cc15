"""Regions: the connected parts of masks, all samples at once."""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage


@dataclass(frozen=True)
class Regions:
    """The connected parts of masks (samples, height, width); diagonal neighbours are connected.

    `labels` has the masks' shape and holds 0 for the background, else a part's number from 1; no
    two parts share a number. The rest are arrays over the parts: the sample of each, its area in
    pixels, its elongation (long over short axis, from second moments), and its box (left, top,
    width, height).
    """

    labels: np.ndarray
    sample: np.ndarray
    area: np.ndarray
    elongation: np.ndarray
    box: np.ndarray

    def kept(self, keep: np.ndarray) -> np.ndarray:
        """The mask of the parts for which `keep` (parts,) holds."""
        return np.asarray(np.concatenate([[False], keep])[self.labels])


def find_regions(masks: np.ndarray) -> Regions:
    """The connected parts of `masks` (samples, height, width)."""
    within = np.zeros((3, 3, 3), dtype=int)
    within[1] = 1
    labels, count = ndimage.label(masks, within)
    sample, row, column = np.nonzero(labels)
    part = labels[sample, row, column] - 1
    area = np.bincount(part, minlength=count)
    owner = np.zeros(count, dtype=int)
    owner[part] = sample
    first, last = np.full((2, count), masks.size), np.full((2, count), -1)
    for axis, place in enumerate((column, row)):
        np.minimum.at(first[axis], part, place)
        np.maximum.at(last[axis], part, place)
    middle = [np.bincount(part, place, count) / area for place in (column, row)]
    x, y = column - middle[0][part], row - middle[1][part]
    # A pixel is a square, whose own second moment is a twelfth.
    across, down = (np.bincount(part, d * d, count) / area + 1 / 12 for d in (x, y))
    both = np.bincount(part, x * y, count) / area
    half = np.sqrt((across - down) ** 2 / 4 + both**2)
    mean = (across + down) / 2
    elongation = np.round(np.sqrt((mean + half) / np.maximum(mean - half, 1e-9)), 6)
    box = np.stack([*first, *(last - first + 1)], axis=1)
    return Regions(labels, owner, area, elongation, box)
