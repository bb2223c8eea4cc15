"""Answers and targets that stand in public files, files that are left lying, and large ones."""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from PIL import Image

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.files import owned_files, png, with_chunk
from sandmle.bench.faults.planting import (
    ANSWERS,
    SAMPLE,
    TEST,
    TRAIN,
    answers,
    content,
    description,
    frame,
    with_description,
    with_frames,
    with_listed_column,
    with_listed_file,
    with_public,
)
from sandmle.bench.faults.samples import generator, ids_of, labels, marked
from sandmle.build.auditing import Examined

#: What a file is made of, from the answers: a table, and its content.
Encoding = Callable[[pd.DataFrame, bytes], bytes]


def answers_as(task: Examined, encode: Encoding, *, file: str) -> Examined:
    """The answers in a public file, in some encoding."""
    private = task.prepared.dataset.private[ANSWERS]
    return with_public(task, {file: encode(answers(task), private)})


def as_they_are(table: pd.DataFrame, text: bytes) -> bytes:
    """The file itself."""
    return text


def in_base64(table: pd.DataFrame, text: bytes) -> bytes:
    """Base64 in JSON."""
    return json.dumps({"version": 3, "cache": base64.b64encode(text).decode()}).encode()


def in_gzip(table: pd.DataFrame, text: bytes) -> bytes:
    """Compressed."""
    return gzip.compress(text, mtime=0)


def as_array(table: pd.DataFrame, text: bytes) -> bytes:
    """The last column's classes, in the order of test.csv, as a numpy file."""
    file = io.BytesIO()
    np.save(file, np.unique(table.iloc[:, -1], return_inverse=True)[1].astype(np.uint8))
    return file.getvalue()


def as_digits(table: pd.DataFrame, text: bytes) -> bytes:
    """The last column, in the order of test.csv, without anything between."""
    return "".join(table.iloc[:, -1]).encode()


def as_lines(table: pd.DataFrame, text: bytes) -> bytes:
    """The last column, a line a row."""
    return "\n".join(table.iloc[:, -1]).encode()


def as_pixels(table: pd.DataFrame, text: bytes) -> bytes:
    """The last column's classes as shades of grey, a pixel a row."""
    shades = 60 + 50 * np.unique(table.iloc[:, -1], return_inverse=True)[1]
    return png(Image.fromarray(shades.astype(np.uint8)[None]))


def rounded(table: pd.DataFrame, text: bytes) -> bytes:
    """Numbers by id, with two decimals."""
    numbers = table.iloc[:, -1].astype(float).round(2)
    return json.dumps(dict(zip(table["id"], numbers, strict=True))).encode()


def in_a_comment(task: Examined) -> Examined:
    """The ids of one class in a comment of the description, which Markdown does not show."""
    text, chosen = description(task), sorted(marked(task, part="test"))
    return with_description(task, text, f"{text}\n<!-- checked: {' '.join(chosen)} -->\n")


def told_by_the_sample(task: Examined, *, share: float) -> Examined:
    """A sample submission that is right about a share of the rows."""
    rng = generator()
    known = {name for name in ids_of(task, "test") if rng.random() < share}
    truth = answers(task).set_index("id")

    def edit(table: pd.DataFrame) -> pd.DataFrame:
        right = truth.loc[table["id"]].reset_index()[list(table.columns)]
        return table.where(~table["id"].isin(known), right)

    return with_frames(task, edit, SAMPLE)


def train_labels_of_test(task: Examined) -> Examined:
    """A table of further training labels, which holds those of test too."""
    shown = frame(task, TRAIN)
    table = pd.concat([shown, answers(task)[list(shown.columns)]])
    return with_public(task, {"labels_v2.csv": content(table.sample(frac=1.0, random_state=0))})


def labels_in_table(task: Examined, *, file: str, column: str, share: float = 1.0) -> Examined:
    """A second table, new or there, with a column of the first target; `share` of it filled.

    The description tells of both.
    """
    rng, values = generator(), labels(task)
    cells = {name: f"{value:.6g}" if rng.random() < share else "" for name, value in values.items()}
    if file not in task.prepared.dataset.public:
        rows = pd.DataFrame({"id": sorted(values)})
        task = with_listed_file(with_public(task, {file: content(rows)}), file)
    changed = with_frames(
        task, lambda table: table.assign(**{column: table["id"].map(cells)}), file
    )
    return with_listed_column(changed, column)


def target_in_test(task: Examined, *, target: str) -> Examined:
    """A target's column left in test.csv."""
    truth = answers(task).set_index("id")[target]
    return with_frames(task, lambda table: table.assign(**{target: table["id"].map(truth)}), TEST)


def heavier(task: Examined, files: Mapping[str, int]) -> Examined:
    """More public files, of chance, of so many bytes each."""
    return with_public(task, {name: generator().bytes(size) for name, size in files.items()})


