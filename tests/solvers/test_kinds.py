"""Every kind of target that is numbers or classes, in every shape that a submission may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.signal import lfilter
from scipy.special import softmax

from sandmle.runtime.table import read_table
from sandmle.runtime.tables import csv_bytes, submitted_columns
from sandmle.solvers import dummy, honest, naive
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import Competition, read_competition
from tests.solvers.folders import TEST, TRAIN, cut, numbers
from tests.submissions.cases import SUBMISSIONS, functions

ROWS = TRAIN + TEST
SOLVERS = {"dummy": dummy, "naive": naive, "honest": honest}

Labels = dict[str, np.ndarray]
Draw = Callable[[np.random.Generator], tuple[pd.DataFrame, Labels]]


@dataclass(frozen=True)
class Kind:
    """A kind of task in one shape, and how a submission of it is judged: the more the better."""

    task: str
    metric: str
    shape: str
    draw: Draw
    judge: Callable[[np.ndarray, np.ndarray], float]
    classes: list[str] = field(default_factory=list)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.task}-{self.shape}"


@dataclass(frozen=True)
class Task:
    """A written folder and its answers, as files and as the metric gets them."""

    folder: Path
    kind: Kind
    answers: bytes
    targets: list[str]

    @property
    def competition(self) -> Competition:
        return read_competition(self.folder)

    def read(self, submission: pd.DataFrame) -> np.ndarray:
        """A submission as the evaluator reads it: strictly."""
        content = submission.to_csv(index=False, float_format="%.6g").encode()
        return self._parse(read_table(content, read_table(self.answers)))

    def score(self, submission: pd.DataFrame) -> float:
        truth = self._parse(read_table(self.answers))
        return self.kind.judge(truth, self.read(submission))

    def _parse(self, table: Any) -> np.ndarray:
        parse = functions(self.kind.shape)["parse"]
        found: np.ndarray = parse(table, self.targets, self.kind.classes, **self.kind.parameters)
        return found


def written(folder: Path, kind: Kind) -> Task:
    """The public folder of a kind of task, as the compiler writes it."""
    frame, labels = kind.draw(np.random.default_rng(12))
    order = np.random.default_rng(5).permutation(ROWS)
    ids = np.array([f"k{index:04d}q" for index in order])
    train, test = slice(0, TRAIN), slice(TRAIN, ROWS)
    shape, word = functions(kind.shape), SUBMISSIONS[kind.shape]
    encode = {
        part: shape["encode"](
            ids[rows],
            {name: values[rows] for name, values in labels.items()},
            kind.classes,
            **kind.parameters,
        )
        for part, rows in (("train", train), ("test", test))
    }
    shown = frame.assign(id=ids)
    known = shown[train]
    if word.traits.get("TRAIN") == "encoded":
        known = known.assign(**{k: v for k, v in encode["train"].items() if k != "id"})
    elif kind.task == "soft_labels":
        (shares,) = labels.values()
        columns = {name: shares[train, index] for index, name in enumerate(kind.classes)}
        known = known.assign(**columns)
    else:
        names = np.array(kind.classes)
        known = known.assign(
            **{
                name: names[values[train]] if kind.classes else values[train]
                for name, values in labels.items()
            }
        )
    guess = shape["sample"](encode["test"]["id"], list(labels), kind.classes, **kind.parameters)
    folder.mkdir(parents=True)
    known.to_csv(folder / "train.csv", index=False, float_format="%.6g")
    shown[test].to_csv(folder / "test.csv", index=False, float_format="%.6g")
    (folder / "sample_submission.csv").write_bytes(csv_bytes(submitted_columns(guess)))
    settings = ", ".join(f"{name} = {value}" for name, value in kind.parameters.items())
    (folder / "description.md").write_text(
        f"# Title\n\n## Target\n\nTask: {kind.task}\n\nMetric: {kind.metric}\n\n"
        f"Format: {kind.shape}{f' ({settings})' if settings else ''}\n"
    )
    return Task(folder, kind, csv_bytes(encode["test"]), list(labels))


def several_numbers(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    values, frame = numbers(rng, 6)
    return frame, {
        "hardness": values[:, 0] * values[:, 1] + 0.1 * rng.normal(size=ROWS),
        "gloss": np.abs(values[:, 2]) + 0.1 * rng.normal(size=ROWS),
    }


def panel(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    """Four shops day by day; doses add up within each shop and fade."""
    days, shops = np.divmod(np.arange(ROWS), 4)
    doses = rng.gamma(1.0, 1.0, (ROWS // 4, 4))
    there = lfilter([1.0], [1.0, -0.7], doses - 1.0, axis=0)
    dates = np.datetime64("2024-05-01") + days.astype("timedelta64[D]")
    frame = pd.DataFrame(
        {"shop": [f"s{i}" for i in shops], "date": dates.astype(str), "dose": doses.ravel()}
    )
    return frame, {"sales": there.ravel() + 0.1 * rng.normal(size=ROWS)}


def queries(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    """Ten candidates a query, the better the nearer they are to what it wishes."""
    query = np.arange(ROWS) // 10
    wish, size = rng.normal(size=ROWS // 10)[query], rng.normal(size=ROWS)
    frame = pd.DataFrame({"query": [f"q{index}" for index in query], "wish": wish, "size": size})
    frame["other"] = rng.normal(size=ROWS)
    return frame, {"relevance": 5 - np.abs(wish - size)}


def shares(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    values, frame = numbers(rng, 6)
    scores = np.stack([values[:, 0] * values[:, 1], np.abs(values[:, 2]), values[:, 3]], axis=1)
    return frame, {"votes": np.round(softmax(2 * scores, axis=1), 4)}


def pairs(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    values, frame = numbers(rng, 4)
    frame.columns = pd.Index(["left_size", "right_size", "left_age", "right_age"])
    return frame, {"winner": cut(np.abs(values[:, 0]) - np.abs(values[:, 1]), 3)}


def uneven(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    values, frame = numbers(rng, 5)
    spread = 0.3 * np.exp(values[:, 4])
    return frame, {"level": 2 * values[:, 0] * values[:, 1] + spread * rng.normal(size=ROWS)}


def marks(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    values, frame = numbers(rng, 6)
    return frame, {
        "lid": (values[:, 0] * values[:, 1] > 0.5).astype(int),
        "bolt": (np.abs(values[:, 2]) > 1).astype(int),
        "seam": (values[:, 3] > 0.3).astype(int),
    }


def makers(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    values, frame = numbers(rng, 5)
    return frame, {"maker": np.abs(values[:, :4]).argmax(axis=1)}


def minus_error(truth: np.ndarray, prediction: np.ndarray) -> float:
    return -float(np.sqrt(((truth - prediction) ** 2).mean(axis=0)).mean())


def rank_within_tens(truth: np.ndarray, prediction: np.ndarray) -> float:
    found = [
        np.corrcoef(left, right)[0, 1] if right.std() > 0 else 0.0
        for left, right in zip(
            np.split(truth, TEST // 10), np.split(prediction, TEST // 10), strict=True
        )
    ]
    return float(np.mean(found))


def minus_divergence(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float((truth * np.log(np.maximum(prediction, 1e-9))).sum(axis=1).mean())


def likelihood_of_class(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.log(np.maximum(prediction[truth.astype(bool)], 1e-9)).mean())


def likelihood_of_number(truth: np.ndarray, prediction: np.ndarray) -> float:
    error = (truth[:, 0] - prediction[:, 0]) / prediction[:, 1]
    return float(np.mean(-0.5 * error**2 - np.log(prediction[:, 1])))


def pooled_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(2 * (truth * prediction).sum() / max(1, truth.sum() + prediction.sum()))


def likelihood_of_marks(truth: np.ndarray, prediction: np.ndarray) -> float:
    given = np.where(truth > 0, prediction, 1 - prediction)
    return float(np.log(np.maximum(given, 1e-9)).mean())


def reciprocal_rank(truth: np.ndarray, prediction: np.ndarray) -> float:
    wanted = truth[:, [0]]
    hits = (prediction == wanted) & (wanted >= 0)
    return float((hits / np.arange(1, hits.shape[1] + 1)).sum(axis=1).mean())


YES = ["0", "1"]
MAKERS = ["Adler", "Blum", "van Dyk", "Erd"]
KINDS = [
    Kind("multi_target", "per_column (of = rmse)", "number", several_numbers, minus_error),
    Kind("forecasting", "mae", "number", panel, minus_error),
    Kind("ranking", "per_group (of = ndcg, by = query)", "number", queries, rank_within_tens),
    Kind("soft_labels", "kl_divergence", "class_probabilities", shares, minus_divergence,
         ["heap", "layer", "veil"]),
    Kind("preference", "log_loss", "class_probabilities", pairs, likelihood_of_class,
         ["right", "tie", "left"]),
    Kind("probabilistic_regression", "laplace_log_likelihood", "estimate", uneven,
         likelihood_of_number),
    Kind("multilabel", "micro_f1", "tags", marks, pooled_f1, YES),
    Kind("multilabel", "log_loss", "long_probabilities", marks, likelihood_of_marks, YES),
    Kind("multilabel", "map_at_k (k = 2)", "top_k", marks, reciprocal_rank, YES, {"k": 2}),
    Kind("multiclass", "map_at_k (k = 3)", "top_k", makers, reciprocal_rank, MAKERS, {"k": 3}),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_every_solver_answers_and_honest_finds_what_is_planted(kind: Kind, tmp_path: Path) -> None:
    task = written(tmp_path / "public", kind)
    scores = {name: task.score(solver.solve(task.competition)) for name, solver in SOLVERS.items()}

    for name, submission in [
        *candidates(task.competition, "dummy"),
        *candidates(task.competition, "naive"),
    ]:
        assert np.isfinite(task.score(submission)), name
    assert scores["honest"] > scores["dummy"]
    assert scores["honest"] > scores["naive"]


@pytest.mark.parametrize(
    "kind", [KINDS[0], KINDS[3], KINDS[5]], ids=[KINDS[index].name for index in (0, 3, 5)]
)
def test_all_that_honest_offers_can_be_graded(kind: Kind, tmp_path: Path) -> None:
    task = written(tmp_path / "public", kind)
    for name, submission in candidates(task.competition, "honest"):
        assert np.isfinite(task.score(submission)), name


def test_an_estimate_knows_which_rows_are_uncertain(tmp_path: Path) -> None:
    kind = next(kind for kind in KINDS if kind.shape == "estimate")
    task = written(tmp_path / "public", kind)
    found = task.read(honest.solve(task.competition))
    size = pd.read_csv(task.folder / "test.csv")["c4"].to_numpy()

    assert np.corrcoef(np.log(found[:, 1]), size)[0, 1] > 0.7


def test_tags_may_be_none(tmp_path: Path) -> None:
    kind = next(kind for kind in KINDS if kind.shape == "tags")
    task = written(tmp_path / "public", kind)
    tags = honest.solve(task.competition)["tags"]

    assert (tags == "-").any()
    assert tags.str.contains(" ").any()


def towards(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    """Directions all around, seen as two angles with noise, each turned by a right angle."""
    azimuth, zenith = rng.uniform(0, 2 * np.pi, ROWS), np.arccos(rng.uniform(-1, 1, ROWS))
    seen = azimuth + np.pi / 2 + 0.1 * rng.normal(size=ROWS)
    frame = pd.DataFrame({"east": np.sin(seen), "north": np.cos(seen), "tilt": np.cos(zenith)})
    return frame, {"azimuth": azimuth, "zenith": zenith}


def minus_angle(truth: np.ndarray, prediction: np.ndarray) -> float:
    points = [
        np.stack([np.cos(a) * np.sin(z), np.sin(a) * np.sin(z), np.cos(z)])
        for a, z in (truth.T, prediction.T)
    ]
    return -float(np.arccos(np.clip((points[0] * points[1]).sum(axis=0), -1, 1)).mean())


def test_directions_have_no_seam(tmp_path: Path) -> None:
    kind = Kind("multi_target", "angular_error", "number", towards, minus_angle)
    task = written(tmp_path / "public", kind)

    assert -task.score(honest.solve(task.competition)) < 0.3
    assert -task.score(dummy.solve(task.competition)) > 1.2
