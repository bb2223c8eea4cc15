"""Samples in the order of time, as rules about earlier samples look at them."""

import numpy as np


def histories(over: np.ndarray, group: np.ndarray | None = None) -> list[np.ndarray]:
    """The samples of each group as indices, the earliest first; one history without groups.

    `over` (samples,) is the moment of each sample; those of one moment keep their order.
    """
    order = np.argsort(over, kind="stable")
    if group is None:
        return [order]
    return [order[group[order] == name] for name in np.unique(group)]
