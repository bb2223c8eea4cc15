"""Streams of readings in which movements follow each other, with rest between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from scipy.ndimage import uniform_filter1d
from sklearn.cluster import AgglomerativeClustering, KMeans

from sandmle.solvers.measures.series import number_columns_of
from sandmle.solvers.reading import Competition

#: Points that a movement is brought to.
MOVEMENT_POINTS = 8
#: Thresholds between rest and movement, as shares of the way from the stillest to the wildest.
REST_THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3)
#: Movements of fewer readings are noise, and pauses of fewer don't end one.
SHORTEST_MOVEMENT_SEEN = 4
SHORTEST_PAUSE = 2
#: Of more movements the distances between all of them take too long.
MOST_JOINED = 4000


def stream_table(competition: Competition) -> list[np.ndarray]:
    """Every row's readings (length, channels), from the first table that has some."""
    for table in competition.tables.values():
        names = number_columns_of(table, competition.identifier)
        if not names:
            continue
        groups = {
            str(key): part[names].to_numpy(float)
            for key, part in table.groupby(competition.identifier, sort=False)
        }
        return [groups.get(key, np.zeros((1, len(names)))) for key in competition.ids]
    return [np.zeros((1, 1)) for _ in competition.ids]


def movements_of(streams: Sequence[np.ndarray], counts: Sequence[int]) -> list[list[np.ndarray]]:
    """The movements of every stream, cut at the threshold that finds the known numbers best."""
    rest = np.median(np.concatenate(streams), axis=0)
    scale = np.concatenate(streams).std(axis=0) + 1e-9
    wild = [
        uniform_filter1d(np.sqrt((((stream - rest) / scale) ** 2).sum(axis=1)), 3)
        for stream in streams
    ]
    low, high = np.quantile(np.concatenate(wild), [0.05, 0.95])

    def cut(threshold: float) -> list[list[np.ndarray]]:
        level = low + threshold * (high - low)
        return [cut_stream(stream, own > level) for stream, own in zip(streams, wild, strict=True)]

    found = {threshold: cut(threshold) for threshold in REST_THRESHOLDS}
    return max(
        found.values(),
        key=lambda moves: sum(len(own) == count for own, count in zip(moves, counts, strict=False)),
    )


def cut_stream(stream: np.ndarray, moves: np.ndarray) -> list[np.ndarray]:
    """The parts of a stream where `moves`, pauses too short to count as such filled."""
    filled: list[bool] = []
    for is_moving, run in groupby(moves.tolist()):
        size = len(list(run))
        filled += [is_moving or (len(filled) > 0 and size < SHORTEST_PAUSE)] * size
    found, at = [], 0
    for is_moving, run in groupby(filled):
        size = len(list(run))
        if is_moving and size >= SHORTEST_MOVEMENT_SEEN:
            found.append(stream[at : at + size])
        at += size
    return found


def movement_vectors(moves: Sequence[np.ndarray]) -> np.ndarray:
    """Movements as vectors (moves, ...): points of every channel, then the length."""
    if not moves:
        return np.zeros((0, 0))
    grid = np.linspace(0, 1, MOVEMENT_POINTS)
    return np.stack(
        [
            np.append(
                [np.interp(grid, np.linspace(0, 1, len(move)), channel) for channel in move.T],
                len(move) / 10,
            )
            for move in moves
        ]
    )


def tokens_of_movements(
    moves: Sequence[Sequence[np.ndarray]], kinds: int, random_seed: int
) -> list[list[str]]:
    """Every stream's movements by their kind, of which there are so many."""
    vectors = movement_vectors([move for own in moves for move in own])
    if len(vectors) <= kinds:
        return [[str(at) for at in range(len(own))] for own in moves]
    model = AgglomerativeClustering(kinds) if len(vectors) <= MOST_JOINED else None
    found = (model or KMeans(kinds, n_init=3, random_state=random_seed)).fit_predict(vectors)
    names = iter(found.tolist())
    return [[str(next(names)) for _ in own] for own in moves]
