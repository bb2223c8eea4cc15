"""The sizes of files, one a sample, say nothing of the label."""

from __future__ import annotations

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import association, compared
from sandmle.build.evidence.traits import number_traits, together
from sandmle.build.ladder import is_plain

CLAIM = "sizes of files tell nothing"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Compares labels with the sizes of each kind of files.

    Not where a label is more than a number or a class: what a mask covers is what its picture
    shows, and a picture may take the more bytes the more it shows.
    """
    if not is_plain(task.prepared.dataset):
        return Finding(True, "not looked at: the target is more than a number or a class")
    found = []
    for series in task.series:
        if not series.is_text:
            sizes = np.array([len(content) for content in series.contents])
            names, columns = together(number_traits("size", sizes))
            found += compared(columns, names, task.outcomes, series.rows, series.name)
    return association(found)
