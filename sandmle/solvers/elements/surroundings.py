"""What can be measured at every pixel: by itself, and from what lies around it.

A stack of pictures has shape (N, height, width, channels), values in [0, 1]; measurements have
shape (N, height, width, columns), as 32-bit floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import ndimage

from sandmle.solvers.measures.images import read_images
from sandmle.solvers.reading import Competition

#: Blurs, in pixels.
BLURS = (1.0, 2.0, 4.0, 8.0)
#: Pictures of one place may have moved against each other by so many pixels.
FARTHEST_MOVE = 4
#: How far around a part other things are looked for, in pixels.
RING_WIDTH = 3


def picture_stack(competition: Competition) -> np.ndarray:
    """All series of images that have the size of the first, side by side as channels."""
    stacks = [read_images(paths) for paths in competition.images.values()]
    return np.concatenate(
        [stack for stack in stacks if stack.shape[:3] == stacks[0].shape[:3]], axis=3
    )


def bare_pixels(stack: np.ndarray) -> np.ndarray:
    """Each pixel's channels, row and column."""
    return columns_of([*np.moveaxis(stack, 3, 0), *places_of(stack.shape[:3])[:2]])


def surroundings(stack: np.ndarray, known: pd.DataFrame) -> np.ndarray:
    """The same with each channel's surroundings, the channels against each other, and `known`:
    a table of N rows whose numbers hold for a whole picture."""
    channels = list(np.moveaxis(stack, 3, 0).astype(np.float32))
    found = [*places_of(stack.shape[:3])]
    for channel in channels:
        found += neighbourhood(channel)
    for left, right in pairwise(channels):
        found += [left - right, ndimage.gaussian_filter(left - right, (0, 1, 1))]
        moved = left - brought_over(right, left)
        found += [moved, ndimage.gaussian_filter(moved, (0, 1, 1))]
    for name in known:
        values = pd.to_numeric(known[name], errors="coerce")
        codes = values if values.notna().any() else pd.Series(pd.factorize(known[name])[0])
        found.append(
            np.broadcast_to(codes.fillna(codes.median()).to_numpy()[:, None, None], stack.shape[:3])
        )
    return columns_of(found)


def columns_of(found: Sequence[np.ndarray]) -> np.ndarray:
    """Planes (N, height, width) side by side."""
    return np.stack(found, axis=3, dtype=np.float32)


