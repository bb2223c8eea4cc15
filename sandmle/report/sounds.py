"""Sounds of samples, made small enough to be seen at a glance."""

from __future__ import annotations

import io
import wave
from itertools import pairwise

#: Columns of a waveform's drawing.
_COLUMNS = 120


def loudness(sound: bytes, columns: int = _COLUMNS) -> tuple[float, ...]:
    """The height of a WAV's wave in each of `columns` even parts, from 0 to 1.

    Of its first channel. Raises wave.Error where it is no WAV of 8 or 16 bits.
    """
    with wave.open(io.BytesIO(sound), "rb") as file:
        width, channels = file.getsampwidth(), file.getnchannels()
        frames = file.readframes(file.getnframes())
    if width == 1:
        values = [abs(value - 128) / 128 for value in frames[::channels]]
    elif width == 2:
        values = [abs(value) / 32768 for value in memoryview(frames).cast("h")[::channels].tolist()]
    else:
        raise wave.Error(f"a sample of {8 * width} bits")
    columns = max(1, min(columns, len(values)))
    edges = [len(values) * index // columns for index in range(columns + 1)]
    return tuple(max(values[start:end], default=0.0) for start, end in pairwise(edges))


def waveform(sound: bytes, width: float, height: float) -> str:
    """The points of an SVG polygon of the wave's height, mirrored, as sound editors draw it."""
    heights = loudness(sound)
    top = max(max(heights), 1e-9)
    step, middle = width / max(1, len(heights) - 1), height / 2
    upper = [
        (step * index, middle - (middle - 1) * value / top) for index, value in enumerate(heights)
    ]
    lower = [(x, height - y) for x, y in reversed(upper)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in upper + lower)
