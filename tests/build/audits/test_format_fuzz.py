"""The fuzzer finds evaluators that crash, grumble or give; it is the same each time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.build.auditing import run_audit
from sandmle.build.evidence.answers import written
from sandmle.build.evidence.mutations import mutations
from sandmle.build.evidence.mutations.files import of_file
from sandmle.build.evidence.mutations.tables import of_titles
from tests.build.audits.tasks import broken, holds, task, told


@pytest.mark.parametrize("shape", ["auc", "classes", "numbers"])
def test_a_sound_evaluator_stands_firm(shape: str) -> None:
    holds("format_fuzz", shape)


def test_five_hundred_mutations_that_are_the_same_each_time() -> None:
    check = run_audit("format_fuzz", broken("auc"))
    assert int(check.evidence.split()[0]) >= 500
    assert run_audit("format_fuzz", broken("auc")) == check


def test_mutations_of_all_kinds_differ() -> None:
    content = task("auc").grader.perfect
    rng = np.random.default_rng(0)
    made = list(mutations(content, rng, 300, private={"_length": ["3"]}, numbers=frozenset()))
    assert len(made) == 300
    assert len({mutation.content for mutation in made}) > 260
    names = " ".join(mutation.name for mutation in made)
    for kind in ("byte", "utf-", "ids", "column", "row", "thing", "all rows"):
        assert kind in names


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=2, max_size=8))
def test_submissions_of_any_letters_can_be_mutated(texts: list[str]) -> None:
    rows = [["id", "text"], *([str(number), text] for number, text in enumerate(texts))]
    content, rng = written(rows), np.random.default_rng(0)
    assert "written as cp500" in {name for name, _ in of_file(content, rng)}
    assert list(mutations(content, rng, 100, private={}, numbers=frozenset()))


@pytest.mark.parametrize(
    ("shape", "old", "new", "evidence"),
    [
        (
            "auc",
            "return table.numbers(targets[0], 0.0, 1.0)",
            "return np.array([float(text) for text in table.columns[targets[0]]])",
            "ValueError",
        ),
        ("auc", "except UnicodeDecodeError as error:", "except KeyError as error:", "Unicode"),
        ("auc", "except csv.Error as error:", "except KeyError as error:", "Error"),
        ("auc", 'f"row {self.rows[place]}: {column!r} {found}', 'f"{column!r} {found}', "name row"),
        ("auc", "{column!r} {found}; expected", "a cell {found}; expected", "name has_damage"),
        ("auc", "return grade(None, str(error))", 'return grade(None, "")', "the reason is ''"),
        ("auc", "id {shown(name)} is not", "id {name} is not", "the reason"),
        (
            "auc",
            "    missing = [name for name in ids if name not in found]",
            "    for key in (ids if expected is not None else ()):\n"
            "        found.setdefault(key, (0, [key, expected.columns[header[1]]"
            "[expected.ids.index(key)]]))\n"
            "    missing = []",
            "wins",
        ),
    ],
)
def test_evaluators_that_are_not_firm(shape: str, old: str, new: str, evidence: str) -> None:
    assert evidence in told("format_fuzz", shape, old, new)


def test_every_mutation_of_titles_is_one() -> None:
    header = ["id", "0", "A"]
    titles = [tuple(rows[0]) for _, rows in of_titles(header, [["x", "1", "2"]])]
    assert tuple(header) not in titles
