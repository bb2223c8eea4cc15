"""What a thorough look adds to a verdict, and when it no longer holds."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from sandmle.build.build import build_task
from sandmle.build.examination import (
    EXAMINATION_FILE,
    Examination,
    dump_examination,
    load_examination,
    load_judged,
    verdict_digest,
)
from sandmle.build.examine import audit_task, examine_task
from sandmle.build.index import write_index
from sandmle.build.verdict import Audit, Player, Verdict, dump_verdict

GOOD = Verdict("road", True, (), "1.0", "e", flip_rates={"test_draw": 0.1}, timings={"ladder": 1.0})


def put(build: Path, verdict: Verdict, examination: Examination) -> Path:
    folder = build / "tasks" / verdict.id
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "verdict.json").write_text(dump_verdict(verdict))
    (folder / EXAMINATION_FILE).write_text(dump_examination(examination))
    return folder


def examined(*reasons: str) -> Examination:
    return Examination(
        "road",
        verdict_digest(GOOD),
        reasons,
        audits=(Audit("fuzz", "nothing crashes", "deep", not reasons, "500 tried"),),
        flip_rates={"model_seed": 0.2},
        panel=(Player("dummy", "dummy", 0.5, "none"),),
    )


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    folder = put(tmp_path, GOOD, examined())
    assert load_examination(folder, GOOD) == examined()


def test_it_adds_to_the_verdict_and_to_the_index(tmp_path: Path) -> None:
    folder = put(tmp_path, GOOD, examined("unreliable"))
    judged = load_judged(folder)
    assert (judged.accepted, judged.reasons) == (False, ("unreliable",))
    assert judged.flip_rates == {"test_draw": 0.1, "model_seed": 0.2}
    assert [audit.name for audit in judged.audits] == ["fuzz"]
    write_index(tmp_path, ["road"])
    line = json.loads((tmp_path / "index.jsonl").read_text())
    assert (line["accepted"], line["reasons"]) == (False, ["unreliable"])
    assert line["flip_rates"] == judged.flip_rates


def test_one_of_an_earlier_build_does_not_count(tmp_path: Path) -> None:
    folder = put(tmp_path, dataclasses.replace(GOOD, spec="edited"), examined("unreliable"))
    assert load_judged(folder).accepted
    slower = dataclasses.replace(GOOD, timings={"ladder": 9.0})
    assert load_examination(put(tmp_path, slower, examined()), slower) is not None


def test_one_that_is_broken_is_named(tmp_path: Path) -> None:
    folder = put(tmp_path, GOOD, examined())
    (folder / EXAMINATION_FILE).write_text("{}")
    with pytest.raises(ValueError, match=r"road/examination.json: not an examination"):
        load_judged(folder)


def test_a_good_task_stands_a_thorough_look(corpus: Path, tmp_path: Path) -> None:
    spec, folder = corpus / "specs/tasks/road.yaml", tmp_path / "tasks" / "road"
    verdict = build_task(spec, folder, corpus=corpus)
    assert verdict.reasons == ()
    found = examine_task(spec, folder, corpus=corpus)
    assert found.reasons == ()
    assert load_examination(folder, verdict) == found
    assert {audit.cost for audit in found.audits} <= {"deep"}
    assert found.flip_rates.keys() == {"model_seed"}
    assert len(found.panel) >= 8
    assert all(check.passed for check in audit_task(spec, folder, corpus=corpus))


def test_a_task_of_another_spec_is_not_examined(corpus: Path, tmp_path: Path) -> None:
    spec, folder = corpus / "specs/tasks/road.yaml", tmp_path / "tasks" / "road"
    verdict = build_task(spec, folder, corpus=corpus)
    other = dataclasses.replace(verdict, hashes={**verdict.hashes, "private": "other"})
    (folder / "verdict.json").write_text(dump_verdict(other))
    with pytest.raises(ValueError, match="the spec makes other data by now"):
        examine_task(spec, folder, corpus=corpus)
    assert not (folder / EXAMINATION_FILE).exists()


def test_a_rejected_task_is_not_looked_at(tmp_path: Path) -> None:
    rejected = dataclasses.replace(GOOD, accepted=False, reasons=("too easy",))
    folder = put(tmp_path, rejected, examined())
    found = examine_task(tmp_path / "road.yaml", folder, corpus=tmp_path)
    assert (found.audits, found.reasons) == ((), ())
    assert not load_judged(folder).accepted
