"""Pieces of noise on the main table: which columns, and entries that are replaced."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.scaling import fractions


def number_columns(
    columns: Mapping[str, np.ndarray], names: Sequence[str] | None = None
) -> list[str]:
    """The columns called `names`, or all that hold numbers.

    Raises ValueError where a name is not that of a number column.
    """
    return _chosen(columns, names, "f", "numbers")


def text_columns(
    columns: Mapping[str, np.ndarray], names: Sequence[str] | None = None
) -> list[str]:
    """The columns called `names`, or all that hold text.

    Raises ValueError where a name is not that of a text column.
    """
    return _chosen(columns, names, "U", "text")


def kept_possible(values: np.ndarray, disturbed: np.ndarray) -> np.ndarray:
    """`disturbed`, but where `values` are whole numbers throughout, rounded and within their range,
    as counts and digits are; and where none is negative, 0 at least, as amounts are.
    """
    if np.isnan(values).all():
        return disturbed
    if not np.all(np.isnan(values) | (values == np.rint(values))):
        return disturbed if np.nanmin(values) < 0 else np.maximum(disturbed, 0.0)
    within: np.ndarray = np.clip(np.rint(disturbed), np.nanmin(values), np.nanmax(values))
    return within


def replace_entries(
    rng: np.random.Generator,
    columns: Mapping[str, np.ndarray],
    replacement: float,
    *,
    rate: float,
    by: np.ndarray | None = None,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """The columns with a share `rate` of the entries of number columns replaced.

    The share grows with `by` (samples,), from none to twice `rate`; it is even everywhere without.
    `only` are the columns, all of numbers without. Raises ValueError as number_columns does.
    """
    chance = np.full(len(next(iter(columns.values()))), rate)
    if by is not None:
        chance = np.minimum(1.0, 2 * rate * fractions(by))
    replaced = dict(columns)
    for name in number_columns(columns, only):
        is_lost = rng.random(len(chance)) < chance
        replaced[name] = np.where(is_lost, replacement, columns[name])
    return replaced


def _chosen(
    columns: Mapping[str, np.ndarray], names: Sequence[str] | None, dtype: str, content: str
) -> list[str]:
    fitting = [name for name, values in columns.items() if values.dtype.kind == dtype]
    if names is None:
        return fitting
    for name in names:
        if name not in fitting:
            raise ValueError(f"no column {name!r} of {content}; there are {sorted(fitting)}")
    return list(names)
