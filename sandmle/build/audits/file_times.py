"""When files were made tells nothing, by their folder or by a date that they hold."""

from __future__ import annotations

import os
import re

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import association, compared, serial_deviations
from sandmle.build.evidence.encodings import Encoding
from sandmle.build.evidence.traits import number_traits, together

CLAIM = "times of files tell nothing"
COST = "cheap"

#: The chunk of a PNG that holds its last change: a year of two bytes, five numbers of one.
TIME_CHUNK = "tIME"

_DATE = re.compile(rb"((?:19|20)\d\d)\D?(\d\d)\D?(\d\d)(?:\D?(\d\d)\D?(\d\d)\D?(\d\d))?")


def examine(task: Examined) -> Finding:
    """Compares labels with the times of files on disk, and with dates in headers and notes."""
    found, folder = [], str(task.prepared.public)
    for series in task.series:
        times = [os.stat(f"{folder}/{path}").st_mtime_ns for path in series.paths]
        dates = [date(each) for each in task.encodings[series.name]]
        names, columns = together(
            [
                *number_traits("time on disk", np.array(times)),
                *number_traits("date in the file", np.array(dates)),
            ]
        )
        where = series.name
        found += compared(columns, names, task.outcomes, series.rows, where)
        order = series.rows[np.argsort(times, kind="stable")]
        for target, outcome in task.outcomes.items():
            found += serial_deviations(outcome[order], f"file made before, {target}, {where}")
    return association(found)


def date(said: Encoding) -> float:
    """The first date that a file's headers hold, as one number; 0 where there is none."""
    for name, value in said.items():
        if name == "time" and isinstance(value, float):
            return value
        if name == TIME_CHUNK and isinstance(value, bytes) and len(value) == 7:
            year = int.from_bytes(value[:2], "big")
            return float("".join(f"{part:02d}" for part in (year, *value[2:])))
        if isinstance(value, bytes) and (match := _DATE.search(value)):
            return float("".join(part.decode() if part else "00" for part in match.groups()))
    return 0.0
