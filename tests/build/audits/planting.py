"""Plants faults in a good task of tables, and asks the audits about it."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from PIL import Image, PngImagePlugin

from sandmle.build.auditing import Examined, run_audit
from sandmle.build.prepare import Prepared
from sandmle.build.verdict import Audit
from sandmle.compiler.compile import compile_spec
from sandmle.grading import Grader, make_grader
from sandmle.spec.model import Thresholds

GOOD = Thresholds(median=0.65, bronze=0.775, silver=0.875, gold=0.95)
TARGET = "has_damage"

_scripts: dict[tuple[object, ...], str] = {}

#: Makes the prepared task with other public files.
Changed = Callable[[dict[str, bytes]], Prepared]


def grader(prepared: Prepared, **limits: float) -> Grader:
    """The task's grader with thresholds put into its script, as compiling does."""
    key = (prepared.spec.digest, *sorted(limits.items()))
    if key not in _scripts:
        thresholds = dataclasses.replace(GOOD, **limits)
        _scripts[key] = compile_spec(prepared.spec, thresholds=thresholds).evaluate
    return make_grader(_scripts[key], prepared.grader.answers)


def with_files(prepared: Prepared, files: Mapping[str, bytes]) -> Prepared:
    """The task with more files, in memory alone: enough where nothing is read from disk."""
    everything = {**prepared.dataset.public, **files}
    return dataclasses.replace(
        prepared, dataset=dataclasses.replace(prepared.dataset, public=everything)
    )


def table(prepared: Prepared, name: str) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(prepared.dataset.public[name]), dtype={"id": str})


def content(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False, float_format="%.6g").encode()


def found(name: str, prepared: Prepared, **limits: float) -> Audit:
    return run_audit(name, Examined(prepared, grader(prepared, **limits)))


def caught(name: str, prepared: Prepared, **limits: float) -> str:
    check = found(name, prepared, **limits)
    assert not check.passed, check.evidence
    return check.evidence


def passes(name: str, prepared: Prepared, **limits: float) -> None:
    check = found(name, prepared, **limits)
    assert check.passed, check.evidence


def labels_of(prepared: Prepared) -> np.ndarray:
    """The labels, in the order of the dataset's ids."""
    return np.asarray(prepared.dataset.labels[TARGET])


def blurred(labels: np.ndarray, share: float, seed: int = 0) -> np.ndarray:
    """The labels for a share of the samples, and those of others for the rest."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(len(labels)) < share, labels, rng.permutation(labels))


def with_column(prepared: Prepared, name: str, cells: object) -> dict[str, bytes]:
    """train.csv and test.csv with another column, given in the order of the dataset's ids."""
    by_id = dict(zip(prepared.dataset.ids, np.asarray(cells), strict=True))
    frames = {part: table(prepared, part) for part in ("train.csv", "test.csv")}
    for frame in frames.values():
        frame.insert(1, name, frame["id"].map(by_id))
    return {part: content(frame) for part, frame in frames.items()}


def with_ids(prepared: Prepared, changed: Changed, names: Mapping[str, str]) -> Prepared:
    """The task under other ids, given by the old ones, with the rows where they were."""
    public = {}
    for name in ("train.csv", "test.csv", "sample_submission.csv"):
        frame = table(prepared, name)
        public[name] = content(frame.assign(id=frame["id"].map(names)))
    renamed = changed(public)
    ids = np.array([names[name] for name in prepared.dataset.ids])
    dataset = dataclasses.replace(renamed.dataset, ids=ids)
    answers = pd.read_csv(io.BytesIO(prepared.grader.answers), dtype=str)
    grades = dataclasses.replace(
        prepared.grader, answers=content(answers.assign(id=answers["id"].map(names)))
    )
    return dataclasses.replace(renamed, dataset=dataset, grader=grades)


def pictures(prepared: Prepared, side: int = 12) -> np.ndarray:
    """Grey noise, a picture a sample, (samples, side, side)."""
    rng = np.random.default_rng(1)
    return rng.integers(0, 256, (len(prepared.dataset.ids), side, side)).astype(np.uint8)


def png(pixels: np.ndarray, notes: Mapping[str, str] | None = None, level: int = 0) -> bytes:
    """A picture as a file, with notes in text chunks."""
    held = PngImagePlugin.PngInfo()
    for key, value in (notes or {}).items():
        held.add_text(key, value)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG", compress_level=level, pnginfo=held)
    return buffer.getvalue()


def named(
    prepared: Prepared, contents: list[bytes], pattern: str = "scans/{id}.png"
) -> dict[str, bytes]:
    """Files by the ids of the samples."""
    return {
        pattern.replace("{id}", name): each
        for name, each in zip(prepared.dataset.ids, contents, strict=True)
    }
