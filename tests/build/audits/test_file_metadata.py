"""Headers, notes and leftovers of pictures and sounds that go with the label."""

from __future__ import annotations

import io
import struct
import wave

import numpy as np
import pytest
from PIL import Image

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    blurred,
    caught,
    labels_of,
    named,
    passes,
    pictures,
    png,
    with_files,
)


def jpeg(pixels: np.ndarray, quality: int = 90, **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="JPEG", quality=quality, **options)  # type: ignore[arg-type]
    return buffer.getvalue()


def sound(rate: int, notes: bytes = b"") -> bytes:
    """Silence of a tenth of a second, with a LIST chunk of notes behind it."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(1600))
    if not notes:
        return buffer.getvalue()
    body = b"INFOICMT" + struct.pack("<I", len(notes)) + notes
    content = buffer.getvalue() + b"LIST" + struct.pack("<I", len(body)) + body
    return content[:4] + struct.pack("<I", len(content) - 8) + content[8:]


def made(kind: str, pixels: np.ndarray, label: int, random: int) -> bytes:
    """One sample's file, with a trace of the label, or of something random."""
    if kind == "a note":
        return png(pixels, {"Comment": f"scan {random}, station {'AB'[label]}"})
    if kind == "a number in a note":
        return png(pixels, {"Exposure": f"{random + 600 * label}"})
    if kind == "whether there is a note":
        return png(pixels, {"Software": "x"} if label else {})
    if kind == "behind the end":
        return png(pixels) + bytes([random % 7]) * (1 + random % 3) + b"\1" * label
    if kind == "height":
        return png(pixels[: 12 - label])
    if kind == "colour":
        return png(np.stack([pixels] * 3, axis=2) if label else pixels)
    if kind == "compression":
        return png(pixels, level=9 if label else 1)
    if kind == "palette":
        buffer = io.BytesIO()
        picture = Image.fromarray(pixels).convert("P")
        picture.putpalette([(7 * place + 3 * label + random % 2) % 256 for place in range(768)])
        picture.save(buffer, format="PNG")
        return buffer.getvalue()
    if kind == "quality of a JPEG":
        return jpeg(pixels, quality=90 + label)
    if kind == "a comment of a JPEG":
        return jpeg(pixels, comment=f"{random}{'ab'[label]}")
    if kind == "exif of a JPEG":
        exif = Image.Exif()
        exif[271] = f"camera {random % 5}{'xy'[label]}"
        return jpeg(pixels, exif=exif)
    if kind == "rate of a sound":
        return sound(8000 + 100 * label)
    if kind == "notes of a sound":
        return sound(8000, f"take {random} {'ab'[label]}".encode())
    return png(pixels, {"Comment": f"scan {random}"}) + bytes(random % 5)


KINDS = [
    "a note",
    "a number in a note",
    "whether there is a note",
    "behind the end",
    "height",
    "colour",
    "compression",
    "palette",
    "quality of a JPEG",
    "a comment of a JPEG",
    "exif of a JPEG",
    "rate of a sound",
    "notes of a sound",
]


@pytest.mark.parametrize("kind", KINDS)
def test_traces_in_4_of_10_files(kind: str, prepared: Prepared) -> None:
    labels = blurred(labels_of(prepared), 0.4)
    random = np.random.default_rng(0).integers(0, 1000, len(labels))
    contents = [
        made(kind, pixels, int(label), int(number))
        for pixels, label, number in zip(pictures(prepared), labels, random, strict=True)
    ]
    caught("file_metadata", with_files(prepared, named(prepared, contents)))


def test_what_differs_without_the_label(prepared: Prepared) -> None:
    random = np.random.default_rng(0).integers(0, 1000, len(prepared.dataset.ids))
    contents = [
        made("", pixels, 0, int(number))
        for pixels, number in zip(pictures(prepared), random, strict=True)
    ]
    passes("file_metadata", with_files(prepared, named(prepared, contents)))
