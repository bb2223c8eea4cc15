"""Evaluators that break, or take what is no submission."""

from __future__ import annotations

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.planting import with_evaluator

#: Numbers as Python reads them, and a mean that leaves out what is none.
_NAN_LEFT_OUT = """\
def parse(table, targets, classes):
    return np.array([float(cell) for cell in table.columns[targets[0]]])


def mae(truth, prediction):
    errors = np.abs(truth - prediction)
    return float(np.nanmean(errors)) if np.isfinite(errors).any() else 0.0
"""

#: Not a number is no error.
_NAN_IS_NOTHING = """\
def parse(table, targets, classes):
    return np.array([float(cell) for cell in table.columns[targets[0]]])


def brier_score(truth, prediction):
    return float(np.mean(np.nan_to_num((truth - prediction) ** 2, posinf=0.0)))
"""

#: Rows with an empty cell are not judged.
_EMPTY_LEFT_OUT = """\
def parse(table, targets, classes):
    return np.array([float(cell or "nan") for cell in table.columns[targets[0]]])


def rmse(truth, prediction):
    known = np.isfinite(prediction)
    return float(np.sqrt(np.mean((truth - prediction)[known] ** 2))) if known.any() else 1e9
"""

#: Numbers of any size: squares of the largest are no numbers.
_ENDLESS = """\
def parse(table, targets, classes):
    return table.numbers(targets[0], -1e308, 1e308)
"""

#: Missing ids are judged as if they were right.
_MISSING_RIGHT = """\
_strict = read_submission


def read_submission(content, key):
    text = content.decode()
    known = {line.split(",")[0] for line in text.splitlines()}
    cells = key.columns[TARGETS[0]]
    lines = [f"{name},{cell}" for name, cell in zip(key.ids, cells) if name not in known]
    return _strict("\\n".join([text.rstrip("\\n"), *lines]).encode(), key)
"""

#: Missing ids get what a sample submission says.
_MISSING_FILLED = _MISSING_RIGHT.replace("{cell}", "0.5")

#: Rows of unknown ids are passed over.
_EXTRA_ROWS = """\
_strict = read_submission


def read_submission(content, key):
    lines = content.decode().splitlines()
    known = {"id", *key.ids}
    return _strict("\\n".join(line for line in lines if line.split(",")[0] in known).encode(), key)
"""

#: The last of several rows of one id counts.
_DUPLICATES = """\
_strict = read_submission


def read_submission(content, key):
    lines = {line.split(",")[0]: line for line in content.decode("utf-8-sig").splitlines() if line}
    return _strict("\\n".join(lines.values()).encode(), key)
"""

#: Text that is not UTF-8 is a crash.
_CRASH_AT_A_BYTE = """\
_strict = read_submission


def read_submission(content, key):
    content.decode()
    return _strict(content, key)
"""

#: An empty file is a crash.
_CRASH_AT_NOTHING = """\
_strict = read_submission


def read_submission(content, key):
    content.splitlines()[0]
    return _strict(content, key)
"""

#: A cell that holds a lone quote is a crash.
_CRASH_AT_A_QUOTE = """\
def read_records(content):
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig", "replace")), strict=True)
    yield from enumerate(row for row in rows if row)
"""

#: What Python takes for a number: 1_000, nan, digits of any script.
_PYTHONS_NUMBERS = """\
def parse(table, targets, classes):
    try:
        values = np.array([float(cell) for cell in table.columns[targets[0]]])
    except ValueError as error:
        raise InvalidSubmission(str(error)) from None
    return np.clip(np.nan_to_num(values), -1e9, 1e9)
"""

#: A submission is refused without a word.
_NO_REASON = """\
_told = grade


def grade(score, reason):
    return _told(score, None if reason is None else "")
"""

FAULTS = (
    fault("nan_routes", "nan is left out", "club-form", with_evaluator, code=_NAN_LEFT_OUT),
    fault("nan_routes", "inf is no error", "storm-claims", with_evaluator, code=_NAN_IS_NOTHING),
    mild_fault(
        "nan_routes",
        "empty cells are left out",
        "dose-finding",
        with_evaluator,
        code=_EMPTY_LEFT_OUT,
    ),
    mild_fault("nan_routes", "squares overflow", "dose-finding", with_evaluator, code=_ENDLESS),
    fault(
        "format_fuzz", "missing ids are right", "right-whale", with_evaluator, code=_MISSING_RIGHT
    ),
    mild_fault(
        "format_fuzz",
        "missing ids are filled",
        "rent-letters",
        with_evaluator,
        code=_MISSING_FILLED,
    ),
    mild_fault(
        "format_fuzz",
        "unknown ids are passed over",
        "narrowband-drift",
        with_evaluator,
        code=_EXTRA_ROWS,
    ),
    mild_fault(
        "format_fuzz",
        "the last of two rows counts",
        "weld-cracks",
        with_evaluator,
        code=_DUPLICATES,
    ),
    fault("format_fuzz", "a byte crashes it", "club-form", with_evaluator, code=_CRASH_AT_A_BYTE),
    mild_fault(
        "format_fuzz",
        "an empty file crashes it",
        "fabric-weave",
        with_evaluator,
        code=_CRASH_AT_NOTHING,
    ),
    mild_fault(
        "format_fuzz",
        "a quote crashes it",
        "parish-registers",
        with_evaluator,
        code=_CRASH_AT_A_QUOTE,
    ),
    mild_fault(
        "format_fuzz",
        "numbers as Python reads them",
        "alloy-strength",
        with_evaluator,
        code=_PYTHONS_NUMBERS,
    ),
    fault("format_fuzz", "no reason", "kidney-bodies", with_evaluator, code=_NO_REASON),
)
