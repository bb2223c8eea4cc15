"""The forms of truth and prediction that metrics are given, drawn at random.

Every form draws a truth, spoils it by a share between 0 (still the truth) and 1 (nothing left of
it), and gives predictions that know nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Form:
    """`draw(rng, rows)` is a truth, `spoil(rng, truth, share)` a prediction, the same noise for
    every share where `rng` starts alike; `constants(truth)` are uninformed predictions."""

    draw: Callable[[np.random.Generator, int], Array]
    spoil: Callable[[np.random.Generator, Array, float], Array]
    constants: Callable[[Array], Sequence[Array]]


def objects(items: Sequence[object]) -> Array:
    """An array (rows,) of any objects."""
    found = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        found[index] = item
    return found


def swap_rows(rng: np.random.Generator, truth: Array, share: float) -> Array:
    """A share of the rows is taken from others at random."""
    noise = truth[rng.permutation(len(truth))]
    picked = rng.random(len(truth)) < share
    spoiled = truth.copy()
    spoiled[picked] = noise[picked]
    return spoiled


def mix(rng: np.random.Generator, truth: Array, share: float) -> Array:
    """Every number is moved a share of the way to that of another row."""
    return np.asarray((1 - share) * truth + share * truth[rng.permutation(len(truth))])


def blur(rng: np.random.Generator, truth: Array, share: float) -> Array:
    """The same for probabilities, with no ties left."""
    return np.asarray((1 - share) * truth + share * rng.random(truth.shape))


def repeated(row: Sequence[float] | Array, truth: Array) -> Array:
    """The same row for all."""
    return np.repeat(np.asarray(row)[np.newaxis], len(truth), axis=0)


def _labels(classes: int) -> Callable[[np.random.Generator, int], Array]:
    def draw(rng: np.random.Generator, rows: int) -> Array:
        labels = np.append(np.arange(classes), rng.integers(0, classes, max(rows - classes, 0)))
        return np.asarray(labels[:rows])

    return draw


def _label_columns(rng: np.random.Generator, rows: int) -> Array:
    labels: Array = (rng.random((rows, 4)) < [0.5, 0.4, 0.3, 0.6]).astype(int)
    labels[:1], labels[1:2] = 1, 0
    return labels


def _one_hot(rng: np.random.Generator, rows: int) -> Array:
    return np.asarray(np.eye(4)[_labels(4)(rng, rows)])


def _normalised(rng: np.random.Generator, truth: Array, share: float) -> Array:
    noise = rng.dirichlet(np.ones(truth.shape[1]), len(truth))
    return np.asarray((1 - share) * truth + share * noise)


def _angles(rng: np.random.Generator, rows: int) -> Array:
    return np.column_stack([rng.uniform(0, 2 * np.pi, rows), np.arccos(rng.uniform(-1, 1, rows))])


def _places(rng: np.random.Generator, rows: int) -> Array:
    return np.column_stack([rng.uniform(46, 48, rows), rng.uniform(6, 10, rows)])


def _estimates(rng: np.random.Generator, rows: int) -> Array:
    return np.column_stack([rng.normal(1.0, 2.0, rows), np.full(rows, 1e-9)])


def _move_estimates(rng: np.random.Generator, truth: Array, share: float) -> Array:
    return np.column_stack(
        [mix(rng, truth[:, 0], share), np.full(len(truth), 1.0 if share else 1e-9)]
    )


def _rankings(rng: np.random.Generator, rows: int) -> Array:
    found = np.full((rows, 6), -1)
    for row in found:
        count = rng.integers(1, 4)
        row[:count] = rng.permutation(8)[:count]
    return found


def _extend_rankings(rng: np.random.Generator, truth: Array, share: float) -> Array:
    guesses = swap_rows(rng, truth, share)
    # Five guesses each, the right ones first where the row is not spoiled.
    for row in guesses:
        others = [name for name in rng.permutation(8) if name not in row]
        count = int((row >= 0).sum())
        row[count:] = others[: 6 - count]
    return guesses if share else truth


WORDS = ("river", "old", "Bridge", "north", "red", "market", "hill", "the", "of", "lane")


def _texts(rng: np.random.Generator, rows: int) -> Array:
    return objects([" ".join(rng.choice(WORDS, rng.integers(1, 6))) for _ in range(rows)])


def _sequences(rng: np.random.Generator, rows: int) -> Array:
    return objects([tuple(map(str, rng.choice(list("abc"), 6))) for _ in range(rows)])


def _orders(rng: np.random.Generator, rows: int) -> Array:
    return objects(
        [tuple(map(str, rng.permutation(rng.integers(2, 9)).tolist())) for _ in range(rows)]
    )


def _shuffle_orders(rng: np.random.Generator, truth: Array, share: float) -> Array:
    noise = objects([tuple(map(str, rng.permutation(items))) for items in truth])
    picked = rng.random(len(truth)) < share
    return np.where(picked, noise, truth)


def _masks(rng: np.random.Generator, rows: int) -> Array:
    down, across = np.mgrid[:16, :16]
    centre, radius = rng.uniform(4, 12, (rows, 2)), rng.uniform(2, 6, rows)
    radius[rng.random(rows) < 0.2] = 0.0
    square = (down - centre[:, :1, np.newaxis]) ** 2 + (across - centre[:, 1:, np.newaxis]) ** 2
    return np.asarray(square < radius[:, np.newaxis, np.newaxis] ** 2)


def _boxes(rng: np.random.Generator, rows: int) -> Array:
    pictures = []
    for _ in range(rows):
        count = int(rng.integers(0, 5))
        kinds, places = rng.integers(0, 3, count), rng.uniform(0, 40, (count, 2))
        sizes = rng.uniform(6, 16, (count, 2))
        pictures.append(np.column_stack([kinds, places, sizes, np.ones(count)]).astype(float))
    return objects(pictures)


def _move_boxes(rng: np.random.Generator, truth: Array, share: float) -> Array:
    """Boxes are pushed away and become less sure, in step; some new ones come in."""
    if not share:
        return truth
    found = []
    for boxes in truth:
        moved = boxes.copy()
        push = rng.exponential(1.0, len(boxes))
        moved[:, 1:3] += 12 * share * push[:, np.newaxis] * rng.normal(0, 1, (len(boxes), 2))
        moved[:, 5] = np.round(1 / (1 + push), 3)
        stray = np.array([[rng.integers(0, 3), *rng.uniform(0, 40, 2), 8, 8, 0.2]])
        found.append(np.vstack([moved, stray]) if rng.random() < share else moved)
    return objects(found)


def _numbers(shape: tuple[int, ...] = ()) -> Callable[[np.random.Generator, int], Array]:
    return lambda rng, rows: rng.normal(1.0, 2.0, (rows, *shape))


def _constant_numbers(truth: Array) -> list[Array]:
    return [np.full(truth.shape, value) for value in (0.0, 3.0, -1e15)]


def _constant_probabilities(truth: Array) -> list[Array]:
    return [np.full(truth.shape, value) for value in (0.0, 0.25, 1.0)]


def _constant_labels(truth: Array) -> list[Array]:
    return [np.full(truth.shape, value) for value in (0, 1)]


def _constant_classes(truth: Array) -> list[Array]:
    first = np.zeros(truth.shape[1])
    first[0] = 1.0
    return [np.full(truth.shape, 1 / truth.shape[1]), repeated(first, truth)]


PROBABILITY = Form(
    lambda rng, rows: _labels(2)(rng, rows).astype(float), blur, _constant_probabilities
)
PROBABILITY_COLUMNS = Form(
    lambda rng, rows: _label_columns(rng, rows).astype(float), blur, _constant_probabilities
)
CLASS_PROBABILITIES = Form(_one_hot, _normalised, _constant_classes)
SHARES = Form(
    lambda rng, rows: rng.dirichlet([0.4, 0.4, 0.4], rows), _normalised, _constant_classes
)
LABEL = Form(_labels(2), swap_rows, _constant_labels)
CLASS = Form(_labels(4), swap_rows, _constant_labels)
LABEL_COLUMNS = Form(_label_columns, swap_rows, _constant_labels)
NUMBER = Form(_numbers(), mix, _constant_numbers)
NUMBERS = Form(_numbers((3,)), mix, _constant_numbers)
POSITIVE = Form(lambda rng, rows: rng.lognormal(1.0, 0.8, rows), mix, _constant_numbers)
ANGLES = Form(_angles, swap_rows, lambda truth: [repeated([1.0, 0.5], truth)])
PLACES = Form(_places, mix, lambda truth: [repeated([47.0, 8.0], truth)])
ESTIMATE = Form(
    _estimates,
    _move_estimates,
    lambda truth: [repeated([1.0, 2.0], truth), repeated([0.0, 1e-9], truth)],
)
RANKING = Form(
    _rankings, _extend_rankings, lambda truth: [repeated([5, 6, 7, 4, 3, 2], truth), truth * 0 - 1]
)
TEXT = Form(
    _texts, swap_rows, lambda truth: [objects([text] * len(truth)) for text in ("", "river")]
)
SEQUENCE = Form(
    _sequences, swap_rows, lambda truth: [objects([row] * len(truth)) for row in ((), ("a",) * 6)]
)
ORDER = Form(
    _orders, _shuffle_orders, lambda truth: [objects([tuple(sorted(row)) for row in truth])]
)
MASK = Form(_masks, swap_rows, lambda truth: [np.zeros_like(truth), np.ones_like(truth)])
BOXES = Form(
    _boxes,
    _move_boxes,
    lambda truth: [
        objects([boxes] * len(truth))
        for boxes in (np.zeros((0, 6)), np.array([[0.0, 10.0, 10.0, 10.0, 10.0, 1.0]]))
    ],
)
