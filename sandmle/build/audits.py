"""Cheap checks of a built task: what must be reached is, nothing leaks, nothing depends on chance.

Which checks are worth automating, and at which limits they raise no false alarm, was measured
over 216 good tasks and planted faults.
"""

from __future__ import annotations

import io
import subprocess
import sys

import numpy as np
import pandas as pd

from sandmle.build.content import content_hash
from sandmle.build.ladder import csv_content, is_plain, noise_free_answers
from sandmle.build.leaks import (
    duplicates,
    order_of_rows,
    single_columns,
    sizes_of_files,
    targets_in_public,
)
from sandmle.build.prepare import Prepared, sample_places
from sandmle.build.verdict import Audit
from sandmle.build.warm import command
from sandmle.grading import Grader
from sandmle.runtime.dataset import Dataset
from sandmle.solvers.models import indicators
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import Competition, read_competition
from sandmle.solvers.submitting import submission

#: Other hash seeds put sets and hashes into another order.
HASH_SEEDS = ("0", "1")

#: Bytes of all public files together.
MOST_BYTES = 2_000_000


def audit(prepared: Prepared, grader: Grader, *, warm: str = "") -> tuple[Audit, ...]:
    """All checks of a task; `grader` is its final evaluate.py, with thresholds.

    `warm` is the name of warm processes to ask, if there are any.
    """
    competition = read_competition(prepared.public)
    return (
        perfect_submission(grader),
        noise_free_truth(prepared, grader, competition),
        uninformed_submissions(prepared, grader),
        single_columns(prepared.dataset, competition, grader),
        order_of_rows(prepared.dataset, competition),
        sizes_of_files(prepared.dataset, competition),
        duplicates(prepared.dataset, competition),
        targets_in_public(competition),
        size_of_public(prepared.dataset),
        determinism(prepared, warm=warm),
    )


def perfect_submission(grader: Grader) -> Audit:
    """The private answers, submitted as they are, win gold."""
    grade = grader.grade(grader.perfect)
    return Audit("perfect submission reaches gold", grade.medal == "gold", f"score {grade.score}")


def noise_free_truth(prepared: Prepared, grader: Grader, competition: Competition) -> Audit:
    """Whoever knows the truth without the noise wins gold.

    Where probabilities are asked for, each true class is given the shares that the noise leaves:
    certainty about a label that was flipped would cost an endless log loss. So would certainty of
    a number, where its standard deviation is asked for: it is how far the noise takes the row off.
    """
    dataset = prepared.dataset
    if competition.predicts != "probability" or not is_plain(dataset):
        answers = noise_free_answers(prepared)
        if competition.format == "estimate":
            answers[competition.columns[1]] = sizes_of_noise(prepared)
        grade = grader.grade(csv_content(answers))
        return Audit("noise-free truth reaches gold", grade.medal == "gold", f"score {grade.score}")
    rows = sample_places(dataset, competition.ids)[competition.train :]
    predictions = {}
    for target, truth in dataset.truth.items():
        outputs = indicators(truth, len(competition.classes))
        seen = indicators(dataset.labels[target], len(competition.classes))
        counts = outputs[rows].T @ seen[rows]
        outputs = outputs @ (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
        predictions[target] = outputs[rows]
    grade = grader.grade(csv_content(submission(competition, predictions)))
    return Audit("noise-free truth reaches gold", grade.medal == "gold", f"score {grade.score}")


def sizes_of_noise(prepared: Prepared) -> np.ndarray:
    """How far the noise takes each test row's number off the truth, in the order of the answers."""
    dataset, test = prepared.dataset, ~prepared.dataset.train
    (target,) = dataset.truth
    off = np.abs(dataset.labels[target][test] - dataset.truth[target][test])
    return np.asarray(np.maximum(off, 1e-6 * dataset.truth[target].std()))


def uninformed_submissions(prepared: Prepared, grader: Grader) -> Audit:
    """The sample submission, constants, random labels and shuffled answers stay below median."""
    answers = pd.read_csv(io.BytesIO(grader.perfect), dtype=str, keep_default_na=False)
    shuffled = answers.sample(frac=1.0, random_state=0).reset_index(drop=True)
    shuffled.iloc[:, 0] = answers.iloc[:, 0]
    offered = [*candidates(prepared.public, "dummy"), ("shuffled answers", shuffled)]
    above = {}
    for name, table in offered:
        grade = grader.grade(csv_content(table))
        if grade.above_median:
            above[name] = f"{name}: {grade.score}"
    detail = ", ".join(above.values() or dict.fromkeys(name for name, _ in offered))
    return Audit("uninformed submissions stay below median", not above, detail)


def size_of_public(dataset: Dataset) -> Audit:
    """What a solver sees is micro: it is copied, read and measured thousands of times."""
    size = sum(map(len, dataset.public.values()))
    detail = f"{size / 1e6:.2f} MB, at most {MOST_BYTES / 1e6:g}"
    return Audit("public files are small", size <= MOST_BYTES, detail)


def determinism(prepared: Prepared, *, warm: str = "") -> Audit:
    """Processes with other hash seeds than this one draw the same bytes as it did."""
    expected = [content_hash(prepared.dataset.public), content_hash(prepared.dataset.private)]
    own = HASH_SEEDS[:1] if not sys.flags.hash_randomization else ()  # so Python says: it is 0
    seeds = [seed for seed in HASH_SEEDS if seed not in own]
    script = str(prepared.folder / "generate.py")
    started = [
        subprocess.Popen(
            [*command("sandmle.build.draw", hash_seed=seed, warm=warm), script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in seeds
    ]
    problems = []
    for seed, process in zip(seeds, started, strict=True):
        printed, errors = process.communicate()
        if process.returncode:
            last = errors.strip().splitlines()[-1:]
            problems.append(f"generate.py fails under PYTHONHASHSEED={seed}: {''.join(last)}")
        elif printed.split() != expected:
            problems.append(f"other data under PYTHONHASHSEED={seed}")
    detail = "; ".join(problems) or f"the same under PYTHONHASHSEED {' and '.join(HASH_SEEDS)}"
    return Audit("data are the same in fresh processes", not problems, detail)
