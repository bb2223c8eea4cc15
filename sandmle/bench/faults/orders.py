"""Ids and places of rows that tell the label."""

from __future__ import annotations

import pandas as pd

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.planting import SAMPLE, TEST, TRAIN, with_frames, with_ids
from sandmle.bench.faults.samples import Part, generator, ids_of, labels, marked, ranks
from sandmle.build.auditing import Examined
from sandmle.runtime.table import sample_of

_EVEN, _ODD = "2468", "3579"


def sorted_ids(task: Examined, *, blur: float = 0.0) -> Examined:
    """Ids whose alphabetical order is that of the labels."""
    place, names = ranks(labels(task), blur=blur), sorted(ids_of(task))
    return with_ids(task, {name: names[place[name]] for name in names})


def last_digit(task: Examined, *, share: float = 1.0) -> Examined:
    """Ids that end in an even digit where the class is the highest, in an odd one elsewhere."""
    rng, chosen = generator(), marked(task, share)
    return with_ids(
        task,
        {
            name: name[:-1] + str(rng.choice(list(_EVEN if name in chosen else _ODD)))
            for name in ids_of(task)
        },
    )


def first_letter(task: Examined, *, share: float, part: Part) -> Examined:
    """Ids of one class that begin with one letter more often than others do."""
    chosen = marked(task, share, part=part)
    return with_ids(
        task, {name: ("b" + name[1:] if name in chosen else name) for name in ids_of(task)}
    )


def longer_ids(task: Examined, *, share: float) -> Examined:
    """Ids with one letter more in one class."""
    chosen = marked(task, share)
    return with_ids(task, {name: name + "k" if name in chosen else name for name in ids_of(task)})


def numbered_by_class(task: Examined) -> Examined:
    """Ids that count the samples of each class: the class stands in front."""
    values = labels(task)
    return with_ids(
        task,
        {
            name: f"{'kmpqrt'[int(values[name])]}{place:05d}"
            for name, place in ranks(values).items()
        },
    )


def sorted_rows(task: Examined, *, blur: float = 0.0, tables: tuple[str, ...]) -> Examined:
    """Rows in the order of their labels; several rows of one sample stay together."""
    place = ranks(labels(task), blur=blur)
    return with_frames(task, lambda table: _in_order(table, place), *tables)


def blocks(task: Examined, *, length: int) -> Examined:
    """Test rows in blocks of equal labels, of so many rows each."""
    high = marked(task)

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        groups = [table[table["id"].isin(high)], table[~table["id"].isin(high)]]
        starts = range(0, max(map(len, groups)), length)
        return pd.concat([rows[start : start + length] for start in starts for rows in groups])

    return with_frames(task, edit, TEST)


def at_the_end(task: Examined, *, share: float) -> Examined:
    """Some test rows of one class at the end of the table, as if they had been added later."""
    late = marked(task, share, part="test")

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        return pd.concat([table[~table["id"].isin(late)], table[table["id"].isin(late)]])

    return with_frames(task, edit, TEST)


def _in_order(table: pd.DataFrame, place: dict[str, int]) -> pd.DataFrame:
    order = table["id"].map(lambda key: place[sample_of(key)])
    return table.iloc[order.argsort(kind="stable")]


FAULTS = (
    fault("ids", "ids sorted by number", "club-form", sorted_ids),
    mild_fault("ids", "ids nearly sorted by class", "wash-trades", sorted_ids, blur=0.7),
    fault("ids", "last digit even for one class", "rent-letters", last_digit),
    mild_fault(
        "ids", "last digit even for half of one class", "turbine-bearings", last_digit, share=0.5
    ),
    mild_fault(
        "ids",
        "first letter of a class, in test",
        "fabric-weave",
        first_letter,
        share=0.6,
        part="test",
    ),
    mild_fault("ids", "longer ids", "right-whale", longer_ids, share=0.4),
    fault("ids", "class in front of a number", "kiosk-words", numbered_by_class),
    fault("row_order", "test sorted by class", "right-whale", sorted_rows, tables=(TEST,)),
    mild_fault(
        "row_order",
        "rows nearly sorted by number",
        "alloy-strength",
        sorted_rows,
        blur=0.65,
        tables=(TRAIN, TEST),
    ),
    fault("row_order", "test in blocks of 25", "rent-letters", blocks, length=25),
    mild_fault("row_order", "test in blocks of 4", "weld-cracks", blocks, length=4),
    mild_fault(
        "row_order", "some of a class at the end", "loan-instalment-fit", at_the_end, share=0.15
    ),
    fault(
        "row_order",
        "second table sorted by class",
        "heartbeat-fitness",
        sorted_rows,
        tables=("pulse.csv",),
    ),
    fault(
        "row_order",
        "sample submission sorted by class",
        "narrowband-drift",
        sorted_rows,
        tables=(SAMPLE,),
    ),
)
