"""What dummies offer, where a metric makes a gift of saying nothing."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from sandmle.solvers.dummy import candidates
from sandmle.solvers.reading import read_competition

_DESCRIPTION = "Task: multilabel\n\nMetric: map_at_k (k = 2)\n\nFormat: top_k (k = 2)\n"


def test_rankings_of_several_targets_may_be_empty(tmp_path: Path) -> None:
    train = pd.DataFrame(
        {"id": ["a", "b", "c"], "x": [1, 2, 3], "oil": [1, 0, 1], "bolts": [0, 0, 1]}
    )
    train.to_csv(tmp_path / "train.csv", index=False)
    pd.DataFrame({"id": ["d", "e"], "x": [4, 5]}).to_csv(tmp_path / "test.csv", index=False)
    sample = pd.DataFrame({"id": ["d", "e"], "ranking": ["oil bolts"] * 2})
    sample.to_csv(tmp_path / "sample_submission.csv", index=False)
    (tmp_path / "description.md").write_text(_DESCRIPTION)

    offered = dict(candidates(read_competition(tmp_path)))

    assert offered["no name"].to_numpy().tolist() == [["d", "-"], ["e", "-"]]
