"""Recordings: how loud each band of frequencies is, and how it changes, tells them apart."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from sandmle.train.pipelines._parts import ids_of, read_files, submit

files = read_files()
paths = {path.stem: path for path in Path("data").glob("*/*.wav")}
rows = []
for name in ids_of(files):
    with wave.open(str(paths[name])) as recording:
        sound = np.frombuffer(recording.readframes(recording.getnframes()), np.int16) / 32768
    power = np.abs(np.fft.rfft(sound)) ** 2
    bands = [part.sum() for part in np.array_split(power, 40)]
    loudness = [np.abs(part).mean() for part in np.array_split(sound, 10)]
    centre = (power * np.arange(len(power))).sum() / (power.sum() + 1e-9)
    rows.append([*np.log(np.array(bands) + 1e-9), *loudness, centre, sound.std(), sound.max()])
options = {"n_estimators": 50, "min_samples_leaf": 2, "max_features": 0.4, "random_state": 0}
submit(files, rows, ExtraTreesClassifier(**options), ExtraTreesRegressor(**options))
