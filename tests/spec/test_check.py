"""The whole check: all problems at once, none twice, none that only follows from another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from sandmle.errors import VocabularyError
from sandmle.runtime.split import FEWEST
from sandmle.spec.check import check_source
from sandmle.spec.checks import targets
from sandmle.spec.layout import dump_data
from sandmle.spec.load import build_spec, check_file, dump_spec, parse_spec
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary
from tests.spec.damage import damaged_specs

EXAMPLE = (Path(__file__).parent / "example.yaml").read_text(encoding="utf-8")


def said(text: str) -> list[str]:
    source = parse_source(text, file="example.yaml")
    return [str(problem) for problem in check_source(source, load_vocabulary())]


def changed(*changes: tuple[str, str]) -> list[str]:
    """What is said of the example after some replacements, without the file's name."""
    text = EXAMPLE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return [problem.removeprefix("example.yaml:") for problem in said(text)]


def test_a_right_spec_has_no_problem() -> None:
    assert said(EXAMPLE) == []


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    assert changed(
        ("id: example", "id: exmaple"),
        ("train: 120", "train: 20"),
        ("scale: 2.0", "scale: 2.0, skew: 1"),
        ("of: traffic}", "of: trafic}"),
        ("0.5 * moisture", "0.5 * moistrue"),
        ("rate: 0.08", "rate: 0.8"),
        ("  title:", "  titel:"),
    ) == [
        "3:5: id: differs from the file's name; write 'example', or rename the file",
        "6:64: dna.train: 20 is too small; at least 50",
        "9:55: factors.crack_length.skew: unknown key 'skew'; known are kind, mean, scale",
        "15:44: observe[2].of: unknown factor 'trafic'; did you mean 'traffic'?",
        "18:59: hidden.rule.score: unknown factor 'moistrue'; did you mean 'moisture'?",
        "21:30: noise[0].rate: 0.8 is too large; at most 0.4",
        "22:1: narrative: missing key 'title' (the competition's title)",
        "23:3: narrative.titel: unknown key 'titel'; did you mean 'title'?",
    ]


def test_several_unknown_factors_of_one_formula_are_each_told() -> None:
    assert changed(("crack_length * (1 + 0.5 * moisture)", "rain * wind + moisture")) == [
        "18:33: hidden.rule.score: unknown factor 'rain'; known are crack_length, moisture, "
        "traffic",
        "18:40: hidden.rule.score: unknown factor 'wind'; known are crack_length, moisture, "
        "traffic",
    ]


@pytest.mark.parametrize(
    "change",
    [
        ("  moisture: {kind: normal}", "  moisture: {kind: normall}"),
        ("  moisture: {kind: normal}", "  moisture: {kind: normal, scale: &x 2}"),
        ("  moisture: {kind: normal}", "  moisture: 3"),
        ("name: moisture_index, ", ""),
        ("task: binary", "task: binry"),
        ("metric: roc_auc", "metric: roc_au"),
        ("cut: {quantile: 0.65}", "cut: {quantile: 1.65}"),
        ("cut: {quantile: 0.65}", "cut: 0.65"),
        ("{kind: formula, score:", "{kind: formulas, score:"),
        ("modality: tabular", "modality: [tabular]"),
        ("prevalence: 0.35", "prevalence: 35"),
        ("target: has_damage", "target: has damage"),
    ],
)
def test_a_fault_brings_up_no_other_message(change: tuple[str, str]) -> None:
    # The narrative names moisture_index, which the third change takes away.
    found = [problem for problem in changed(change) if "narrative" not in problem]
    assert len(found) == 1


@pytest.mark.parametrize("text", ["", "3", "[]", "a", "{}", "spec: 1", "hidden: {targets: []}"])
def test_whatever_is_no_spec_is_refused(text: str) -> None:
    assert said(text)


@pytest.mark.parametrize(
    ("task", "metric", "cut", "message"),
    [
        ("regression", "rmse", "", None),
        ("ordinal", "quadratic_weighted_kappa", "cut: {quantiles: [0.2, 0.5, 0.9]}", None),
        ("multiclass", "accuracy", "cut: {quantiles: [0.4, 0.5]}", None),
        ("multiclass", "accuracy", "cut: {quantile: 0.4}", "cuts into 2 classes"),
        ("binary", "accuracy", "cut: {quantiles: [0.4]}", None),
        ("binary", "accuracy", "cut: {quantiles: [0.4, 0.6]}", "cuts into 3 classes"),
        ("ordinal", "accuracy", "cut: {quantiles: [0.4, 0.4]}", "class 1 about 0 of 620 rows"),
        ("ordinal", "accuracy", "cut: {quantiles: [0.4, 0.41]}", "class 1 about 6 of 620 rows"),
        ("regression", "rmse", "cut: {quantile: 0.4}", "takes no cut"),
        ("binary", "accuracy", "", "needs a cut"),
        ("multilabel", "exact_match", "", "a multilabel task has several `targets`"),
    ],
)
def test_targets_are_what_the_task_needs(
    task: str, metric: str, cut: str, message: str | None
) -> None:
    text = EXAMPLE.replace("task: binary, metric: roc_auc", f"task: {task}, metric: {metric}")
    text = text.replace(", prevalence: 0.35", "").replace("cut: {quantile: 0.65}", cut)
    text = text.replace("noise:\n  - {kind: label_flip, rate: 0.08, split: train}\n", "")
    found = said(text)
    if message is None:
        assert found == []
    else:
        assert len(found) == 1
        assert message in found[0]


