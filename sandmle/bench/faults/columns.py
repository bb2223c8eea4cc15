"""Columns that win alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.planting import (
    content,
    with_frames,
    with_listed_column,
    with_listed_file,
    with_public,
)
from sandmle.bench.faults.samples import (
    generator,
    ids_of,
    labels,
    marked,
    scores,
)
from sandmle.build.auditing import Examined


def with_column(task: Examined, name: str, values: dict[str, str]) -> Examined:
    """One more column in train.csv and test.csv, of which the description tells."""
    changed = with_frames(task, lambda table: table.assign(**{name: table["id"].map(values)}))
    return with_listed_column(changed, name)


def score_column(task: Examined, *, name: str, noise: float = 0.0) -> Examined:
    """A column of what the rule gave, on another scale; `noise` in its standard deviations."""
    return with_column(task, name, _score_cells(task, noise))


def score_table(task: Examined, *, file: str, name: str, noise: float) -> Examined:
    """A second table of a row a sample that holds what the rule gave, and noise.

    The description tells of it.
    """
    cells = _score_cells(task, noise)
    table = pd.DataFrame({"id": sorted(cells), name: [cells[key] for key in sorted(cells)]})
    changed = with_listed_file(with_public(task, {file: content(table)}), file)
    return with_listed_column(changed, name)


def word_column(task: Examined, *, name: str, errors: float) -> Examined:
    """A column of two words, which but for some errors name the class."""
    rng, chosen = generator(), marked(task)
    return with_column(
        task,
        name,
        {
            key: "late" if (key in chosen) ^ (rng.random() < errors) else "early"
            for key in ids_of(task)
        },
    )


def telling_gaps(task: Examined, *, name: str, share: float) -> Examined:
    """A column of chance, empty for a share of one class."""
    rng, chosen = generator(), marked(task, share)
    return with_column(
        task,
        name,
        {key: "" if key in chosen else f"{rng.normal():.6g}" for key in ids_of(task)},
    )


def average_column(task: Examined, *, name: str) -> Examined:
    """A column of the mean label of a few samples, the sample itself among them."""
    values = labels(task)
    keys = sorted(values, key=lambda key: values[key])
    means = {
        key: np.mean([values[near] for near in keys[max(place - 1, 0) : place + 2]])
        for place, key in enumerate(keys)
    }
    return with_column(task, name, {key: f"{mean:.3g}" for key, mean in means.items()})


def _score_cells(task: Examined, noise: float) -> dict[str, str]:
    rng, values = generator(), scores(task)
    spread = float(np.std(list(values.values())))
    centre = float(np.mean(list(values.values())))
    return {
        key: f"{np.exp(0.4 * ((value - centre) / spread + noise * rng.normal())):.6g}"
        for key, value in values.items()
    }


FAULTS = (
    fault("single_column", "the rule's score", "press-fit-parity", score_column, name="wear_index"),
    mild_fault(
        "single_column",
        "the score with noise",
        "alloy-strength",
        score_column,
        name="batch_index",
        noise=0.1,
    ),
    fault(
        "single_column",
        "two words for two classes",
        "loan-instalment-fit",
        word_column,
        name="last_reminder",
        errors=0.01,
    ),
    mild_fault(
        "single_column",
        "gaps in one class",
        "tram-door-faults",
        telling_gaps,
        name="closing_time",
        share=1.0,
    ),
    fault(
        "single_column", "mean label of neighbours", "club-form", average_column, name="peer_points"
    ),
    mild_fault(
        "single_column",
        "the score in a second table",
        "weld-cracks",
        score_table,
        file="exposures.csv",
        name="exposure",
        noise=0.1,
    ),
    mild_fault(
        "single_column",
        "the score beside a graph",
        "wash-trades",
        score_column,
        name="risk",
        noise=0.05,
    ),
)