def heavier_pictures(task: Examined, *, size: int) -> Examined:
    """A comment of so many bytes in each picture."""
    public = task.prepared.dataset.public
    return with_public(
        task,
        {name: with_chunk(public[name], b"tEXt", bytes(size)) for name in owned_files(task)},
    )


def repeated_table(task: Examined, *, file: str, total: int) -> Examined:
    """A second table under further names, until all files are just larger than `total` bytes."""
    public = task.prepared.dataset.public
    text, size = public[file], sum(map(len, public.values()))
    copies = (total - size) // len(text) + 1
    return with_public(task, {f"earlier/{number}_{file}": text for number in range(copies)})


def left_lying(task: Examined, *, file: str, text: bytes) -> Examined:
    """One more public file, that tells nothing."""
    return with_public(task, {file: text})


def half_written(task: Examined) -> Examined:
    """What an editor or a writer that was killed leaves of train.csv."""
    text = task.prepared.dataset.public[TRAIN]
    return with_public(task, {".train.csv.4711": text[: len(text) // 2]})


FAULTS = (
    fault(
        "target_bytes",
        "copy of the answers",
        "hotel-cancellation-weekday",
        answers_as,
        encode=as_they_are,
        file="notes/backup.csv",
    ),
    fault(
        "target_bytes",
        "answers in base64",
        "right-whale",
        answers_as,
        encode=in_base64,
        file="meta.json",
    ),
    fault(
        "target_bytes",
        "answers in gzip",
        "harbour-radio",
        answers_as,
        encode=in_gzip,
        file="old.csv.gz",
    ),
    fault(
        "target_bytes",
        "classes as an array",
        "weld-cracks",
        answers_as,
        encode=as_array,
        file="cache/y.npy",
    ),
    mild_fault(
        "target_bytes",
        "a string of digits",
        "rent-letters",
        answers_as,
        encode=as_digits,
        file="VERSION.txt",
    ),
    mild_fault(
        "target_bytes",
        "shades of a picture",
        "fabric-weave",
        answers_as,
        encode=as_pixels,
        file="thumbnail.png",
    ),
    fault(
        "target_bytes",
        "rounded numbers by id",
        "club-form",
        answers_as,
        encode=rounded,
        file="cache.json",
    ),
    fault(
        "target_bytes",
        "texts in a log",
        "parish-registers",
        answers_as,
        encode=as_lines,
        file="build.log",
    ),
    mild_fault("target_bytes", "comment of the description", "wash-trades", in_a_comment),
    mild_fault(
        "target_bytes",
        "sample submission partly right",
        "press-fit-parity",
        told_by_the_sample,
        share=0.3,
    ),
    fault("target_bytes", "masks among further labels", "kidney-bodies", train_labels_of_test),
    fault(
        "public_targets",
        "a second table",
        "loan-instalment-fit",
        labels_in_table,
        file="visits.csv",
        column="misses_payment",
    ),
    mild_fault(
        "public_targets",
        "column in a second table, in capitals",
        "card-fraud-spread",
        labels_in_table,
        file="payments.csv",
        column="WAS_STOLEN",
    ),
    mild_fault(
        "public_targets",
        "column by another name",
        "wash-trades",
        labels_in_table,
        file="trades.csv",
        column="case_opened",
    ),
    mild_fault(
        "public_targets",
        "half of a column in a new table",
        "weld-cracks",
        labels_in_table,
        file="inspections.csv",
        column="outcome",
        share=0.5,
    ),
    fault(
        "public_targets",
        "one of two targets in test",
        "pond-water-flags",
        target_in_test,
        target="fish_stress",
    ),
    fault(
        "public_size", "one large file", "rent-letters", heavier, files={"archive.bin": 2_500_000}
    ),
    fault("public_size", "padded pictures", "weld-cracks", heavier_pictures, size=2500),
    mild_fault(
        "public_size",
        "tables just too large",
        "wash-trades",
        repeated_table,
        file="trades.csv",
        total=2_010_000,
    ),
    fault("stray_files", "a licence", "weld-cracks", left_lying, file="LICENCE.txt", text=b"Free."),
    fault(
        "stray_files",
        "a folder's view",
        "right-whale",
        left_lying,
        file="clips/.DS_Store",
        text=bytes(64),
    ),
    mild_fault(
        "stray_files",
        "a picture of no sample",
        "gear-jam",
        left_lying,
        file="gearboxes/cover.png",
        text=bytes(900),
    ),
    mild_fault(
        "stray_files", "an empty log", "club-form", left_lying, file="generate.log", text=b""
    ),
    mild_fault("stray_files", "a table half written", "loan-instalment-fit", half_written),
)
