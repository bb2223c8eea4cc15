"""Changes in words: what means something is told in a line, what means nothing is not."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest

from sandmle.resources import resource
from sandmle.review.changes import data_changes, spec_changes
from sandmle.review.values import same, same_formula, text_changes
from sandmle.spec.layout import dump_data
from sandmle.spec.load import load_spec, parse_spec
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
SPECS = sorted(resource("specs").glob("tasks/*.yaml"))

BASE = """\
spec: 1
id: spec
random_seed: 7
dna: {modality: mixed, task: binary, metric: roc_auc, train: 120, test: 500}
domain: {name: transport, entity: road segment}
factors:
  crack_length: {kind: gamma, shape: 2.0, scale: 6.0}
  moisture: {kind: normal}
  frost: {kind: count, mean: 30}
observe:
  - {kind: strokes, file: "images/{id}.png", angle: frost, number: 3}
  - {kind: column, name: moisture_index, of: moisture}
  - {kind: column, name: crack_metres, of: crack_length}
hidden:
  target: has_damage
  rule: {kind: formula, score: "crack_length * (1 + 0.5 * moisture)"}
  cut: {quantile: 0.65}
noise:
  - {kind: label_flip, rate: 0.08}
  - {kind: distractors, count: 6}
  - {kind: factor_noise, factor: frost, scale: 0.1}
thresholds: {median: 0.612, bronze: 0.701, silver: 0.786, gold: 0.861}
narrative:
  title: Finding damaged road segments
  story: A road authority looks for segments whose surface will not last another winter of frost.
