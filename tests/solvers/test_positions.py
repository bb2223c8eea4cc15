"""Numbers at every position: read from rows, letters or tokens; found by what surrounds them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.signal import lfilter

from sandmle.solvers.elements.sequences import read_sequences, shifted, steps_since
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import read_competition
from tests.solvers.folders import first

TRAIN, TEST, LENGTH = 60, 40, 20
ROWS = TRAIN + TEST


def write(
    folder: Path, frame: pd.DataFrame, labels: np.ndarray, rows: pd.DataFrame | None = None
) -> pd.DataFrame:
    """A public folder of sequences; returns the answers. `rows` lacks ids: they are in order."""
    ids = np.array([f"s{index:03d}" for index in np.random.default_rng(3).permutation(ROWS)])
    shown = frame.assign(id=ids)
    shown[:TRAIN].to_csv(folder / "train.csv", index=False)
    shown[TRAIN:].to_csv(folder / "test.csv", index=False)
    keys = np.array([f"{name}_{position}" for name in ids for position in range(LENGTH)])
    table = pd.DataFrame({"id": keys, "glow": labels.ravel()})
    known = TRAIN * LENGTH
    table[:known].sample(frac=1, random_state=0).to_csv(folder / "train_labels.csv", index=False)
    table[known:].assign(glow=0.0).to_csv(folder / "sample_submission.csv", index=False)
    if rows is not None:
        whose = np.repeat(ids, LENGTH)
        rows.assign(id=whose).to_csv(folder / "rows.csv", index=False)
    (folder / "description.md").write_text(
        "Task: sequence_regression\n\nMetric: rmse\n\nFormat: positions\n"
    )
    return table[known:]


def error(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    assert list(submission.columns) == ["id", "glow"]
    assert set(submission["id"]) == set(answers["id"])
    both = answers.merge(submission, on="id", suffixes=("", "_guess"))
    return float(np.sqrt(((both["glow"] - both["glow_guess"]) ** 2).mean()))


def test_a_sum_over_earlier_steps_of_a_second_table(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    flow, gain = rng.normal(size=(ROWS, LENGTH)), rng.choice([1.0, 2.0], ROWS)
    level = lfilter([1.0], [1.0, -0.8], flow, axis=1) * gain[:, None]
    rows = pd.DataFrame({"tick": np.tile(np.arange(LENGTH), ROWS), "flow": flow.ravel()})
    answers = write(tmp_path, pd.DataFrame({"gain": gain}), level, rows)

    found = {rung: first(tmp_path, rung) for rung in ("dummy", "naive", "honest")}
    errors = [error(submission, answers) for submission in found.values()]

    assert errors[2] < 0.4 * errors[1] < 0.4 * errors[0]


@pytest.mark.parametrize("form", ["letters", "tokens", "rows"])
def test_scores_of_neighbouring_letters(form: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    kinds = rng.integers(0, 4, (ROWS, LENGTH))
    score = rng.normal(size=4)[kinds]
    score[:, 1:] += rng.normal(0, 1.5, (4, 4))[kinds[:, :-1], kinds[:, 1:]]
    letters = np.array(list("acgu"))[kinds]
    frame, rows = pd.DataFrame({"weight": rng.normal(size=ROWS)}), None
    if form == "rows":
        rows = pd.DataFrame({"tick": np.tile(np.arange(LENGTH), ROWS), "base": letters.ravel()})
    else:
        space = " " if form == "tokens" else ""
        frame["strand"] = [space.join(row) for row in letters]
    answers = write(tmp_path, frame, score, rows)

    (name,) = read_sequences(read_competition(tmp_path)).letters
    assert name == ("base" if form == "rows" else "strand")
    assert error(first(tmp_path, "honest"), answers) < 0.6 * error(
        first(tmp_path, "naive"), answers
    )


def test_every_rung_offers_what_can_be_graded(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"strand": ["".join(row) for row in rng.choice(list("ab"), (ROWS, 20))]})
    answers = write(tmp_path, frame, rng.normal(size=(ROWS, LENGTH)))

    for rung in ("dummy", "naive", "honest"):
        offered = list(candidates(read_competition(tmp_path), rung))
        assert len(offered) >= 2
        for _, submission in offered:
            assert np.isfinite(error(submission, answers))


def test_values_before_and_after() -> None:
    values = np.array([[1.0, 2.0, 3.0]])

    assert shifted(values, 1).tolist() == [[0, 1, 2]]
    assert shifted(values, -2).tolist() == [[3, 0, 0]]


def test_steps_since_a_flag() -> None:
    assert steps_since(np.array([[0.0, 1.0, 0.0, 0.0, 1.0]])).tolist() == [[5, 0, 1, 2, 0]]
