"""What can be measured on short sounds, all sounds of a task at once.

A stack of sounds has shape (N, length) with values in [-1, 1].
"""

from __future__ import annotations

import wave
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

AUDIO_SUFFIXES = (".wav",)

#: Samples a frame of the spectrogram, and from one frame to the next.
FRAME, HOP = 256, 64
#: Bands of the spectrum, as wide as the ear's from about 500 Hz on: evenly spaced in log frequency.
SOUND_BANDS = 20
LOWEST_BAND = 150.0
#: Parts that the heard part of a sound is cut into, and bands of each.
HEARD_PARTS, PART_BANDS = 5, 10
#: Rates in hertz at which loudness may rise and fall, and samples a point of the loudness.
SLOWEST_BEAT, FASTEST_BEAT, LOUDNESS_STEP = 3.0, 300.0, 8


def read_sounds(paths: Sequence[Path]) -> tuple[np.ndarray, int]:
    """The sounds as one stack, shorter ones filled up with silence, and their rate in hertz."""
    sounds: list[np.ndarray] = []
    rate = 0
    for path in paths:
        with wave.open(str(path), "rb") as file:
            rate, width = file.getframerate(), file.getsampwidth()
            channels, frames = file.getnchannels(), file.readframes(file.getnframes())
        if width == 1:
            whole = np.frombuffer(frames, np.uint8).astype(np.float32) - 128
        else:
            whole = np.frombuffer(frames, f"<i{width}").astype(np.float32)
        sound = whole / np.float32(2 ** (8 * width - 1))
        sounds.append(sound.reshape(-1, channels).mean(axis=1))
    longest = max(len(sound) for sound in sounds)
    stack = np.stack([np.pad(sound, (0, longest - len(sound))) for sound in sounds])
    return stack - stack.mean(axis=1, keepdims=True), rate


def coarse_spectrum_columns(stack: np.ndarray) -> pd.DataFrame:
    """Log power of each whole sound in bands of equal width: what any model gets first."""
    power = np.abs(np.fft.rfft(stack, axis=1)) ** 2
    bands = np.array_split(power[:, 1:], SOUND_BANDS, axis=1)
    return pd.DataFrame({f"band {i}": np.log(band.sum(1) + 1e-9) for i, band in enumerate(bands)})


def sound_columns(stack: np.ndarray, rate: int) -> pd.DataFrame:
    """Everything below but the parts, side by side: about 120 numbers a sound."""
    frequency, power = short_time_power(stack, rate)
    return pd.DataFrame(
        {
            **pitches(stack, rate),
            **pitch_track(frequency, power),
            **band_events(frequency, power),
            **loudness_shape(power),
            **beats(stack, rate),
            **strikes(stack, rate),
        }
    ).astype(float)


