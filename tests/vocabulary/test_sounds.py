"""What is heard, recorded and seen of a factor can be read off again by somebody who looks."""

from __future__ import annotations

import io
import wave
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.signal import find_peaks
from scipy.stats import spearmanr

from sandmle.runtime.detectors import detector_places
from tests.vocabulary.calling import call

SAMPLES, RATE = 120, 8000
RNG = np.random.default_rng(11)
SHOWN: dict[str, np.ndarray] = {name: RNG.normal(size=SAMPLES) for name in "abcdef"}
SHOWN["word"] = RNG.choice(np.array(["yes", "no", "stop"]), SAMPLES)
SHOWN["azimuth"] = RNG.uniform(0, 2 * np.pi, SAMPLES)
SHOWN["zenith"] = RNG.uniform(0.4, 2.7, SAMPLES)


def observe(**use: Any) -> Any:
    return call("observe", use, factors=SHOWN)


def heard(files: list[bytes]) -> np.ndarray:
    sounds = []
    for content in files:
        with wave.open(io.BytesIO(content), "rb") as file:
            frames = np.frombuffer(file.readframes(file.getnframes()), np.uint8)
        sounds.append(frames / 128.0 - 1.0)
    return np.stack(sounds)


def agreement(read: np.ndarray, factor: str) -> float:
    return float(spearmanr(read, SHOWN[factor]).statistic)


def strongest(sounds: np.ndarray) -> np.ndarray:
    power = np.abs(np.fft.rfft(sounds, axis=1))
    power[:, : int(70 * sounds.shape[1] / RATE)] = 0
    return power.argmax(axis=1) * RATE / sounds.shape[1]


def energy(sounds: np.ndarray, parts: int) -> np.ndarray:
    return np.stack([(part**2).mean(axis=1) for part in np.array_split(sounds, parts, axis=1)], 1)


def test_a_tone_has_its_pitch_and_dies_away() -> None:
    sounds = heard(observe(kind="tone", pitch="a", decay="b", brightness="c", hiss=0.02))
    read = strongest(sounds)
    assert agreement(read, "a") > 0.9
    assert 150 < read.min() < read.max() < 1300 * 3
    early, late = energy(sounds, 8)[:, 0], energy(sounds, 8)[:, 2]
    assert agreement(early / late, "b") > 0.9


def test_whistles_rise_or_fall() -> None:
    sounds = heard(observe(kind="sweep", slope="a", height="b", hiss=0.02))
    half = sounds.shape[1] // 2
    wide = np.pad(sounds, ((0, 0), (900, 900)))
    middle = [int(np.average(np.arange(2 * half), weights=sound**2)) + 900 for sound in sounds]
    cut = [(sound[m - 900 : m], sound[m : m + 900]) for sound, m in zip(wide, middle, strict=True)]
    before, after = (strongest(np.stack(part)) for part in zip(*cut, strict=True))
    assert agreement(after / before, "a") > 0.9


def test_clicks_are_as_many_and_as_far_apart_as_the_factors_say() -> None:
    sounds = heard(observe(kind="clicks", count="a", gap="b", hiss=0.01))
    places = [
        find_peaks(np.convolve(np.abs(s), np.ones(24)), distance=90, height=1.2)[0] for s in sounds
    ]
    counts = np.array([len(found) for found in places])
    assert set(range(3, 9)) <= set(counts.tolist()) <= set(range(2, 11))
    assert agreement(counts, "a") > 0.9
    assert agreement(np.array([np.median(np.diff(found)) for found in places]), "b") > 0.6


def test_a_caller_is_silent_where_its_factor_is_low() -> None:
    callers = [{"level": "a", "pitch": 500}, {"level": "b", "pitch": 2000, "notes": 2}]
    sounds = heard(observe(kind="calls", callers=callers, silent=0.5, steady=0, hiss=0.01))
    power = np.abs(np.fft.rfft(sounds, axis=1)) ** 2
    frequency = np.fft.rfftfreq(sounds.shape[1], 1 / RATE)
    for name, pitch in (("a", 500), ("b", 2000)):
        band = np.abs(frequency / pitch - 1) < 0.35
        level = np.log(power[:, band].sum(axis=1))
        is_heard = SHOWN[name] > np.median(SHOWN[name])
        assert level[is_heard].min() > level[~is_heard].max()