"""


def edited(*edits: tuple[str, str]) -> str:
    text = BASE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


def lines(*edits: tuple[str, str]) -> list[str]:
    """What is said of the base and its edited text."""
    old, new = (
        parse_spec(text, file="spec.yaml", vocabulary=VOCABULARY) for text in (BASE, edited(*edits))
    )
    return [change.text for change in spec_changes(old, new, VOCABULARY)]


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([("rate: 0.08", "rate: 0.12")], ["label noise 0.08 -> 0.12"]),
        ([("silver: 0.786", "silver: 0.771")], ["silver 0.786 -> 0.771"]),
        ([("train: 120", "train: 160")], ["train rows 120 -> 160"]),
        ([("shape: 2.0", "shape: 1.5")], ["factor crack_length: shape 2 -> 1.5"]),
        (
            [("moisture: {kind: normal}", "moisture: {kind: normal, scale: 1.5}")],
            ["factor moisture: scale 1 -> 1.5"],
        ),
        (
            [("{kind: gamma, shape: 2.0, scale: 6.0}", "{kind: normal, mean: 3}")],
            ["factor crack_length gamma (scale 6) -> normal (mean 3)"],
        ),
        (
            [
                (
                    '{kind: formula, score: "crack_length * (1 + 0.5 * moisture)"}',
                    "{kind: parity, of: [crack_length, moisture, frost]}",
                )
            ],
            [
                "rule formula (score crack_length * (1 + 0.5 * moisture)) -> "
                "parity of crack_length, moisture, frost"
            ],
        ),
        (
            [("0.5 * moisture", "0.7 * moisture")],
            [
                'rule: score "crack_length * (1 + 0.5 * moisture)" -> '
                '"crack_length * (1 + 0.7 * moisture)"'
            ],
        ),
        ([("crack_length * (1 + 0.5 * moisture)", "crack_length*((1+0.5*moisture))")], []),
        ([("quantile: 0.65", "quantile: 0.7")], ["cut 0.65 -> 0.7"]),
        (
            [("metric: roc_auc", "metric: {kind: f_beta, beta: 2}")],
            ["metric roc_auc -> f_beta (beta 2)"],
        ),
        ([("random_seed: 7", "random_seed: 8")], ["random seed 7 -> 8"]),
        (
            [
                (
                    "mean: 30}",
                    "mean: 30}\n  wind: {kind: normal}",
                )
            ],
            ["factor wind added: normal"],
        ),
        (
            [
                ("moisture: {kind: normal}", "dampness: {kind: normal}"),
                ("of: moisture", "of: dampness"),
                ("0.5 * moisture", "0.5 * dampness"),
            ],
            ["factor moisture renamed dampness"],
        ),
        (
            [("name: moisture_index", "name: dampness")],
            ["column moisture_index renamed dampness"],
        ),
        (
            [("  - {kind: column, name: moisture_index, of: moisture}\n", "")],
            ["column moisture_index removed"],
        ),
        (
            [
                ("  - {kind: column, name: moisture_index, of: moisture}\n", ""),
                (
                    "of: crack_length}\n",
                    "of: crack_length}\n  - {kind: column, name: moisture_index, of: moisture}\n",
                ),
            ],
            [
                "observed in another order: strokes images/{id}.png, column crack_metres, "
                "column moisture_index"
            ],
        ),
        (
            [
                ("number: 3", "number: 4"),
                ("  - {kind: column, name: moisture_index, of: moisture}\n", ""),
            ],
            ["strokes images/{id}.png: number 3 -> 4", "column moisture_index removed"],
        ),
        (
            [("{kind: label_flip, rate: 0.08}", "{kind: class_flip, rate: 0.1}")],
            ["label noise label_flip (rate 0.08) -> class_flip (rate 0.1)"],
        ),
        (
            [("  - {kind: label_flip, rate: 0.08}\n", "")],
            ["label noise removed"],
        ),
        ([("count: 6", "count: 9")], ["noise distractors: count 6 -> 9"]),
        (
            [("factor: frost, scale: 0.1", "factor: frost, scale: 0.2")],
            ["noise factor_noise of frost: scale 0.1 -> 0.2"],
        ),
        (
            [
                (
                    "  - {kind: label_flip, rate: 0.08}\n  - {kind: distractors, count: 6}\n",
                    "  - {kind: distractors, count: 6}\n  - {kind: label_flip, rate: 0.12}\n",
                )
            ],
            [
                "label noise 0.08 -> 0.12",
                "noise in another order: noise distractors, label noise, "
                "noise factor_noise of frost",
            ],
        ),
        (
            [("thresholds: {median: 0.612, bronze: 0.701, silver: 0.786, gold: 0.861}\n", "")],
            ["thresholds no longer pinned: computed at build"],
        ),
        (
            [("another winter of frost", "the winter")],
            ['story "another winter of frost." -> "the winter."'],
        ),
        (
            [("test: 500", "test: 500, split: {kind: time, by: frost}")],
            ["split random -> by time of frost"],
        ),
        # What means nothing.
        ([("spec: 1\n", "# a comment\nspec: 1\n")], []),
        ([("train: 120, test: 500", "test: 500, train: 120")], []),
        ([("moisture: {kind: normal}", "moisture: {kind: normal, mean: 0.0}")], []),
        ([("rate: 0.08", "rate: 8e-2")], []),
        ([("rate: 0.08", "rate: 0.08, split: train")], []),
    ],
)
def test_a_change_is_told_by_what_it_means(edits: list[tuple[str, str]], said: list[str]) -> None:
    assert lines(*edits) == said


def test_a_place_is_where_the_change_stands_in_the_new_spec() -> None:
    old, new = (
        parse_spec(text, file="spec.yaml", vocabulary=VOCABULARY)
        for text in (BASE, edited(("count: 6", "count: 9")))
    )
    (change,) = spec_changes(old, new, VOCABULARY)
    assert (change.where, change.before, change.after) == ("noise[1].count", 6, 9)


def test_rules_inside_rules_are_compared_word_by_word() -> None:
    path = next(path for path in SPECS if path.stem == "agriculture-votes")
    text = path.read_text(encoding="utf-8")
    assert "bands: 2" in text
    old, new = (
        parse_spec(version, file=path.name, vocabulary=VOCABULARY)
        for version in (text, text.replace("bands: 2", "bands: 3"))
    )
    told = [change.text for change in spec_changes(old, new, VOCABULARY)]
    assert told == ["rule, of[0]: bands 2 -> 3"]


@pytest.mark.parametrize("seed", range(40))
def test_every_pair_of_specs_can_be_compared_both_ways(seed: int) -> None:
    one, other = (load_spec(path) for path in random.Random(seed).sample(SPECS, 2))
    there = spec_changes(one, other, VOCABULARY)
    back = spec_changes(other, one, VOCABULARY)
    assert there
    assert back
    assert not spec_changes(one, one, VOCABULARY)


def test_neither_layout_nor_order_of_keys_says_anything() -> None:
    rng = random.Random(5)

    def mixed(value: Any) -> Any:
        if isinstance(value, dict):
            keys = list(value)
            if "kind" in value or "train" in value or "spec" in value:
                rng.shuffle(keys)
            return {key: mixed(value[key]) for key in keys}
        return [mixed(item) for item in value] if isinstance(value, list) else value

    for path in SPECS[::12]:
        spec = load_spec(path)
        data = parse_source(path.read_text(encoding="utf-8"), file="").data
        again = parse_spec(dump_data(mixed(data)), file=path.name, vocabulary=VOCABULARY)
        assert not spec_changes(spec, again, VOCABULARY)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [(1, 1.0, True), (True, 1, False), ([1, 2], (1.0, 2), True), ("1", 1, False), (None, 0, False)],
)
def test_values_are_compared_by_what_they_mean(one: Any, other: Any, equal: bool) -> None:
    assert same(one, other) is equal


def test_formulas_are_compared_by_their_trees() -> None:
    assert same_formula("a + b*c", "a+(b * c)")
    assert not same_formula("a + b*c", "(a + b) * c")


def test_a_text_is_told_by_its_changed_words_or_as_rewritten() -> None:
    assert list(text_changes("a b c", "a x c d")) == ['"b" -> "x"', '"d" added']
    assert list(text_changes("a b c d e f g", "a 1 c 2 e 3 g 4")) == ["rewritten (7 -> 8 words)"]


def test_plain_data_are_compared_place_by_place() -> None:
    old = {"noise": [{"kind": "a", "rate": 1}, {"kind": "b"}], "x": [1]}
    new = {"noise": [{"kind": "b"}, {"kind": "a", "rate": 2}], "x": [2], "y": 3}
    assert [change.text for change in data_changes(old, new)] == [
        "noise[1].rate 1 -> 2",
        "x [1] -> [2]",
        "y 3 added",
    ]


def test_comparing_needs_no_numpy() -> None:
    program = (
        "import sys; from pathlib import Path; from sandmle.review.comparison import *; "
        "from sandmle.vocabulary import load_vocabulary; "
        f"c = contents(Path({str(SPECS[0])!r}))[0]; s = read_side(c, load_vocabulary()); "
        "assert not compare(s, s, load_vocabulary()).changes; "
        "sys.exit(bool({'numpy', 'pandas', 'sklearn'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
