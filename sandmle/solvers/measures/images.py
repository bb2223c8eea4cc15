"""What can be measured on small images, all images of a task at once.

An image stack has shape (N, height, width, channels) with values in [0, 1].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from scipy import ndimage

#: Images larger than this are shrunk, in pixels a side.
LARGEST_SIDE = 64
#: Components smaller than this many pixels are dust.
SMALLEST_COMPONENT = 3
ANGLE_BINS = 8
FREQUENCY_BANDS = 5


def read_images(paths: Sequence[Path]) -> np.ndarray:
    """The images as one stack, all brought to the size of the first."""
    images = []
    size: tuple[int, int] | None = None
    for path in paths:
        with Image.open(path) as opened:
            image = opened.convert("RGB") if opened.mode not in ("L", "RGB") else opened.copy()
        if size is None:
            scale = min(1.0, LARGEST_SIDE / max(image.size))
            size = (round(image.width * scale), round(image.height * scale))
        if image.size != size:
            image = image.resize(size)
        array = np.asarray(image, dtype=np.float32) / 255
        images.append(array[:, :, None] if array.ndim == 2 else array)
    widest = max(image.shape[2] for image in images)
    return np.stack([np.broadcast_to(image, (*image.shape[:2], widest)) for image in images])


def changes(stacks: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """How far the images of a row differ: each from the one before, where their sizes agree.

    0.5 where nothing changes, so that a change is seen in either direction.
    """
    return {
        f"{name} less {before}": (1 + stacks[name] - stacks[before]) / 2
        for before, name in pairwise(stacks)
        if stacks[name].shape == stacks[before].shape
    }


def pixel_columns(stack: np.ndarray, *, side: int) -> pd.DataFrame:
    """Grey pixels of every image, averaged down to about `side` x `side`."""
    grey = stack.mean(axis=3)
    step = max(1, round(max(grey.shape[1:]) / side))
    height, width = (length // step * step for length in grey.shape[1:])
    blocks = grey[:, :height, :width].reshape(len(grey), height // step, step, width // step, step)
    flat = blocks.mean(axis=(2, 4)).reshape(len(grey), -1)
    return pd.DataFrame(flat, columns=[f"pixel {index}" for index in range(flat.shape[1])])


def image_columns(stack: np.ndarray) -> pd.DataFrame:
    """Everything below, side by side: about 110 numbers an image."""
    grey = stack.mean(axis=3)
    background = np.median(grey, axis=(1, 2), keepdims=True)
    contrast = np.abs(grey - background)
    found = {
        **colour_statistics(stack),
        **layout(grey, "grey"),
        **orientations(grey),
        **symmetries(grey),
        **texture(grey),
        **components(contrast),
        **shape_moments(contrast),
        **outlines(contrast),
        **landmarks(grey),
    }
    for name, channel in zip(("red", "green", "blue"), np.moveaxis(stack, 3, 0), strict=False):
        if stack.shape[3] == 3:
            found |= centroid(np.abs(channel - np.median(channel, (1, 2), keepdims=True)), name)
    return pd.DataFrame(found).astype(float)


def colour_statistics(stack: np.ndarray) -> dict[str, np.ndarray]:
    """Mean, spread and extremes of each channel, and each channel's share of the whole."""
    found = {}
    total = stack.mean(axis=(1, 2)).sum(axis=1) + 1e-6
    for index in range(stack.shape[3]):
        channel = stack[:, :, :, index].reshape(len(stack), -1)
        found[f"mean of channel {index}"] = channel.mean(axis=1)
        found[f"spread of channel {index}"] = channel.std(axis=1)
        found[f"bright end of channel {index}"] = np.percentile(channel, 95, axis=1)
        found[f"dark end of channel {index}"] = np.percentile(channel, 5, axis=1)
        if stack.shape[3] > 1:
            found[f"share of channel {index}"] = channel.mean(axis=1) / total
    return found


