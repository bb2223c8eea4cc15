"""Lints: each finds what it is for at its place, and the shipped corpus has nothing for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.resources import resource
from sandmle.spec.lint import LINTS, code_of, lint_file, lint_source
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()

CLEAN = """\
spec: 1
id: spec
random_seed: 7
dna: {modality: tabular, task: binary, metric: roc_auc, train: 120, test: 500}
domain: {name: transport, entity: road segment}
factors:
  crack_length: {kind: normal}
  moisture: {kind: normal}
  depot: {kind: category, levels: [north, south]}
observe:
  - {kind: column, name: moisture_index, of: moisture}
  - {kind: column, name: crack_metres, of: crack_length}
  - {kind: column, name: depot, of: depot}
hidden:
  target: has_damage
  rule: {kind: sign_product, left: crack_length, right: moisture}
  cut: {quantile: 0.65}
noise:
  - {kind: label_flip, rate: 0.08}
narrative:
  title: Finding damaged road segments
  story: A road authority looks for segments that will not last.
"""

BROKEN = {
    "snake-case": (
        [("moisture", "moisture__", 4)],
        "8:3: factors.moisture__: factor 'moisture__' is not in snake_case; write 'moisture'",
    ),
    "whole-words": (
        [("crack_length", "crack_len", 9)],
        "7:3: factors.crack_len: factor 'crack_len' is abbreviated; write 'crack_length'",
    ),
    "unused-factor": (
        [("depot: {kind: category", "wind: {kind: normal}\n  depot: {kind: category", 1)],
        "9:3: factors.wind: nothing uses factor 'wind'; remove it, or show it as a column",
    ),
    "unseen-cause": (
        [("  - {kind: column, name: moisture_index, of: moisture}\n", "", 1)],
        "15:57: hidden.rule.right: no observe word shows factor 'moisture': it can't be learnt",
    ),
    "duplicate-column": (
        [("of: depot}\n", "of: depot}\n  - {kind: column, name: damp, of: moisture}\n", 1)],
        "14:5: observe[3]: shows the same as observe[0]; remove one, or let it show more",
    ),
    "unreachable-columns": (
        [
            (
                "  - {kind: column, name: depot, of: depot}\n",
                "  - kind: level_table\n    file: depots.csv\n    key: depot\n    of: depot\n"
                "    columns: [{name: damp, of: moisture}]\n",
                1,
            )
        ],
        "16:9: observe[2].of: nothing else shows factor 'depot', so that the table's columns "
        "can't be joined to any row",
    ),
    "idle-noise": (
        [("rate: 0.08", "rate: 0", 1)],
        "19:30: noise[0].rate: label_flip with rate 0 does nothing; remove it",
    ),
    "story-names-rule": (
        [("that will not last", "by the sign product of both", 1)],
        "22:53: narrative.story: names the rule 'sign_product': 'sign product'",
    ),
    "story-names-factor": (
        [("that will not last", "by crack length", 1)],
        "22:49: narrative.story: names the factor 'crack_length', which solvers don't see: "
        "'crack length'",
    ),
}


def found(text: str) -> list[str]:
    source = parse_source(text, file="spec.yaml")
    return [str(finding) for finding in lint_source(source, VOCABULARY)]


def test_a_clean_spec_has_no_finding() -> None:
    assert found(CLEAN) == []


@pytest.mark.parametrize("code", BROKEN)
def test_a_lint_finds_its_fault_and_no_other_does(code: str) -> None:
    text = CLEAN
    edits, said = BROKEN[code]
    for old, new, count in edits:
        assert old in text
        text = text.replace(old, new, count)
    assert found(text) == [f"spec.yaml:{said} [{code}]"]


def test_every_lint_is_shown_here_and_explained() -> None:
    assert {code_of(lint) for lint in LINTS} == set(BROKEN)
    guide = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    for code in BROKEN:
        assert f"`{code}`" in guide


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("of: moisture}", "of: moistur}"),
        ("spec: 1", "spec: [1"),
    ],
)
def test_a_spec_that_is_not_right_has_its_problems_as_findings(old: str, new: str) -> None:
    findings = found(CLEAN.replace(old, new))
    assert findings
    assert all(finding.endswith("[check]") for finding in findings)


def test_a_factor_that_shows_by_another_is_seen() -> None:
    text = CLEAN.replace(
        "  depot: {kind", "  depot_level: {kind: level_value, of: depot}\n  depot: {kind"
    )
    text = text.replace("right: moisture", "right: depot_level")
    lines = text.splitlines()
    depot = next(n for n, line in enumerate(lines) if line.startswith("  depot: "))
    lines[depot - 1], lines[depot] = lines[depot], lines[depot - 1]
    assert found("\n".join(lines) + "\n") == []


def test_the_shipped_corpus_is_clean() -> None:
    for path in sorted(resource("specs").glob("tasks/*.yaml")):
        assert lint_file(path, VOCABULARY) == []
