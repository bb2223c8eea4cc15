"""How a task is changed: its public files, answers, thresholds, scripts and description.

Each function returns the changed task and changes its folder too, so that an audit finds the same
wherever it looks.
"""

from __future__ import annotations

import dataclasses
import io
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from sandmle.build.auditing import Examined
from sandmle.build.prepare import PRIVATE, PUBLIC, Prepared
from sandmle.grading import Grader, load_script, make_grader
from sandmle.runtime.dataset import Dataset
from sandmle.runtime.table import sample_of
from sandmle.runtime.tables import owner_of

DESCRIPTION, EVALUATE, GENERATE = "description.md", "evaluate.py", "generate.py"
ANSWERS, TRAIN, TEST, SAMPLE = "answers.csv", "train.csv", "test.csv", "sample_submission.csv"

#: What a compiled script ends with; changed functions go before it.
_MAIN = '\n\nif __name__ == "__main__":'


def copied(task: Examined, folder: Path) -> Examined:
    """The task in a new folder of its own, with the times of its files."""
    shutil.copytree(task.prepared.folder, folder)
    return _again(task, dataclasses.replace(task.prepared, folder=folder))


def with_public(task: Examined, files: Mapping[str, bytes]) -> Examined:
    """The task with other or more public files."""
    return _with_files(task, {**task.prepared.dataset.public, **files})


def without_public(task: Examined, names: set[str]) -> Examined:
    """The task without some public files."""
    public = task.prepared.dataset.public
    return _with_files(task, {name: public[name] for name in public if name not in names})


def with_frames(
    task: Examined, edit: Callable[[pd.DataFrame], pd.DataFrame], *names: str
) -> Examined:
    """The task with edited public tables; by default train.csv and test.csv."""
    edited = {name: content(edit(frame(task, name))) for name in names or (TRAIN, TEST)}
    return with_public(task, edited)


def with_answers(task: Examined, answers: bytes) -> Examined:
    """The task with other private answers."""
    dataset = task.prepared.dataset
    private = {**dataset.private, ANSWERS: answers}
    (task.prepared.folder / PRIVATE / ANSWERS).write_bytes(answers)
    changed = dataclasses.replace(dataset, private=private)
    return _graded(task, dataclasses.replace(task.prepared, dataset=changed), evaluator(task))


def with_limits(task: Examined, **limits: float) -> Examined:
    """The task with some other thresholds."""
    code = f"THRESHOLDS = {{**(THRESHOLDS or {{}}), **{limits}}}\n"
    return with_evaluator(task, code)


def with_evaluator(task: Examined, code: str) -> Examined:
    """The task whose evaluator runs some more code after its definitions."""
    return _graded(task, task.prepared, _before_main(evaluator(task), code))


def with_description(task: Examined, old: str, new: str) -> Examined:
    """The task with other text in place of the first `old` of its description.

    Raises ValueError where there is none.
    """
    text = description(task)
    if old not in text:
        raise ValueError(f"{task.prepared.spec.id}: the description no longer says {old!r}")
    text = text.replace(old, new, 1)
    (task.prepared.public / DESCRIPTION).write_text(text, encoding="utf-8")
    compiled = dataclasses.replace(task.prepared.compiled, description=text)
    return _again(task, dataclasses.replace(task.prepared, compiled=compiled))


def with_story(task: Examined, sentence: str) -> Examined:
    """The task whose author ends the story with one more sentence."""
    spec = task.prepared.spec
    story = spec.narrative.story.strip()
    told = dataclasses.replace(spec.narrative, story=f"{story} {sentence}")
    changed = with_description(task, story, f"{story} {sentence}")
    spec = dataclasses.replace(spec, narrative=told)
    return _again(changed, dataclasses.replace(changed.prepared, spec=spec))


def with_listed_file(task: Examined, file: str) -> Examined:
    """The task whose description tells of one more table with rows of samples."""
    last = f"- `{SAMPLE}`"
    line = f"- `{file}`: several rows for every `id` in `train.csv` and `test.csv`.\n"
    return with_description(task, last, line + last)


def with_listed_column(task: Examined, column: str) -> Examined:
    """The task whose description tells of one more column."""
    head, row = (
        "| column | meaning |\n|---|---|\n",
        f"| `{column}` | {column.replace('_', ' ')} |\n",
    )
    if head in description(task):
        return with_description(task, head, head + row)
    return with_description(task, "## Target\n", f"## Columns\n\n{head}{row}\n## Target\n")


def with_generator(task: Examined, code: str) -> Examined:
    """The task whose generator runs some more code after its definitions, with what it draws."""
    path = task.prepared.folder / GENERATE
    script = _before_main(path.read_text(encoding="utf-8"), code)
    path.write_text(script, encoding="utf-8")
    scope = load_script(script, GENERATE)
    dataset: Dataset = scope["generate"]()
    compiled = dataclasses.replace(task.prepared.compiled, generate=script)
    changed = _with_files(task, dataset.public)
    prepared = dataclasses.replace(task.prepared, compiled=compiled, generator=scope)
    changed = _again(changed, dataclasses.replace(prepared, dataset=dataset))
    return with_answers(changed, dataset.private[ANSWERS])


