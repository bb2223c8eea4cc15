"""The corpus report: what reached each stage, why others did not, and the mix."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sandmle.build.verdict import Verdict
from sandmle.cli import app
from sandmle.paper import PAPER_MIX
from sandmle.report.corpus import (
    CorpusReport,
    Entry,
    Outcome,
    report_corpus,
    summarize,
)
from sandmle.resources import resource
from sandmle.roles.log import Line, append_line
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec
from sandmle.vocabulary import load_vocabulary

TASKS = resource("specs") / "tasks"
HOTEL = load_spec(TASKS / "hotel-cancellation-weekday.yaml")


def entry(
    name: str,
    *,
    spec: Spec | None = HOTEL,
    accepted: bool = True,
    compiled: bool = True,
    reasons: tuple[str, ...] = (),
    digest: str | None = None,
) -> Entry:
    """A spec that was built."""
    found = Outcome(digest or (spec.digest if spec else ""), compiled, accepted, reasons)
    return Entry(name, spec, () if spec else ("missing key 'dna'",), found)


def report(*entries: Entry) -> CorpusReport:
    return summarize(entries, load_vocabulary())


def of(**dna: Any) -> Spec:
    return dataclasses.replace(HOTEL, dna=dataclasses.replace(HOTEL.dna, **dna))


def test_every_spec_is_counted_at_the_stages_that_it_reached() -> None:
    found = report(
        entry("good"),
        entry("poor", accepted=False, reasons=("too easy: models reach silver (x: 1, least 2)",)),
        entry("crashes", compiled=False, accepted=False, reasons=("generate.py: no rows",)),
        entry("edited", digest="that of another text"),
        Entry("new", HOTEL),
        Entry("broken", None, ("missing key 'dna' (the structural DNA)",)),
    )
    counts = (found.drafted, found.valid, found.compiled, found.accepted)
    assert counts == (6, 5, 2, 1)
    assert found.reasons == {
        "valid": {"missing key '...'": 1},
        "compiled": {
            "changed since it was built": 1,
            "generate.py: no rows": 1,
            "not built yet": 1,
        },
        "accepted": {"too easy: models reach silver": 1},
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "audit failed: constant (a constant scores 0.61)",
            "audit failed: constant (a constant scores 0.7)",
        ),
        (
            "too hard: no honest model reaches silver; turn a dial down (h: -0.1, least 0)",
            "too hard: no honest model reaches silver; turn a dial down (h: -2e-05, least 0)",
        ),
        (
            "the gold threshold 0.91 has drifted: the ladder now gives -4, far away",
            "the gold threshold 9 has drifted: the ladder now gives 5.5e-3, far away",
        ),
        ("generate.py: KeyError: 'depth'", "generate.py: KeyError: 'width'"),
    ],
)
def test_reasons_that_differ_in_one_task_s_details_are_one(one: str, other: str) -> None:
    entries = [entry(text, accepted=False, reasons=(text,)) for text in (one, other)]
    assert list(report(*entries).reasons["accepted"].values()) == [2]


def test_other_audits_are_other_reasons() -> None:
    reasons = (
        "audit failed: constant (a)",
        "audit failed: row order (a)",
        "audit failed: constant",
    )
    found = report(entry("poor", accepted=False, reasons=reasons))
    assert found.reasons["accepted"] == {
        "audit failed: constant": 1,
        "audit failed: row order": 1,
    }


def test_the_mix_is_of_accepted_tasks_beside_the_paper() -> None:
    found = report(
        entry("table"),
        entry("sensor", spec=of(modality="signal")),
        entry("curve", spec=of(modality="series")),
        entry("picture", spec=of(modality="image")),
        entry("film", spec=of(modality="film")),
        entry("poor", spec=of(modality="text"), accepted=False, reasons=("poor",)),
    )
    shares = found.mix["modality"]
    assert next(iter(shares)) == "tabular"
    tabular = shares["tabular"]
    assert (tabular.valid, tabular.accepted, tabular.share) == (3, 3, 60.0)
    assert (tabular.paper, tabular.points) == (25, 35.0)
    assert tabular.parts == {"tabular": 1, "signal": 1, "series": 1}
    text = shares["text"]
    assert (text.valid, text.accepted, text.share, text.points) == (1, 0, 0.0, -10.0)
    assert shares["audio"].points == -2.0, "what is missing is told"
    assert (shares["film"].share, shares["film"].paper) == (20.0, None)


def test_before_anything_is_accepted_the_mix_is_of_valid_specs() -> None:
    found = report(
        Entry("one", HOTEL), Entry("other", of(task="forecasting", metric=HOTEL.dna.metric))
    )
    assert {name: share.share for name, share in found.mix["family"].items()} == {
        "classification": 50.0,
        "reconstruction": 50.0,
        "ranking": 0.0,
        "regression": 0.0,
    }


def test_every_property_has_its_mix() -> None:
    found = report(entry("one"), entry("other", spec=of(difficulty=1.0)), entry("bad", spec=None))
    assert {name: list(shares) for name, shares in found.mix.items() if name not in PAPER_MIX} == {
        "task": ["binary"],
        "metric": ["average_precision"],
        "domain": ["hospitality"],
        "rule": ["blend"],
        "difficulty": ["0.8 to 1.0", "not given"],
    }


@pytest.mark.parametrize(
    ("difficulty", "told"),
    [(0.0, "0.0 to 0.2"), (0.19, "0.0 to 0.2"), (0.6, "0.6 to 0.8"), (1.0, "0.8 to 1.0")],
)
def test_difficulties_are_counted_in_fifths(difficulty: float, told: str) -> None:
    assert list(report(entry("one", spec=of(difficulty=difficulty))).mix["difficulty"]) == [told]


def test_near_duplicates_are_told_in_pairs() -> None:
    found = report(
        entry("one"), entry("other", spec=of(train=165)), entry("far", spec=of(train=60))
    )
    assert [(pair.one, pair.other) for pair in found.near_duplicates] == [("one", "other")]


def corpus(folder: Path, names: Iterable[str]) -> Path:
    (folder / "specs" / "tasks").mkdir(parents=True)
    for name in names:
        shutil.copy(TASKS / f"{name}.yaml", folder / "specs" / "tasks")
    return folder


def verdict(name: str, **changes: Any) -> dict[str, Any]:
    spec = load_spec(TASKS / f"{name}.yaml")
    built = Verdict(name, True, (), "1.0", "e", spec=spec.digest, hashes={"public": "x"})
    return {**dataclasses.asdict(built), "reasons": [], **changes}


def write_verdict(folder: Path, data: dict[str, Any]) -> None:
    task = folder / "build" / "tasks" / data["id"]
    task.mkdir(parents=True)
    (task / "verdict.json").write_text(json.dumps(data))


NAMES = ("hotel-cancellation-weekday", "grid-spans", "alloy-strength")


def test_verdicts_tell_and_the_index_tells_of_what_has_none(tmp_path: Path) -> None:
    folder = corpus(tmp_path, NAMES)
    (folder / "specs" / "tasks" / "broken.yaml").write_text("spec: 1\n")
    write_verdict(folder, verdict(NAMES[0]))
    lines = [
        verdict(NAMES[0], accepted=False, reasons=["an older build"]),
        verdict(NAMES[1], accepted=False, reasons=["audit failed: ids (z)"]),
        verdict(NAMES[2], id="gone"),
    ]
    index = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "build" / "index.jsonl").write_text(index)
    found = report_corpus(folder)
    assert (found.drafted, found.valid, found.compiled, found.accepted) == (4, 3, 2, 1)
    assert found.reasons["compiled"] == {"not built yet": 1}
    assert found.reasons["accepted"] == {"audit failed: ids": 1}


def test_drafts_that_were_given_up_were_drafted(tmp_path: Path) -> None:
    folder = corpus(tmp_path, NAMES)
    given_up = {"id": NAMES[0], "because": "too hard", "margin": "honest over silver", "by": -0.1}
    line = Line("", "wine", 0, None, False, (given_up, given_up))
    append_line(folder / "specs" / "tasks", line)
    found = report_corpus(folder)
    assert (found.drafted, found.valid) == (5, 3)
    assert found.reasons["valid"] == {"given up by draft: too hard: honest over silver": 2}


def test_flips_are_told_by_their_medians_and_dead_tasks_by_name(tmp_path: Path) -> None:
    folder = corpus(tmp_path, NAMES)
    rates = ({"test_draw": 0.1, "model_seed": 0.0}, {"test_draw": 0.2})
    for name, flips in zip(NAMES, rates, strict=False):
        write_verdict(folder, verdict(name, flip_rates=flips))
    dead = verdict(NAMES[2], accepted=False, reasons=["dead: solvers of different skill ..."])
    write_verdict(folder, {**dead, "flip_rates": {"test_draw": 0.9}})
    found = report_corpus(folder)
    assert found.flip_rate == {"test_draw": pytest.approx(0.15), "model_seed": 0.0}
    assert found.dead == (NAMES[2],)


def test_flips_that_nothing_measured_are_not_zero() -> None:
    assert report(Entry("new", HOTEL)).flip_rate == {"model_seed": None, "test_draw": None}


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["corpus", "--corpus", str(folder), *arguments])


def test_the_command_prints_the_funnel_beside_the_paper_s(tmp_path: Path) -> None:
    folder = corpus(tmp_path, NAMES)
    write_verdict(folder, verdict(NAMES[0]))
    done = run(folder)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["here", "3", "3", "1", "1", "33%"] in lines
    assert ["paper", "1200", "1119", "1106", "912", "76%"] in lines
    assert ["2", "not", "built", "yet"] in lines
    assert ["mixed", "0", "0", "0.0%", "10%", "-10.0", "multi-modal"] in lines
    assert "Near-duplicates: none" in done.stdout


def test_the_json_holds_all_of_it(tmp_path: Path) -> None:
    folder = corpus(tmp_path, NAMES[:1])
    copy = (folder / "specs" / "tasks" / f"{NAMES[0]}.yaml").read_text()
    copy = re.sub(r"random_seed: \d+", "random_seed: 24", copy.replace(NAMES[0], "copy"))
    (folder / "specs" / "tasks" / "copy.yaml").write_text(copy)
    data = json.loads(run(folder, "--json").stdout)
    assert list(data) == [
        *("drafted", "valid", "compiled", "accepted", "reasons", "mix"),
        *("flip_rate", "dead", "near_duplicates"),
    ]
    assert list(data["mix"]) == [
        *("modality", "family", "task", "metric", "domain", "rule", "difficulty")
    ]
    assert data["mix"]["rule"] == {"blend": {"valid": 2, "accepted": 0, "share": 100.0}}
    assert data["near_duplicates"] == [{"one": "copy", "other": NAMES[0], "distance": 0.0}]


def test_a_broken_verdict_is_named(tmp_path: Path) -> None:
    folder = corpus(tmp_path, NAMES[:1])
    write_verdict(folder, {"id": NAMES[0]})
    done = run(folder)
    assert done.exit_code == 2
    assert f"{NAMES[0]}/verdict.json: not a verdict" in done.stderr


def test_a_corpus_without_specs_says_what_to_do(tmp_path: Path) -> None:
    done = run(corpus(tmp_path, ()))
    assert done.exit_code == 2
    assert "sandmle init" in done.stderr
