"""Every word of the vocabulary compiles, and all of them can stand in one script."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest

from sandmle.compiler.compile import compile_spec
from sandmle.grading import load_script, make_grader
from sandmle.roles.filling import definition_of
from sandmle.spec.model import Spec, Target, WordUse
from sandmle.spec.scoring import fitting_submissions, metric_traits
from sandmle.vocabulary import load_vocabulary
from tests.compiler.conftest import Task
from tests.compiler.formatter import faults, formatted
from tests.metrics.cases import CASES
from tests.vocabulary.calling import load_examples

#: The factors of the examples that metrics are given, by what their parameters ask for.
JUDGED_BY = {"category_factor": "colour", "number_factor": "visits"}
VOCABULARY = load_vocabulary()
EXAMPLES = load_examples()
SUFFIX = {"files": "/{id}.png", "rows": ".csv", "table": ".csv"}
SEVERAL = "/{id}_{n}.png"


def use(folder: str, name: str, *path: str | int) -> WordUse:
    """The example of a word."""
    return WordUse(name, EXAMPLES["words"][folder][name] or {}, (folder, *path))


def target(name: str, *, quantiles: tuple[float, ...] | None = None) -> Target:
    """A target that follows the rule called `name`."""
    return Target(name, use("hidden", name, name), quantiles, None, ("hidden", "targets", name))


def rules(yields: str) -> list[str]:
    """The rules that give a number, or a category."""
    words = VOCABULARY.folder("hidden")
    return [name for name, word in words.items() if word.traits["YIELDS"] == yields]


def other_rules() -> list[str]:
    """The rules that give neither a number nor a class."""
    words = VOCABULARY.folder("hidden")
    plain = ("number", "category")
    return [name for name, word in words.items() if word.traits["YIELDS"] not in plain]


def tasks_of(yields: str) -> list[str]:
    """The kinds of task whose rules may yield a type."""
    words = VOCABULARY.folder("tasks")
    return [name for name, word in words.items() if yields in word.traits["YIELDS"]]


def metric_of(task: str) -> WordUse:
    """A metric for a kind of task that needs no parameters."""
    words = VOCABULARY.folder("metrics")
    fitting = [n for n, w in words.items() if task in w.traits["TASKS"] and not w.required]
    return WordUse(fitting[0], {}, ("dna", "metric"))


def noise(task: str) -> tuple[WordUse, ...]:
    """The noise words that fit a task."""
    words = VOCABULARY.folder("noise")
    fitting = [
        name
        for name in EXAMPLES["words"]["noise"]
        if task in words[name].traits.get("TASKS", [task])
    ]
    return tuple(use("noise", name, index) for index, name in enumerate(fitting))


def observers() -> tuple[WordUse, ...]:
    """All observe words, and plain columns for what the noise words' examples disturb."""
    found = []
    for name, parameters in EXAMPLES["words"]["observe"].items():
        traits = VOCABULARY.word("observe", name).traits
        suffix = SEVERAL if traits.get("SEVERAL") else SUFFIX.get(traits["WRITES"])
        file = {"file": f"{name}{suffix}"} if suffix else {}
        found.append(WordUse(name, {**parameters, **file}, ("observe", len(found))))
    for name in ("colour", "note"):
        found.append(WordUse("column", {"name": name, "of": name}, ("observe", len(found))))
    return tuple(found)


@pytest.fixture(scope="module")
def everything(tasks: Mapping[str, Task]) -> Spec:
    """A spec that uses every factor, observe word and number rule, and most noise words."""
    base = tasks["cell-signs"].spec
    drawn = {
        name: WordUse(*_split(given), ("factors", name))
        for name, given in EXAMPLES["factors"].items()
    }
    named = {f"own_{name}": use("factors", name, name) for name in EXAMPLES["words"]["factors"]}
    return dataclasses.replace(
        base,
        factors={**drawn, **named},
        observe=observers(),
        targets=tuple(target(name, quantiles=(0.5,)) for name in rules("number")),
        noise=noise("multilabel"),
    )