@pytest.mark.parametrize(
    ("rule", "dna", "messages"),
    [
        ("{kind: remainder, of: [traffic], modulus: 4}", "classes: 4", []),
        ("{kind: remainder, of: [traffic], modulus: 4}", "classes: 3", ["the rule makes 4"]),
        ("{kind: most_extreme, of: [traffic, moisture, crack_length]}", "classes: 3", []),
        ("{kind: nearest_prototype, of: [traffic, moisture]}", "difficulty: 0.5", ["`classes`"]),
    ],
)
def test_a_rule_that_yields_classes_agrees_with_the_dna(
    rule: str, dna: str, messages: list[str]
) -> None:
    text = EXAMPLE.replace("task: binary, metric: roc_auc", "task: multiclass, metric: macro_f1")
    text = text.replace("prevalence: 0.35", dna).replace("  cut: {quantile: 0.65}\n", "")
    found = said(
        text.replace('{kind: formula, score: "crack_length * (1 + 0.5 * moisture)"}', rule)
    )
    assert len(found) == len(messages)
    assert all(message in problem for message, problem in zip(messages, found, strict=True))


@settings(max_examples=100)
@given(damaged_specs())
def test_any_damaged_spec_is_refused_or_loaded(data: dict[str, Any]) -> None:
    text = dump_data(data)
    source = parse_source(text, file="x.yaml")
    problems = check_source(source, load_vocabulary())
    lines = text.count("\n") + 1
    for problem in problems:
        assert 1 <= problem.line <= lines
        assert problem.message
    if not problems:
        spec = build_spec(source.data, load_vocabulary())
        assert parse_spec(dump_spec(spec), file="x", vocabulary=load_vocabulary()) == spec


def test_class_sizes_are_those_that_the_compiled_split_asks_for() -> None:
    assert targets.FEWEST == FEWEST


def test_a_file_is_checked_with_the_words_of_its_own_corpus(tmp_path: Path) -> None:
    (tmp_path / "specs" / "tasks").mkdir(parents=True)
    (tmp_path / "rules" / "factors").mkdir(parents=True)
    path = tmp_path / "specs" / "tasks" / "example.yaml"
    path.write_text(EXAMPLE.replace("moisture: {kind: normal}", "moisture: {kind: damp}"))
    assert len(check_file(path)) == 1
    (tmp_path / "rules" / "factors" / "damp.py").write_text(
        '"""How damp it is."""\nYIELDS = "number"\nPARAMETERS = {}\n'
        "def damp(rng, samples):\n    return rng.random(samples)\n"
    )
    assert check_file(path, corpus=tmp_path / "elsewhere") != []
    load_vocabulary.cache_clear()
    assert check_file(path) == []


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ('{"type": "nummber"}', "unknown type 'nummber'"),
        ('{"type": "array", "items": {"pattern": "("}}', "bad pattern '('"),
        ('{"$ref": "#/$defs/numbr_factor"}', "unknown reference '#/$defs/numbr_factor'"),
    ],
)
def test_a_word_whose_parameters_are_no_schema_is_told(
    tmp_path: Path, fragment: str, words: str
) -> None:
    (tmp_path / "rules" / "factors").mkdir(parents=True)
    word = tmp_path / "rules" / "factors" / "damp.py"
    word.write_text(
        f'"""How damp it is."""\nYIELDS = "number"\nPARAMETERS = {{"of": {fragment}}}\n'
        "def damp(rng, samples, *, of):\n    return of\n"
    )
    text = EXAMPLE.replace("moisture: {kind: normal}", "moisture: {kind: damp, of: 3}")
    with pytest.raises(VocabularyError, match="not JSON Schema") as caught:
        check_source(parse_source(text, file="example.yaml"), load_vocabulary(tmp_path))
    assert str(word) in str(caught.value)
    assert words in str(caught.value)
