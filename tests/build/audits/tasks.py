"""Tasks of several shapes, and evaluators that are broken on purpose."""

from __future__ import annotations

import dataclasses
import functools
import tempfile
from pathlib import Path

from threadpoolctl import threadpool_limits

from sandmle.build.auditing import Examined, run_audit
from sandmle.build.prepare import Prepared, prepare
from sandmle.compiler.compile import compile_spec
from sandmle.grading import load_script, make_grader
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds
from tests.build.specs import spec_text, write_corpus

_BINARY = "task: binary, metric: roc_auc"
_CUT = "  cut: {quantile: 0.5}\n"
_FLIP = "label_flip, rate: 0.05"
_RULE = "rule: {kind: sign_product, left: crack, right: load}"
_FORMULA = 'rule: {kind: formula, score: "crack * load"}'
_THREE = {
    "task: binary": "task: multiclass",
    _CUT: "  cut: {quantiles: [0.3, 0.7]}\n",
    "  target: has_damage": "  target: has_damage\n  labels: [low, middle, high]",
    _RULE: _FORMULA,
}
_NUMBER = {
    _BINARY: "task: regression, metric: rmse",
    _CUT: "",
    _FLIP: "target_noise, scale: 0.3",
    _RULE: _FORMULA,
}

_FOLDER = tempfile.TemporaryDirectory(prefix="sandmle-")

#: What the spec of the road becomes, by shape: texts that are replaced.
SHAPES = {
    "auc": {},
    "log loss": {"metric: roc_auc": "metric: log_loss"},
    "brier": {"metric: roc_auc": "metric: brier_score"},
    "easy brier": {
        "metric: roc_auc": "metric: brier_score",
        _RULE: 'rule: {kind: formula, score: "crack + load"}',
    },
    "f1": {"metric: roc_auc": "metric: {kind: f_beta, beta: 1.0}"},
    "classes": {"metric: roc_auc": "metric: log_loss", _FLIP: "class_flip, rate: 0.05", **_THREE},
    "numbers": _NUMBER,
    "correlation": {**_NUMBER, "metric: rmse": "metric: pearson"},
}

#: Lines that the good baselines reach and uninformed ones do not, by shape.
LINES = {
    "auc": Thresholds(median=0.65, bronze=0.775, silver=0.875, gold=0.95),
    "log loss": Thresholds(median=0.6, bronze=0.5, silver=0.4, gold=0.3),
    "brier": Thresholds(median=0.2, bronze=0.15, silver=0.1, gold=0.05),
    "easy brier": Thresholds(median=0.19, bronze=0.15, silver=0.1, gold=0.07),
    "f1": Thresholds(median=0.75, bronze=0.8, silver=0.85, gold=0.9),
    "classes": Thresholds(median=0.9, bronze=0.7, silver=0.5, gold=0.4),
    "numbers": Thresholds(median=0.8, bronze=0.7, silver=0.6, gold=0.5),
    "correlation": Thresholds(median=0.5, bronze=0.7, silver=0.8, gold=0.9),
}


@functools.cache
def task(shape: str) -> Prepared:
    """A task of some shape, prepared once."""
    text = spec_text("road")
    for old, new in SHAPES[shape].items():
        assert old in text, old
        text = text.replace(old, new)
    folder = Path(_FOLDER.name) / shape
    corpus = write_corpus(folder / "corpus", {"road": text})
    spec = load_spec(corpus / "specs/tasks/road.yaml", corpus=corpus)
    with threadpool_limits(1):
        return prepare(spec, folder / "road", corpus=corpus)


@functools.cache
def evaluator(shape: str) -> str:
    """The text of evaluate.py of such a task."""
    return compile_spec(task(shape).spec, thresholds=LINES[shape]).evaluate


def broken(shape: str, old: str = "", new: str = "") -> Examined:
    """A task of some shape whose evaluator has another text in the place of one that it had."""
    script = evaluator(shape)
    assert old in script
    script = script.replace(old, new) if old else script
    prepared = task(shape)
    grader = make_grader(script, prepared.grader.answers)
    scope = load_script(script, "evaluate.py")
    return Examined(dataclasses.replace(prepared, evaluator=scope, grader=grader), grader)


def told(name: str, shape: str, old: str, new: str) -> str:
    """What an audit says against a task with such an evaluator."""
    check = run_audit(name, broken(shape, old, new))
    assert not check.passed, check.evidence
    return check.evidence


def holds(name: str, shape: str) -> None:
    """Lets an audit look at a sound task of some shape."""
    check = run_audit(name, broken(shape))
    assert check.passed, check.evidence
