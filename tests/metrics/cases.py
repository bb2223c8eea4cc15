"""One row or more for every metric of the vocabulary: what it is given, and what it must say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.stats
import sklearn.metrics as sk

from tests.metrics import forms, references
from tests.metrics.forms import Array, Form
from tests.metrics.words import METRICS, metric

LIST = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True)
class Case:
    """A metric with parameters on one form of truth.

    `reference` gets what the metric gets; `factors` are parameters drawn for the rows; `of` names
    the metric inside a combinator, a bare name or one with parameters. `best` is the perfect score
    where it is not the metric's bound.
    """

    form: Form
    reference: Callable[..., float]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    factors: Mapping[str, Callable[[np.random.Generator, int], Array]] = field(default_factory=dict)
    of: str | None = None
    best: float | None = None


def groups(rng: np.random.Generator, rows: int) -> Array:
    return rng.choice(["north", "south", "west"], rows)


def flags(rng: np.random.Generator, rows: int) -> Array:
    return (rng.random(rows) < 0.4).astype(float)


def _columns(of: Callable[[Array, Array], float]) -> Callable[..., float]:
    def score(truth: Array, prediction: Array, weights: Sequence[float] | None = None) -> float:
        scores = [of(truth[:, at], prediction[:, at]) for at in range(truth.shape[1])]
        return float(np.average(scores, weights=weights))

    return score


def _grouped(of: Callable[[Array, Array], float]) -> Callable[..., float]:
    def score(truth: Array, prediction: Array, by: Array) -> float:
        return float(np.mean([of(truth[by == g], prediction[by == g]) for g in sorted(set(by))]))

    return score


def _ndcg(truth: Array, prediction: Array, k: int = 10) -> float:
    return float(sk.ndcg_score([np.maximum(truth, 0)], [prediction], k=k))


CASES: Mapping[str, Sequence[Case]] = {
    "accuracy": [Case(forms.CLASS, sk.accuracy_score), Case(forms.LABEL, sk.accuracy_score)],
    "angular_error": [Case(forms.ANGLES, references.angular_error)],
    "answer_f1": [Case(forms.TEXT, references.answer_f1)],
    "average_precision": [
        Case(forms.PROBABILITY, sk.average_precision_score),
        Case(
            forms.PROBABILITY_COLUMNS,
            lambda t, p: sk.average_precision_score(t, p, average="micro"),
        ),
    ],
    "balanced_accuracy": [Case(forms.CLASS, sk.balanced_accuracy_score)],
    "balanced_log_loss": [
        Case(forms.PROBABILITY, references.balanced_log_loss),
        Case(forms.CLASS_PROBABILITIES, references.balanced_log_loss),
    ],
    "bias_auc": [
        Case(forms.PROBABILITY, references.bias_auc, {"power": -5.0}, {"by": groups}),
    ],
    "box_average_precision": [
        Case(forms.BOXES, references.box_average_precision, {"overlaps": [0.5]}),
        Case(forms.BOXES, references.box_average_precision, {"overlaps": LIST}),
    ],
    "brier_score": [Case(forms.PROBABILITY, sk.brier_score_loss)],
    "centre_f1": [Case(forms.BOXES, references.centre_f1)],
    "dice": [
        Case(forms.MASK, references.by_mask(sk.f1_score)),
        Case(
            forms.MASK,
            lambda t, p, pooled: sk.f1_score(t.ravel(), p.ravel()),
            {"pooled": True},
        ),
    ],
    "dice_hausdorff": [Case(forms.MASK, references.dice_hausdorff)],
    "error_rate": [Case(forms.CLASS, sk.zero_one_loss)],
    "exact_match": [Case(forms.LABEL_COLUMNS, sk.accuracy_score)],
    "f_beta": [Case(forms.LABEL, sk.fbeta_score, {"beta": 2.0})],
    "gini": [Case(forms.PROBABILITY, references.normalized_gini)],
    "haversine_error": [Case(forms.PLACES, references.haversine_error)],
    "kendall_tau": [Case(forms.ORDER, references.kendall_tau)],
    "kl_divergence": [
        Case(forms.SHARES, lambda t, p: scipy.stats.entropy(t, p, axis=1).mean()),
    ],
    "label_ranking_average_precision": [
        Case(
            forms.PROBABILITY_COLUMNS,
            lambda t, p: sk.label_ranking_average_precision_score(t, p, sample_weight=t.sum(1)),
        ),
    ],
    "laplace_log_likelihood": [
        Case(
            forms.ESTIMATE,
            references.laplace_log_likelihood,
            {"floor": 0.3, "cap": 3.0},
            best=-math.log(math.sqrt(2) * 0.3),
        ),
    ],
    "levenshtein": [
        Case(
            forms.TEXT,
            references.levenshtein,
        ),
    ],
    "log_loss": [
        Case(forms.PROBABILITY, references.log_loss),
        Case(forms.CLASS_PROBABILITIES, references.log_loss),
    ],
    "log_mae": [Case(forms.NUMBER, lambda t, p: np.log(sk.mean_absolute_error(t, p)))],
    "macro_f1": [
        Case(form, lambda t, p: sk.f1_score(t, p, average="macro"))
        for form in (forms.LABEL, forms.CLASS, forms.LABEL_COLUMNS)
    ],
    "mae": [
        Case(forms.NUMBER, sk.mean_absolute_error),
        Case(forms.NUMBERS, sk.mean_absolute_error),
    ],
    "map_at_k": [Case(forms.RANKING, references.map_at_k, {"k": k}) for k in (5, 2)],
    "mape": [Case(forms.POSITIVE, sk.mean_absolute_percentage_error)],
    "mask_average_precision": [
        Case(forms.MASK, references.by_mask(references.passed_thresholds)),
    ],
    "mask_f_beta": [
        Case(
            forms.MASK,
            lambda t, p, beta: references.by_mask(lambda a, b: sk.fbeta_score(a, b, beta=beta))(
                t, p
            ),
            {"beta": 0.5},
        ),
    ],
    "masked": [
        Case(
            forms.NUMBER,
            lambda t, p, where: np.abs(t - p)[where == 1].mean(),
            factors={"where": flags},
            of="mae",
        ),
        Case(
            forms.NUMBERS,
            lambda t, p, where: np.abs(t - p)[where == 1].mean(),
            factors={"where": lambda rng, rows: (rng.random((rows, 3)) < 0.4).astype(float)},
            of="mae",
        ),
    ],
    "matthews_correlation": [
        Case(forms.LABEL, sk.matthews_corrcoef),
        Case(forms.CLASS, sk.matthews_corrcoef),
    ],
    "median_absolute_error": [Case(forms.NUMBER, sk.median_absolute_error)],
    "micro_f1": [Case(forms.LABEL_COLUMNS, lambda t, p: sk.f1_score(t, p, average="micro"))],
    "ndcg": [Case(forms.POSITIVE, _ndcg, {"k": k}) for k in (5, 1000)],
    "normalized_gini": [Case(forms.POSITIVE, references.normalized_gini)],
    "pearson": [Case(forms.NUMBER, lambda t, p: scipy.stats.pearsonr(t, p).statistic)],
    "per_column": [
        Case(forms.PROBABILITY_COLUMNS, sk.roc_auc_score, of="roc_auc"),
        Case(forms.CLASS_PROBABILITIES, sk.roc_auc_score, of="roc_auc"),
        Case(forms.PROBABILITY_COLUMNS, _columns(references.log_loss), of="log_loss"),
        Case(forms.NUMBERS, _columns(sk.root_mean_squared_error), of="rmse"),
        Case(
            forms.NUMBERS,
            _columns(lambda t, p: scipy.stats.spearmanr(t, p).statistic),
            {"weights": [2.0, 1.0, 1.0]},
            of="spearman",
        ),
        Case(forms.LABEL_COLUMNS, _columns(sk.balanced_accuracy_score), of="balanced_accuracy"),
    ],
    "per_group": [
        Case(forms.POSITIVE, _grouped(_ndcg), factors={"by": groups}, of="ndcg"),
        Case(
            forms.NUMBER,
            _grouped(lambda t, p: math.log(sk.mean_absolute_error(t, p))),
            factors={"by": groups},
            of="log_mae",
        ),
        Case(
            forms.PLACES,
            _grouped(references.haversine_error),
            factors={"by": groups},
            of="haversine_error",
        ),
    ],
    "pinball_loss": [
        Case(
            forms.NUMBER,
            lambda t, p, quantile: sk.mean_pinball_loss(t, p, alpha=quantile),
            {"quantile": 0.8},
        ),
    ],
    "probabilistic_f1": [Case(forms.PROBABILITY, references.probabilistic_f1)],
    "quadratic_weighted_kappa": [
        Case(forms.CLASS, lambda t, p: sk.cohen_kappa_score(t, p, weights="quadratic")),
    ],
    "r2": [Case(forms.NUMBER, sk.r2_score)],
    "rmse": [Case(forms.NUMBER, sk.root_mean_squared_error)],
    "rmsle": [Case(forms.POSITIVE, sk.root_mean_squared_log_error)],
    "rmspe": [Case(forms.POSITIVE, lambda t, p: math.sqrt(np.mean((1 - p / t) ** 2)))],
    "roc_auc": [
        Case(forms.PROBABILITY, sk.roc_auc_score),
        Case(forms.PROBABILITY_COLUMNS, lambda t, p: sk.roc_auc_score(t, p, average="micro")),
    ],
    "samples_f1": [
        Case(
            forms.LABEL_COLUMNS,
            lambda t, p: sk.f1_score(t, p, average="samples", zero_division=1),
        ),
    ],
    "smape": [Case(forms.POSITIVE, references.smape)],
    "spearman": [Case(forms.NUMBER, lambda t, p: scipy.stats.spearmanr(t, p).statistic)],
    "text_accuracy": [
        Case(forms.TEXT, lambda t, p: sk.accuracy_score(t.astype(str), p.astype(str))),
    ],
    "token_accuracy": [
        Case(forms.SEQUENCE, lambda t, p: sk.accuracy_score(sum(t, ()), sum(p, ()))),
        Case(forms.ORDER, lambda t, p: sk.accuracy_score(sum(t, ()), sum(p, ()))),
    ],
    "token_error_rate": [
        Case(forms.SEQUENCE, references.token_error_rate),
        Case(forms.ORDER, references.token_error_rate),
    ],
    "weighted": [
        Case(
            forms.NUMBER,
            lambda t, p, by, base: sk.mean_absolute_error(t, p, sample_weight=base + by),
            {"base": 0.25},
            {"by": flags},
            of="mae",
        ),
        Case(
            forms.CLASS,
            lambda t, p, by: sk.accuracy_score(t, p, sample_weight=by),
            factors={"by": lambda rng, rows: rng.gamma(2.0, size=rows)},
            of="accuracy",
        ),
    ],
    "weighted_log_loss": [
        Case(
            forms.PROBABILITY_COLUMNS,
            references.weighted_log_loss,
            {"weights": [7.0, 1.0], "positive": 2.0},
        ),
    ],
    "weighted_recall": [
        Case(forms.CLASS, references.weighted_recall, {"weights": [2.0, 1.0]}),
        Case(forms.CLASS, lambda t, p: sk.recall_score(t, p, average="macro")),
    ],
    "weighted_roc_auc": [
        Case(forms.PROBABILITY, references.weighted_roc_auc, {"below": 0.4, "times": 2.0}),
    ],
    "word_f1": [Case(forms.TEXT, references.word_f1)],
    "word_jaccard": [Case(forms.TEXT, references.word_jaccard)],
}

ALL = [(name, case) for name, cases in CASES.items() for case in cases]


def drawn(case: Case, rows: int, seed: int) -> tuple[Array, dict[str, Array]]:
    """A truth and the factors of its rows."""
    rng = np.random.default_rng(seed)
    truth = case.form.draw(rng, rows)
    return truth, {name: draw(rng, rows) for name, draw in case.factors.items()}


def spoiled(case: Case, truth: Array, share: float, seed: int) -> Array:
    """A prediction with a share of noise, the same noise for every share."""
    return case.form.spoil(np.random.default_rng(1000 + seed), truth, share)


def score(
    name: str, case: Case, truth: Array, prediction: Array, factors: Mapping[str, Array]
) -> float:
    """What the metric says."""
    nested = {"of": metric(case.of)} if case.of else {}
    return metric(name)(truth, prediction, **nested, **case.parameters, **factors)


def traits(name: str, case: Case) -> Mapping[str, Any]:
    """The metric's traits, or those of the metric that it follows."""
    own = METRICS[name].traits
    return {**METRICS[case.of].traits, **own} if case.of else own
