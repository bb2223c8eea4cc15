"""A picture of a short text in a writing that nobody knows: a glyph for each of its signs.

Difficulty: rises with `grain`, and with the number of different signs. A line begins anywhere and
its gaps differ, so pixels by themselves say little.
"""

import numpy as np

from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
TASKS = ["seq2seq"]
SAYS = "a picture of a line of writing"
PARAMETERS = {
    "of": {"$ref": "#/$defs/text_factor", "examples": ["inscription"]},
    "size": {
        "type": "array",
        "items": {"type": "integer", "minimum": 12, "maximum": 96},
        "minItems": 2,
        "maxItems": 2,
        "description": "width and height in pixels; 6 wide and 9 high for each sign at the least",
    },
    "grain": {"$ref": "#/$defs/grain", "examples": [0.05, 0.1, 0.15]},
}

_GLYPH_HEIGHT = 7
_GLYPH_WIDTH = 4


def glyphs(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    size: tuple[int, int] = (64, 16),
    grain: float = 0.1,
) -> list[bytes]:
    width, height = size
    signs = sorted({sign for text in of for sign in str(text)})
    longest = max(len(str(text)) for text in of)
    if longest * (_GLYPH_WIDTH + 2) > width or height < _GLYPH_HEIGHT + 2:
        raise ValueError(
            f"{longest} glyphs need {longest * (_GLYPH_WIDTH + 2)} x {_GLYPH_HEIGHT + 2} pixels"
        )
    drawn = dict(zip(signs, _draw_glyphs(rng, len(signs)), strict=True))
    pixels = np.zeros((len(of), height, width))
    for picture, text in zip(pixels, of, strict=True):
        top = int(rng.integers(1, height - _GLYPH_HEIGHT))
        room = width - len(str(text)) * (_GLYPH_WIDTH + 2)
        left = 1 + int(rng.integers(0, room + 1))
        for sign in str(text):
            picture[top : top + _GLYPH_HEIGHT, left : left + _GLYPH_WIDTH] = 0.8 * drawn[sign]
            left += _GLYPH_WIDTH + 1 + int(rng.integers(0, 2))
    return png_files(0.1 + pixels + rng.normal(0.0, grain, pixels.shape))


def _draw_glyphs(rng: np.random.Generator, count: int) -> np.ndarray:
    """Glyphs (count, height, width), each far from all others, with something in every column."""
    kept: list[np.ndarray] = []
    least = 10
    while len(kept) < count:
        for glyph in rng.random((400, _GLYPH_HEIGHT, _GLYPH_WIDTH)) < 0.5:
            whole = glyph.any(axis=0).all() and glyph[0].any() and glyph[-1].any()
            if whole and all((glyph != other).sum() >= least for other in kept):
                kept.append(glyph)
        least -= 1
    return np.stack(kept[:count]).astype(float)
