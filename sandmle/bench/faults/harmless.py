"""Changes that tell nothing and break nothing: none may raise an alarm."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from sandmle.bench.faults.fault import Fault, Plant
from sandmle.bench.faults.files import owned_files, png, saved_again, with_chunk
from sandmle.bench.faults.planting import (
    TEST,
    description,
    frame,
    with_answers,
    with_description,
    with_evaluator,
    with_frames,
    with_generator,
    with_ids,
    with_limits,
    with_listed_column,
    with_names,
    with_public,
    with_story,
    with_times,
)
from sandmle.bench.faults.samples import generator, ids_of
from sandmle.build.auditing import Examined
from sandmle.runtime.tables import random_ids
from sandmle.spec.model import WordUse

#: When files that all have one time were written, in seconds since 1970.
_NOON = 1_700_040_000


def reordered_columns(task: Examined) -> Examined:
    """The features in another order, in train and test."""
    features = frame(task, TEST).columns[1:]
    order = list(generator().permutation(features))

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        return table[["id", *order, *(name for name in table.columns[1:] if name not in order)]]

    return with_frames(task, edit)


def other_ids(task: Examined) -> Examined:
    """Ids drawn anew."""
    names = ids_of(task)
    return with_ids(task, dict(zip(names, random_ids(generator(), len(names)), strict=True)))


def longer_ids(task: Examined) -> Examined:
    """Ids with the same letters in front of all."""
    return with_ids(task, {name: f"case{name}" for name in ids_of(task)})


def reordered_rows(task: Examined) -> Examined:
    """The rows of train and test in another order."""
    rng = generator()
    return with_frames(task, lambda table: table.iloc[rng.permutation(len(table))])


def sorted_by_id(task: Examined) -> Examined:
    """The rows of train and test in the order of their ids, which is one of chance."""
    return with_frames(task, lambda table: table.sort_values("id"))


def with_palette(task: Examined) -> Examined:
    """Pictures of the same shades of grey, each with a palette of them."""
    return saved_again(task, lambda image, is_marked: png(image.convert("P"), level=0))


def same_comment(task: Examined, *, kind: bytes, data: bytes) -> Examined:
    """The same comment in all files."""
    public = task.prepared.dataset.public
    return with_public(
        task, {name: with_chunk(public[name], kind, data) for name in owned_files(task)}
    )


def comments_of_chance(task: Examined, *, kind: bytes) -> Examined:
    """A comment of chance length in each file, which no label goes with."""
    rng, public = generator(), task.prepared.dataset.public
    return with_public(
        task,
        {
            name: with_chunk(public[name], kind, bytes(2 * int(rng.integers(5, 40))))
            for name in owned_files(task)
        },
    )


def one_time(task: Examined) -> Examined:
    """All files written at one time."""
    return with_times(task, dict.fromkeys(task.prepared.dataset.public, _NOON))


def times_of_chance(task: Examined) -> Examined:
    """Files written at any time of a day."""
    rng = generator()
    names = task.prepared.dataset.public
    return with_times(task, {name: _NOON + 86400 * rng.random() for name in names})


def same_suffix(task: Examined) -> Examined:
    """The same letters behind the ids of all files, in the spec and the description too."""
    text, spec = description(task), task.prepared.spec
    names = {name: name.replace(owner, f"{owner}_v2") for name, owner in owned_files(task).items()}
    observe = tuple(_suffixed(use) for use in spec.observe)
    prepared = dataclasses.replace(task.prepared, spec=dataclasses.replace(spec, observe=observe))
    changed = dataclasses.replace(task, prepared=prepared)
    return with_names(with_description(changed, text, text.replace("{id}", "{id}_v2")), names)


def _suffixed(use: WordUse) -> WordUse:
    parameters = dict(use.parameters)
    if "file" in parameters:
        parameters["file"] = parameters["file"].replace("{id}", "{id}_v2")
    return dataclasses.replace(use, parameters=parameters)


def column_of_chance(task: Examined, *, name: str, cells: list[str]) -> Examined:
    """One more column in train and test, of chance: some cells, or numbers where there are none."""
    rng = generator()

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        drawn = (
            rng.choice(cells, len(table))
            if cells
            else [f"{value:.6g}" for value in rng.normal(size=len(table))]
        )
        table.insert(1, name, drawn)
        return table

    return with_listed_column(with_frames(task, edit), name)


def gaps_of_chance(task: Examined, *, column: str) -> Examined:
    """A tenth of a column's cells empty, in train and test."""
    rng = generator()
    return with_frames(
        task,
        lambda table: table.assign(
            **{column: table[column].where(rng.random(len(table)) > 0.1, "")}
        ),
    )


