"""What the audits catch of planted faults, how often they are wrong, and what they cost."""

from __future__ import annotations

import functools
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from sandmle.bench.faults.fault import Fault, harmless_changes, planted_faults
from sandmle.bench.faults.planting import EVALUATE, copied
from sandmle.build.auditing import Cost, Examined, Finding, audit_modules
from sandmle.build.ladder import climb
from sandmle.build.plan import corpus_specs
from sandmle.build.prepare import AUTHORS_FAULTS, blame, prepare
from sandmle.build.thresholds import compute_thresholds
from sandmle.compiler.compile import compile_spec
from sandmle.grading import make_grader
from sandmle.processes import workers
from sandmle.resources import find_corpus
from sandmle.resources import resource as shipped_path
from sandmle.spec.load import load_spec
from sandmle.vocabulary import load_vocabulary


@dataclass(frozen=True)
class Trial:
    """One planted fault: by which audit it was caught, if by any, and what its own audit says."""

    audit: str
    fault: str
    task: str
    is_mild: bool
    caught_by: str | None
    evidence: str


@dataclass(frozen=True)
class Alarm:
    """An audit that fails a good task, or one after a harmless `change`."""

    audit: str
    task: str
    change: str | None
    evidence: str


@dataclass(frozen=True)
class AuditBench:
    """What was measured.

    `tasks` of the corpus, and `changes` of good tasks that harm nothing, were looked at for false
    alarms. `costs` are medians of processor milliseconds by audit, `modalities` those of the tasks
    with faults.
    """

    trials: tuple[Trial, ...]
    alarms: tuple[Alarm, ...]
    tasks: int
    changes: int
    costs: Mapping[str, float]
    modalities: tuple[str, ...]

    @property
    def missed(self) -> tuple[Trial, ...]:
        """The faults that no audit catches."""
        return tuple(trial for trial in self.trials if trial.caught_by is None)

    @property
    def caught(self) -> float:
        """The share of faults that are caught, by whatever audit."""
        return 1 - len(self.missed) / max(len(self.trials), 1)

    @property
    def alarmed_tasks(self) -> int:
        """How many good tasks of the corpus some audit fails."""
        return len({alarm.task for alarm in self.alarms if alarm.change is None})

    @property
    def alarmed_changes(self) -> int:
        """How many harmless changes make some audit fail."""
        return len({(alarm.task, alarm.change) for alarm in self.alarms if alarm.change})


@dataclass(frozen=True)
class _Job:
    """One task, good: the faults to plant in it, and whether it counts for false alarms."""

    spec: Path
    corpus: Path
    faults: tuple[Fault, ...]
    changes: tuple[Fault, ...]
    is_looked_at: bool
    costs: tuple[Cost, ...]


@dataclass(frozen=True)
class _Found:
    """What one job found. `costs` are processor milliseconds by audit."""

    modality: str
    trials: tuple[Trial, ...]
    alarms: tuple[Alarm, ...]
    costs: Mapping[str, float]


