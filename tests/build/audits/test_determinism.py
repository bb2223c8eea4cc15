"""Data that depend on the process, the clock or the machine's chance are a fault."""

from __future__ import annotations

import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import caught, passes

_SIZE = "SAMPLES = TRAIN + TEST"


def test_a_sound_script(prepared: Prepared) -> None:
    passes("determinism", prepared)


@pytest.mark.parametrize(
    ("old", "new", "evidence"),
    [
        (_SIZE, f"{_SIZE}\nRANDOM_SEED = hash('a') % 1000", "other data"),
        (_SIZE, f"{_SIZE}\nimport time\nRANDOM_SEED = time.time_ns()", "other data"),
        (_SIZE, f"{_SIZE}\nimport datetime\nDAY = datetime.date.today()", "calls .today("),
        ('shuffle_columns(stream("columns")', "shuffle_columns(np.random.default_rng()", "other"),
        ("names = list(columns)", "names = list(set(columns))", "other data"),
        ("def generate()", "def generate_all()", "fails under PYTHONHASHSEED=0: KeyError"),
    ],
)
def test_unstable_scripts(old: str, new: str, evidence: str, prepared: Prepared) -> None:
    script = prepared.folder / "generate.py"
    text = script.read_text()
    assert old in text
    script.write_text(text.replace(old, new, 1))
    assert evidence in caught("determinism", prepared)
