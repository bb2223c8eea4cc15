"""One spec to one task folder and its verdict: all stages, in one process."""

from __future__ import annotations

import dataclasses
import os
import shutil
from pathlib import Path

from threadpoolctl import threadpool_limits

from sandmle import __version__
from sandmle.build.auditing import Examined, audit
from sandmle.build.calibrate import weigh
from sandmle.build.clock import Clock
from sandmle.build.content import content_hash
from sandmle.build.engine import engine_digest
from sandmle.build.kept_ladder import take
from sandmle.build.ladder import Ladder, climb
from sandmle.build.prepare import Prepared, Rejected, prepare
from sandmle.build.thresholds import compute_thresholds, drift_problem
from sandmle.build.verdict import (
    TEST_DRAW,
    VERDICT_FILE,
    Verdict,
    audit_problem,
    dump_verdict,
)
from sandmle.compiler.compile import compile_spec
from sandmle.errors import CompileError, SpecError
from sandmle.grading import make_grader
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec
from sandmle.vocabulary import load_vocabulary
from sandmle.writing import write_whole


def build_task(spec_path: Path, task_folder: Path, *, corpus: Path, warm: str = "") -> Verdict:
    """Builds a spec's task into `task_folder`, which appears whole or not at all.

    What is wrong with the spec or the task is in the verdict, also in verdict.json there; an
    exception is a bug of the engine and leaves the folder as it was. Runs on one thread, so that
    the numbers do not depend on the machine's. `warm` is the name of warm processes, if there are
    any.
    """
    for left_by_a_kill in task_folder.parent.glob(f".{task_folder.name}.*"):
        shutil.rmtree(left_by_a_kill, ignore_errors=True)
    partial = task_folder.with_name(f".{task_folder.name}.{os.getpid()}")
    partial.mkdir(parents=True)
    try:
        with threadpool_limits(1):
            verdict = _build(spec_path, partial, corpus, warm)
        write_whole(partial / VERDICT_FILE, dump_verdict(verdict))
        _replace(task_folder, partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return verdict


def _replace(folder: Path, new: Path) -> None:
    """Puts `new` in the place of `folder`, whatever is there."""
    old = new.with_name(f"{new.name}.old")
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _build(spec_path: Path, folder: Path, corpus: Path, warm: str) -> Verdict:
    """All stages in a new folder."""
    clock = Clock()
    verdict = Verdict(spec_path.stem, False, (), __version__, engine_digest())
    try:
        with clock.stage("compile and generate"):
            spec = load_spec(spec_path, corpus=corpus)
            verdict = _describe(verdict, spec)
            prepared = prepare(spec, folder, corpus=corpus)
    except SpecError as error:
        return dataclasses.replace(verdict, reasons=tuple(map(str, error.problems)))
    except (CompileError, Rejected) as error:
        return dataclasses.replace(verdict, reasons=(str(error),))
    with clock.stage("ladder"):
        ladder = take(prepared) or climb(prepared, load_vocabulary(corpus))
    return _judge(_measure(verdict, prepared), prepared, ladder, corpus, clock, warm)


def _describe(verdict: Verdict, spec: Spec) -> Verdict:
    """The verdict with what the spec alone says."""
    return dataclasses.replace(
        verdict,
        spec=spec.digest,
        title=spec.narrative.title,
        domain=spec.domain.name,
        modality=spec.dna.modality,
        task=spec.dna.task,
        metric=spec.dna.metric.kind,
        rules=tuple(dict.fromkeys(target.rule.kind for target in spec.targets)),
        split=str(spec.provenance.get("split", verdict.split)),
    )


def _measure(verdict: Verdict, prepared: Prepared) -> Verdict:
    """The verdict with sizes and hashes of the data."""
    dataset = prepared.dataset
    public = {
        **dataset.public,
        "description.md": prepared.compiled.description.encode(),
    }
    return dataclasses.replace(
        verdict,
        is_lower_better=prepared.grader.is_lower_better,
        hashes={"public": content_hash(public), "private": content_hash(dataset.private)},
        sizes={
            "train": int(dataset.train.sum()),
            "test": int((~dataset.train).sum()),
            "files": len(public),
            "bytes": sum(map(len, public.values())),
        },
    )


def _judge(
    verdict: Verdict, prepared: Prepared, ladder: Ladder, corpus: Path, clock: Clock, warm: str
) -> Verdict:
    """The verdict with thresholds, margins and audits, and the final evaluate.py written."""
    pinned = prepared.spec.thresholds
    fresh = compute_thresholds(ladder)
    thresholds = pinned or fresh
    script = compile_spec(prepared.spec, corpus=corpus, thresholds=thresholds).evaluate
    (prepared.folder / "evaluate.py").write_text(script, encoding="utf-8")
    grader = make_grader(script, prepared.grader.answers)
    with clock.stage("audits"):
        audits = audit(Examined(prepared, grader, warm))
    weighed = weigh(ladder, thresholds)
    problems = [
        drift_problem(pinned, fresh, ladder.standard_error) if pinned else None,
        *(audit_problem(check) for check in audits if not check.passed),
    ]
    reasons = (*weighed.reasons, *(problem for problem in problems if problem is not None))
    return dataclasses.replace(
        verdict,
        accepted=not reasons,
        reasons=reasons,
        thresholds=thresholds,
        pinned=pinned is not None,
        standard_error=ladder.standard_error,
        ladder=ladder.rungs,
        margins=weighed.margins,
        audits=audits,
        flip_rates={TEST_DRAW: weighed.flip_rate},
        timings=clock.seconds,
    )
