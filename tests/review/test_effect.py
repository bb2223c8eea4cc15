"""`sandmle diff --effect` on edits of different kinds: golden texts, numbers within a tolerance.

`python -m tests.review.test_effect` writes the texts anew; read what changed before committing it.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandmle.resources import resource
from sandmle.review.comparison import Content, compare, read_side
from sandmle.review.effect import RUNGS, Measured, compare_labels, effect, effects, measure
from sandmle.review.report import Reviewed, text_lines
from sandmle.runtime.dataset import Dataset
from sandmle.spec.edit import MEDALS
from sandmle.spec.layout import dump_data
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary

GOLDEN = Path(__file__).parent / "golden"
BASE = (GOLDEN / "kiln-tiles.yaml").read_text(encoding="utf-8")
EDITS: dict[str, dict[str, Any]] = parse_source(
    (GOLDEN / "edits.yaml").read_text(encoding="utf-8"), file="edits.yaml"
).data
VOCABULARY = load_vocabulary()
CORPUS = resource("rules").parent

#: Scores of baselines may move so far with the baselines; words and counts may not.
TOLERANCE = 0.12


def edited(changes: dict[str, Any]) -> str:
    """The text of the base with the values at dotted paths changed."""
    data = parse_source(BASE, file="").data
    for dotted, value in changes.items():
        *steps, last = [int(step) if step.isdigit() else step for step in dotted.split(".")]
        place = data
        for step in steps:
            place = place[step]
        if value is None:
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(value)
        else:
            place[last] = value
    return dump_data(data)


@functools.cache
def base_measured() -> Measured:
    side = read_side(Content("kiln-tiles.yaml", "kiln-tiles.yaml", BASE.encode()), VOCABULARY)
    assert side.spec is not None
    return measure(side.spec, corpus=CORPUS)


def said(name: str) -> str:
    """What the command says of an edit."""
    before, after = (
        read_side(Content(f"{rev}:kiln-tiles.yaml", "kiln-tiles.yaml", text.encode()), VOCABULARY)
        for rev, text in (("HEAD", BASE), ("edited", edited(EDITS[name])))
    )
    one = base_measured()
    other = None if after.spec is None else measure(after.spec, corpus=CORPUS, like=one)
    review = Reviewed(compare(before, after, VOCABULARY), effect(one, other))
    return "\n".join(text_lines(review, VOCABULARY)) + "\n"


def assert_same(line: str, golden: str) -> None:
    """Asserts that two lines say the same; scores may differ by the tolerance."""
    name = golden.split()[0]
    if name not in (*RUNGS, *MEDALS):
        # The numbers of a reason stand in brackets, or behind a colon.
        assert re.sub(r"[-\d.]+", "#", line) == re.sub(r"[-\d.]+", "#", golden)
        if name not in ("before:", "after:"):
            assert line == golden
        return
    cells, wanted = line.split(), golden.split()
    assert cells[0] == name
    for cell, expected in zip(cells[1:], wanted[1:], strict=True):
        if "-" in (cell, expected):
            assert cell == expected
        else:
            assert float(cell) == pytest.approx(float(expected), abs=TOLERANCE)


@pytest.mark.parametrize("name", EDITS)
def test_the_effect_of_an_edit(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    lines = said(name).splitlines()
    assert len(lines) == len(golden)
    for line, expected in zip(lines, golden, strict=True):
        assert_same(line, expected)


def test_a_spec_that_gives_no_data_says_why() -> None:
    text = edited(
        {
            "factors.works": {"kind": "category", "levels": ["east", "west"]},
            "observe.2": {"kind": "column", "name": "works", "of": "works", "jitter": 0.1},
        }
    )
    side = read_side(Content("kiln-tiles.yaml", "kiln-tiles.yaml", text.encode()), VOCABULARY)
    assert side.spec is not None
    failed = measure(side.spec, corpus=CORPUS)
    result = effect(base_measured(), failed)
    assert result.labels is None
    lines = list(text_lines(Reviewed(compare(None, side, VOCABULARY), result), VOCABULARY))
    assert any(line.startswith("  after: generate.py: ") and "jitter" in line for line in lines)
    assert any(line.split() == ["dummy", "0.5", "-"] for line in lines)


@pytest.mark.slow
def test_several_at_a_time_give_the_same_in_the_same_order() -> None:
    base = base_measured().spec
    noisier = dataclasses.replace(base, random_seed=43)
    pairs = [(base, noisier), (base, None), (None, base)]
    found = list(effects(pairs, corpus=CORPUS, cores=2))
    assert found == list(effects(pairs, corpus=CORPUS, cores=1))
    assert found[1] is None
    assert found[2] is not None
    assert found[2].after == base_measured().outcome


def dataset(ids: list[str], train: list[bool], labels: list[Any], kind: str = "i8") -> Dataset:
    values = np.array(labels, dtype=kind)
    return Dataset(np.array(ids), np.array(train), {}, {}, {"y": values}, {"y": values}, {}, {})


def test_labels_are_compared_by_sample() -> None:
    before = dataset(["a", "b", "c", "d"], [True, True, False, False], [0, 1, 0, 1])
    after = dataset(["d", "e", "b", "a"], [True, True, False, True], [1, 0, 0, 0])
    found = compare_labels(before, after)
    assert found is not None
    assert (found.train, found.test) == (2, 1)
    assert (found.train_changed, found.test_changed) == (0, 1)
    assert (found.moved, found.came, found.went) == (2, 1, 1)
    assert found.typical is None


def test_numbers_tell_how_far_they_moved() -> None:
    before = dataset(["a", "b"], [True, False], [-1.0, 1.0], "f8")
    after = dataset(["a", "b"], [True, False], [-1.0, 1.5], "f8")
    found = compare_labels(before, after)
    assert found is not None
    assert (found.train_changed, found.test_changed, found.typical) == (0, 1, 0.5)


def test_labels_of_another_form_are_not_compared() -> None:
    before = dataset(["a"], [True], [1])
    assert compare_labels(before, dataset(["a"], [True], [1.5], "f8")) is None


if __name__ == "__main__":
    for edit in EDITS:
        (GOLDEN / f"{edit}.txt").write_text(said(edit), encoding="utf-8")
