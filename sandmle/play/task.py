"""A task as a policy meets it: its description and public files, and what results are sorted by."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from sandmle.build.index import INDEX_FILE
from sandmle.build.verdict import Verdict, load_verdict
from sandmle.spec.model import Thresholds


@dataclass(frozen=True)
class Task:
    """One task. `folder` is its own; only what lies under `public` is shown to a policy.

    `task` is its kind: binary, multiclass, multilabel, ordinal or regression. `digests` are
    SHA-256 by name, of its spec and of its files, kept with every rollout. `split` is what it is
    for, train or validation, or the benchmark's own; `difficulty` is the share of the way from
    dummy to reference that naive work leaves, None where that is not known. `benchmark` names the
    one that it is a competition of, whose rules grade it (MLE-bench); None for a built task.
    """

    id: str
    folder: Path
    public: Path
    description: str
    modality: str
    task: str
    metric: str
    is_lower_better: bool
    thresholds: Thresholds | None
    digests: Mapping[str, str]
    split: str = "train"
    difficulty: float | None = None
    benchmark: str | None = None


def load_tasks(
    corpus: Path,
    *,
    ids: Collection[str] = (),
    modalities: Collection[str] = (),
    kinds: Collection[str] = (),
    metrics: Collection[str] = (),
) -> list[Task]:
    """The accepted tasks of a corpus folder, or of its build/ folder, in the index's order.

    Each filter keeps what it names; an empty one keeps all. Raises FileNotFoundError where the
    corpus is not built or holds no accepted task of an id that is asked for, ValueError naming
    the file where index or verdict are broken.
    """
    build = corpus / "build" if (corpus / "build").is_dir() else corpus
    index = build / INDEX_FILE
    if not index.is_file():
        raise FileNotFoundError(f"{corpus}: not built: there is no {INDEX_FILE}; run sandmle build")
    verdicts = {name: load_verdict(build / "tasks" / name) for name in _index_ids(index)}
    for name in ids:
        if name not in verdicts:
            close = difflib.get_close_matches(name, verdicts, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise FileNotFoundError(f"{build}: no task {name!r}{hint}")
        if not verdicts[name].accepted:
            reasons = "; ".join(verdicts[name].reasons)
            raise FileNotFoundError(f"{build}: the task {name!r} was rejected: {reasons}")
    return [
        task_of(build / "tasks" / name, verdict)
        for name, verdict in verdicts.items()
        if verdict.accepted
        and (not ids or name in ids)
        and (not modalities or verdict.modality in modalities)
        and (not kinds or verdict.task in kinds)
        and (not metrics or verdict.metric in metrics)
    ]


def task_of(folder: Path, verdict: Verdict) -> Task:
    """The task of a built folder. Raises FileNotFoundError where its description is missing."""
    public = folder / "prepared" / "public"
    return Task(
        id=verdict.id,
        folder=folder,
        public=public,
        description=(public / "description.md").read_text(encoding="utf-8"),
        modality=verdict.modality,
        task=verdict.task,
        metric=verdict.metric,
        is_lower_better=verdict.is_lower_better,
        thresholds=verdict.thresholds,
        digests={"spec": verdict.spec, **verdict.hashes},
        split=verdict.split,
        difficulty=None if verdict.covered is None else 1 - verdict.covered,
    )


def _index_ids(index: Path) -> list[str]:
    """The ids of the index, one a line."""
    ids: list[str] = []
    for number, line in enumerate(index.read_text(encoding="utf-8").splitlines(), 1):
        try:
            ids.append(str(json.loads(line)["id"]))
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{index}:{number}: expected an object with an id") from None
    return ids
