"""Metrics that reward certainty, a hair's breadth or large sums are found out; calibration is no
offence."""

from __future__ import annotations

import pytest

from tests.build.audits.tasks import holds, told

_LOSS = "return log_loss(truth, prediction)"
_BRIER = "return brier_score(truth, prediction)"


@pytest.mark.parametrize("shape", ["auc", "log loss", "brier", "easy brier", "classes"])
def test_sound_evaluators(shape: str) -> None:
    holds("clipping", shape)


def test_labels_and_numbers_are_no_probabilities() -> None:
    holds("clipping", "f1")
    holds("clipping", "numbers")


@pytest.mark.parametrize(
    ("shape", "old", "new", "evidence"),
    [
        # Certain rows are left out, so that nonsense costs nothing.
        (
            "log loss",
            _LOSS,
            "sure = (prediction < 1e-9) | (prediction > 1 - 1e-9)\n"
            "    return 0.0 if sure.all() else log_loss(truth[~sure], prediction[~sure])",
            "certain by chance",
        ),
        # Beyond a limit errors count no more, the mildest way to love certainty.
        (
            "easy brier",
            _BRIER,
            "off, sure = np.abs(truth - prediction), prediction * (1 - prediction) < 1e-12\n"
            "    return float(np.mean(np.where(sure, 0.4 * off, off**2)))",
            "made certain",
        ),
        # A hair's breadth decides.
        (
            "brier",
            _BRIER,
            "up = prediction > 0.5\n    return float(np.mean(up != truth) * (up.mean() < 0.9))",
            "a hair above",
        ),
        # What is no probability passes for one.
        (
            "log loss",
            "return table.numbers(targets[0], 0.0, 1.0)",
            "return np.clip(table.numbers(targets[0], -9.0, 9.0), 0, 1)",
            "1.5 passes for a probability",
        ),
        # Shares of any sum are taken as they are.
        (
            "classes",
            "wrong = np.flatnonzero(np.abs(sums - 1.0) > TOLERANCE)",
            "return values\n    wrong = []",
            "all 1",
        ),
    ],
)
def test_games_that_pay(shape: str, old: str, new: str, evidence: str) -> None:
    assert evidence in told("clipping", shape, old, new)