def other_unit(task: Examined, *, column: str) -> Examined:
    """A column in inches, in train and test."""

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(**{column: (pd.to_numeric(table[column]) / 2.54).map("{:.6g}".format)})

    return with_frames(task, edit)


def shorter_numbers(task: Examined) -> Examined:
    """Numbers of four digits, in train and test."""

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        for name in frame(task, TEST).columns[1:]:
            numbers = pd.to_numeric(table[name], errors="coerce")
            if numbers.notna().all():
                table[name] = numbers.map("{:.4g}".format)
        return table

    return with_frames(task, edit)


def reordered_samples(task: Examined, *, file: str) -> Examined:
    """The samples of a second table in another order; the rows of each stay together."""
    rank = dict(zip(ids_of(task), generator().permutation(len(ids_of(task))), strict=True))
    return with_frames(
        task, lambda table: table.iloc[np.argsort(table["id"].map(rank), kind="stable")], file
    )


def reordered_answers(task: Examined) -> Examined:
    """The rows of the answers in another order."""
    head, *rows = task.prepared.dataset.private["answers.csv"].splitlines()
    chosen = generator().permutation(len(rows))
    return with_answers(task, b"\n".join([head, *(rows[row] for row in chosen)]) + b"\n")


def easier_gold(task: Examined) -> Examined:
    """Gold a thousandth of the way nearer to silver."""
    limits = task.grader.thresholds
    if limits is None:
        raise ValueError(f"{task.prepared.spec.id}: no thresholds")
    return with_limits(task, gold=round(limits.gold + 0.02 * (limits.silver - limits.gold), 4))


def _each(name: str, plant: Plant, *tasks: str) -> Iterator[Fault]:
    """One change of several tasks."""
    for task in tasks:
        yield Fault("", name, task, plant)


HARMLESS = (
    *_each("columns in another order", reordered_columns, "alloy-strength", "road-cracks"),
    *_each("other ids", other_ids, "rent-letters", "weld-cracks", "heartbeat-fitness"),
    *_each("longer ids", longer_ids, "club-form", "right-whale"),
    *_each("rows in another order", reordered_rows, "loan-instalment-fit", "kidney-bodies"),
    *_each("rows sorted by id", sorted_by_id, "wash-trades", "parish-registers"),
    *_each("pictures with a palette", with_palette, "weld-cracks", "fabric-weave"),
    *_each(
        "one comment in all PNGs",
        partial(same_comment, kind=b"tEXt", data=b"Software\0scan 3"),
        "gear-jam",
        "kidney-bodies",
    ),
    *_each(
        "one comment in all WAVs",
        partial(same_comment, kind=b"LIST", data=b"INFOIART\x04\0\0\0Ida\0"),
        "right-whale",
        "kiosk-words",
    ),
    *_each(
        "comments of chance length", partial(comments_of_chance, kind=b"LIST"), "bearing-by-ear"
    ),
    *_each("one time of all files", one_time, "panel-soiling", "club-form"),
    *_each("times of chance", times_of_chance, "fabric-weave", "shock-distance"),
    *_each("one suffix of all files", same_suffix, "road-cracks", "bearing-by-ear"),
    *_each(
        "a column of chance",
        partial(column_of_chance, name="shelf_number", cells=[]),
        "press-fit-parity",
        "rent-letters",
    ),
    *_each(
        "a constant column",
        partial(column_of_chance, name="survey_year", cells=["2023"]),
        "dose-finding",
        "wash-trades",
    ),
    *_each(
        "a column of three words",
        partial(column_of_chance, name="office", cells=["north", "south", "west"]),
        "tram-door-faults",
        "road-cracks",
    ),
    *_each("gaps of chance", partial(gaps_of_chance, column="savings"), "loan-instalment-fit"),
    *_each("another unit", partial(other_unit, column="speed_km_h"), "club-form"),
    *_each("shorter numbers", shorter_numbers, "alloy-strength", "press-fit-parity"),
    *_each(
        "one more sentence",
        partial(with_story, sentence="All of it was collected with care, over many years."),
        "storm-claims",
        "shopper-types",
    ),
    *_each(
        "second table in another order",
        partial(reordered_samples, file="pulse.csv"),
        "heartbeat-fitness",
    ),
    *_each("answers in another order", reordered_answers, "narrowband-drift", "bat-survey"),
    *_each("gold a little easier", easier_gold, "fertiliser-response", "harbour-radio"),
    *_each(
        "code that does nothing",
        partial(with_evaluator, code="LARGEST_FILE = MAX_BYTES\n"),
        "podcast-shares",
    ),
    *_each(
        "code that draws the same",
        partial(with_generator, code="LARGEST = SAMPLES\n"),
        "dose-finding",
    ),
)