def layout(grey: np.ndarray, name: str) -> dict[str, np.ndarray]:
    """Means of the quadrants, of the centre, and differences between the halves."""
    height, width = grey.shape[1] // 2, grey.shape[2] // 2
    mean = grey.mean(axis=(1, 2))
    top, left = grey[:, :height].mean(axis=(1, 2)), grey[:, :, :width].mean(axis=(1, 2))
    centre = grey[:, height // 2 : -(height // 2), width // 2 : -(width // 2)].mean(axis=(1, 2))
    return {
        f"{name} top left": grey[:, :height, :width].mean(axis=(1, 2)),
        f"{name} top right": grey[:, :height, width:].mean(axis=(1, 2)),
        f"{name} bottom left": grey[:, height:, :width].mean(axis=(1, 2)),
        f"{name} bottom right": grey[:, height:, width:].mean(axis=(1, 2)),
        f"{name} top over bottom": top - mean,
        f"{name} left over right": left - mean,
        f"{name} centre over border": centre - mean,
    }


def orientations(grey: np.ndarray) -> dict[str, np.ndarray]:
    """The histogram of edge directions (mod 180 degrees), and the main direction of all edges."""
    smooth = ndimage.gaussian_filter(grey, (0, 1, 1))
    down, right = np.gradient(smooth, axis=(1, 2))
    energy = (down**2 + right**2).reshape(len(grey), -1)
    angle = np.arctan2(down, right).reshape(len(grey), -1) % np.pi
    total = energy.sum(axis=1) + 1e-9
    cosine = (energy * np.cos(2 * angle)).sum(axis=1) / total
    sine = (energy * np.sin(2 * angle)).sum(axis=1) / total
    found = {
        "edge energy": np.sqrt(total),
        "edge cosine": cosine,
        "edge sine": sine,
        "edge direction": np.arctan2(sine, cosine),
        "edge coherence": np.hypot(cosine, sine),
    }
    bins = np.minimum((angle / np.pi * ANGLE_BINS).astype(int), ANGLE_BINS - 1)
    for index in range(ANGLE_BINS):
        found[f"edges in direction {index}"] = np.where(bins == index, energy, 0).sum(1) / total
    return found


def symmetries(grey: np.ndarray) -> dict[str, np.ndarray]:
    """Correlation of each image with its mirror images and its half turn."""
    flat = grey - grey.mean(axis=(1, 2), keepdims=True)
    power = (flat**2).sum(axis=(1, 2)) + 1e-6
    mirrored = {
        "left-right symmetry": flat[:, :, ::-1],
        "top-bottom symmetry": flat[:, ::-1],
        "half-turn symmetry": flat[:, ::-1, ::-1],
    }
    if grey.shape[1] == grey.shape[2]:
        mirrored["diagonal symmetry"] = flat.transpose(0, 2, 1)
    return {name: (flat * other).sum(axis=(1, 2)) / power for name, other in mirrored.items()}


def texture(grey: np.ndarray) -> dict[str, np.ndarray]:
    """Shares of the spectrum's power by radius, its main radius and direction, and smoothness."""
    flat = grey - grey.mean(axis=(1, 2), keepdims=True)
    power = np.abs(np.fft.rfft2(flat)) ** 2
    vertical = np.fft.fftfreq(grey.shape[1])[:, None]
    horizontal = np.fft.rfftfreq(grey.shape[2])[None, :]
    radius = np.hypot(vertical, horizontal)
    total = power.sum(axis=(1, 2)) + 1e-6
    strongest = power.reshape(len(grey), -1).argmax(axis=1)
    angle = np.arctan2(*np.broadcast_arrays(vertical, horizontal)).ravel()[strongest]
    sharp = power**2
    found = {
        "main spatial frequency": radius.ravel()[strongest],
        "centre of strong frequencies": (sharp * radius).sum((1, 2)) / (sharp.sum((1, 2)) + 1e-9),
        "mean spatial frequency": (power * radius).sum(axis=(1, 2)) / total,
        "main wave cosine": np.cos(2 * angle),
        "main wave sine": np.sin(2 * angle),
        "likeness of neighbours across": (flat[:, :, 1:] * flat[:, :, :-1]).sum((1, 2)) / total,
        "likeness of neighbours down": (flat[:, 1:] * flat[:, :-1]).sum((1, 2)) / total,
    }
    scale = grey.shape[1] * grey.shape[2]
    found["likeness of neighbours across"] *= scale
    found["likeness of neighbours down"] *= scale
    edges = np.linspace(0, 0.5, FREQUENCY_BANDS + 1)
    for index, (low, high) in enumerate(pairwise(edges)):
        band = (radius > low) & (radius <= high)
        found[f"power in band {index}"] = power[:, band].sum(axis=1) / total
    return found


def components(contrast: np.ndarray) -> dict[str, np.ndarray]:
    """Counts and sizes of connected shapes against the background, and counts of peaks."""
    found: dict[str, np.ndarray] = {}
    for blur in (0.0, 1.0):
        smooth = ndimage.gaussian_filter(contrast, (0, blur, blur)) if blur else contrast
        top = np.percentile(smooth, 99, axis=(1, 2), keepdims=True)
        found |= count_components(smooth > 0.5 * top, f"blur {blur:g}")
        highest = ndimage.maximum_filter(smooth, (1, 5, 5)) == smooth
        found[f"peaks, blur {blur:g}"] = (highest & (smooth > 0.5 * top)).sum(axis=(1, 2))
    fixed = ndimage.gaussian_filter(contrast, (0, 0.7, 0.7)) > 0.15
    return found | count_components(fixed, "fixed level")


def count_components(mask: np.ndarray, name: str) -> dict[str, np.ndarray]:
    """Number and sizes of the 4-connected parts of each mask, and how many holes they have."""
    within = np.zeros((3, 3, 3), int)
    within[1] = ndimage.generate_binary_structure(2, 1)
    labelled, count = ndimage.label(mask, within)
    sizes = np.bincount(labelled.ravel(), minlength=count + 1)[1:]
    owner = np.zeros(count + 1, dtype=int)
    owner[labelled[mask]] = np.nonzero(mask)[0]
    kept = sizes >= SMALLEST_COMPONENT
    image, sizes = owner[1:][kept], sizes[kept]
    counts = np.bincount(image, minlength=len(mask))
    area = np.bincount(image, sizes, minlength=len(mask))
    largest = np.zeros(len(mask))
    np.maximum.at(largest, image, sizes)
    smallest = np.full(len(mask), float(mask[0].size))
    np.minimum.at(smallest, image, sizes)
    return {
        f"parts, {name}": counts,
        f"area, {name}": area,
        f"largest part, {name}": largest,
        f"smallest part, {name}": smallest,
        f"mean part, {name}": area / np.maximum(counts, 1),
    }


def centroid(weight: np.ndarray, name: str) -> dict[str, np.ndarray]:
    """Where the weight of each image lies, from -1 to 1 across and down."""
    weight = weight**2
    total = weight.sum(axis=(1, 2)) + 1e-9
    down = np.linspace(-1, 1, weight.shape[1])[None, :, None]
    across = np.linspace(-1, 1, weight.shape[2])[None, None, :]
    return {
        f"{name} across": (weight * across).sum(axis=(1, 2)) / total,
        f"{name} down": (weight * down).sum(axis=(1, 2)) / total,
    }


def shape_moments(contrast: np.ndarray) -> dict[str, np.ndarray]:
    """Centroid, extent and main axis of what stands out from the background."""
    places = centroid(contrast, "shape")
    weight = contrast**2
    total = weight.sum(axis=(1, 2)) + 1e-9
    down = np.linspace(-1, 1, weight.shape[1])[None, :, None]
    across = np.linspace(-1, 1, weight.shape[2])[None, None, :]
    down = down - places["shape down"][:, None, None]
    across = across - places["shape across"][:, None, None]
    vertical = (weight * down**2).sum(axis=(1, 2)) / total
    horizontal = (weight * across**2).sum(axis=(1, 2)) / total
    mixed = (weight * down * across).sum(axis=(1, 2)) / total
    spread = vertical + horizontal + 1e-9
    return {
        **places,
        "distance from centre": np.hypot(places["shape down"], places["shape across"]),
        "extent": np.sqrt(spread),
        "height over width": np.log((vertical + 1e-4) / (horizontal + 1e-4)),
        "axis cosine": (horizontal - vertical) / spread,
        "axis sine": 2 * mixed / spread,
        "axis direction": np.arctan2(2 * mixed, horizontal - vertical),
        "elongation": np.hypot(vertical - horizontal, 2 * mixed) / spread,
    }


def outlines(contrast: np.ndarray) -> dict[str, np.ndarray]:
    """Form of what stands out, whatever its place and size: fullness, hollowness, corners."""
    smooth = ndimage.gaussian_filter(contrast, (0, 0.7, 0.7))
    mask = smooth > 0.5 * np.percentile(smooth, 98, axis=(1, 2), keepdims=True)
    area = mask.sum(axis=(1, 2)) + 1e-9
    rows, columns = mask.any(axis=2).sum(axis=1), mask.any(axis=1).sum(axis=1)
    edge = (mask[:, 1:] != mask[:, :-1]).sum((1, 2)) + (mask[:, :, 1:] != mask[:, :, :-1]).sum(
        (1, 2)
    )
    down = np.arange(mask.shape[1])[None, :, None]
    across = np.arange(mask.shape[2])[None, None, :]
    down = down - (mask * down).sum(axis=(1, 2), keepdims=True) / area[:, None, None]
    across = across - (mask * across).sum(axis=(1, 2), keepdims=True) / area[:, None, None]
    distance = np.hypot(down, across)
    reach = (mask * distance).sum(axis=(1, 2)) / area
    spread = np.sqrt(np.maximum((mask * distance**2).sum(axis=(1, 2)) / area - reach**2, 0))
    core = distance < 0.5 * reach[:, None, None] + 0.5
    corners = np.cos(4 * np.arctan2(down, across)) * distance**2
    return {
        "mask area": area,
        "mask height": rows,
        "mask width": columns,
        "fullness of box": area / (rows * columns + 1e-9),
        "box height over width": np.log((rows + 1) / (columns + 1)),
        "edge over area": edge**2 / area,
        "spread of reach": spread / (reach + 1e-9),
        "core filled": (mask & core).sum(axis=(1, 2)) / (core.sum(axis=(1, 2)) + 1e-9),
        "corners": (mask * corners).sum(axis=(1, 2)) / (area * (reach**2 + 1e-9)),
    }


def landmarks(grey: np.ndarray) -> dict[str, np.ndarray]:
    """Where spots and hollows of two sizes lie, against each other and the centre of light."""
    light = np.maximum(grey - np.median(grey, axis=(1, 2), keepdims=True), 0)
    centre = centroid(light, "light")
    found: dict[str, np.ndarray] = {}
    for size in (1.3, 2.2):
        fine = ndimage.gaussian_filter(grey, (0, size, size))
        response = fine - ndimage.gaussian_filter(grey, (0, 1.8 * size, 1.8 * size))
        flat = response.reshape(len(grey), -1)
        spot, hollow = (
            np.unravel_index(places, grey.shape[1:])
            for places in (flat.argmax(axis=1), flat.argmin(axis=1))
        )
        for axis, length in enumerate(grey.shape[1:]):
            way = ("down", "across")[axis]
            position = spot[axis] / (length - 1) * 2 - 1
            found[f"spot of {size} {way}"] = position
            found[f"spot of {size} {way} from light"] = position - centre[f"light {way}"]
            found[f"spot of {size} {way} from hollow"] = (spot[axis] - hollow[axis]) / length
        found[f"strength of spot of {size}"] = flat.max(axis=1)
        found[f"strength of hollow of {size}"] = -flat.min(axis=1)
    return found
