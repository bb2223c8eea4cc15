"""Descriptions that contradict the data, or give the rule away."""

from __future__ import annotations

from functools import partial

from sandmle.bench.faults.fault import Fault
from sandmle.bench.faults.planting import with_description, with_story


def says(name: str, task: str, old: str, new: str, *, is_mild: bool = False) -> Fault:
    """A description that says `new` in place of `old`."""
    plant = partial(with_description, old=old, new=new)
    return Fault("description", name, task, plant, is_mild)


def tells(name: str, task: str, sentence: str, *, is_mild: bool = False) -> Fault:
    """A story that ends with one sentence too many."""
    return Fault("given_away", name, task, partial(with_story, sentence=sentence), is_mild)


FAULTS = (
    says("other number of training rows", "right-whale", "150 rows", "180 rows"),
    says("one test row too many", "club-form", "800 rows", "801 rows", is_mild=True),
    says("the other direction", "wash-trades", "Higher is better", "Lower is better"),
    says("a column by another name", "road-cracks", "`frost_days`", "`frost_nights`"),
    says("a column left out", "club-form", "| `age` | age, in years |\n", "", is_mild=True),
    says("another metric", "alloy-strength", "Metric: pearson", "Metric: spearman"),
    says("another column to submit", "rent-letters", "id,goes_to_court", "id,prediction"),
    says("another folder", "kiosk-words", "`utterances/{id}.wav`", "`clips/{id}.wav`"),
    says("a class left out", "fabric-weave", "3 classes: `plain`, ", "2 classes: ", is_mild=True),
    says("another target", "gear-jam", "`runs_smoothly`", "`is_jammed`"),
    says("another form", "bat-survey", "Format: class_probabilities", "Format: label"),
    says("another range", "storm-claims", "from 0 to 1", "from 0 to 100", is_mild=True),
    says(
        "a table that is not there",
        "heartbeat-fitness",
        "- `sample_submission.csv`",
        "- `visits.csv`: several rows for every `id`.\n- `sample_submission.csv`",
    ),
    tells(
        "the rule's name",
        "turbine-bearings",
        "Experts know that the label is the sign product of two of the readings.",
    ),
    tells(
        "the rule's name, in passing",
        "press-fit-parity",
        "The workshop calls it the parity of the press.",
        is_mild=True,
    ),
    tells("the formula", "right-whale", "The label follows from rise - 0.7 * height."),
    tells(
        "the formula in words",
        "loan-instalment-fit",
        "What counts is the instalment divided by the monthly income, nothing else.",
        is_mild=True,
    ),
    tells("where it is cut", "weld-cracks", "Cut at the 0.4 quantile of the score.", is_mild=True),
)
