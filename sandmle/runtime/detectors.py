"""Sensors in space: where those of a detector hang."""

import numpy as np


def detector_places(strings: int, depths: int) -> np.ndarray:
    """Where the sensors of a detector hang: `depths` on each of `strings` x `strings` cables.

    Coordinates (sensors, 3) from -1 to 1, cable after cable and from the top down. Cables in every
    other row stand half a step aside, so that no plane of the detector is empty.
    """
    step = 2.0 / max(1, strings - 1)
    row, column, depth = np.meshgrid(
        np.arange(strings), np.arange(strings), np.arange(depths), indexing="ij"
    )
    across = (column - (strings - 1) / 2 + 0.25 * (row % 2 * 2 - 1)) * step
    along = (row - (strings - 1) / 2) * step
    down = 1.0 - 2.0 * depth / max(1, depths - 1)
    return np.round(np.stack([across, along, down], axis=3).reshape(-1, 3), 3)
