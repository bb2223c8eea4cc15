"""What is measured on sounds and signals, against values known by construction."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers.measures.audio import (
    coarse_spectrum_columns,
    heard_parts,
    loudness_curve,
    read_sounds,
    sound_columns,
)
from sandmle.solvers.measures.recordings import raw_recording_columns, recording_columns
from sandmle.solvers.measures.signals import arrival_columns, arrivals, flight_columns, read_signals
from sandmle.solvers.reading import read_competition
from tests.solvers.folders import TEST, TRAIN, Drawn, write_folder

RATE, TIME = 8000, np.arange(4000) / 8000


def write_wav(path: Path, sound: np.ndarray, *, width: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(width)
        file.setframerate(RATE)
        scaled = np.rint(sound * 127 + 128).astype(np.uint8)
        whole = np.rint(sound * 32767).astype("<i2")
        file.writeframes((scaled if width == 1 else whole).tobytes())
    return path


def hissing(waves: np.ndarray) -> np.ndarray:
    return waves + 0.01 * np.random.default_rng(0).standard_normal(waves.shape)


@pytest.mark.parametrize("width", [1, 2])
def test_sounds_are_read_as_they_were_and_shorter_ones_end_in_silence(
    tmp_path: Path, width: int
) -> None:
    tone = 0.5 * np.sin(2 * np.pi * 440 * TIME)
    paths = [
        write_wav(tmp_path / "a.wav", tone, width=width),
        write_wav(tmp_path / "b.wav", tone[:2000], width=width),
    ]
    stack, rate = read_sounds(paths)
    assert (stack.shape, rate) == ((2, 4000), RATE)
    np.testing.assert_allclose(stack[0], tone - tone.mean(), atol=0.01)
    assert np.abs(stack[1, 2000:]).max() < 0.02


def test_pitch_overtones_and_vibrato() -> None:
    phase = 2 * np.pi * 440 * TIME
    plain, rich = np.sin(phase), np.sin(phase) + 0.5 * np.sin(2 * phase)
    wavering = np.sin(phase + 2 * np.sin(2 * np.pi * 8 * TIME))
    found = sound_columns(hissing(np.stack([plain, rich, wavering])), RATE)
    assert found["strongest frequency"].tolist()[:2] == [440, 440]
    overtone = found["log of overtone 2"]
    assert overtone[1] == pytest.approx(np.log(0.25), abs=0.1)
    assert overtone[0] < -8
    # A swing of 2 radians 8 times a second is one of 16 hertz: 11.3 in the mean square.
    width = found["width of strongest frequency"]
    assert width[0] < 5
    assert width[2] == pytest.approx(11.3, rel=0.1)


def test_a_whistle_that_rises_and_one_that_falls() -> None:
    window = np.hanning(len(TIME))
    rising, falling = (
        window * np.sin(2 * np.pi * np.cumsum(600 * 2.0 ** (way * (TIME - 0.25) / 0.5)) / RATE)
        for way in (1, -1)
    )
    found = sound_columns(hissing(np.stack([rising, falling])), RATE)
    assert found["slope of track"][0] > 0.3
    assert found["slope of track"][1] == pytest.approx(-found["slope of track"][0], abs=0.05)
    assert found["middle of track"].round(1).tolist() == [9.2, 9.2]  # log2 of 600


def test_strikes_are_counted_and_the_gaps_between_them() -> None:
    sound = np.zeros((2, 4000))
    ring = np.exp(-np.arange(240) / 32) * np.sin(2 * np.pi * 1500 * np.arange(240) / RATE)
    for place in (400, 1200, 2000, 2800):
        sound[0, place : place + 240] += ring
    for place in (400, 1600):
        sound[1, place : place + 240] += ring
    found = sound_columns(hissing(sound), RATE)
    assert found["strikes"].tolist() == [4, 2]
    assert found["gap of strikes"].tolist() == pytest.approx([0.1, 0.15], abs=0.003)
    assert found["unevenness of strikes"].max() < 0.03


def test_the_beat_of_a_throbbing_hum() -> None:
    sound = (1 + 0.8 * np.sin(2 * np.pi * 20 * TIME)) * np.sin(2 * np.pi * 500 * TIME)
    found = sound_columns(hissing(sound[None] / 2), RATE)
    assert found["beat of sound"][0] == pytest.approx(20, abs=1.1)
    assert loudness_curve(sound[None]).shape == (1, 500)


def test_parts_of_what_is_heard_do_not_depend_on_when_it_is_said() -> None:
    low, high = np.sin(2 * np.pi * 400 * TIME), np.sin(2 * np.pi * 2000 * TIME)
    early, late, other = (np.zeros(4000) for _ in range(3))
    for sound, first, second, start in (
        (early, low, high, 200),
        (late, low, high, 1500),
        (other, high, low, 200),
    ):
        sound[start : start + 1000] = first[:1000]
        sound[start + 1000 : start + 2000] = second[:1000]
    found = heard_parts(hissing(np.stack([early, late, other])), RATE).to_numpy()
    assert np.abs(found[0] - found[1]).mean() < 0.25 * np.abs(found[0] - found[2]).mean()


def test_silence_is_measured_too() -> None:
    silence = np.zeros((3, 4000), np.float32)
    for found in (sound_columns(silence, RATE), heard_parts(silence, RATE)):
        assert np.isfinite(found.to_numpy()).all()
    assert len(coarse_spectrum_columns(silence).columns) == 20


def test_two_arrivals_in_noise() -> None:
    rng = np.random.default_rng(2)
    waves = rng.normal(0, 1, (20, 240))
    waves[:, 60:] *= 5
    waves[:, 120:] *= 5
    peak = np.full(20, 150)
    first, second = arrivals(waves**2, peak)
    assert np.abs(first - 60).max() <= 6
    assert np.abs(second - 120).max() <= 6
    measured = arrival_columns(np.cumsum(waves, axis=1))
    assert np.isfinite(measured.to_numpy()).all()
    assert measured["first to second arrival"].median() == pytest.approx(60, abs=6)


def test_signals_are_read_by_column(tmp_path: Path) -> None:
    for name, rows in (("a", "1,2\n3,4\n5,6\n"), ("b", "7,8\n")):
        (tmp_path / f"{name}.csv").write_text("rim,flank\n" + rows)
    found = read_signals([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert found["rim"].tolist() == [[1, 3, 5], [7, 0, 0]]
    assert found["flank"].tolist() == [[2, 4, 6], [8, 0, 0]]


def test_flights_through_sensors_have_a_direction() -> None:
    rng = np.random.default_rng(1)
    places = rng.uniform(-1, 1, (400, 3)).round(3)
    rows = []
    for name, way in (("k1", [0.0, 0.0, 1.0]), ("k2", [0.6, 0.8, 0.0])):
        for sensor in rng.permutation(400)[:300]:
            rows.append((name, sensor, float(places[sensor] @ way), rng.random(), *places[sensor]))
    table = pd.DataFrame(rows, columns=["id", "sensor", "time", "charge", "x", "y", "z"])
    table = table.sort_values(["id", "time"])
    found = flight_columns(table, "id", "time", ["k2", "k1", "k3"])
    assert found["angle from z"].tolist()[1] < 0.2
    assert found["bearing of x and y"][0] == pytest.approx(np.arctan2(0.8, 0.6), abs=0.2)
    assert found["speed along x"][2] == 0
    assert flight_columns(table[["id", "sensor", "time"]], "id", "time", ["k1"]).empty


def test_a_competition_of_recordings_alone(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    pitch = rng.uniform(300, 900, TRAIN + TEST)
    targets = pd.DataFrame({"high": (pitch > 600).astype(int)})
    folder = tmp_path / "public"
    truth = write_folder(
        folder, Drawn(pd.DataFrame(index=range(len(pitch))), targets), metric="roc_auc"
    )
    ids = [*pd.read_csv(folder / "train.csv")["id"], *truth.index]
    for name, frequency in zip(ids, pitch, strict=True):
        write_wav(
            folder / "sounds" / f"{name}.wav", 0.3 * np.sin(2 * np.pi * frequency * TIME[:1600])
        )
        (folder / "traces").mkdir(exist_ok=True)
        cells = "\n".join(str(int(value)) for value in frequency + np.arange(70) % 7)
        (folder / "traces" / f"{name}.csv").write_text(f"rim\n{cells}\n")
    competition = read_competition(folder)
    assert competition.tables == {}
    assert [len(part.columns) for part in raw_recording_columns(competition)] == [20, 70]
    plain, details = recording_columns(competition)
    assert {len(part) for part in (*plain, *details)} == {TRAIN + TEST}
    read = pd.concat(plain, axis=1)["strongest frequency"]
    assert np.corrcoef(read, pitch)[0, 1] > 0.99