def test_each_word_has_a_spectrum_in_time_of_its_own() -> None:
    files = observe(kind="spoken_word", word="word", mumbling=0.0, hiss=0.01, vowels=3)
    sounds = heard(files)
    rows = []
    for sound in sounds:
        loud = np.flatnonzero(np.abs(sound) > 0.15)
        thirds = np.array_split(sound[loud[0] : loud[-1]], 3)
        spectra = [
            np.abs(np.fft.rfft(third, 1024))[25:460].reshape(-1, 15).sum(1) for third in thirds
        ]
        rows.append(np.concatenate(spectra) / np.sum(spectra))
    table = np.stack(rows)
    half = SAMPLES // 2
    nearest = [np.linalg.norm(table[:half] - row, axis=1).argmin() for row in table[half:]]
    assert (SHOWN["word"][nearest] == SHOWN["word"][half:]).mean() > 0.8


def test_a_worn_bearing_knocks_and_is_no_louder() -> None:
    files = observe(kind="machine_hum", speed="a", wear="b", load="c", hiss=0.0)
    high = np.diff(heard(files), n=3, axis=1)
    short = np.sqrt((high[:, : high.shape[1] // 16 * 16].reshape(SAMPLES, -1, 16) ** 2).mean(2))
    assert agreement(short.std(axis=1) / short.mean(axis=1), "b") > 0.8
    assert abs(agreement(high.std(axis=1), "b")) < 0.5


def test_a_shock_arrives_twice_and_at_every_sensor() -> None:
    use = {"gap": "a", "strength": "b", "bearing": "c", "sensors": ["rim", "valley"]}
    files = observe(kind="seismogram", **use, length=200, noise=0.01)
    heads = {content.partition(b"\n")[0] for content in files}
    assert heads == {b"rim,valley"}
    counts = np.stack(
        [np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1) for content in files]
    )
    assert counts.shape == (SAMPLES, 200, 2)
    assert counts.min() >= 1000
    steps = np.abs(np.diff(counts[:, :, 0], axis=1))
    first = (steps > 300).argmax(axis=1)
    assert agreement(steps.argmax(axis=1) - first, "a") > 0.6
    peaks = np.abs(counts - np.median(counts, axis=1, keepdims=True)).argmax(axis=1)
    assert agreement(peaks[:, 1] - peaks[:, 0], "c") > 0.6


def test_a_line_in_a_spectrogram_drifts() -> None:
    files = observe(kind="spectrogram", drift="a", brightness="b", steady=0, noise=0.03)
    stack = np.stack([np.asarray(Image.open(io.BytesIO(f)), float) / 255 for f in files])
    bright = np.maximum(stack - 0.25, 0) + 1e-6
    column = (bright * np.arange(stack.shape[2])).sum(axis=2) / bright.sum(axis=2)
    time = np.arange(stack.shape[1]) - stack.shape[1] / 2
    assert agreement(column @ time, "a") > 0.8


def test_flashes_tell_the_direction_once_the_sensors_are_looked_up() -> None:
    use = {"azimuth": "azimuth", "zenith": "zenith", "noise": 0.0, "strays": 0}
    index, columns = observe(kind="detector_hits", **use)
    places = detector_places(4, 6)[columns["sensor"]]
    truth = np.column_stack(
        [
            np.cos(SHOWN["azimuth"]) * np.sin(SHOWN["zenith"]),
            np.sin(SHOWN["azimuth"]) * np.sin(SHOWN["zenith"]),
            np.cos(SHOWN["zenith"]),
        ]
    )
    wrong = []
    for sample in range(SAMPLES):
        own = index == sample
        late = columns["time"][own] - np.average(
            columns["time"][own], weights=columns["charge"][own]
        )
        flight = (late * columns["charge"][own]) @ places[own]
        wrong.append(np.arccos(-flight @ truth[sample] / np.linalg.norm(flight)))
    assert np.median(wrong) < 0.15
    shown = observe(kind="detector_map", reach=100, error=0.0)
    np.testing.assert_allclose(
        np.column_stack([shown[name] for name in "xyz"]), 100 * detector_places(4, 6)
    )


@pytest.mark.parametrize(
    ("use", "message"),
    [
        ({"kind": "clicks"}, "at least one of count"),
        ({"kind": "spectrogram"}, "at least one of drift"),
    ],
)
def test_a_word_that_shows_nothing_is_refused(use: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        observe(**use)
