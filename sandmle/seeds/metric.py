"""Which metric a competition is scored by, told from its files or from the custom of its task."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandmle.seeds.model import SeedMetric
from sandmle.vocabulary import Vocabulary, load_vocabulary

#: Other ways in which config files and descriptions write metrics, beside the names that the
#: vocabulary has for them (spaces, - and _ are one and the same); `per_column of rmse` is two.
_SPELLINGS = (
    ("per_column of log_loss", r"mean column\s?wise log|mean column log loss"),
    ("per_column of roc_auc", r"mean column\s?(wise )?(roc|auc)|macro auc"),
    ("normalized_gini", r"normali[sz]ed gini"),
    ("roc_auc", r"area under the (roc|receiver)|\bauc( roc)?\b|\broc auc\b"),
    ("quadratic_weighted_kappa", r"quadratic (weighted )?kappa|\bqwk\b|weighted kappa"),
    ("average_precision", r"average precision|area under the precision"),
    ("brier_score", r"\bbrier"),
    ("log_loss", r"log(arithmic)? ?loss|cross entropy"),
    ("rmsle", r"\brmsle\b|root mean squared log"),
    ("smape", r"\bsmape\b|symmetric mean absolute percent"),
    ("mape", r"\bmape\b|mean absolute percent"),
    ("pinball_loss", r"\bpinball|quantile loss"),
    ("per_column of rmse", r"\bmcrmse\b|mean column\s?wise (rmse|root mean squared? error)"),
    ("per_column of rmsle", r"mean column\s?wise (rmsle|root mean squared log)"),
    ("per_column of spearman", r"mean column\s?wise spearman"),
    ("rmse", r"\brmse\b|root mean squared? error"),
    ("mae", r"\bmae\b|mean absolute error"),
    ("r2", r"\br2\b|coefficient of determination"),
    ("spearman", r"spearman"),
    ("pearson", r"pearson"),
    ("macro_f1", r"macro (averaged )?f ?1?|f1 (score )?macro|(average|mean) f1"),
    ("micro_f1", r"micro (averaged )?f1|f1 (score )?micro"),
    ("f_beta", r"\bf ?beta\b|\bf ?[12]( score)?\b"),
    ("matthews_correlation", r"\bmcc\b|matthews corr"),
    ("exact_match", r"exact match|subset accuracy"),
    ("balanced_accuracy", r"balanced accuracy"),
    ("accuracy", r"\baccuracy\b|classification error|percentage of correct"),
)

_CUSTOMARY = {
    "binary": "roc_auc",
    "multiclass": "accuracy",
    "multilabel": "per_column of roc_auc",
    "ordinal": "quadratic_weighted_kappa",
    "regression": "rmse",
}

_EVALUATION = re.compile(
    r"^#+[^\n]*(evaluation|metric)[^\n]*\n(.*?)(?=^#|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def told_metric(
    grader: str, description: str, vocabulary: Vocabulary | None = None
) -> SeedMetric | None:
    """The metric that config.yaml's grader or description.md's evaluation section names.

    `vocabulary` is the shipped one where left out.
    """
    known = vocabulary or load_vocabulary()
    named = _recognise(grader, known)
    if named is not None:
        return _metric(named, "config")
    for section in _EVALUATION.finditer(description):
        named = _recognise(section[0], known)
        if named is not None:
            return _metric(named, "description")
    return None


def customary_metric(task: str) -> SeedMetric:
    """The metric that most competitions of the task type use."""
    return _metric(_CUSTOMARY[task], "task")


def _metric(named: str, known_from: str) -> SeedMetric:
    """A metric by its name, or `per_column of rmse` as a combinator of another."""
    name, _, of = named.partition(" of ")
    return SeedMetric(name, known_from, {"of": of} if of else {})


def _recognise(text: str, vocabulary: Vocabulary) -> str | None:
    """The metric of which the text tells most: `mean column log loss` before `log loss`."""
    text = re.sub(r"[\s_*`-]+", " ", text.lower())
    found = [
        (len(match[0]), name)
        for name, spelling in _spellings(vocabulary)
        if (match := re.search(spelling, text))
    ]
    return max(found, key=lambda match: match[0])[1] if found else None


def _spellings(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Names of metrics and how they are written; one that combines others says nothing alone."""
    yield from _SPELLINGS
    for name, word in vocabulary.folder("metrics").items():
        if "FOLLOWS" not in word.traits:
            yield name, rf"\b{re.escape(name.replace('_', ' '))}\b"
