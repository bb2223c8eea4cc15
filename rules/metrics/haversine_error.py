"""Mean of the 50th and the 95th percentile of the distances on the globe, in metres.

The first column is the latitude and the second the longitude, both in degrees; the earth is a
sphere of 6371 km. 0 for a perfect submission; a constant one scores by how far the places lie
apart.
Source: the score of the Google smartphone decimetre competition, there by trip: {kind: per_group,
of: haversine_error, by: ...}.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["multi_target"]
GREATER_IS_BETTER = False
ASKS = {
    "names": ["latitude", "longitude"],
    "title": "Where on the map {{ many }} are",
    "asks": "where on the map {{ one }} is, in degrees from a reference point",
}
BOUNDS = [0, 20015087]
PARAMETERS = {}


def haversine_error(truth: np.ndarray, prediction: np.ndarray) -> float:
    (latitude, longitude), (other, across) = (
        np.radians(truth[:, :2]).T,
        np.radians(prediction[:, :2]).T,
    )
    half = (
        np.sin((other - latitude) / 2) ** 2
        + np.cos(latitude) * np.cos(other) * np.sin((across - longitude) / 2) ** 2
    )
    metres = 2 * 6_371_000 * np.arcsin(np.sqrt(np.clip(half, 0, 1)))
    return float(np.mean(np.percentile(metres, [50, 95])))
