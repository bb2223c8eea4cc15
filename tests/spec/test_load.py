"""Specs in and out: frozen data with an identity, and text that gives it back."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.errors import SpecError
from sandmle.spec.identity import canonical_json, digest
from sandmle.spec.layout import WIDTH, dump_data
from sandmle.spec.load import check_file, dump_spec, load_spec, parse_spec, spec_data
from sandmle.spec.model import Spec, Split, Target, Thresholds, WordUse
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
EXAMPLE = Path(__file__).parent / "example.yaml"
TEXT = EXAMPLE.read_text(encoding="utf-8")


def parsed(text: str) -> Spec:
    return parse_spec(text, file="example.yaml", vocabulary=VOCABULARY)


def test_a_spec_file_becomes_frozen_data() -> None:
    spec = load_spec(EXAMPLE)
    assert spec.id == "example"
    assert spec.dna.metric == WordUse("roc_auc", {}, ("dna", "metric"))
    assert spec.dna.split == Split("random", None)
    assert list(spec.factors) == ["crack_length", "moisture", "traffic"]
    assert spec.observe[1] == WordUse(
        "column", {"name": "moisture_index", "of": "moisture"}, ("observe", 1)
    )
    assert spec.targets == (
        Target(
            name="has_damage",
            rule=WordUse(
                "formula",
                {"score": "crack_length * (1 + 0.5 * moisture)"},
                ("hidden", "rule"),
            ),
            quantiles=(0.65,),
            labels=None,
            path=("hidden",),
        ),
    )
    assert spec.thresholds is None
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.id = "other"  # type: ignore[misc]


def test_several_targets_and_a_metric_with_parameters() -> None:
    text = TEXT.replace("binary, metric: roc_auc", "multilabel, metric: {kind: exact_match}")
    a, b = text.index("  target:"), text.index("noise:")
    several = (
        "  targets:\n    one: {rule: {kind: formula, score: moisture}, cut: {quantile: 0.6}}\n"
        "    two: {rule: {kind: formula, score: traffic}, cut: {quantile: 0.7}}\n"
    )
    spec = parsed(text[:a] + several + text[b:])
    assert [target.name for target in spec.targets] == ["one", "two"]
    assert spec.targets[1].rule.path == ("hidden", "targets", "two", "rule")
    assert spec.dna.metric == WordUse("exact_match", {}, ("dna", "metric"))
    assert parsed(dump_spec(spec)) == spec


def test_a_wrong_spec_raises_with_all_its_problems(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(TEXT.replace("train: 120", "train: 20").replace("rate: 0.08", "rate: 8"))
    with pytest.raises(SpecError) as caught:
        load_spec(path)
    assert [problem.where for problem in caught.value.problems] == ["dna.train", "noise[0].rate"]
    assert list(caught.value.problems) == check_file(path)


def test_a_spec_can_be_sent_to_another_process() -> None:
    spec = load_spec(EXAMPLE)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_thresholds_are_those_written() -> None:
    line = "thresholds: {median: 0.6, bronze: 0.7, silver: 0.8, gold: 0.9}\nnarrative:"
    assert parsed(TEXT.replace("narrative:", line)).thresholds == Thresholds(0.6, 0.7, 0.8, 0.9)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("random_seed: 7", "random_seed:   7  # lucky"),
        ("mean: 6.0, scale: 2.0", "scale: 2, mean: 6"),
        ("metric: roc_auc", "metric: {kind: roc_auc}"),
        ("cut: {quantile: 0.65}", "cut: {quantiles: [0.65]}"),
        ("prevalence: 0.35", "prevalence: 0.35, split: {kind: random}"),
        ("kind: formula, score", "'kind': formula, 'score'"),
    ],
)
def test_the_digest_is_of_the_meaning(old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    assert parsed(TEXT.replace(old, new)).digest == parsed(TEXT).digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("random_seed: 7", "random_seed: 8"),
        ("mean: 6.0", "mean: 6.01"),
        ("in centimetres", "in millimetres"),
        (", split: train", ""),
        ("of: moisture}", "of: traffic}"),
    ],
)
def test_the_digest_tells_specs_apart(old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    assert parsed(TEXT.replace(old, new)).digest != parsed(TEXT).digest


def test_the_digest_is_the_hash_of_canonical_json() -> None:
    assert canonical_json({"b": 2.0, "a": [0.5, "ä", None]}) == '{"b":2,"a":[0.5,"ä",null]}'
    # sha256sum of the text above
    assert digest({"b": 2.0, "a": [0.5, "ä", None]}) == digest({"b": 2, "a": [0.5, "ä", None]})
    spec = parsed(TEXT)
    assert spec.digest == digest(spec_data(spec))


def test_parameters_stand_in_the_order_of_their_word_in_nested_rules_too() -> None:
    rule = (
        "{kind: xor, right: {score: traffic, kind: formula}, "
        "left: {kind: periodic, phase: 1, frequency: 2, of: moisture}}"
    )
    text = TEXT.replace('{kind: formula, score: "crack_length * (1 + 0.5 * moisture)"}', rule)
    use = parsed(text).targets[0].rule
    assert list(use.parameters) == ["left", "right"]
    assert list(use.parameters["left"]) == ["kind", "of", "frequency", "phase"]
    assert list(use.parameters["right"]) == ["kind", "score"]


def test_dumped_text_is_laid_out_for_reading() -> None:
    assert dump_spec(parsed(TEXT)) == TEXT.replace('"crack', "crack").replace(')"}', ")}")


def test_long_collections_are_broken_and_short_ones_are_not() -> None:
    data = {
        "short": {"a": [1, 2.5], "b": "no"},
        "long": {"kind": "x" * 60, "items": ["y" * 30, "z" * 30], "deep": {"k": "v" * 90}},
        "text": "One two three. " * 12 + "end.\nA second paragraph.",
    }
    text = dump_data({"top": data})
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    assert '  short: {a: [1, 2.5], b: "no"}\n' in text
    assert "    items:" in text or "    items: [" in text
    assert "  text: >-\n" in text


_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(
    lambda text: text == text.strip() and len(text.splitlines()) == 1
)
_STORY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300) | st.lists(
    _LINE, min_size=1, max_size=30
).map(" ".join)
_NUMBER = st.floats(0.1, 10) | st.integers(1, 10)
_RULES = st.recursive(
    st.sampled_from(["a + b", "sin(3 * a) / b", "where(a > 0.5, b, -1)"]).map(
        lambda score: {"kind": "formula", "score": score}
    )
    | st.fixed_dictionaries({"kind": st.just("periodic"), "of": st.just("a"), "phase": _NUMBER}),
    lambda inner: (
        st.fixed_dictionaries({"kind": st.just("xor"), "right": inner, "left": inner})
        | st.fixed_dictionaries(
            {"kind": st.just("blend"), "of": st.lists(inner, min_size=2, max_size=3)}
        )
    ),
    max_leaves=4,
)


@st.composite
def specs(draw: st.DrawFn) -> dict[str, Any]:
    """The data of a right spec."""
    levels = draw(st.lists(_LINE, min_size=2, max_size=4, unique=True))
    cut = draw(st.floats(0.1, 0.9))
    data: dict[str, Any] = {
        "spec": 1,
        "id": "example",
        "random_seed": draw(st.integers(0, 2**32 - 1)),
        "dna": {
            "modality": "tabular",
            "task": "binary",
            "metric": draw(st.sampled_from(["roc_auc", {"kind": "f_beta", "beta": 2}])),
            "train": draw(st.integers(50, 200)),
            "test": draw(st.integers(300, 5000)),
        },
        "domain": {"name": draw(_LINE), "entity": draw(_LINE)},
        "factors": {
            "b": {"kind": "normal", "scale": draw(_NUMBER), "mean": draw(_NUMBER)},
            "a": {"kind": "gamma", "shape": draw(_NUMBER)},
            "site": {"kind": "category", "levels": levels},
        },
        "observe": [
            {"kind": "column", "name": name, "of": draw(st.sampled_from(["a", "b", "site"]))}
            for name in draw(st.lists(st.sampled_from(["x1", "x2", "x3"]), unique=True, min_size=1))
        ],
        "hidden": {"target": "y", "rule": draw(_RULES), "cut": {"quantile": cut}},
        "narrative": {"title": draw(_LINE), "story": draw(_STORY)},
    }
    if draw(st.booleans()):
        data["hidden"]["labels"] = draw(st.lists(_LINE, min_size=2, max_size=2, unique=True))
    if draw(st.booleans()):
        data["noise"] = [{"kind": "label_flip", "split": "both", "rate": 0.05}]
    if draw(st.booleans()):
        medals = ("median", "bronze", "silver", "gold")
        data["thresholds"] = dict(zip(medals, sorted(draw(_SCORES)), strict=True))
    if draw(st.booleans()):
        data["provenance"] = draw(_PROVENANCE)
    return data


_SCORES = st.lists(st.floats(0, 1), min_size=4, max_size=4, unique=True)
_PROVENANCE = st.dictionaries(
    _LINE, st.integers(0, 9) | _LINE | st.lists(st.booleans(), max_size=3), min_size=1, max_size=3
)


@settings(max_examples=60)
@given(specs())
def test_a_dumped_spec_is_the_same_spec(data: dict[str, Any]) -> None:
    spec = parsed(dump_data(data))
    assert parsed(dump_spec(spec)) == spec
