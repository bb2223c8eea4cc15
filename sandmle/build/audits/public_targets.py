"""Targets stand in train.csv alone: no other table has a column named as one."""

from __future__ import annotations

from sandmle.build.auditing import Examined, Finding

CLAIM = "targets stand in train.csv alone"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Looks at the columns of all other tables."""
    found = [
        f"{name}.csv: {target}"
        for name, table in task.competition.tables.items()
        for target in task.competition.targets
        if target in table.columns
    ]
    return Finding(not found, ", ".join(found) or "none elsewhere")
