"""What is measured on images, series and texts, against values known by construction."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers.features import measure
from sandmle.solvers.measures.images import count_components, image_columns, orientations
from sandmle.solvers.measures.series import series_columns, series_of, table_columns, time_column
from sandmle.solvers.measures.texts import order_columns, text_columns
from sandmle.solvers.models import forward_selection
from sandmle.solvers.reading import read_competition
from sandmle.solvers.validation import ranking_quality
from tests.solvers.folders import TEST, TRAIN, Drawn, write_folder


def test_components_are_counted_for_each_image_alone() -> None:
    masks = np.zeros((2, 12, 12), bool)
    masks[0, 1:4, 1:4] = masks[0, 7:11, 7:11] = True
    masks[1, 1:4, 1:4] = True
    masks[1, 9, 9] = True  # dust
    found = count_components(masks, "m")
    assert found["parts, m"].tolist() == [2, 1]
    assert found["largest part, m"].tolist() == [16, 9]
    assert found["smallest part, m"].tolist() == [9, 9]


def test_images_without_anything_on_them_are_measured_too() -> None:
    found = image_columns(np.full((3, 16, 16, 3), 0.5, dtype=np.float32))
    assert len(found) == 3
    assert np.isfinite(found.to_numpy()).all()


@pytest.mark.parametrize("degrees", [0, 30, 60, 120])
def test_the_main_direction_of_edges(degrees: int) -> None:
    angle = np.deg2rad(degrees)
    down, across = np.mgrid[:32, :32]
    picture = np.sin(0.8 * (across * np.cos(angle) + down * np.sin(angle)))
    found = orientations(picture[None])
    assert found["edge cosine"][0] == pytest.approx(np.cos(2 * angle), abs=0.1)
    assert found["edge sine"][0] == pytest.approx(np.sin(2 * angle), abs=0.1)


def test_series_measures() -> None:
    time = np.arange(64)
    stack = np.stack([np.sin(2 * np.pi * time / 8), np.where(time < 20, 0.0, 3.0), time / 63])
    found = series_columns(stack)
    assert found["dominant frequency"][0] == pytest.approx(1 / 8)
    assert found["place of change of mean"][1] == 20
    assert found["change of mean"][1] == pytest.approx(3)
    assert found["slope"][2] == pytest.approx(0.5)
    assert np.isfinite(found.to_numpy()).all()


def test_rows_of_a_second_table_are_joined_by_id_whatever_their_order() -> None:
    table = pd.DataFrame(
        {"id": ["b", "b", "b", "a", "a"], "day": [-9, -4, -1, -7, -2], "cost": [1.0, 5, 3, 2, 8]}
    )
    assert time_column(table, "id") == "day"
    found = table_columns(table, "id", ["a", "b", "c"])
    assert found["rows"].tolist() == [2, 3, 0]
    assert found["last cost"].tolist()[:2] == [8, 3]
    assert found["range of cost"].tolist()[:2] == [6, 4]
    assert found["last day"].tolist()[:2] == [-2, -1]


def test_series_of_unequal_length_are_brought_to_one_grid() -> None:
    table = pd.DataFrame(
        {
            "id": ["a"] * 10 + ["b"] * 20,
            "t": [*range(10), *range(20)],
            "v": [*np.linspace(0, 1, 10), *np.linspace(0, 1, 20)],
        }
    )
    stack = series_of(table, "id", ["b", "a"])["v"]
    assert stack.shape == (2, 64)
    assert np.allclose(stack[0], stack[1])


def test_text_measures() -> None:
    found = text_columns(["Two pumps, 3 valves and 4 pumps!", ""])
    assert found["words"].tolist() == [7, 0]
    assert found["repeated words"].tolist() == [1, 0]
    assert found["sum of numbers"].tolist() == [7, 0]
    assert found["capitalised words"].tolist() == [1, 0]


def test_which_of_two_words_comes_first() -> None:
    found = order_columns(["up then down", "down then up", "up only", "neither of them"] * 3)
    (name,) = [str(name) for name in found if "'up'" in str(name) and "'down'" in str(name)]
    signs = found[name][:4].tolist()
    assert signs[0] == -signs[1] != 0
    assert signs[2:] == [0, 0]


def test_forward_selection_takes_what_the_earlier_picks_left_over() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 30))
    features[:, 5] = features[:, 4] + 0.01 * rng.normal(size=200)
    response = 3 * features[:, 4] + features[:, 9]
    chosen = forward_selection(features, response[:, None], 2)
    assert chosen[0] in (4, 5)
    assert chosen[1] == 9


def test_ranking_quality_is_the_area_under_the_curve() -> None:
    positive = np.array([False, True, True, False])
    assert ranking_quality(positive, np.array([0.1, 0.4, 0.3, 0.35])) == 0.75
    assert ranking_quality(positive, np.zeros(4)) == 0.5


def test_two_columns_of_text_are_measured_apart(tmp_path: Path) -> None:
    rows = range(TRAIN + TEST)
    notes = [f"{('old', 'new')[row % 2]} pump {row} runs" for row in rows]
    answers = [f"{('mend', 'keep')[row // 2 % 2]} pump {row} today" for row in rows]
    drawn = Drawn(
        pd.DataFrame({"note": notes, "answer": answers}),
        pd.DataFrame({"y": [row % 2 for row in rows]}),
    )
    write_folder(tmp_path / "public", drawn, metric="ROC AUC")
    found = measure(read_competition(tmp_path / "public")).groups
    assert found.columns.is_unique
    assert {"note: first word = old", "answer: first word = keep"} <= set(found)
