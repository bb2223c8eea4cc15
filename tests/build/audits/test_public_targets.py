"""Columns and keys named as the target, or nearly."""

from __future__ import annotations

import json

import pytest

from sandmle.build.audits.public_targets import is_near
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import TARGET, Changed, caught, content, passes, table, with_column


@pytest.mark.parametrize("name", [TARGET, "HAS_DAMAGE", "hasDamage", "has_damage_true", "damage.1"])
def test_a_column_of_a_second_table(name: str, prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "train.csv")[["id", TARGET]].rename(columns={TARGET: name})
    broken = changed({"visits.csv": content(frame)})
    if name == "damage.1":
        passes("public_targets", broken)
    else:
        assert caught("public_targets", broken) == f"visits.csv: {name}"


def test_a_column_of_the_main_table(prepared: Prepared, changed: Changed) -> None:
    columns = with_column(prepared, "Has-Damage_label", range(len(prepared.dataset.ids)))
    assert "test.csv: Has-Damage_label" in caught("public_targets", changed(columns))


def test_a_key_of_a_file(prepared: Prepared, changed: Changed) -> None:
    rows = [{"row": place, TARGET: 0} for place in range(3)]
    broken = changed({"notes.jsonl": "\n".join(map(json.dumps, rows)).encode()})
    assert caught("public_targets", broken) == f"notes.jsonl: {TARGET}"


@pytest.mark.parametrize(
    ("name", "target", "near"),
    [
        ("log rating", "rating", False),
        ("rating2", "rating", True),
        ("RatingTrue", "rating", True),
        ("ratings_total", "rating", False),
        ("y_rating", "rating", True),
        ("value", "value", True),
        ("water_value", "value", False),
        ("y", "label", False),
    ],
)
def test_near_names(name: str, target: str, near: bool) -> None:
    assert is_near(name, target) == near
