"""Faults are planted where they say, the audits catch nearly all, and harmless changes pass."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from threadpoolctl import threadpool_limits
from typer.testing import CliRunner

from sandmle.bench.audit_table import BEGIN, END, notes, put_between, summary, table
from sandmle.bench.audits import Alarm, AuditBench, Trial, bench_audits, good_task, plant
from sandmle.bench.faults.fault import Fault, fault, harmless_changes, planted_faults
from sandmle.bench.faults.planting import copied, description, evaluator, with_evaluator
from sandmle.build.auditing import Cost, Examined, Finding, audit_modules
from sandmle.cli import app
from sandmle.resources import resource
from tests.build.specs import write_corpus

SHIPPED = resource("specs") / "tasks"
ALL: tuple[Cost, ...] = ("cheap", "deep")

#: A fault an audit, in tasks that are soon built.
ONE_EACH = {
    "adversarial": "two columns spread wider",
    "clipping": "log loss clipped at a tenth",
    "description": "a column left out",
    "determinism": "the clock",
    "duplicates": "rows",
    "file_metadata": "comment in a PNG",
    "file_names": "ending in capitals for some",
    "file_sizes": "PNG compressed at all",
    "file_times": "one class an hour later",
    "format_fuzz": "a byte crashes it",
    "given_away": "the formula",
    "ids": "ids sorted by number",
    "nan_routes": "nan is left out",
    "noise_free_truth": "answers one row too low",
    "perfect_submission": "gold below an error of nothing",
    "public_size": "one large file",
    "public_targets": "column in a second table, in capitals",
    "row_order": "test in blocks of 25",
    "shift": "empty cells",
    "single_column": "two words for two classes",
    "stray_files": "an empty log",
    "target_bytes": "rounded numbers by id",
    "ties": "ties sorted by the truth",
    "uninformed_submissions": "median at the median",
}


#: Audits that take seconds.
LONG = ("adversarial", "clipping", "format_fuzz", "ties")


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("good")


@functools.cache
def good(name: str, folder: Path) -> Examined:
    return good_task(SHIPPED / f"{name}.yaml", folder / name, corpus=SHIPPED.parent.parent)


def state(task: Examined) -> tuple[object, ...]:
    """All that a fault may change."""
    dataset, public = task.prepared.dataset, task.prepared.public
    times = {name: (public / name).stat().st_mtime_ns for name in dataset.public}
    script = (task.prepared.folder / "generate.py").read_text()
    return (
        list(dataset.public.items()),
        times,
        dataset.private,
        description(task),
        evaluator(task),
        script,
    )


def on_disk(task: Examined) -> dict[str, bytes]:
    public = task.prepared.public
    return {
        path.relative_to(public).as_posix(): path.read_bytes()
        for path in public.rglob("*")
        if path.is_file() and path.name != "description.md"
    }


def test_each_audit_has_at_least_three_faults_and_some_are_mild() -> None:
    faults = planted_faults()
    counts = Counter(one.audit for one in faults)
    assert set(counts) == set(audit_modules()) == set(ONE_EACH)
    assert min(counts.values()) >= 3
    assert len(faults) >= 66
    assert sum(one.is_mild for one in faults) >= 20
    assert len({(one.audit, one.name) for one in faults}) == len(faults)
    assert len({change.name for change in harmless_changes()}) >= 15


def quick_first() -> list[Any]:
    """The audits; what takes long is marked."""
    long = [pytest.mark.slow]
    return [
        pytest.param(name, marks=long if name in LONG else [], id=name) for name in sorted(ONE_EACH)
    ]


@pytest.mark.parametrize("audit", quick_first())
def test_one_fault_of_each_audit_is_planted_and_caught(
    audit: str, folder: Path, tmp_path: Path
) -> None:
    (one,) = (
        each for each in planted_faults() if (each.audit, each.name) == (audit, ONE_EACH[audit])
    )
    task = good(one.task, folder)
    before = state(task)
    faulty = one.plant(copied(task, tmp_path / "bad"))
    assert state(faulty) != before
    assert on_disk(faulty) == faulty.prepared.dataset.public
    assert state(task) == before
    module = audit_modules()[audit]
    assert module.examine(task).passed
    found = module.examine(faulty)
    assert not found.passed
    assert found.evidence


@pytest.mark.parametrize("name", ["longer ids", "a constant column", "code that draws the same"])
def test_harmless_changes_raise_no_alarm(name: str, folder: Path, tmp_path: Path) -> None:
    change = next(each for each in harmless_changes() if each.name == name)
    task = good(change.task, folder)
    changed = change.plant(copied(task, tmp_path / "changed"))
    assert state(changed) != state(task)
    for audit, module in audit_modules().items():
        if module.COST == "cheap" and audit != "determinism":
            assert module.examine(changed).passed, audit


def test_a_fault_counts_for_the_audit_that_catches_it(folder: Path, tmp_path: Path) -> None:
    task = good("club-form", folder)

    def look(name: str) -> Finding:
        return audit_modules()[name].examine(task)

    def planted(one: Fault) -> Trial:
        return plant(one, task, look, ("cheap",), tmp_path / one.audit)

    unreachable = 'THRESHOLDS = {**(THRESHOLDS or {}), "gold": -1.0}'
    caught = planted(fault("ids", "gold", "club-form", with_evaluator, code=unreachable))
    assert caught.caught_by == "noise_free_truth"
    missed = planted(fault("spelling", "nothing", "club-form", with_evaluator, code="SIZE = 1"))
    assert missed.caught_by is None
    assert missed.evidence == "there is no such audit"


def test_a_corpus_is_looked_at_beside_the_shipped_tasks_that_get_the_faults(tmp_path: Path) -> None:
    text = (SHIPPED / "club-form.yaml").read_text()
    corpus = write_corpus(tmp_path, {"club-form": text})
    done: list[tuple[int, int]] = []
    found = bench_audits(
        faults=[one for one in planted_faults() if one.task == "club-form" and one.audit == "ids"],
        changes=[one for one in harmless_changes() if one.task == "club-form"][:1],
        corpus=corpus,
        progress=lambda *counts: done.append(counts),
    )
    assert [(one.fault, one.caught_by) for one in found.trials] == [("ids sorted by number", "ids")]
    assert (found.tasks, found.changes, found.alarms) == (1, 1, ())
    assert found.modalities == ("tabular",)
    cheap = {name for name, module in audit_modules().items() if module.COST == "cheap"}
    assert set(found.costs) == cheap
    assert min(found.costs.values()) >= 0 < found.costs["determinism"]
    assert done == [(1, 2), (2, 2)]


TRIALS = (
    Trial("ids", "sorted", "club-form", False, "ids", "3 standard errors"),
    Trial("ids", "longer", "right-whale", True, "row_order", "nothing"),
    Trial("ties", "all", "right-whale", True, None, "nothing"),
)
FOUND = AuditBench(
    trials=TRIALS,
    alarms=(Alarm("ties", "club-form", None, "0.3"), Alarm("ids", "copies", "rows", "0.4")),
    tasks=4,
    changes=5,
    costs={"ids": 2.6, "ties": 30.0},
    modalities=("audio", "tabular"),
)


def test_the_table_counts_what_is_caught_missed_and_wrongly_caught() -> None:
    rows = {row[0]: row[1:] for row in summary(FOUND)}
    assert rows["ids"] == ("2", "1", "1", "1", "0", "1", "3")
    assert rows["ties"] == ("1", "1", "0", "0", "1", "1", "30")
    assert rows["shift"] == ("0", "0", "0", "0", "0", "0", "-")
    assert FOUND.caught == pytest.approx(2 / 3)
    text = table(FOUND)
    assert "3 faults, 2 of them mild, are planted in 2 good tasks of 2 modalities" in " ".join(
        text.split()
    )
    assert "| ties | 1 | 1 | 0 | 0 | 1 | 1 | 30 |" in text
    assert all(len(line) <= 100 or line.startswith("|") for line in text.splitlines())
    assert notes(FOUND) == [
        "Missed by ids: longer, in right-whale; caught by row_order.",
        "Missed by ties: all, in right-whale; caught by none.",
        "False alarm of ties: club-form; 0.3.",
        "False alarm of ids: copies with rows; 0.4.",
    ]


def test_what_stands_around_the_written_part_is_kept() -> None:
    once = put_between("# Quality\n\nBefore.\n", "one\n")
    assert once == f"# Quality\n\nBefore.\n\n{BEGIN}\none\n{END}\n"
    assert put_between(f"{once}\nAfter.\n", "two\n") == (
        f"# Quality\n\nBefore.\n\n{BEGIN}\ntwo\n{END}\n\nAfter.\n"
    )


def test_the_command_prints_a_table_or_json_and_writes_markdown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sandmle.bench.audits.bench_audits", lambda **kept: FOUND)
    printed = CliRunner().invoke(app, ["bench", "audits", "--json"]).stdout
    assert json.loads(printed) == json.loads(json.dumps(dataclasses.asdict(FOUND)))
    file = tmp_path / "quality.md"
    shown = CliRunner().invoke(app, ["bench", "audits", "--markdown", str(file)])
    assert "3 faults, 66.7% caught; 1 of 4 good tasks raise an alarm" in shown.stdout
    assert file.read_text() == put_between("", table(FOUND))


@pytest.mark.slow
def test_the_audits_catch_nearly_all_faults_and_let_good_tasks_be() -> None:
    found = bench_audits(tasks=24, deep=True, cores=2)
    assert found.caught >= 0.95
    assert found.alarms == ()
