"""Sequences by position: how they are read, and what surrounds each of their positions.

A sequence is a series of numbers, or of letters (words of few). Arrays by position have shape
(N, positions), features by position (N, positions, columns).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.signal import lfilter

from sandmle.solvers.features import filled, standardised
from sandmle.solvers.files import read_table
from sandmle.solvers.measures.columns import levels, split_columns
from sandmle.solvers.measures.series import series_of
from sandmle.solvers.reading import Competition

#: How far one looks to both sides of a position.
REACH = 3
#: Weights of the present value in running means; a small one remembers long.
WEIGHTS_OF_NOW = (0.5, 0.2, 0.08)
#: A sequence of more different letters than this is none.
MOST_LETTERS = 30
#: Only so many columns of a sample as a whole are combined with its positions.
MOST_OF_SAMPLE = 8


@dataclass(frozen=True)
class Sequences:
    """What a competition shows by position, for all N samples.

    `numbers` and `letters` map a name to an array (N, positions); `samples` is what is known of
    the whole sample, (N, columns), standardised. `labels` maps a target to its values for the
    training samples (train, positions).
    """

    numbers: Mapping[str, np.ndarray]
    letters: Mapping[str, np.ndarray]
    samples: np.ndarray
    labels: Mapping[str, np.ndarray]

    @property
    def positions(self) -> int:
        """How many positions each sample has."""
        return int(next(iter(self.labels.values())).shape[1])


def read_sequences(competition: Competition) -> Sequences:
    """The sequences of a competition, of as many positions as train_labels.csv has a sample."""
    table = read_table(competition.folder / "train_labels.csv")
    known = competition.ids[: competition.train]
    samples = table.iloc[:, 0].str.rpartition("_")[0]
    length = int((samples == known[0]).sum())
    keys = [f"{name}_{position}" for name in known for position in range(length)]
    aligned = table.set_index(table.columns[0]).loc[keys].astype(float)
    numbers: dict[str, np.ndarray] = {}
    letters: dict[str, np.ndarray] = {}
    for rows in competition.tables.values():
        stacks = series_of(rows, competition.identifier, competition.ids)
        numbers |= {
            name: stack[:, :length] for name, stack in stacks.items() if stack.shape[1] >= length
        }
        letters |= letters_of_rows(rows, competition, length)
    frame = competition.frame
    spelled = {str(name): symbols(frame[name], length) for name in frame}
    letters |= {name: found for name, found in spelled.items() if found is not None}
    columns = split_columns(frame.drop(columns=[name for name in letters if name in frame]))
    whole = pd.concat([columns.numbers, levels(columns.categories, fewest=4)], axis=1)
    return Sequences(
        numbers,
        letters,
        standardised(filled(whole).to_numpy(float)),
        {str(name): aligned[name].to_numpy().reshape(-1, length) for name in aligned},
    )


def letters_of_rows(
    rows: pd.DataFrame, competition: Competition, length: int
) -> dict[str, np.ndarray]:
    """The columns of a table that hold words of few, where each sample has a row a position."""
    place = rows[competition.identifier].map(
        {name: index for index, name in enumerate(competition.ids)}
    )
    ordered = rows[place.notna()].iloc[np.argsort(place.dropna().to_numpy(int), kind="stable")]
    step = ordered.groupby(competition.identifier, sort=False).cumcount()
    first = ordered[(step < length).to_numpy()]
    if len(first) != len(competition.ids) * length:
        return {}
    return {
        str(name): first[name].fillna("").astype(str).to_numpy(str).reshape(-1, length)
        for name in rows.columns.drop(competition.identifier)
        if rows[name].nunique() <= MOST_LETTERS and not pd.api.types.is_numeric_dtype(rows[name])
    }


def symbols(cells: pd.Series, length: int) -> np.ndarray | None:
    """The words of each cell, or its letters where it is one word: of few kinds, one a position.

    None where a cell has too few, or where there are many kinds.
    """
    split = [cell.split() if " " in cell else list(cell) for cell in cells.fillna("")]
    if any(len(found) < length for found in split):
        return None
    array = np.array([found[:length] for found in split], dtype=str)
    return array if len(np.unique(array)) <= MOST_LETTERS else None


def own_features(sequences: Sequences) -> np.ndarray:
    """What a position shows by itself, and what is known of its sample."""
    parts = [*sequences.numbers.values(), *letter_flags(sequences).values()]
    return by_position(sequences, parts)


def surrounding_features(sequences: Sequences) -> np.ndarray:
    """The same, and what came before, comes after, and has added up."""
    parts = []
    for values in sequences.numbers.values():
        parts += [values, np.cumsum(values, axis=1), np.gradient(values, axis=1)]
        parts += [running_mean_of(values, weight) for weight in WEIGHTS_OF_NOW]
        parts += [shifted(values, by) for by in range(-REACH, REACH + 1) if by]
        parts += [np.maximum.accumulate(values, axis=1), whole(values.mean(axis=1), values)]
    for flags in letter_flags(sequences).values():
        parts += [flags, whole(flags.mean(axis=1), flags)]
        parts += [shifted(flags, by) for by in range(-REACH, REACH + 1) if by]
        parts += [running_mean_of(flags, weight) for weight in WEIGHTS_OF_NOW]
        parts += [running_mean_of(flags[:, ::-1], weight)[:, ::-1] for weight in WEIGHTS_OF_NOW]
        parts += [np.cumsum(flags, axis=1), steps_since(flags)]
    return by_position(sequences, parts)


def crossed_features(sequences: Sequences, features: np.ndarray) -> np.ndarray:
    """Features by position, and each of them times each column of what is known of the sample."""
    samples = sequences.samples[:, :MOST_OF_SAMPLE]
    crossed = [features * samples[:, None, [column]] for column in range(samples.shape[1])]
    return np.concatenate([features, *crossed], axis=2)


def letter_flags(sequences: Sequences) -> dict[str, np.ndarray]:
    """For each letter of each sequence where it stands, as 1 and 0."""
    return {
        f"{name} = {letter}": (values == letter).astype(float)
        for name, values in sequences.letters.items()
        for letter in np.unique(values)
    }


def by_position(sequences: Sequences, parts: list[np.ndarray]) -> np.ndarray:
    """Arrays by position as one, standardised, with the position and what is known of samples."""
    rows, positions = len(sequences.samples), sequences.positions
    place = np.broadcast_to(np.arange(positions), (rows, positions))
    columns = np.stack([place, place**2, *parts], axis=2).astype(float)
    flat = standardised(columns.reshape(rows * positions, -1))
    samples = np.repeat(sequences.samples[:, None], positions, axis=1)
    return np.concatenate([flat.reshape(columns.shape), samples], axis=2)


def running_mean_of(values: np.ndarray, weight: float) -> np.ndarray:
    """The mean of all values up to each position, older ones weighing less."""
    return np.asarray(lfilter([weight], [1.0, weight - 1.0], values, axis=1))


def shifted(values: np.ndarray, by: int) -> np.ndarray:
    """The values `by` positions before (after, where it is negative), 0 beyond the ends."""
    moved = np.roll(values, by, axis=1)
    moved[:, slice(0, by) if by > 0 else slice(by, None)] = 0.0
    return moved


def whole(values: np.ndarray, like: np.ndarray) -> np.ndarray:
    """A value a sample (N,) at each of its positions."""
    return np.repeat(values[:, None], like.shape[1], axis=1)


def steps_since(flags: np.ndarray) -> np.ndarray:
    """How many positions ago a flag was set last; as many as there are where it never was."""
    place = np.arange(flags.shape[1])
    last = np.maximum.accumulate(np.where(flags > 0, place, -flags.shape[1]), axis=1)
    return np.minimum(place - last, flags.shape[1])
