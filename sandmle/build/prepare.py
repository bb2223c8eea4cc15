"""A spec compiled and its data drawn, in this process and on disk as MLE-bench lays it out."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sandmle.compiler.compile import CompiledTask, compile_spec
from sandmle.grading import Grader, load_script
from sandmle.runtime.dataset import Dataset
from sandmle.solvers.reading import Competition, read_competition
from sandmle.spec.model import Spec

#: What a word that is wrong may raise when a compiled script runs it. Words raise ValueError where
#: a spec's numbers give no task.
AUTHORS_FAULTS = (
    ValueError,
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    TypeError,
)

PUBLIC, PRIVATE = Path("prepared/public"), Path("prepared/private")


class Rejected(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """A task that can't be built from its spec; the message says why, to the author."""


@dataclass(frozen=True)
class Prepared:
    """A task with its data.

    `dataset` is what generate.py draws; `generator` and `evaluator` hold what the two scripts
    define, by name, and `grader` grades without thresholds. `folder` is the task's: its public and
    private files, and generate.py and description.md, are there. `corpus` is the folder whose words
    the spec uses.
    """

    spec: Spec
    compiled: CompiledTask
    dataset: Dataset
    generator: Mapping[str, Any]
    evaluator: Mapping[str, Any]
    grader: Grader
    folder: Path
    corpus: Path

    @property
    def public(self) -> Path:
        """The folder that a solver sees."""
        return self.folder / PUBLIC

    @functools.cached_property
    def competition(self) -> Competition:
        """The public folder as solvers read it; it is read once."""
        return read_competition(self.public)


def prepare(spec: Spec, folder: Path, *, corpus: Path) -> Prepared:
    """Compiles a spec, draws its data and writes both into the new folder.

    Raises Rejected where the spec's numbers give no data or one of its words fails, CompileError
    as compile_spec does.
    """
    compiled = compile_spec(spec, corpus=corpus)
    generator = load_script(compiled.generate, "generate.py")
    try:
        dataset: Dataset = generator["generate"]()
    except AUTHORS_FAULTS as error:
        raise Rejected(blame(error, "generate.py")) from error
    for root, files in ((PUBLIC, dataset.public), (PRIVATE, dataset.private)):
        for name, content in files.items():
            path = folder / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    (folder / "generate.py").write_text(compiled.generate, encoding="utf-8")
    (folder / PUBLIC / "description.md").write_text(compiled.description, encoding="utf-8")
    evaluator = load_script(compiled.evaluate, "evaluate.py")
    grader = Grader(
        evaluate=evaluator["evaluate"],
        answers=dataset.private["answers.csv"],
        thresholds=None,
        is_lower_better=evaluator["IS_LOWER_BETTER"],
    )
    try:
        grade = grader.grade(grader.perfect)
    except AUTHORS_FAULTS as error:
        raise Rejected(blame(error, "evaluate.py")) from error
    if not grade.valid:
        raise Rejected(f"evaluate.py: refuses the answers themselves: {grade.reason}")
    return Prepared(spec, compiled, dataset, generator, evaluator, grader, folder, corpus)


def blame(error: Exception, script: str) -> str:
    """What went wrong in a compiled script, and in which of its functions."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == script and frame.name != "<module>"
    ]
    if isinstance(error, ValueError) or not frames:
        return f"{script}: {error}"
    return f"{script}: {type(error).__name__} in {frames[-1].name}(): {error}"


def sample_places(dataset: Dataset, ids: Sequence[str]) -> np.ndarray:
    """Where samples of some ids stand in the dataset's arrays."""
    place = {name: index for index, name in enumerate(dataset.ids)}
    return np.array([place[name] for name in ids], dtype=int)
