"""Data that depend on the process, the clock or the folder."""

from __future__ import annotations

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.planting import with_generator

#: Puts a changed file in the place of another; {files} is its part of the dataset.
_CHANGED = """\
import dataclasses

_drawn = generate


def generate():
    dataset = _drawn()
    files = dict(dataset.{part})
    {change}
    return dataclasses.replace(dataset, {part}=files)
"""


def code(change: str, part: str = "public") -> str:
    """Code that changes `files` after they are drawn."""
    return _CHANGED.format(change=change, part=part)


#: A seed from the hash of a text.
_HASHED_SEED = """\
RANDOM_SEED = hash("seed") % 10000
"""

_SET_ORDER = code('files["train.csv"] = b"\\n".join({*files["train.csv"].splitlines()})')
_SET_OF_COLUMNS = code(
    """rows = files["test.csv"].decode().splitlines()
    last = {row.rsplit(",", 1)[1] for row in rows}
    files["levels.txt"] = "\\n".join(last).encode()"""
)
_CLOCK = code('import time; files["about.txt"] = f"written {time.time_ns()}".encode()')
_DATE = code('import datetime; files["about.txt"] = f"as of {datetime.date.today()}".encode()')
_UNSEEDED = code(
    """head, *rows = files["test.csv"].decode().splitlines()
    digits = np.random.default_rng().integers(0, 10, len(rows))
    rows = [f"{row}{digit}" for row, digit in zip(rows, digits)]
    files["test.csv"] = "\\n".join([head, *rows, ""]).encode()"""
)
_SHUFFLED_ANSWERS = code(
    """import random
    head, *rows = files["answers.csv"].splitlines(keepends=True)
    random.shuffle(rows)
    files["answers.csv"] = b"".join([head, *rows])""",
    part="private",
)
_COMPRESSED = code(
    """import gzip
    files["train.csv.gz"] = gzip.compress(files["train.csv"], mtime=id(files) // 16 % 2**31)"""
)

FAULTS = (
    fault(
        "determinism", "seed from a hash", "loan-instalment-fit", with_generator, code=_HASHED_SEED
    ),
    fault(
        "determinism", "rows in the order of a set", "rent-letters", with_generator, code=_SET_ORDER
    ),
    mild_fault(
        "determinism",
        "one file in the order of a set",
        "alloy-strength",
        with_generator,
        code=_SET_OF_COLUMNS,
    ),
    mild_fault("determinism", "the clock", "club-form", with_generator, code=_CLOCK),
    mild_fault("determinism", "the date", "club-form", with_generator, code=_DATE),
    mild_fault(
        "determinism", "last digits of chance", "dose-finding", with_generator, code=_UNSEEDED
    ),
    mild_fault(
        "determinism", "order of the answers", "wash-trades", with_generator, code=_SHUFFLED_ANSWERS
    ),
    fault("determinism", "a compressed copy", "harbour-radio", with_generator, code=_COMPRESSED),
)