def short_time_power(stack: np.ndarray, rate: int) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (bins,) in hertz, and the power spectrum of each frame, (N, frames, bins)."""
    frames = np.lib.stride_tricks.sliding_window_view(stack, FRAME, axis=1)[:, ::HOP]
    window = np.hanning(FRAME).astype(np.float32)
    power = np.abs(np.fft.rfft(frames * window, axis=2)) ** 2
    return np.fft.rfftfreq(FRAME, 1 / rate), power.astype(np.float32)


def pitches(stack: np.ndarray, rate: int) -> dict[str, np.ndarray]:
    """The strongest frequencies of the whole sound, how they stand out, and zero crossings."""
    power = np.abs(np.fft.rfft(stack * np.hanning(stack.shape[1]), axis=1)) ** 2
    frequency = np.fft.rfftfreq(stack.shape[1], 1 / rate)
    audible = (frequency > 70) & (frequency < 0.48 * rate)
    frequency, power = frequency[audible], power[:, audible]
    row, peak = np.arange(len(power)), power.argmax(axis=1)
    strongest = frequency[peak]
    share = power / (power.sum(axis=1, keepdims=True) + 1e-12)
    centre = share @ frequency
    found = {
        "strongest frequency": strongest,
        "log of strongest frequency": np.log2(strongest),
        "share of strongest frequency": share[row, peak],
        "centre of sound": centre,
        "width of sound": np.sqrt(np.maximum(share @ frequency**2 - centre**2, 0)),
        "flatness of sound": np.log(power + 1e-12).mean(axis=1)
        - np.log(power.mean(axis=1) + 1e-12),
        "crossings of zero": (stack[:, 1:] * stack[:, :-1] < 0).mean(axis=1),
        "loudness": np.log(stack.std(axis=1) + 1e-6),
    }
    for multiple in (2, 3, 4):
        place = np.searchsorted(frequency, multiple * strongest).clip(2, len(frequency) - 3)
        near = np.max([power[row, place + step] for step in range(-2, 3)], axis=0)
        found[f"log of overtone {multiple}"] = np.log((near + 1e-9) / (power[row, peak] + 1e-9))
    far = np.abs(frequency - strongest[:, None])
    close = np.where(far < 40, power, 0)
    close = close / (close.sum(axis=1, keepdims=True) + 1e-12)
    swing = close @ frequency**2 - (close @ frequency) ** 2
    found["width of strongest frequency"] = np.sqrt(np.maximum(swing, 0))
    found["second frequency"] = frequency[np.where(far > 60, power, 0).argmax(axis=1)]
    return found


def pitch_track(frequency: np.ndarray, power: np.ndarray) -> dict[str, np.ndarray]:
    """How the strongest frequency moves while there is something to hear."""
    audible = (frequency > 100) & (frequency < 0.96 * frequency[-1])
    # A steady hum would win every frame: what each bin has all the time is taken off.
    steady = np.quantile(power, 0.3, axis=1, keepdims=True)
    clear = np.maximum(power - 2 * steady, 0)[:, :, audible]
    weight = clear.max(axis=2)
    weight = weight * (weight > 0.1 * weight.max(axis=1, keepdims=True))
    total = weight.sum(axis=1) + 1e-12
    sharp = clear**2
    track = np.log2((sharp @ frequency[audible] + 1e-12) / (sharp.sum(axis=2) + 1e-12) + 1)
    time = np.linspace(-1, 1, power.shape[1])
    moment = (weight @ time) / total
    middle = (weight * track).sum(axis=1) / total
    late, high = time - moment[:, None], track - middle[:, None]
    spread = (weight * late**2).sum(axis=1) / total
    bend = late**2 - spread[:, None]
    slope = (weight * late * high).sum(axis=1) / total / (spread + 1e-9)
    found = {
        "middle of track": middle,
        "moment of track": moment,
        "length of track": np.sqrt(spread),
        "slope of track": slope,
        "rise of track": slope * np.sqrt(spread),
        "bend of track": (weight * bend * high).sum(axis=1)
        / ((weight * bend**2).sum(axis=1) + 1e-9),
        "spread of track": np.sqrt((weight * high**2).sum(axis=1) / total),
        "share of track heard": (weight > 0).mean(axis=1),
    }
    # Within each quarter too, since there may be several whistles.
    for index, part in enumerate(np.array_split(np.arange(len(time)), 4)):
        own, own_high = weight[:, part], track[:, part] - middle[:, None]
        own_total = own.sum(axis=1) + 1e-12
        found[f"track of quarter {index}"] = (own * own_high).sum(axis=1) / own_total
    steps = np.diff(track, axis=1)
    both = np.minimum(weight[:, 1:], weight[:, :-1]) * (np.abs(steps) < 0.3)
    found["mean step of track"] = (both * steps).sum(axis=1) / (both.sum(axis=1) + 1e-12)
    return found


def sound_bands(frequency: np.ndarray, power: np.ndarray, bands: int) -> np.ndarray:
    """Power of each frame in bands evenly spaced in log frequency, (N, frames, bands)."""
    edges = np.searchsorted(frequency, np.geomspace(LOWEST_BAND, 0.97 * frequency[-1], bands + 1))
    starts = np.maximum.accumulate(np.maximum(edges, np.arange(bands + 1) + edges[0]))
    return np.stack([power[:, :, low:high].sum(axis=2) for low, high in pairwise(starts)], axis=2)


def band_events(frequency: np.ndarray, power: np.ndarray) -> dict[str, np.ndarray]:
    """For each band how loud its loudest moments are, beside the quiet ones, and how many."""
    loud = np.log(sound_bands(frequency, power, SOUND_BANDS) + 1e-6)
    quiet = np.median(loud, axis=1)
    found = {}
    for index in range(SOUND_BANDS):
        band = loud[:, :, index]
        found[f"loud end of band {index}"] = np.quantile(band, 0.95, axis=1)
        found[f"contrast of band {index}"] = band.max(axis=1) - quiet[:, index]
        above = band > (band.max(axis=1) + quiet[:, index])[:, None] / 2
        found[f"rises of band {index}"] = (above[:, 1:] & ~above[:, :-1]).sum(axis=1)
        found[f"share of band {index}"] = np.exp(band).mean(axis=1) / np.exp(loud).mean(axis=(1, 2))
    return found


def loudness_shape(power: np.ndarray) -> dict[str, np.ndarray]:
    """How the loudness runs over time: slope, place of the loudest frame, each quarter."""
    level = np.log(power[:, :, 2:].sum(axis=2) + 1e-6)
    time = np.linspace(-1, 1, level.shape[1])
    flat = level - level.mean(axis=1, keepdims=True)
    after = np.maximum.accumulate(level[:, ::-1], axis=1)[:, ::-1]
    found = {
        "slope of loudness": flat @ time / (time @ time),
        "range of loudness": np.quantile(level, 0.95, axis=1) - np.quantile(level, 0.05, axis=1),
        "place of loudest": level.argmax(axis=1),
        "time above half": (level > (level.max(axis=1) + level.min(axis=1))[:, None] / 2).mean(
            axis=1
        ),
        "fall from loudest": level.max(axis=1) - after[:, -1],
    }
    for index, quarter in enumerate(np.array_split(flat, 4, axis=1)):
        found[f"loudness of quarter {index}"] = quarter.mean(axis=1)
    return found


def loudness_curve(stack: np.ndarray) -> np.ndarray:
    """The loudness of each sound, a point for every few samples, (N, points)."""
    points = stack.shape[1] // LOUDNESS_STEP
    cut = stack[:, : points * LOUDNESS_STEP].reshape(len(stack), points, LOUDNESS_STEP)
    return np.asarray(np.sqrt((cut**2).mean(axis=2)))


def beats(stack: np.ndarray, rate: int) -> dict[str, np.ndarray]:
    """The rates at which the loudness rises and falls, of the sound and of its high part."""
    found = {}
    for name, sound in (("sound", stack), ("high part", np.diff(stack, n=2, axis=1))):
        curve = loudness_curve(sound)
        level = curve.mean(axis=1, keepdims=True) + 1e-9
        flat = (curve / level - 1) * np.hanning(curve.shape[1])
        power = np.abs(np.fft.rfft(flat, 2 * curve.shape[1], axis=1)) ** 2
        beat = np.fft.rfftfreq(2 * curve.shape[1], LOUDNESS_STEP / rate)
        slow = (beat >= SLOWEST_BEAT) & (beat <= FASTEST_BEAT)
        beat, power = beat[slow], power[:, slow]
        total = power.sum(axis=1) + 1e-12
        found[f"beat of {name}"] = beat[power.argmax(axis=1)]
        found[f"strength of beat of {name}"] = np.log(power.max(axis=1) + 1e-9)
        found[f"clarity of beat of {name}"] = power.max(axis=1) / total
        for low, high in pairwise((3, 6, 12, 25, 50, 100, 200, 300)):
            band = power[:, (beat >= low) & (beat < high)].sum(axis=1)
            found[f"beats of {name} from {low}"] = np.log(band + 1e-9)
    return found


def strikes(stack: np.ndarray, rate: int) -> dict[str, np.ndarray]:
    """Sudden beginnings: how many there are, how far apart, how evenly, over which time."""
    curve = loudness_curve(np.diff(stack, axis=1))
    smooth = (curve[:, 2:] + curve[:, 1:-1] + curve[:, :-2]) / 3
    step = LOUDNESS_STEP / rate
    count, gaps, spread, least, extent = (np.zeros(len(stack)) for _ in range(5))
    for index, level in enumerate(smooth):
        quiet, loudest = np.median(level), level.max()
        above = level > quiet + 0.35 * (loudest - quiet)
        starts = np.flatnonzero(above[1:] & ~above[:-1])
        # The ringing of one strike is no other strike.
        starts = starts[np.diff(starts, prepend=-1000) > 0.01 / step]
        between = np.diff(starts) * step
        count[index] = len(starts)
        if len(between):
            gaps[index], least[index] = between.mean(), between.min()
            spread[index], extent[index] = between.std() / between.mean(), between.sum()
    return {
        "strikes": count,
        "gap of strikes": gaps,
        "smallest gap of strikes": least,
        "unevenness of strikes": spread,
        "extent of strikes": extent,
    }


def heard_parts(stack: np.ndarray, rate: int) -> pd.DataFrame:
    """The spectrum of each part of what is heard, from where it begins to where it ends.

    Shape (N, HEARD_PARTS x PART_BANDS): what a word sounds like, however fast and late it is said.
    """
    frequency, power = short_time_power(stack, rate)
    bands = sound_bands(frequency, power, PART_BANDS)
    level = bands.sum(axis=2)
    heard = level > 0.08 * level.max(axis=1, keepdims=True)
    frames = heard.shape[1]
    first, last = heard.argmax(axis=1), frames - heard[:, ::-1].argmax(axis=1)
    total = np.concatenate([np.zeros((len(bands), 1, PART_BANDS)), bands.cumsum(axis=1)], axis=1)
    row = np.arange(len(bands))
    found: dict[str, np.ndarray] = {}
    for part in range(HEARD_PARTS):
        begin = np.floor(first + (last - first) * part / HEARD_PARTS).astype(int)
        end = np.maximum(np.floor(first + (last - first) * (part + 1) / HEARD_PARTS), begin + 1)
        own = total[row, np.minimum(end.astype(int), frames)] - total[row, begin]
        share = np.log(own + 1e-6) - np.log(own + 1e-6).mean(axis=1, keepdims=True)
        found |= {f"part {part} band {band}": share[:, band] for band in range(PART_BANDS)}
        found[f"centre of part {part}"] = (own @ np.arange(PART_BANDS)) / (own.sum(axis=1) + 1e-9)
    return pd.DataFrame(found)
