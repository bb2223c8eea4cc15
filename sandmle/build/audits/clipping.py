"""Playing with probabilities pays nothing: certainty, hair's breadths, ranks and sharpening.

Honest calibration is no game: what a naive model wins at milder temperatures is its own.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.answers import read, written
from sandmle.build.evidence.floors import hidden_floors
from sandmle.build.ladder import csv_content
from sandmle.grading import Grade, Grader
from sandmle.runtime.table import decimals
from sandmle.solvers.outputs import candidates

CLAIM = "games with probabilities win nothing"
COST = "deep"

#: A probability as close to 0 as metrics look, and steps off one half that mean nothing.
LEAST, HAIR = 1e-15, 1e-9
#: Sums of shares that readers may let pass, and that they must not.
SUMS = (0.981, 1.019, 0.5, 2.0)
#: Temperatures that calibrate, and that sharpen or blunt beyond all calibration.
MILD, WILD = (0.25, 0.5, 0.7, 1.0, 1.5, 2.5), (0.01, 0.1, 10.0)
#: Numbers that are no probabilities.
NONE = (1.5, 1.000001, -1e-6, -1.0)

MEDALS = (None, "bronze", "silver", "gold")


@dataclass(frozen=True)
class Shares:
    """Submissions of probabilities: `constant` (rows, columns) is the sample, whose `keys` and
    `header` are those of all; `sums` says whether a row's must sum to 1."""

    grader: Grader
    header: tuple[str, ...]
    keys: tuple[str, ...]
    constant: np.ndarray

    @functools.cached_property
    def sums(self) -> bool:
        """Whether the numbers of a row are shares of one whole."""
        whole = np.allclose(self.constant.sum(axis=1), 1, atol=0.01)
        return (
            self.constant.shape[1] > 1 and bool(whole) and not self.grade(self.constant / 2).valid
        )

    def grade(self, values: np.ndarray) -> Grade:
        """The grade of probabilities (rows, columns)."""
        cells = np.broadcast_to(values, self.constant.shape).tolist()
        rows = ([key, *map(repr, row)] for key, row in zip(self.keys, cells, strict=True))
        return self.grader.grade(written([self.header, *rows]))


def examine(task: Examined) -> Finding:
    """Plays without data, and with what a naive model says."""
    shares = shares_of(task)
    if shares is None:
        return Finding(True, "not looked at: no probabilities are asked for")
    blind = {name: shares.grade(values) for name, values in blind_games(shares).items()}
    path = task.prepared.public / "description.md"
    judging = path.read_text("utf-8") if path.exists() else ""
    won = [*beyond(shares), *hidden_floors(judging, task.grader)]
    won += [f"{name}: {grade.score}" for name, grade in blind.items() if grade.above_median]
    name, naive = naive_shares(task, shares)
    fair = [shares.grade(at_temperature(naive, mild, shares.sums)) for mild in MILD]
    best = max((grade.medal for grade in fair), key=MEDALS.index)
    for game, values in games_of(naive, shares.sums).items():
        grade = shares.grade(values)
        if MEDALS.index(grade.medal) > MEDALS.index(best):
            won.append(f"{name}, {game}: {grade.score} wins {grade.medal}")
    return Finding(not won, "; ".join(won) or f"{len(blind)} games without data, and {name}'s")


def shares_of(task: Examined) -> Shares | None:
    """The sample as probabilities; None where others than numbers, or others, are asked for."""
    header, *rows = read(task.prepared.dataset.public["sample_submission.csv"])
    columns = [decimals(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    is_other = task.competition.predicts != "probability"
    if is_other or any(column is None for column in columns):
        return None
    keys = tuple(row[0] for row in rows)
    return Shares(task.grader, tuple(header), keys, np.array(columns).T)


def beyond(shares: Shares) -> list[str]:
    """Numbers that pass for probabilities and are none."""
    found = []
    for value in NONE:
        values = shares.constant.copy()
        values[0, 0] = value
        if shares.grade(values).valid:
            found.append(f"{value} passes for a probability")
    return found


def blind_games(shares: Shares) -> Mapping[str, np.ndarray]:
    """Probabilities (rows, columns) that look at nothing."""
    rng = np.random.default_rng(0)
    rows, columns = shape = shares.constant.shape
    middle = shares.constant
    certain = (
        np.eye(columns)[rng.integers(0, columns, rows)]
        if shares.sums
        else rng.integers(0, 2, shape)
    )
    games = {
        "all 0": np.zeros(shape),
        "all 1": np.ones(shape),
        "as good as 0": np.full(shape, LEAST),
        "as good as 1": np.full(shape, 1 - LEAST),
        "a hair above": middle + HAIR,
        "a hair below": middle - HAIR,
        "a hair off by chance": middle + HAIR * rng.choice([-1, 1], shape),
        "certain by chance": certain,
        "nearly certain by chance": np.clip(certain, LEAST, 1 - LEAST),
        "by chance": whole(rng.uniform(0, 1, shape), shares.sums),
        "by row number": whole(np.tile(np.linspace(0, 1, rows)[:, None], columns), shares.sums),
        "by row number, backwards": whole(
            np.tile(np.linspace(1, 0, rows)[:, None], columns), shares.sums
        ),
    }
    return games | {f"sums of {total}": total * middle for total in SUMS if shares.sums}


def naive_shares(task: Examined, shares: Shares) -> tuple[str, np.ndarray]:
    """The name and the probabilities (rows, columns) of the best naive model."""
    name, table = next(iter(candidates(task.competition, "naive")))
    header, *rows = read(csv_content(table))
    by_key = {row[0]: [float(cell) for cell in row[1:]] for row in rows}
    places = [header.index(name) - 1 for name in shares.header[1:]]
    return name, np.array([by_key[key] for key in shares.keys])[:, places]


def games_of(naive: np.ndarray, sums: bool) -> Mapping[str, np.ndarray]:
    """What is made of a model's probabilities that says no more than they do."""
    likeliest = np.eye(naive.shape[1])[naive.argmax(axis=1)]
    certain = likeliest if sums else (naive >= 0.5).astype(float)
    ranks = (rankdata(naive, axis=0) - 0.5) / len(naive)
    games = {
        "made certain": certain,
        "made nearly certain": whole(np.clip(certain, LEAST, 1 - LEAST), sums),
        "as ranks": whole(ranks, sums),
        "clipped to .1 and .9": whole(np.clip(naive, 0.1, 0.9), sums),
    }
    return games | {f"at temperature {wild}": at_temperature(naive, wild, sums) for wild in WILD}


def at_temperature(values: np.ndarray, temperature: float, sums: bool) -> np.ndarray:
    """Probabilities whose log odds are divided by a temperature: below 1 they grow surer."""
    clipped = np.clip(values, LEAST, 1 - LEAST)
    if sums:
        logarithms = np.log(clipped) / temperature
        return whole(np.exp(logarithms - logarithms.max(axis=1, keepdims=True)), sums)
    odds = (np.log(clipped) - np.log1p(-clipped)) / temperature
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))


def whole(values: np.ndarray, sums: bool) -> np.ndarray:
    """The same as shares of one whole, where their sums must be 1."""
    totals = values.sum(axis=1, keepdims=True)
    return values / np.where(totals > 0, totals, 1.0) if sums else values
