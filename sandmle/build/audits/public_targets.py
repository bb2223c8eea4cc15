"""Targets stand in train.csv alone: nothing else has a column or a key named as one, or nearly."""

from __future__ import annotations

import re

from sandmle.build.auditing import Examined, Finding

CLAIM = "targets stand in train.csv alone"
COST = "cheap"

#: Words beside a target's name under which it is still the target.
BESIDE = frozenset(
    re.findall(
        r"\w+",
        "true truth label labels target targets gt ground actual answer answers final copy old new "
        "raw orig original encoded enc code value values class col column y is num idx index",
    )
)

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NAME = re.compile(r"[A-Za-z_][\w .-]*")
_KEY = re.compile(r"""["']?([A-Za-z_][\w .-]*)["']?\s*[:=]""")


def examine(task: Examined) -> Finding:
    """Looks at the columns of all other tables, and at keys and headers in other public files."""
    dataset, competition = task.prepared.dataset, task.competition
    targets = {*dataset.labels, *competition.targets}
    columns = {"test.csv": set(competition.frame.columns)}
    columns |= {f"{name}.csv": set(table.columns) for name, table in competition.tables.items()}
    for path, text in task.shared_texts.items():
        if path != "train_labels.csv":
            columns.setdefault(path.rpartition("/")[2], set()).update(names_in(path, text))
    for series in task.series:
        if series.is_text:
            columns[series.name] = names_in(series.name, series.contents[0].decode("latin-1"))
    found = [
        f"{where}: {name}"
        for where, names in columns.items()
        for name in sorted(names)
        if any(is_near(name, target) for target in targets)
    ]
    return Finding(not found, ", ".join(found) or "none elsewhere")


def names_in(path: str, text: str) -> set[str]:
    """What the first line may name, and in files other than tables keys anywhere."""
    first = re.split(r"[,;\t]", text.partition("\n")[0])
    cells = {name for name in (cell.strip(" \"'") for cell in first) if _NAME.fullmatch(name)}
    return cells if path.endswith(".csv") else cells | set(_KEY.findall(text))


def is_near(name: str, target: str) -> bool:
    """Whether a name is a target's but for case, breaks, numbers and words such as `true`."""
    words = [word.lower() for word in _WORD.findall(name)]
    wanted = [word.lower() for word in _WORD.findall(target)]
    if "".join(words) == "".join(wanted) or name.lower() == target.lower():
        return True
    rest = [word for word in words if word not in BESIDE and not word.isdigit()]
    core = [word for word in wanted if word not in BESIDE and not word.isdigit()]
    return bool(core) and rest == core
