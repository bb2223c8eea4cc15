"""What texts are made of, as columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandmle.build.evidence.traits import FEWEST, number_traits, together, traits


def test_traits_name_what_differs_in_enough_rows() -> None:
    names, columns = traits(["ab-1"] * 12 + ["ab-22"] * 12)
    assert columns.shape == (24, len(names))
    assert "last part '22'" in names
    assert "number 1" in names
    assert not [name for name in names if name.startswith("first part")]
    assert traits(["same"] * 30)[0] == []


@given(st.lists(st.text(max_size=20), min_size=1, max_size=60))
def test_traits_of_any_texts_are_columns_that_vary(texts: list[str]) -> None:
    names, columns = traits(texts)
    assert columns.shape == (len(texts), len(names))
    assert (np.ptp(columns, axis=0) > 0).all()


def test_a_flag_takes_enough_rows_on_either_side() -> None:
    flags = [np.arange(30) < count for count in (FEWEST - 1, FEWEST, 31 - FEWEST)]
    names, columns = together([(str(place), flag) for place, flag in enumerate(flags)])
    assert names == ["1"]
    assert columns.sum() == FEWEST


def test_a_number_says_how_high_it_is_and_how_far_from_the_middle() -> None:
    (_, ranks), (_, far) = number_traits("size", np.array([7.0, 5.0, 900.0]))
    assert ranks.tolist() == [2, 1, 3]
    assert far.tolist() == [0, 1, 1]
