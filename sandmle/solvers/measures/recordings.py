"""Recordings of a competition, a file a sample: sounds and signals, as columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sandmle.solvers.files import find_files
from sandmle.solvers.measures.audio import (
    AUDIO_SUFFIXES,
    coarse_spectrum_columns,
    heard_parts,
    read_sounds,
    sound_columns,
)
from sandmle.solvers.measures.series import cross_columns, series_columns
from sandmle.solvers.measures.signals import SIGNAL_SUFFIXES, arrival_columns, read_signals
from sandmle.solvers.reading import Competition

#: Points that each signal gives where it is taken as it comes.
RAW_POINTS = 60


def raw_recording_columns(competition: Competition) -> list[pd.DataFrame]:
    """Recordings without a thought: coarse spectra of sounds, every few readings of signals."""
    parts = []
    for paths in find_files(competition.folder, competition.ids, AUDIO_SUFFIXES).values():
        parts.append(coarse_spectrum_columns(read_sounds(paths)[0]))
    for stack in signals_of(competition).values():
        step = max(1, stack.shape[1] // RAW_POINTS)
        parts.append(pd.DataFrame(stack[:, ::step]))
    return parts


def recording_columns(competition: Competition) -> tuple[list[pd.DataFrame], list[pd.DataFrame]]:
    """All that is measured on recordings: what is worth combining, and details to pick from."""
    plain, details = [], []
    for paths in find_files(competition.folder, competition.ids, AUDIO_SUFFIXES).values():
        sounds, rate = read_sounds(paths)
        plain.append(sound_columns(sounds, rate))
        details.append(heard_parts(sounds, rate))
    signals = signals_of(competition)
    arrived = {name: arrival_columns(stack) for name, stack in signals.items()}
    for name, stack in signals.items():
        measures = pd.concat([arrived[name], series_columns(stack)], axis=1)
        plain.append(measures.add_prefix(f"{name}: "))
    if len(signals) > 1:
        together = np.median(np.stack([found.to_numpy() for found in arrived.values()]), axis=0)
        names = [f"median of {name}" for name in next(iter(arrived.values()))]
        plain += [pd.DataFrame(together, columns=names), cross_columns(signals)]
    return plain, details


def signals_of(competition: Competition) -> dict[str, np.ndarray]:
    """The columns of csv files, a file a sample, by name; each (N, rows)."""
    files = find_files(competition.folder, competition.ids, SIGNAL_SUFFIXES)
    return {name: stack for paths in files.values() for name, stack in read_signals(paths).items()}