def places_of(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Row, column and distance to the border."""
    _, height, width = shape
    down, across = np.mgrid[:height, :width]
    border = np.minimum(np.minimum(down, height - 1 - down), np.minimum(across, width - 1 - across))
    return [np.broadcast_to(plane, shape) for plane in (down, across, border)]


def neighbourhood(channel: np.ndarray) -> list[np.ndarray]:
    """One channel at several scales: tone, contrast, edges, ridges, roughness, direction, rank."""
    blurs = [channel, *(ndimage.gaussian_filter(channel, (0, size, size)) for size in BLURS)]
    whole = channel.mean(axis=(1, 2), keepdims=True)
    spread = channel.std(axis=(1, 2), keepdims=True) + 1e-3
    found = [*blurs[:3], *(blurs[at] - blurs[at + 1] for at in range(4))]
    found += [blurs[1] - blurs[3], blurs[1] - blurs[4], (blurs[1] - whole) / spread]
    found.append(np.broadcast_to(channel.mean(axis=2, keepdims=True) - whole, channel.shape))
    found.append(ndimage.median_filter(channel, (1, 3, 3)))
    lowest, highest = (
        extreme(blurs[1], (1, 9, 9)) for extreme in (ndimage.minimum_filter, ndimage.maximum_filter)
    )
    found += [(blurs[1] - lowest) / (highest - lowest + 1e-3), highest - lowest]
    for size in (1.0, 2.5):
        mean = ndimage.gaussian_filter(channel, (0, size, size))
        square = ndimage.gaussian_filter(channel**2, (0, size, size))
        found.append(np.sqrt(np.maximum(square - mean**2, 0)))
    for smooth in blurs[1:3]:
        down, across = np.gradient(smooth, axis=(1, 2))
        found.append(np.hypot(down, across))
        found += ridges(smooth)
    return found + directions(channel)


def ridges(smooth: np.ndarray) -> list[np.ndarray]:
    """The two curvatures: both low on a bright spot, one low on a bright line."""
    down, across = np.gradient(smooth, axis=(1, 2))
    (both_down, mixed), both_across = np.gradient(down, axis=(1, 2)), np.gradient(across, axis=2)
    mean = (both_down + both_across) / 2
    half = np.sqrt(((both_down - both_across) / 2) ** 2 + mixed**2)
    return [mean - half, mean + half]


def directions(channel: np.ndarray) -> list[np.ndarray]:
    """How much of the change around a pixel runs which way: cosine and sine of twice the angle."""
    down, across = np.gradient(channel, axis=(1, 2))
    squares = [across**2 - down**2, 2 * across * down, across**2 + down**2]
    cosine, sine, total = (ndimage.gaussian_filter(square, (0, 2, 2)) for square in squares)
    return [cosine / (total + 1e-5), sine / (total + 1e-5), np.sqrt(np.maximum(total, 0))]


def brought_over(moved: np.ndarray, fixed: np.ndarray) -> np.ndarray:
    """Each picture of `moved` (N, height, width) shifted to where it is most like `fixed`."""
    steps = range(-FARTHEST_MOVE, FARTHEST_MOVE + 1)
    shifts = [(down, across) for down in steps for across in steps]
    frequencies = np.fft.rfft2(fixed - fixed.mean((1, 2), keepdims=True))
    frequencies *= np.conj(np.fft.rfft2(moved - moved.mean((1, 2), keepdims=True)))
    likeness = np.fft.irfft2(frequencies, s=fixed.shape[1:])
    best = np.argmax([likeness[:, down, across] for down, across in shifts], axis=0)
    result = np.empty_like(moved)
    for index, shift in enumerate(shifts):
        chosen = best == index
        result[chosen] = np.roll(moved[chosen], shift, axis=(1, 2))
    return result


@dataclass(frozen=True)
class Parts:
    """The connected parts of masks (N, height, width): `labels` from 1, 0 outside, and the number
    of the picture that each part is in."""

    labels: np.ndarray
    picture: np.ndarray


def parts_of(mask: np.ndarray) -> Parts:
    """The connected parts, diagonal neighbours together."""
    within = np.zeros((3, 3, 3), dtype=int)
    within[1] = 1
    labels, count = ndimage.label(mask, within)
    picture = np.zeros(count, dtype=int)
    picture[labels[mask] - 1] = np.nonzero(mask)[0]
    return Parts(labels, picture)


def part_columns(parts: Parts, planes: Sequence[np.ndarray]) -> np.ndarray:
    """What can be said of each part, shape (parts, columns).

    Its form, its rank among the parts of its picture, and what `planes` (N, height, width) hold in
    it and in a ring around it.
    """
    grown = ndimage.maximum_filter(parts.labels, (1, 2 * RING_WIDTH + 1, 2 * RING_WIDTH + 1))
    count, ring = len(parts.picture), np.where(parts.labels > 0, 0, grown)
    found = [*part_forms(parts)]
    for plane in planes:
        mean, _, highest = within_labels(plane, parts.labels, count)
        found += [mean, highest, *within_labels(plane, ring, count)]
    return np.nan_to_num(np.stack(found, axis=1)) if count else np.zeros((0, len(found)))


def within_labels(plane: np.ndarray, labels: np.ndarray, count: int) -> list[np.ndarray]:
    """Mean, least and greatest value of a plane where each label from 1 to `count` stands.

    (count,) each; NaN where a label stands nowhere.
    """
    inside = labels > 0
    label = labels[inside] - 1
    order = np.argsort(label, kind="stable")
    values = plane[inside][order].astype(float)
    size = np.bincount(label, minlength=count)
    present = size > 0
    starts = (np.cumsum(size) - size)[present]
    found = []
    for measure in (np.add, np.minimum, np.maximum):
        measured = np.full(count, np.nan)
        measured[present] = measure.reduceat(values, starts) if len(values) else []
        found.append(measured)
    found[0] /= np.maximum(size, 1)
    return found


def part_forms(parts: Parts) -> list[np.ndarray]:
    """Place, size and form of each part, and how it stands among the parts of its picture."""
    count = len(parts.picture)
    place, row, column = np.nonzero(parts.labels)
    part = parts.labels[place, row, column] - 1
    area = np.bincount(part, minlength=count).astype(float)
    left, top, width, height = part_boxes(parts).T
    across, down = (np.bincount(part, where, count) / area for where in (column, row))
    x, y = column - across[part], row - down[part]
    wide, high, both = (np.bincount(part, p, count) / area for p in (x * x, y * y, x * y))
    reach = np.hypot(x, y)
    # Four corners straight or aslant, and a filled or an empty middle: square, cross, ring.
    corners = np.bincount(part, reach**2 * np.cos(4 * np.arctan2(y, x)), count) / area
    middle = np.bincount(part, reach < 0.25 * np.sqrt(area[part]), count) / area
    half, mean = np.sqrt((wide - high) ** 2 / 4 + both**2), (wide + high) / 2 + 1 / 12
    _, bottom_end, right_end = parts.labels.shape
    border = np.minimum.reduce([left, top, right_end - left - width, bottom_end - top - height])
    number = np.bincount(parts.picture, minlength=len(parts.labels))[parts.picture]
    largest = np.zeros(len(parts.labels))
    np.maximum.at(largest, parts.picture, area)
    return [
        across, down, border, area, width, height, area / (width * height),
        np.log(width / height), np.sqrt((mean + half) / np.maximum(mean - half, 1e-2)),
        both / mean, corners / mean, middle, mean / area, number, area / largest[parts.picture],
        rank_in_picture(parts, area),
    ]  # fmt: skip


def rank_in_picture(parts: Parts, values: np.ndarray) -> np.ndarray:
    """0 for the part of each picture with the largest value, 1 for the next, ..."""
    order = np.lexsort((-values, parts.picture))
    first = np.searchsorted(parts.picture[order], parts.picture[order])
    rank = np.empty(len(values))
    rank[order] = np.arange(len(values)) - first
    return rank


def part_boxes(parts: Parts) -> np.ndarray:
    """Left, top, width and height of each part, shape (parts, 4)."""
    found = [
        (across.start, down.start, across.stop - across.start, down.stop - down.start)
        for _, down, across in ndimage.find_objects(parts.labels)
    ]
    return np.array(found, dtype=float).reshape(-1, 4)