def with_times(task: Examined, times: Mapping[str, float]) -> Examined:
    """The task some of whose public files are of other times, in seconds since 1970."""
    for name, seconds in times.items():
        nanoseconds = int(seconds * 1e9)
        os.utime(task.prepared.public / name, ns=(nanoseconds, nanoseconds))
    return _again(task, task.prepared)


def with_names(task: Examined, names: Mapping[str, str]) -> Examined:
    """The task some of whose public files are called otherwise; all keep their times."""
    public, folder = task.prepared.dataset.public, task.prepared.public
    renamed = {names.get(name, name): text for name, text in public.items()}
    times = {name: (folder / name).stat().st_mtime for name in public}
    changed = _with_files(task, dict(sorted(renamed.items())))
    return with_times(changed, {names.get(name, name): times[name] for name in public})


def with_ids(task: Examined, ids: Mapping[str, str]) -> Examined:
    """The task whose samples have other ids, in all tables, answers and names of files.

    Raises ValueError where two samples would be called the same.
    """
    if len(set(ids.values())) < len(ids):
        raise ValueError("two samples of one id")
    dataset = task.prepared.dataset
    paths = {name: owner_of(name, ids) for name in dataset.public}
    names = {path: path.replace(owner, ids[owner]) for path, owner in paths.items() if owner}
    tables = {
        name: renamed_rows(text, ids)
        for name, text in dataset.public.items()
        if name.endswith(".csv") and paths[name] is None
    }
    changed = with_names(with_public(task, tables), names)
    prepared = changed.prepared
    called = np.array([ids[name] for name in dataset.ids])
    renamed = dataclasses.replace(prepared.dataset, ids=called)
    changed = _again(changed, dataclasses.replace(prepared, dataset=renamed))
    return with_answers(changed, renamed_rows(dataset.private[ANSWERS], ids))


def renamed_rows(table: bytes, ids: Mapping[str, str]) -> bytes:
    """A table whose ids, and keys that begin with one, are others."""
    rows = as_frame(table)
    if "id" not in rows:
        return table
    keys = [ids[sample_of(key)] + key[len(sample_of(key)) :] for key in rows["id"]]
    return content(rows.assign(id=keys))


def frame(task: Examined, name: str) -> pd.DataFrame:
    """A public table, all cells as text."""
    return as_frame(task.prepared.dataset.public[name])


def answers(task: Examined) -> pd.DataFrame:
    """The private answers, all cells as text."""
    return as_frame(task.prepared.dataset.private[ANSWERS])


def as_frame(table: bytes) -> pd.DataFrame:
    """A CSV file's content, all cells as text."""
    return pd.read_csv(io.BytesIO(table), dtype=str, keep_default_na=False)


def content(table: pd.DataFrame) -> bytes:
    """A table as a CSV file's content; numbers with six digits."""
    return table.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode()


def description(task: Examined) -> str:
    """What a solver reads."""
    return (task.prepared.public / DESCRIPTION).read_text(encoding="utf-8")


def evaluator(task: Examined) -> str:
    """The text of the final evaluate.py."""
    return (task.prepared.folder / EVALUATE).read_text(encoding="utf-8")


def _before_main(script: str, code: str) -> str:
    start, end = script.rsplit(_MAIN, 1)
    return f"{start}\n\n{code}{_MAIN}{end}"


def _with_files(task: Examined, public: Mapping[str, bytes]) -> Examined:
    """The task with these public files and no others; those that were there keep their times."""
    before = task.prepared.dataset.public
    for name in before.keys() - public.keys():
        (task.prepared.public / name).unlink()
    for name, text in public.items():
        path = task.prepared.folder / PUBLIC / name
        if path.exists() and before.get(name) != text:
            times = path.stat().st_atime_ns, path.stat().st_mtime_ns
            path.write_bytes(text)
            os.utime(path, ns=times)
        elif not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    dataset = dataclasses.replace(task.prepared.dataset, public=public)
    return _again(task, dataclasses.replace(task.prepared, dataset=dataset))


def _graded(task: Examined, prepared: Prepared, script: str) -> Examined:
    """The task with a final evaluate.py and graders that follow from it."""
    (prepared.folder / EVALUATE).write_text(script, encoding="utf-8")
    scope = load_script(script, EVALUATE)
    grader = make_grader(script, prepared.dataset.private[ANSWERS])
    bare = Grader(scope["evaluate"], grader.answers, None, grader.is_lower_better)
    prepared = dataclasses.replace(prepared, evaluator=scope, grader=bare)
    return dataclasses.replace(task, prepared=prepared, grader=grader)


def _again(task: Examined, prepared: Prepared) -> Examined:
    """The task with other data; what a solver reads of it is read anew."""
    return dataclasses.replace(task, prepared=prepared)
