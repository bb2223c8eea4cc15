"""Random fields and rows of pixels: what backgrounds, regions and grain are made of."""

import numpy as np
from scipy import ndimage


def smooth_fields(
    rng: np.random.Generator, shape: tuple[int, int, int], scale: float
) -> np.ndarray:
    """Random fields `shape` (samples, height, width) that change over about `scale` pixels.

    Each has mean 0 and standard deviation 1, and goes on over its edges at the opposite side, so
    that it may be rolled. Rounded, so that cutting it at a level is stable.
    """
    fields = rng.normal(0.0, 1.0, shape)
    if scale:
        fields = ndimage.gaussian_filter(fields, (0, scale, scale), mode="wrap")
    fields -= fields.mean(axis=(1, 2), keepdims=True)
    return np.asarray(np.round(fields / fields.std(axis=(1, 2), keepdims=True), 6))


def soften(images: np.ndarray, sigma: float) -> np.ndarray:
    """`images` (samples, height, width) as floats, blurred over `sigma` pixels."""
    images = images.astype(float)
    return np.asarray(ndimage.gaussian_filter(images, (0, sigma, sigma)) if sigma else images)
