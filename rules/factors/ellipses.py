"""A mask of ellipses that don't touch: cells, nuclei, craters, tree crowns.

Difficulty: rises as `radius` falls, for then more of a mask is outline.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import stretch

YIELDS = "mask"
PARAMETERS = {
    "size": {"$ref": "#/$defs/size"},
    "count": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 16},
        "minItems": 2,
        "maxItems": 2,
        "description": "fewest and most ellipses; fewer where there is no room",
        "examples": [[2, 5]],
    },
    "number": {
        "$ref": "#/$defs/number_factor",
        "description": "sets how many each picture has, within `count`",
    },
    "radius": {
        "type": "array",
        "items": {"type": "number", "minimum": 1, "maximum": 20},
        "minItems": 2,
        "maxItems": 2,
        "description": "least and greatest mean radius, in pixels",
        "examples": [[3, 6], [2.5, 5]],
    },
    "elongation": {
        "type": "number",
        "minimum": 1,
        "maximum": 4,
        "description": "greatest ratio of long to short axis",
    },
}


def ellipses(
    rng: np.random.Generator,
    samples: int,
    *,
    size: tuple[int, int] = (32, 32),
    count: tuple[int, int] = (2, 5),
    number: np.ndarray | None = None,
    radius: Sequence[float] = (3.0, 6.0),
    elongation: float = 1.6,
) -> np.ndarray:
    masks = np.zeros((samples, size[1], size[0]), dtype=bool)
    down, across = np.mgrid[: size[1], : size[0]] + 0.5
    wanted = rng.integers(count[0], count[1], samples, endpoint=True)
    if number is not None:
        wanted = np.rint(stretch(number, *count)).astype(int)
    # A tenth try finds no room that nine have missed, mostly.
    places = rng.uniform(0.0, 1.0, (9, count[1], 2, samples)) * np.array(size)[:, None]
    reach = rng.uniform(*radius, (count[1], samples))
    stretched = np.sqrt(rng.uniform(1.0, elongation, (count[1], samples)))
    turn = rng.uniform(0.0, np.pi, (count[1], samples))
    for index in range(count[1]):
        left = np.flatnonzero(wanted > index)
        for place in places[:, index]:
            x, y = across - place[0, left, None, None], down - place[1, left, None, None]
            cosine, sine = np.cos(turn[index, left]), np.sin(turn[index, left])
            along = x * cosine[:, None, None] + y * sine[:, None, None]
            aside = y * cosine[:, None, None] - x * sine[:, None, None]
            long = (reach[index, left] * stretched[index, left])[:, None, None]
            short = (reach[index, left] / stretched[index, left])[:, None, None]
            room = (along / (long + 2)) ** 2 + (aside / (short + 2)) ** 2 <= 1
            fits = ~(masks[left] & room).any(axis=(1, 2))
            drawn = (along / long) ** 2 + (aside / short) ** 2 <= 1
            masks[left[fits]] |= drawn[fits]
            left = left[~fits]
    return masks
