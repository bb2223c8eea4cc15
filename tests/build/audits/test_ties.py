"""Metrics that read ties kindly, or by the order of rows, are found out."""

from __future__ import annotations

import pytest

from tests.build.audits.tasks import holds, told

_AUC = "return roc_auc(truth, prediction)"
_PAIRS = (
    "right, wrong = prediction[truth == 1][:, None], prediction[truth == 0]\n"
    "    return float(np.mean((right > wrong) + {} * (right == wrong)))"
)


@pytest.mark.parametrize("shape", ["auc", "log loss", "numbers", "correlation", "f1", "classes"])
def test_sound_evaluators(shape: str) -> None:
    holds("ties", shape)


@pytest.mark.parametrize(
    ("shape", "old", "new", "evidence"),
    [
        ("auc", _AUC, _PAIRS.format(1.0), "1 different scores gain 0.5"),
        ("auc", _AUC, _PAIRS.format(0.6), "gain 0.1"),
        ("auc", _AUC, _PAIRS.format(0.54), "1 different scores gain"),
        (
            "auc",
            _AUC,
            "return roc_auc(truth, np.argsort(np.argsort(prediction, kind='stable')))",
            "answers sorted by truth",
        ),
        (
            "auc",
            _AUC,
            "return roc_auc(truth, prediction + 1e-9 * np.arange(len(truth)))",
            "answers sorted by truth",
        ),
        (
            "correlation",
            "return pearson(truth, prediction)",
            "return pearson(truth, np.round(prediction, 6) + 1e-9 * np.arange(len(truth)))",
            "answers sorted by truth",
        ),
        ("auc", "for key in ids]", "for key in found]", "submission sorted by"),
    ],
)
def test_ties_that_gain(shape: str, old: str, new: str, evidence: str) -> None:
    assert evidence in told("ties", shape, old, new)
