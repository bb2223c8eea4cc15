"""Ids are made of nothing that goes with a label: no number, length, character or prefix."""

from __future__ import annotations

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import association, compared, wholes_of
from sandmle.build.evidence.traits import traits

CLAIM = "what ids are made of tells nothing"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Compares labels with whatever can be read off an id alone."""
    names, columns = traits(task.competition.ids)
    found = []
    for part, rows in wholes_of(task.competition):
        found += compared(columns[rows], names, task.outcomes, rows, part)
    return association(found)
