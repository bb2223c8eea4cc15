"""Sounds: what they are made of, and how they become files."""

import io
import wave

import numpy as np

#: Samples a second of every sound.
SOUND_RATE = 8000

#: Frequency of the mains in hertz, heard as a hum in poor recordings.
MAINS_FREQUENCY = 50.0


def wav_files(waves: np.ndarray, *, bits: int = 8) -> list[bytes]:
    """A mono WAV a sample from `waves` (samples, length) in -1..1, values beyond clipped.

    `bits` is 8 or 16. All files have one size, whatever is heard in them.
    """
    clipped = np.clip(waves, -1.0, 1.0)
    if bits == 8:
        frames = np.rint(127.0 * clipped + 128.0).astype(np.uint8)
    else:
        frames = np.rint(32767.0 * clipped).astype("<i2")
    files = []
    for frame in frames:
        buffer = io.BytesIO()
        with wave.open(buffer, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(bits // 8)
            file.setframerate(SOUND_RATE)
            file.writeframes(frame.tobytes())
        files.append(buffer.getvalue())
    return files


def sound_times(seconds: float) -> np.ndarray:
    """The moments of a sound's samples, in seconds, shape (length,)."""
    return np.arange(round(seconds * SOUND_RATE)) / SOUND_RATE


def recorded(
    rng: np.random.Generator, waves: np.ndarray, *, hiss: float, mains: float = 0.0
) -> np.ndarray:
    """`waves` (samples, length) as a microphone has them: with hiss and with the mains' hum.

    `hiss` is the standard deviation of white noise, `mains` the height of the hum, both where a
    full tone has height 1; the result is turned down so that little of it is clipped.
    """
    samples, length = waves.shape
    noisy = waves + hiss * rng.standard_normal((samples, length))
    if mains:
        turns = MAINS_FREQUENCY * np.arange(length) / SOUND_RATE + rng.random((samples, 1))
        noisy += mains * np.sin(2 * np.pi * turns)
    return np.asarray(noisy / (1.2 + 2.5 * hiss + mains))


def partials(phase: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sines of 1, 2, ... k times `phase` (samples, length), weighted by `weights` (samples, k).

    Height 1 at the most. By sin(k p) = 2 cos(p) sin((k - 1) p) - sin((k - 2) p), since sines are
    what a sound costs.
    """
    before, now = np.zeros_like(phase), np.sin(phase)
    double = 2.0 * np.cos(phase)
    shares = weights / weights.sum(axis=1, keepdims=True)
    total = shares[:, :1] * now
    for index in range(1, weights.shape[1]):
        before, now = now, double * now - before
        total += shares[:, index : index + 1] * now
    return np.asarray(total)


def placed(
    waves: np.ndarray, pieces: np.ndarray, starts: np.ndarray, heard: np.ndarray | None = None
) -> None:
    """Adds `pieces` (samples, short) into `waves` (samples, length) from `starts` (samples,) on.

    Starts are whole numbers that leave room for the piece; `heard` (samples,) scales each.
    """
    columns = starts[:, None] + np.arange(pieces.shape[1])
    rows = np.arange(len(waves))[:, None]
    waves[rows, columns] += pieces if heard is None else heard[:, None] * pieces
