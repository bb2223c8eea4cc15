"""Which columns of the main table a noise word works on."""

from collections.abc import Mapping, Sequence

import numpy as np


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
