"""verdict.json keeps everything and refuses what is not one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.build.verdict import (
    Audit,
    Margin,
    Rung,
    Verdict,
    dump_verdict,
    load_verdict,
    parse_verdict,
)
from sandmle.spec.model import Thresholds

FULL = Verdict(
    id="road",
    accepted=False,
    reasons=("zu leicht: über silver",),
    version="1.0",
    engine="e" * 64,
    spec="s" * 64,
    rules=("formula", "lookup"),
    split="validation",
    thresholds=Thresholds(0.1, 0.2, 0.3, 0.4),
    standard_error=0.01,
    ladder=(Rung("dummy", "sample", 0.5),),
    margins=(Margin("m", 0.25, 0.5, False),),
    audits=(Audit("a", "all is well", "cheap", True, "fine"),),
    hashes={"public": "p"},
    sizes={"train": 100},
    timings={"ladder": 0.5},
)


@pytest.mark.parametrize("verdict", [FULL, Verdict("road", True, (), "1.0", "e")])
def test_round_trip(verdict: Verdict) -> None:
    assert parse_verdict(dump_verdict(verdict)) == verdict


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id": "road"}', "\x00"])
def test_what_is_no_verdict_is_refused_by_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "verdict.json").write_text(text)
    with pytest.raises(ValueError, match=r"verdict\.json: not a verdict.*build the task again"):
        load_verdict(tmp_path)


def test_a_folder_without_verdict_is_not_built(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_verdict(tmp_path)
