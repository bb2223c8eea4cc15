"""How large drafts are: few enough for 200 rows to teach."""

from __future__ import annotations

import pytest

from sandmle.roles.scale import classes_of, measures_of, shares_of, targets_of
from sandmle.roles.scale import test_rows as rows_to_predict
from sandmle.spec.tasks import task_kind
from sandmle.vocabulary import load_vocabulary
from tests.roles.contexts import seed_of


@pytest.mark.parametrize(
    ("name", "classes", "targets", "rows"),
    [
        ("herbarium-2021-fgvc8", 4, 1, 500),
        ("tabular-playground-series-dec-2021", 4, 1, 500),
        ("lmsys-chatbot-arena", 3, 1, 500),
        ("freesound-audio-tagging-2019", None, 4, 160),
        ("google-quest-challenge", None, 4, 1000),
        ("hubmap-kidney-segmentation", None, 1, 120),
        ("kuzushiji-recognition", None, 1, 120),
        ("hms-harmful-brain-activity-classification", 4, 1, 500),
    ],
)
def test_classes_targets_and_rows(name: str, classes: int | None, targets: int, rows: int) -> None:
    seed = seed_of(name)
    task = task_kind(load_vocabulary(), seed.task)
    assert classes_of(seed, task) == classes
    assert targets_of(seed, task) == targets
    assert rows_to_predict(seed, task) == rows


def test_large_pictures_become_small_ones_that_factors_share() -> None:
    seed = seed_of("hubmap-kidney-segmentation")
    measures = measures_of(seed, task_kind(load_vocabulary(), seed.task))
    assert measures["size"] == measures["background"]["size"] == [36, 36]


def test_restored_pictures_are_smaller_still_as_each_pixel_is_a_row() -> None:
    seed = seed_of("denoising-dirty-documents")
    task = task_kind(load_vocabulary(), seed.task)
    (width, height), rows = measures_of(seed, task)["size"], rows_to_predict(seed, task)
    assert width * height * rows <= 40_000


def test_shares_are_the_seeds_own_but_for_rare_classes() -> None:
    shares = shares_of(seed_of("learning-agency-lab-automated-essay-scoring-2"), 4)
    assert shares == pytest.approx([0.382, 0.286, 0.244, 0.087], abs=0.06)
    assert min(shares) > 0.1
    assert shares_of(seed_of("herbarium-2021-fgvc8"), 4) == [0.25] * 4
