"""Gold is for skill: whoever knows the truth without the noise wins it."""

from __future__ import annotations

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.ladder import csv_content, is_plain, noise_free_answers
from sandmle.build.prepare import Prepared, sample_places
from sandmle.solvers.models import indicators
from sandmle.solvers.submitting import submission

CLAIM = "noise-free truth reaches gold"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Submits the truth.

    Where probabilities are asked for, each true class is given the shares that the noise leaves:
    certainty about a label that was flipped would cost an endless log loss. So would certainty of
    a number, where its standard deviation is asked for: it is how far the noise takes the row off.
    """
    prepared, competition = task.prepared, task.competition
    dataset = prepared.dataset
    if competition.predicts != "probability" or not is_plain(dataset):
        answers = noise_free_answers(prepared)
        if competition.format == "estimate":
            answers[competition.columns[1]] = sizes_of_noise(prepared)
    else:
        rows = sample_places(dataset, competition.ids)[competition.train :]
        predictions = {}
        for target, truth in dataset.truth.items():
            outputs = indicators(truth, len(competition.classes))
            seen = indicators(dataset.labels[target], len(competition.classes))
            counts = outputs[rows].T @ seen[rows]
            outputs = outputs @ (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
            predictions[target] = outputs[rows]
        answers = submission(competition, predictions)
    grade = task.grader.grade(csv_content(answers))
    return Finding(grade.medal == "gold", f"score {grade.score}")


def sizes_of_noise(prepared: Prepared) -> np.ndarray:
    """How far the noise takes each test row's number off the truth, in the order of the answers."""
    dataset, test = prepared.dataset, ~prepared.dataset.train
    (target,) = dataset.truth
    off = np.abs(dataset.labels[target][test] - dataset.truth[target][test])
    return np.asarray(np.maximum(off, 1e-6 * dataset.truth[target].std()))
