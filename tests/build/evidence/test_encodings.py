"""What files of pictures and sounds say beside what they show."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sandmle.build.evidence.encodings import AFTER, encoding, pixels
from tests.build.audits.planting import png
from tests.build.audits.test_file_metadata import jpeg, sound


def test_what_headers_say() -> None:
    pixels = np.zeros((5, 7), np.uint8)
    said = encoding(png(pixels, {"Comment": "x"}) + b"rest")
    assert (said["width"], said["height"], said[AFTER]) == (7, 5, b"rest")
    assert said["tEXt"] == b"Comment\0x"
    said = encoding(jpeg(pixels) + b"rest")
    assert (said["width"], said["height"], said[AFTER]) == (7, 5, b"rest")
    said = encoding(sound(8000, b"note") + b"rest")
    assert (said["rate"], said["channels"], said["bits"], said[AFTER]) == (8000, 1, 16, b"rest")
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="BMP")
    assert encoding(buffer.getvalue())["width"] == 7
    assert encoding(png(pixels)[:20]) == {"unreadable": 1.0}
    assert encoding(b"text") == {}


MAGIC = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8",
    b"RIFF1234WAVE",
    b"\x93NUMPY",
    b"\x1f\x8b",
    b"GIF89a",
    b"BM",
]


@given(st.sampled_from(MAGIC), st.binary(max_size=60))
def test_broken_files_say_something_or_nothing(magic: bytes, rest: bytes) -> None:
    encoding(magic + rest)
    assert isinstance(pixels(magic + rest), bytes)


def test_pixels_do_not_depend_on_how_they_are_packed() -> None:
    shown = np.random.default_rng(0).integers(0, 256, (6, 5)).astype(np.uint8)
    assert pixels(png(shown, level=9)) == pixels(png(shown)) == shown.tobytes()
    assert pixels(b"no picture") == b"no picture"
