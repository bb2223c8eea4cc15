"""A built task examined thoroughly: all audits, reruns of honest work, and a panel of solvers."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

from threadpoolctl import threadpool_limits

from sandmle.build.auditing import Cost, Examined, audit
from sandmle.build.clock import Clock
from sandmle.build.content import content_hash
from sandmle.build.examination import (
    EXAMINATION_FILE,
    Examination,
    dump_examination,
    verdict_digest,
)
from sandmle.build.panel import dead_problem, play_panel
from sandmle.build.prepare import prepare
from sandmle.build.reliability import flip_problem, flip_rate, rerun
from sandmle.build.verdict import (
    MODEL_SEED,
    Audit,
    Verdict,
    audit_problem,
    load_verdict,
)
from sandmle.compiler.compile import compile_spec
from sandmle.grading import make_grader
from sandmle.spec.load import load_spec
from sandmle.writing import write_whole


def examine_task(spec_path: Path, task_folder: Path, *, corpus: Path) -> Examination:
    """Examines a built task and leaves examination.json in its folder, whole or not at all.

    Raises ValueError where the folder holds another task than the spec makes now.
    """
    verdict = load_verdict(task_folder)
    found = Examination(verdict.id, verdict_digest(verdict))
    if verdict.accepted:
        with threadpool_limits(1), tempfile.TemporaryDirectory(prefix="sandmle-") as folder:
            found = _examine(found, _again(spec_path, verdict, Path(folder), corpus))
    write_whole(task_folder / EXAMINATION_FILE, dump_examination(found))
    return found


def audit_task(
    spec_path: Path, task_folder: Path, *, corpus: Path, costs: tuple[Cost, ...] = ("cheap",)
) -> tuple[Audit, ...]:
    """The audits of some costs on a task that is built, made again for an author to look at.

    Raises ValueError where the folder holds another task than the spec makes now.
    """
    verdict = load_verdict(task_folder)
    with threadpool_limits(1), tempfile.TemporaryDirectory(prefix="sandmle-") as folder:
        return audit(_again(spec_path, verdict, Path(folder), corpus), costs)


def _again(spec_path: Path, verdict: Verdict, folder: Path, corpus: Path) -> Examined:
    """The task of a verdict, made again in a folder."""
    spec = load_spec(spec_path, corpus=corpus)
    prepared = prepare(spec, folder, corpus=corpus)
    if content_hash(prepared.dataset.private) != verdict.hashes.get("private"):
        raise ValueError(f"{verdict.id}: the spec makes other data by now; run `sandmle build`")
    script = compile_spec(spec, corpus=corpus, thresholds=verdict.thresholds).evaluate
    return Examined(prepared, make_grader(script, prepared.grader.answers))


def _examine(found: Examination, task: Examined) -> Examination:
    """All deep looks at a task."""
    clock = Clock()
    thresholds, lower = task.grader.thresholds, task.grader.is_lower_better
    if thresholds is None:
        raise ValueError(f"{found.id}: an accepted task without thresholds")
    with clock.stage("audits"):
        audits = audit(task, ("deep",))
    with clock.stage("panel"):
        panel = play_panel(task.prepared, thresholds)
    with clock.stage("reruns"):
        again = rerun(task.prepared)
    flips = flip_rate(panel[-1].score, again, thresholds, is_lower_better=lower)
    problems = [
        *(audit_problem(check) for check in audits if not check.passed),
        dead_problem([player.reached for player in panel]),
        flip_problem(flips, MODEL_SEED),
    ]
    return dataclasses.replace(
        found,
        reasons=tuple(problem for problem in problems if problem is not None),
        audits=audits,
        flip_rates={MODEL_SEED: flips},
        panel=panel,
        timings=clock.seconds,
    )