def _split(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return given["kind"], {key: value for key, value in given.items() if key != "kind"}


def check(spec: Spec) -> str:
    """Compiles a spec, runs it, grades its answers; its generate.py."""
    compiled = compile_spec(spec)
    for script in (compiled.generate, compiled.evaluate):
        assert script == formatted(script)
        assert faults(script) == ""
    dataset = load_script(compiled.generate, "generate.py")["generate"]()
    answers = dataset.private["answers.csv"]
    grader = make_grader(compiled.evaluate, answers)
    assert grader.grade(grader.perfect).valid
    assert grader.grade(dataset.public["sample_submission.csv"]).valid
    return compiled.generate


def test_examples_cover_the_vocabulary() -> None:
    for folder, examples in EXAMPLES["words"].items():
        assert set(examples) == set(VOCABULARY.folder(folder))


def test_all_words_stand_together_in_one_script(everything: Spec) -> None:
    script = check(everything)
    for folder in ("factors", "observe"):
        for name in VOCABULARY.folder(folder):
            assert f"\ndef {name}(" in script


@pytest.mark.parametrize("name", rules("category"))
def test_a_rule_that_gives_classes_needs_no_cut(everything: Spec, name: str) -> None:
    dna = dataclasses.replace(
        everything.dna, task="multiclass", metric=WordUse("accuracy", {}, ()), classes=5
    )
    check(dataclasses.replace(everything, dna=dna, targets=(target(name),), noise=()))


@pytest.mark.parametrize(
    ("task", "metric", "quantiles"),
    [("regression", "rmse", None), ("ordinal", "quadratic_weighted_kappa", (0.3, 0.7))],
)
def test_noise_on_labels_compiles_for_its_tasks(
    everything: Spec, task: str, metric: str, quantiles: tuple[float, ...] | None
) -> None:
    dna = dataclasses.replace(everything.dna, task=task, metric=WordUse(metric, {}, ()))
    check(
        dataclasses.replace(
            everything,
            dna=dna,
            targets=(target("formula", quantiles=quantiles),),
            noise=noise(task),
        )
    )


@pytest.mark.parametrize("name", other_rules())
def test_a_rule_that_gives_more_than_a_number_compiles_for_its_tasks(
    everything: Spec, name: str
) -> None:
    for task in tasks_of(VOCABULARY.word("hidden", name).traits["YIELDS"]):
        dna = dataclasses.replace(
            everything.dna, task=task, metric=metric_of(task), submission=None, classes=3, test=100
        )
        check(
            dataclasses.replace(
                everything,
                dna=dna,
                targets=(target(name),),
                observe=everything.observe[:1],
                noise=(),
            )
        )


@pytest.mark.parametrize("name", VOCABULARY.folder("metrics"))
def test_every_metric_compiles(everything: Spec, name: str) -> None:
    word = VOCABULARY.word("metrics", name)
    case = CASES[name][0]
    given = {**case.parameters, **({"of": case.of} if case.of else {})}
    given |= {factor: JUDGED_BY[definition_of(word.parameters[factor])] for factor in case.factors}
    metric = WordUse(name, given, ("dna", "metric"))
    traits = metric_traits(metric, VOCABULARY)
    assert traits is not None
    # A kind of task for every form of submission: what is compiled differs by that alone.
    tasks = {
        submission.name: task
        for task in word.traits["TASKS"]
        for submission in fitting_submissions(traits.predicts, task, VOCABULARY)[:1]
    }
    assert tasks
    for task in tasks.values():
        spec = dataclasses.replace(
            everything,
            dna=dataclasses.replace(everything.dna, task=task, metric=metric, classes=3),
            observe=everything.observe[:1],
            targets=targets_of(task),
            noise=(),
        )
        script = compile_spec(spec).evaluate

        assert script == formatted(script)
        assert faults(script) == ""


def targets_of(task: str) -> tuple[Target, ...]:
    """Targets that a kind of task may have, by the first rule that suits it."""
    traits = VOCABULARY.word("tasks", task).traits
    names = ["formula", "periodic"] if "number" in traits["YIELDS"] else rules(traits["YIELDS"][0])
    cuts = {2: (0.5,), 3: (0.3, 0.7)} if "number" in traits["YIELDS"] else {}
    quantiles = cuts.get((traits["CLASSES"] or [0])[0])
    return tuple(
        target(name, quantiles=quantiles) for name in names[: 2 if traits["SEVERAL"] else 1]
    )
