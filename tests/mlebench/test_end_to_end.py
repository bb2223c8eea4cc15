"""Real data in MLE-bench's layout, played in the real sandbox and medalled by its own rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.model_selection import train_test_split

from sandmle.evaluation.selection import select_tasks
from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.play import play
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from tests.mlebench.standins import (
    add_competition,
    install_package,
    prepare,
    write_config,
    write_leaderboard,
)

CACTUS, TAXI = "aerial-cactus-identification", "new-york-city-taxi-fare-prediction"

#: Learns from data/train.csv as a newcomer would, and looks for what it must not find.
CODE = """
import os
import pandas as pd
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

for folder, _, names in os.walk("/"):
    if folder.endswith("prepared/private") or {"leaderboard.csv", "grade.py"} & set(names):
        print("found", folder)
train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
sample = pd.read_csv("data/sample_submission.csv")
key, target = sample.columns
X, y = train.drop(columns=[key, target]), train[target]
model = Ridge() if y.dtype == float else LogisticRegression(max_iter=2000)
model = make_pipeline(StandardScaler(), model).fit(X, y)
found = model.predict(test[X.columns])
if y.nunique() == 2:
    found = model.predict_proba(test[X.columns])[:, 1]
sample.assign(**{target: found}).to_csv("submission.csv", index=False)
"""

#: In MLE-bench's own form, with its own kind of helper.
AUC = """
from sklearn.metrics import roc_auc_score

from mlebench.grade_helpers import InvalidSubmissionError


def grade(submission, answers):
    merged = answers.merge(submission, on="id", suffixes=("_true", "_score"))
    if len(merged) != len(answers):
        raise InvalidSubmissionError("ids differ")
    return roc_auc_score(merged["has_cactus_true"], merged["has_cactus_score"])
"""

ACCURACY = """
from sklearn.metrics import accuracy_score


def grade(submission, answers):
    both = answers.merge(submission, on="id", suffixes=("_true", "_given"), validate="1:1")
    assert len(both) == len(answers), "ids differ"
    return accuracy_score(both["label_true"], both["label_given"])
"""


@dataclass(frozen=True)
class Script:
    """Runs code, asks whether the submission is valid, and answers."""

    code: str
    name: str = "script"
    digest: str = "d" * 64

    def sampling(self, task: Task, attempt: int) -> None:
        pass

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        calls = ToolCall("1", "python", {"code": self.code}), ToolCall("2", "score", {})
        if any(message.role == "tool" for message in messages):
            return Turn("<think>so</think>", answer="done")
        return Turn("<think>so</think>", calls)


def prepare_real(data: Path, name: str, source: object, key: str, target: str, file: str) -> Path:
    """A data set of scikit-learn, prepared as a competition."""
    values, labels = source.data, source.target  # type: ignore[attr-defined]
    frame = pd.DataFrame(values, columns=[f"x{place}" for place in range(values.shape[1])])
    frame = frame.assign(**{key: np.arange(len(frame)), target: labels})
    train, test = train_test_split(frame, test_size=0.25, random_state=0)
    answers = test[[key, target]]
    shown = {
        "train.csv": train,
        "test.csv": test.drop(columns=[target]),
        "sample_submission.csv": answers.assign(**{target: 0}),
    }
    return prepare(
        data,
        name,
        answers=[answers.columns, *answers.itertuples(index=False)],
        file=file,
        leaderboard=None,
        public={path: table.to_csv(index=False).encode() for path, table in shown.items()},
    )


@pytest.fixture(name="data")
def make_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three competitions: one that the package grades, one of its own, one by our metric."""
    data, package = tmp_path / "data", install_package(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    prepare_real(data, CACTUS, load_breast_cancer(), "id", "has_cactus", "test.csv")
    write_leaderboard(
        add_competition(package, CACTUS, AUC, answers="test.csv"), np.linspace(0.999, 0.5, 150)
    )
    digits = prepare_real(data, "digits", load_digits(), "id", "label", "answers.csv")
    (digits / "grade.py").write_text(ACCURACY)
    told = "modality: image\ntask: multiclass\n"
    write_config(digits, "digits", answers="answers.csv", module="digits.grade", extra=told)
    write_leaderboard(digits, np.linspace(0.99, 0.9, 40))
    taxi = prepare_real(data, TAXI, load_diabetes(), "key", "fare_amount", "test.csv")
    write_leaderboard(taxi, (30.0, 40.0, 50.0, 60.0, 70.0))
    return data


def test_real_data_are_played_and_medalled_by_their_own_rules(data: Path, tmp_path: Path) -> None:
    tasks = select_tasks([f"mlebench:{data}"], corpus=tmp_path)
    assert [task.id for task in tasks] == [CACTUS, "digits", TAXI]
    rollouts = asyncio.run(play(tasks, [Script(CODE)], settings=Settings(score="validity")))
    found = {rollout.task: rollout for rollout in rollouts}
    for rollout in rollouts:
        assert rollout.termination == "answer", rollout.error
        assert rollout.submission is not None
        assert rollout.submission.valid, rollout.submission.reason
        said = " ".join(message.content for message in rollout.messages)
        assert "submission.csv is valid." in said
        assert "found /" not in said
        assert rollout.thresholds is not None
    results = {
        name: (rollout.submission.score, rollout.submission.medal, rollout.submission.above_median)
        for name, rollout in found.items()
        if rollout.submission is not None
    }
    # Above 0.97 are the 10 best of 150 teams; the 4 best of 40 are above 0.98, the 8 best above
    # 0.97 and the 16 best above 0.95; and lower is better where all of 5 teams are below 71.
    assert results == {
        CACTUS: (pytest.approx(0.994, abs=0.005), "gold", True),
        "digits": (pytest.approx(0.969, abs=0.005), "bronze", True),
        TAXI: (pytest.approx(56, abs=3), None, False),
    }
    assert found["digits"].reward is not None
    assert found["digits"].reward.total > found[TAXI].reward.total  # type: ignore[union-attr]
