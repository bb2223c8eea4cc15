from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from sandmle.runtime.waves import (
    MAINS_FREQUENCY,
    SOUND_RATE,
    partials,
    placed,
    recorded,
    sound_times,
    wav_files,
)


@pytest.mark.parametrize(("bits", "step"), [(8, 1 / 127), (16, 1 / 32767)])
def test_a_wav_holds_the_wave_at_8_khz(bits: int, step: float) -> None:
    waves = np.stack([np.sin(np.arange(400) / 7), np.linspace(-1, 1, 400)])
    for content, expected in zip(wav_files(waves, bits=bits), waves, strict=True):
        with wave.open(io.BytesIO(content), "rb") as file:
            assert (file.getframerate(), file.getnchannels()) == (SOUND_RATE, 1)
            frames = file.readframes(400)
        if bits == 8:
            read = (np.frombuffer(frames, np.uint8) - 128.0) / 127
        else:
            read = np.frombuffer(frames, "<i2") / 32767
        np.testing.assert_allclose(read, expected, atol=0.51 * step)


def test_files_have_one_size_and_loud_waves_are_clipped() -> None:
    waves = np.stack([np.zeros(300), 5 * np.sin(np.arange(300))])
    silent, loud = wav_files(waves)
    assert len(silent) == len(loud)
    assert set(silent[-300:]) == {128}
    assert (min(loud[-300:]), max(loud[-300:])) == (1, 255)


def test_partials_are_the_sines_of_multiples_of_the_phase() -> None:
    phase = np.random.default_rng(0).uniform(0, 40, (3, 50))
    weights = np.array([[1.0, 0.5, 0.25], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    expected = sum(weights[:, [k]] * np.sin((k + 1) * phase) for k in range(3)) / weights.sum(
        axis=1, keepdims=True
    )
    np.testing.assert_allclose(partials(phase, weights), expected, atol=1e-12)


def test_a_piece_stands_where_it_is_placed_and_as_loud_as_it_is_heard() -> None:
    waves = np.zeros((2, 6))
    placed(waves, np.ones((2, 3)), np.array([0, 3]), heard=np.array([1.0, 0.5]))
    assert waves.tolist() == [[1, 1, 1, 0, 0, 0], [0, 0, 0, 0.5, 0.5, 0.5]]


def test_a_recording_has_hiss_and_hum_of_the_height_that_was_asked_for() -> None:
    rng = np.random.default_rng(1)
    silence = np.zeros((20, len(sound_times(0.5))))
    hiss = recorded(rng, silence, hiss=0.4) * (1.2 + 1.0)
    assert hiss.std() == pytest.approx(0.4, rel=0.02)
    hum = recorded(rng, silence, hiss=0.0, mains=0.5) * 1.7
    power = np.abs(np.fft.rfft(hum[0]))
    assert np.fft.rfftfreq(hum.shape[1], 1 / SOUND_RATE)[power.argmax()] == MAINS_FREQUENCY
    assert np.abs(hum).max() == pytest.approx(0.5, rel=0.01)
