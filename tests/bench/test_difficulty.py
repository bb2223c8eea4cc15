"""Drafts of one rule get harder for raw models as difficulty rises, and differ in it alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.bench.difficulty import (
    LEVELS,
    Fall,
    bench_difficulty,
    drafted,
    measure,
    steadiness,
    table,
)
from sandmle.cli import app
from sandmle.resources import resource
from sandmle.seeds.load import load_seed
from sandmle.vocabulary import load_vocabulary

CORPUS = resource("specs").parent
FALLS = [
    Fall("dip", "tabular", "binary", 5, (0.9, 0.7, 0.5, 0.3, 0.1), 1.0),
    Fall("between", "tabular", "binary", 4, (0.2, 0.2, 0.2, 0.2, 0.2), 0.0),
]


def test_a_steady_fall_is_one_and_none_is_nothing() -> None:
    assert steadiness((0.9, 0.7, 0.5, 0.3, 0.1)) == 1
    assert steadiness((0.9, 0.5, 0.7, 0.3, 0.1)) == 0.9
    assert steadiness((0.2, 0.2, 0.2, 0.2, 0.2)) == 0
    assert steadiness((0.1, 0.2, 0.3, 0.4, 0.5)) == -1
    assert FALLS[0].is_steady
    hardly = Fall("dip", "text", "binary", 3, (0.33, 0.33, 0.33, 0.32, 0.32), 0.87)
    assert not hardly.is_steady


def test_drafts_at_all_levels_differ_in_the_dials_alone() -> None:
    word = load_vocabulary().word("hidden", "interval_band")
    seed = load_seed(resource("specs") / "seeds" / "breast-cancer.yaml")
    specs = [drafted(word, seed, level, 3, CORPUS) for level in LEVELS]
    assert [spec.dna.difficulty for spec in specs] == list(LEVELS)
    bands = [spec.targets[0].rule.parameters["bands"] for spec in specs]
    assert bands == sorted(bands)
    assert bands[0] < bands[-1]
    first, *others = specs
    for spec in others:
        assert (spec.noise, spec.domain) == (first.noise, first.domain)
        kinds = [{name: use.kind for name, use in one.factors.items()} for one in (spec, first)]
        assert kinds[0] == kinds[1]
        assert spec.random_seed == first.random_seed
        assert spec.dna.metric == first.dna.metric
        assert spec.targets[0].rule.parameters["of"] == first.targets[0].rule.parameters["of"]


def test_a_rule_that_nothing_asks_for_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = load_vocabulary()
    monkeypatch.setattr("sandmle.bench.difficulty._seeds", lambda *given: iter(()))
    word = vocabulary.word("hidden", "dip")
    assert measure(word, vocabulary, tasks=1, corpus=CORPUS) is None


def test_the_table_has_a_row_a_rule() -> None:
    text = table(FALLS)
    assert "| dip | tabular binary | 5 | 0.90 | 0.70 | 0.50 | 0.30 | 0.10 | 1.00 |" in text
    assert "Of 2 rules 1 fall steadily" in text
    assert all(len(line) <= 100 or line.startswith("|") for line in text.splitlines())


def test_the_command_prints_a_table_or_json_and_writes_markdown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sandmle.bench.difficulty.bench_difficulty", lambda *rules, **kept: FALLS)
    printed = CliRunner().invoke(app, ["bench", "difficulty", "--json"]).stdout
    assert [entry["rule"] for entry in json.loads(printed)] == ["dip", "between"]
    file = tmp_path / "difficulty.md"
    shown = CliRunner().invoke(app, ["bench", "difficulty", "dip", "--markdown", str(file)])
    assert "dip" in shown.stdout
    assert file.read_text() == table(FALLS)
    unknown = CliRunner().invoke(app, ["bench", "difficulty", "dipp"])
    assert unknown.exit_code != 0
    assert "dipp: no such rule" in unknown.output


@pytest.mark.slow
def test_raw_models_fall_steadily_as_difficulty_rises() -> None:
    falls = bench_difficulty(["interactions", "periodic", "dip"], tasks=5)
    assert [fall.is_steady for fall in falls] == [True, True, True]
