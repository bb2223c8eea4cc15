"""Directions as azimuth and zenith, and as points on the unit sphere, which models can learn."""

from __future__ import annotations

import numpy as np


def sphere_points(azimuth: np.ndarray, zenith: np.ndarray) -> dict[str, np.ndarray]:
    """The coordinates of directions in radians, (rows,) each."""
    return {
        "x": np.cos(azimuth) * np.sin(zenith),
        "y": np.sin(azimuth) * np.sin(zenith),
        "z": np.cos(zenith),
    }


def sphere_angles(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Azimuth from 0 to 2 pi and zenith from 0 to pi of points (rows,), at any distance."""
    return np.arctan2(y, x) % (2 * np.pi), np.arctan2(np.hypot(x, y), z)
