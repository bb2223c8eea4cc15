"""Times of files that go with the label: on disk, and in dates that files hold."""

from __future__ import annotations

import io
import os
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from sandmle.build.audits.file_times import date
from sandmle.build.evidence.encodings import encoding
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    Changed,
    blurred,
    caught,
    labels_of,
    named,
    passes,
    pictures,
    png,
)


def scans(prepared: Prepared) -> list[bytes]:
    return [png(each) for each in pictures(prepared)]


def minutes(prepared: Prepared, kind: str) -> np.ndarray:
    """When each sample's file was made, in minutes."""
    labels, rng = labels_of(prepared), np.random.default_rng(0)
    by_chance = rng.permutation(len(labels))
    if kind == "one class after the other":
        return np.argsort(np.argsort(labels + 0.5 * rng.random(len(labels))))
    if kind == "one class later, in 7 of 10":
        return by_chance + 200 * blurred(labels, 0.7)
    if kind == "somewhat later":
        return np.argsort(np.argsort(rng.normal(size=len(labels)) + 0.9 * labels))
    return by_chance


TELLING = ["one class after the other", "one class later, in 7 of 10", "somewhat later"]


@pytest.mark.parametrize("kind", [*TELLING, "by chance"])
def test_times_on_disk(kind: str, prepared: Prepared, changed: Changed) -> None:
    task = changed(named(prepared, scans(prepared)))
    for name, minute in zip(prepared.dataset.ids, minutes(prepared, kind), strict=True):
        moment = 1_700_000_000 + 60 * int(minute)
        os.utime(task.public / f"scans/{name}.png", (moment, moment))
    if kind in TELLING:
        caught("file_times", task)
    else:
        passes("file_times", task)


def with_chunk(scan: bytes, name: bytes, body: bytes) -> bytes:
    """A PNG with another chunk before its end."""
    check = struct.pack(">I", zlib.crc32(name + body))
    return scan[:-12] + struct.pack(">I", len(body)) + name + body + check + scan[-12:]


@pytest.mark.parametrize("kind", [TELLING[-1], "by chance"])
def test_dates_in_pictures(kind: str, prepared: Prepared, changed: Changed) -> None:
    bodies = [
        struct.pack(">H5B", 2024, 3, 1 + minute // 1440, minute // 60 % 24, minute % 60, 0)
        for minute in map(int, minutes(prepared, kind))
    ]
    contents = [
        with_chunk(scan, b"tIME", body) for scan, body in zip(scans(prepared), bodies, strict=True)
    ]
    task = changed(named(prepared, contents))
    if kind in TELLING:
        assert "date" in caught("file_times", task)
    else:
        passes("file_times", task)


def test_the_date_of_a_photograph() -> None:
    exif = Image.Exif()
    exif[306] = "2024:03:05 10:20:30"
    buffer = io.BytesIO()
    Image.fromarray(np.zeros((8, 8), np.uint8)).save(buffer, format="JPEG", exif=exif)
    assert date(encoding(buffer.getvalue())) == 20240305102030
