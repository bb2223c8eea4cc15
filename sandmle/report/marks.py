"""Targets that are places in a picture, drawn on the picture: masks, boxes, centres, clean halves.

A target is read as train.csv writes it, in the form that the description states.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

#: Where the clean pictures of a restoration lie.
_CLEAN = "train_clean"

#: The colour of marks, and how much of it lies over the pixels of a mask.
_COLOUR, _SHARE = (230, 60, 40), 0.55

#: Pixels between a damaged picture and its clean one, and half the size of a centre's cross.
_GAP, _CROSS = 2, 2


def pictures_with_target(pictures: Mapping[str, bytes], form: str, target: str) -> dict[str, bytes]:
    """A sample's pictures by path, with what the target says of them drawn in.

    `form` is the form of submissions that the description states, `target` a cell of train.csv.
    """
    clean = {path: content for path, content in pictures.items() if _is_clean(path)}
    shown = {path: content for path, content in pictures.items() if path not in clean}
    if clean:
        (after,) = clean.values()
        return {path: _side_by_side(before, after) for path, before in shown.items()}
    draw = {"run_lengths": _mask, "bounding_boxes": _boxes, "centres": _centres}
    kind = form.split(" ")[0]
    if kind not in draw or target in ("", "-"):
        return shown
    return {path: draw[kind](content, form, target) for path, content in shown.items()}


def target_in_short(form: str, target: str) -> str:
    """A target that is shown in a picture, as a few words; other targets as they are."""
    words = target.split()
    if form.startswith("run_lengths"):
        pixels = sum(map(int, words[1::2])) if target != "-" else 0
        return f"{pixels} px"
    fields = {"bounding_boxes": 6, "centres": 3}.get(form.split(" ")[0])
    if fields is None:
        return target
    count = 0 if target == "-" else len(words) // fields
    return f"{count} object{'s' * (count != 1)}"


def _is_clean(path: str) -> bool:
    return PurePosixPath(path).parts[0] == _CLEAN


def _side_by_side(before: bytes, after: bytes) -> bytes:
    import PIL.Image

    left, right = (
        PIL.Image.open(io.BytesIO(content)).convert("RGB") for content in (before, after)
    )
    both = PIL.Image.new("RGB", (left.width + _GAP + right.width, left.height), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width + _GAP, 0))
    return _png(both)


def _mask(picture: bytes, form: str, target: str) -> bytes:
    """The picture with the pixels of runs tinted; runs count from 1, by columns or rows."""
    import numpy as np
    import PIL.Image

    pixels = np.asarray(PIL.Image.open(io.BytesIO(picture)).convert("RGB"), dtype=float)
    height, width = pixels.shape[:2]
    flat = np.zeros(height * width, dtype=bool)
    numbers = list(map(int, target.split()))
    for start, length in zip(numbers[::2], numbers[1::2], strict=True):
        flat[start - 1 : start - 1 + length] = True
    by_rows = "order = rows" in form
    mask = flat.reshape(height, width) if by_rows else flat.reshape(width, height).T
    tinted = (1 - _SHARE) * pixels + _SHARE * np.array(_COLOUR)
    drawn = np.where(mask[:, :, None], tinted, pixels).astype(np.uint8)
    return _png(PIL.Image.fromarray(drawn))


def _boxes(picture: bytes, form: str, target: str) -> bytes:
    import PIL.Image
    import PIL.ImageDraw

    image = PIL.Image.open(io.BytesIO(picture)).convert("RGB")
    pen = PIL.ImageDraw.Draw(image)
    words = target.split()
    for first in range(0, len(words), 6):
        left, top, width, height = map(float, words[first + 2 : first + 6])
        pen.rectangle((left, top, left + width - 1, top + height - 1), outline=_COLOUR)
    return _png(image)


def _centres(picture: bytes, form: str, target: str) -> bytes:
    import PIL.Image
    import PIL.ImageDraw

    image = PIL.Image.open(io.BytesIO(picture)).convert("RGB")
    pen = PIL.ImageDraw.Draw(image)
    words = target.split()
    for first in range(0, len(words), 3):
        x, y = (round(float(word)) for word in words[first + 1 : first + 3])
        pen.line((x - _CROSS, y, x + _CROSS, y), fill=_COLOUR)
        pen.line((x, y - _CROSS, x, y + _CROSS), fill=_COLOUR)
    return _png(image)


def _png(image: Image) -> bytes:
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()