def bench_audits(
    *,
    faults: Sequence[Fault] | None = None,
    changes: Sequence[Fault] | None = None,
    tasks: int | None = None,
    deep: bool = False,
    cores: int = 1,
    corpus: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AuditBench:
    """Plants faults and harmless changes, by default all, and looks at good tasks.

    Faults stand in shipped tasks; false alarms are counted over `tasks` of the corpus', evenly
    spread, or over all of them. Faults of deep audits are left out but for `deep`. `progress` is
    told how many tasks are done, and of how many.
    """
    costs: tuple[Cost, ...] = ("cheap", "deep") if deep else ("cheap",)
    known = audit_modules()
    planted = [
        fault
        for fault in (planted_faults() if faults is None else faults)
        if fault.audit not in known or known[fault.audit].COST in costs
    ]
    harmless = harmless_changes() if changes is None else changes
    root = corpus if corpus is not None else find_corpus(Path.cwd())
    jobs = _jobs(planted, harmless, root, tasks, costs)
    with workers(cores) as executor:
        waiting = [executor.submit(_run, job) for job in jobs]
        for done, future in enumerate(as_completed(waiting), 1):
            future.result()
            if progress is not None:
                progress(done, len(jobs))
        found = [future.result() for future in waiting]
    looked_at = [one.costs for one in found if one.costs]
    names = sorted({name for costs_of in looked_at for name in costs_of})
    return AuditBench(
        trials=tuple(sorted((t for one in found for t in one.trials), key=_by_audit)),
        alarms=tuple(sorted((a for one in found for a in one.alarms), key=_by_audit)),
        tasks=len(looked_at),
        changes=len(harmless),
        costs={
            name: round(median(each[name] for each in looked_at if name in each), 1)
            for name in names
        },
        modalities=tuple(sorted({one.modality for one in found if one.trials})),
    )


def _by_audit(entry: Trial | Alarm) -> tuple[str, str, str]:
    name = entry.fault if isinstance(entry, Trial) else entry.change or ""
    return entry.audit, name, entry.task


def _jobs(
    faults: Sequence[Fault],
    changes: Sequence[Fault],
    corpus: Path,
    tasks: int | None,
    costs: tuple[Cost, ...],
) -> list[_Job]:
    """A job for each task that has faults or is looked at for false alarms."""
    shipped = shipped_path("specs") / "tasks"
    specs = corpus_specs(corpus)
    chosen = np.linspace(0, len(specs) - 1, min(tasks, len(specs))) if tasks is not None else None
    looked_at = {specs[int(place)] for place in chosen} if chosen is not None else {*specs}
    bases = {shipped / f"{fault.task}.yaml" for fault in (*faults, *changes)}
    return [
        _Job(
            path,
            corpus if path in specs else shipped.parent.parent,
            tuple(one for one in faults if shipped / f"{one.task}.yaml" == path),
            tuple(one for one in changes if shipped / f"{one.task}.yaml" == path),
            path in looked_at,
            costs,
        )
        for path in sorted({*looked_at, *bases})
    ]


def _run(job: _Job) -> _Found:
    """Everything about one task."""
    with tempfile.TemporaryDirectory(prefix="sandmle-") as name, threadpool_limits(1):
        folder, spent = Path(name), dict[str, float]()
        good = good_task(job.spec, folder / "good", corpus=job.corpus)
        look = _looking(good, spent)
        trials = [plant(fault, good, look, job.costs, folder / "bad") for fault in job.faults]
        names = [name for name, module in audit_modules().items() if module.COST in job.costs]
        alarms = list(_alarms(None, good, names, look)) if job.is_looked_at else []
        costs = dict(spent) if job.is_looked_at else {}
        for change in job.changes:
            changed = change.plant(copied(good, folder / "changed"))
            sound = [n for n in names if _can_tell(n, changed, good) and look(n).passed]
            alarms += _alarms(change.name, changed, sound, _looking(changed, {}))
            shutil.rmtree(folder / "changed")
    return _Found(good.prepared.spec.dna.modality, tuple(trials), tuple(alarms), costs)


def good_task(spec_path: Path, folder: Path, *, corpus: Path) -> Examined:
    """A spec's task as the build audits it, in a new folder.

    Raises what prepare does.
    """
    spec = load_spec(spec_path, corpus=corpus)
    prepared = prepare(spec, folder, corpus=corpus)
    limits = spec.thresholds or compute_thresholds(climb(prepared, load_vocabulary(corpus)))
    script = compile_spec(spec, corpus=corpus, thresholds=limits).evaluate
    (folder / EVALUATE).write_text(script, encoding="utf-8")
    return Examined(prepared, make_grader(script, prepared.grader.answers))


#: Looks at one task: the finding of an audit by its name.
Look = Callable[[str], Finding]


def plant(fault: Fault, good: Examined, look: Look, costs: Sequence[Cost], folder: Path) -> Trial:
    """Plants a fault in a copy of a good task, in a new folder, and asks its audit.

    Where that one is silent the others are asked. `look` looks at the good task: what fails there
    already catches nothing.
    """
    faulty = fault.plant(copied(good, folder))
    known = audit_modules()
    others = [name for name in known if name != fault.audit and known[name].COST in costs]
    own = [fault.audit] if fault.audit in known else []
    evidence, caught_by = ("" if own else "there is no such audit"), None
    for name in (*own, *others):
        if not _can_tell(name, faulty, good):
            continue
        finding = _careful(name, faulty)
        evidence = finding.evidence if name == fault.audit else evidence
        if not finding.passed and look(name).passed:
            caught_by = name
            break
    shutil.rmtree(folder)
    return Trial(fault.audit, fault.name, fault.task, fault.is_mild, caught_by, evidence)


def _can_tell(name: str, changed: Examined, good: Examined) -> bool:
    """Whether an audit can judge a changed task.

    Most files are changed by hand. Where generate.py still draws the good ones, `determinism` would
    notice any change at all, which it could not if the change came from the generator.
    """
    if name != "determinism":
        return True
    return changed.prepared.compiled.generate != good.prepared.compiled.generate


def _careful(name: str, task: Examined) -> Finding:
    """What an audit finds; one that breaks on a faulty task has not caught it."""
    try:
        return audit_modules()[name].examine(task)
    except AUTHORS_FAULTS as error:
        return Finding(True, f"the audit itself fails: {blame(error, EVALUATE)}")


def _alarms(
    change: str | None, task: Examined, names: Sequence[str], look: Look
) -> Iterator[Alarm]:
    """Those audits that a task fails."""
    for name in names:
        finding = look(name)
        if not finding.passed:
            yield Alarm(name, task.prepared.spec.id, change, finding.evidence)


def _looking(task: Examined, spent: dict[str, float]) -> Look:
    """Looks at a task, at each audit once, and notes processor milliseconds."""
    _ = task.competition  # read once for all, so that no audit pays for it

    def look(name: str) -> Finding:
        start = _processor_seconds()
        finding = audit_modules()[name].examine(task)
        spent[name] = 1000 * (_processor_seconds() - start)
        return finding

    return functools.cache(look)


def _processor_seconds() -> float:
    """Of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
