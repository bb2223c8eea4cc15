"""Every shape of submission: what it writes it reads back, and what is wrong gets a reason."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from sandmle.errors import InvalidSubmission
from sandmle.runtime.tables import csv_bytes
from sandmle.vocabulary import FUNCTIONS
from tests.submissions.cases import (
    CASES,
    CLASSES,
    SUBMISSIONS,
    Case,
    Labels,
    encode,
    functions,
    ids,
    parse,
    perfect,
    same,
    sample,
    truth,
)

ROWS = 30
EVERY = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def labels_of(case: Case, seed: int = 0, rows: int = ROWS) -> Labels:
    return case.draw(np.random.default_rng(seed), rows)


def find(word: str) -> Case:
    """The first case of a word."""
    return next(case for case in CASES if case.word == word)


def reason(case: Case, labels: Labels, content: bytes) -> str:
    """Why a submission is refused."""
    with pytest.raises(InvalidSubmission) as caught:
        parse(case, labels, content)
    return str(caught.value)


def outcome(case: Case, labels: Labels, content: bytes) -> np.ndarray | str:
    """What a submission says, or why it is refused."""
    try:
        return parse(case, labels, content)
    except InvalidSubmission as error:
        return str(error)


def test_every_word_and_kind_of_task_has_a_case() -> None:
    wanted = {(word.name, task) for word in SUBMISSIONS.values() for task in word.traits["TASKS"]}

    assert {(case.word, case.task) for case in CASES} == wanted


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_all_functions_take_the_parameters_of_the_word(name: str) -> None:
    word = SUBMISSIONS[name]
    optional = ["files"] if word.traits.get("TRAIN") == "files" else []
    for function in [*FUNCTIONS["submissions"], *optional]:
        arguments = inspect.signature(functions(name)[function]).parameters.values()
        keywords = {each.name for each in arguments if each.kind == each.KEYWORD_ONLY}
        assert keywords == set(word.parameters), function


@EVERY
def test_the_answers_read_as_the_labels(case: Case) -> None:
    labels = labels_of(case)

    assert same(truth(case, labels), case.expected(labels))


@EVERY
def test_a_perfect_submission_reads_as_the_answers(case: Case) -> None:
    labels = labels_of(case)

    assert same(parse(case, labels, csv_bytes(perfect(case, labels))), truth(case, labels))


@EVERY
def test_the_sample_is_constant_and_can_be_read(case: Case) -> None:
    labels = labels_of(case)
    columns = sample(case, labels)
    found = parse(case, labels, csv_bytes(columns))

    assert list(columns) == list(perfect(case, labels))
    assert len({str(row) for row in zip(*list(columns.values())[1:], strict=True)}) == 1
    assert found.shape == truth(case, labels).shape
    assert found.dtype == truth(case, labels).dtype


@EVERY
def test_rows_are_aligned_by_id(case: Case) -> None:
    labels = labels_of(case)
    columns = perfect(case, labels)
    order = np.random.default_rng(1).permutation(len(columns["id"]))

    assert same(parse(case, labels, csv_bytes(columns, order)), truth(case, labels))


@EVERY
def test_it_is_read_however_it_is_written(case: Case) -> None:
    labels = labels_of(case)
    columns = perfect(case, labels)
    plain = csv_bytes(columns)
    padded = {
        name: values if name == "id" else [f" {text}\t" for text in texts_of(values)]
        for name, values in columns.items()
    }
    for content in (
        b"\xef\xbb\xbf" + plain,
        plain.replace(b"\n", b"\r\n"),
        plain.rstrip(b"\n"),
        csv_bytes({name: np.asarray(values) for name, values in padded.items()}),
    ):
        assert same(parse(case, labels, content), truth(case, labels))


def texts_of(values: np.ndarray) -> list[str]:
    """A column as a CSV file holds it."""
    return (
        csv_bytes({"x": values}).decode().splitlines()[1:]
        if values.dtype.kind in "if"
        else list(values)
    )


def spoilt(case: Case, labels: Labels, text: str) -> bytes:
    """A perfect submission with another text in its fourth row."""
    columns = perfect(case, labels)
    texts = columns[case.column].astype(object)
    texts[3] = text
    return csv_bytes({**columns, case.column: texts})


@EVERY
def test_a_bad_cell_is_refused_with_row_and_column(case: Case) -> None:
    labels = labels_of(case)
    for text, expected in case.bad.items():
        assert reason(case, labels, spoilt(case, labels, text)) == f"row 4: {expected}"


def damaged(lines: list[bytes]) -> Iterable[tuple[list[bytes], str]]:
    """Ways to damage the fourth row of a file, and how the reason begins."""
    head, cell = lines[4].split(b",", 1)
    for row, start in (
        (b"x9," + cell, "row 4: id 'x9' is not in the test set"),
        (b"," + cell, "row 4: id '' is not in the test set"),
        (b" " + head + b"," + cell, f"row 4: id ' {head.decode()}' is not in the test set"),
        (lines[3], f"row 4: id '{lines[3].split(b',')[0].decode()}' is in row 3 too"),
        (lines[4] + b",1", "row 4: has "),
        (head, "row 4: has 1 fields; expected "),
        (head + b',"a"b', "row 4: not CSV: "),
        (head + b"," + b"1" * 140_000, "row 4: not CSV: field larger"),
    ):
        yield [*lines[:4], row, *lines[5:]], start
    yield [*lines, lines[4]], f"row {len(lines)}: id '{head.decode()}' is in row 4 too"
    yield lines[:-1], f"1 of {len(lines) - 1} ids are missing, the first is "
    yield [lines[0] + b",extra", *(line + b",1" for line in lines[1:])], "column 'extra' is not"
    yield [lines[0] + b",_size", *(line + b",1" for line in lines[1:])], "column '_size' is not"
    yield [lines[0].split(b",")[0], *lines[1:]], "column '"


@EVERY
def test_a_damaged_file_is_refused_with_its_row(case: Case) -> None:
    labels = {
        name: values if values.dtype != object else tamed(values)
        for name, values in labels_of(case).items()
    }
    lines = csv_bytes(perfect(case, labels)).splitlines()
    for content, start in damaged(lines):
        assert reason(case, labels, b"\n".join(content)).startswith(start)


def tamed(values: np.ndarray) -> np.ndarray:
    """Labels without what a CSV file has to quote, so that lines can be cut at commas."""
    plain = values.copy()
    for place, value in enumerate(values):
        if isinstance(value, str):
            plain[place] = value.replace(",", "").replace('"', "")
        elif isinstance(value, np.ndarray):
            plain[place] = np.column_stack([np.zeros(len(value)), value[:, 1:]])
    return plain


def test_every_word_has_at_least_ten_faults() -> None:
    for name in SUBMISSIONS:
        faults = [text for case in CASES if case.word == name for text in case.bad]
        # Nine damages name a row, whatever the word.
        assert len(faults) + 9 >= 12, name


@settings(max_examples=150)
@given(st.sampled_from(CASES), st.integers(0, 2**32 - 1), st.integers(4, 12))
def test_whatever_is_encoded_is_read_back(case: Case, seed: int, rows: int) -> None:
    labels = labels_of(case, seed, rows)

    assert same(truth(case, labels), case.expected(labels))
    assert same(parse(case, labels, csv_bytes(perfect(case, labels))), case.expected(labels))


#: What cells are made of: near enough to right ones that all checks get their turn.
PIECES = st.sampled_from(
    ["low 0.5 1 2 3 4 ", "1 2 ", "low", "lid", "O", "a1", "b22", "c7", "nan", "999999999"]
) | st.sampled_from(' -_,.e0128١é😀\n\t\x1c\u2028"')


@settings(max_examples=400)
@given(
    st.sampled_from(CASES),
    st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=30),
)
def test_any_cell_is_read_or_refused_in_one_line(case: Case, text: str) -> None:
    labels = labels_of(case, rows=5)
    found = outcome(case, labels, spoilt(case, labels, text.replace("\0", "")))
    if isinstance(found, str):
        assert found.isprintable()
    else:
        assert found.shape == truth(case, labels).shape
        assert found.dtype == truth(case, labels).dtype


HUGE = [
    "1" * 131_000,
    "1" * 131_000 + "x",
    "1 " * 65_000,
    "1 1 " * 32_000,
    "low 0.5 1 2 3 4 " * 8_000,
    "lid " * 32_000,
    "O " * 65_000,
    "a1 " * 40_000,
    " " * 131_000,
    "0." + "0" * 130_000 + "1",
    "-" * 131_000,
    "1e" + "9" * 100_000,
]


@EVERY
def test_huge_cells_cost_little(case: Case) -> None:
    labels = labels_of(case)
    started = time.process_time()
    for text in HUGE:
        found = outcome(case, labels, spoilt(case, labels, text))
        assert not isinstance(found, str) or len(found) < 300
    assert time.process_time() - started < 3.0


@given(st.lists(st.text(max_size=50).map(lambda text: text.replace("\0", "")), min_size=1))
def test_a_text_is_read_whatever_it_holds(texts: list[str]) -> None:
    found = truth(find("free_text"), {"y": np.array(texts, dtype=object)})

    assert list(found) == [
        "" if text.split() == ["-"] else " ".join(text.split()) for text in texts
    ]


def test_probabilities_of_classes_are_scaled_to_one() -> None:
    case = find("class_probabilities")
    labels = labels_of(case)
    columns = perfect(case, labels) | {name: np.full(ROWS, 0.251) for name in CLASSES}
    found = parse(case, labels, csv_bytes(columns))

    assert found.sum(axis=1) == pytest.approx(np.ones(ROWS))


def test_probabilities_of_classes_must_sum_to_one() -> None:
    case = find("class_probabilities")
    labels = {"y": np.zeros(ROWS, dtype=int)}
    content = spoilt(case, labels, "0.9")

    assert reason(case, labels, content) == "row 4: the probabilities sum to 0.9; expected 1"


def masks(*rows: str) -> np.ndarray:
    """One mask, drawn with # for marked pixels."""
    return np.array([[[mark == "#" for mark in row] for row in rows]])


@pytest.mark.parametrize(
    ("order", "mask", "text"),
    [
        ("columns", masks(".#", "##"), "2 3"),
        ("rows", masks(".#", "##"), "2 3"),
        ("columns", masks("#..", "#.#"), "1 2 6 1"),
        ("rows", masks("#..", "#.#"), "1 1 4 1 6 1"),
        ("columns", masks("..", ".."), "-"),
        ("columns", masks("##", "##"), "1 4"),
    ],
)
def test_runs_count_from_one_in_their_order(order: str, mask: np.ndarray, text: str) -> None:
    scope = functions("run_lengths")
    found = scope["encode"](ids(1), {"y": mask}, [], order=order)

    assert list(found["y"]) == [text]
    assert (found["_height"][0], found["_width"][0]) == mask.shape[1:]


def test_runs_may_touch() -> None:
    case = find("run_lengths")
    labels = {"y": np.ones((5, 4, 6), dtype=bool)}

    assert parse(case, labels, spoilt(case, labels, "1 10 11 14"))[3].all()


def test_an_empty_cell_marks_no_pixel() -> None:
    case = find("run_lengths")
    labels = labels_of(case)

    assert not parse(case, labels, spoilt(case, labels, ""))[3].any()


def boxes(*rows: list[list[float]]) -> Labels:
    found = np.empty(len(rows), dtype=object)
    for place, row in enumerate(rows):
        found[place] = np.array(row, dtype=float).reshape(-1, 5)
    return {"y": found}


def test_a_centre_stands_for_the_box_that_it_lies_in() -> None:
    case = find("centres")
    one = [[0.0, 10.0, 20.0, 8.0, 4.0], [1.0, 12.0, 20.0, 8.0, 4.0]]
    labels = boxes(one, one, one, one)
    found = parse(case, labels, spoilt(case, labels, "low 17 21 mid,_or_so 17 21 3 17 21 low 1 1"))

    assert found[3][:, :5].tolist() == [
        [0, 10, 20, 8, 4],
        [1, 12, 20, 8, 4],
        [3, 12, 20, 8, 4],
        [0, 1, 1, 0, 0],
    ]


def test_a_row_may_have_more_labels_than_names_are_asked_for() -> None:
    (case,) = (case for case in CASES if (case.word, case.task) == ("top_k", "multilabel"))
    case = replace(case, parameters={"k": 1})
    labels = {name: np.array([1, 1, 0]) for name in ("lid", "bolt")}

    assert truth(case, labels).tolist() == [[0, 1], [0, 1], [-1, -1]]
    assert parse(case, labels, csv_bytes(sample(case, labels))).tolist() == [[0, -1]] * 3


def test_no_tag_stands_for_wrong_ones_where_their_number_is_known() -> None:
    aligned, free = (case for case in CASES if case.word == "tag_sequence")
    labels = labels_of(aligned)

    assert parse(aligned, labels, spoilt(aligned, labels, "-"))[3] == ("-", "-", "-")
    assert parse(free, labels, spoilt(free, labels, "-"))[3] == ()
    assert parse(free, labels, spoilt(free, labels, "O O O O"))[3] == ("O",) * 4


def test_no_order_stands_for_that_of_the_names() -> None:
    case = find("permutation")
    labels = labels_of(case)

    assert parse(case, labels, spoilt(case, labels, "-"))[3] == ("a1", "b22", "c7")


@pytest.mark.parametrize("text", ["two words", "", "-", "line\nbreak"])
def test_what_can_not_stand_in_a_list_is_not_written(text: str) -> None:
    orders = np.empty(1, dtype=object)
    orders[0] = ("a", text)
    with pytest.raises(ValueError, match="can't stand in a list"):
        encode(find("permutation"), {"y": orders})


def test_clean_pictures_are_files_of_one_size() -> None:
    pictures = np.stack([np.zeros((8, 6)), np.random.default_rng(0).random((8, 6))])
    found = functions("pixels")["files"](ids(2), {"y": pictures}, [])
    opened = [np.asarray(Image.open(BytesIO(content))) / 255 for content in found.values()]

    assert list(found) == ["train_clean/r0.png", "train_clean/r1.png"]
    assert len({len(content) for content in found.values()}) == 1
    assert np.abs(np.stack(opened) - pictures).max() <= 0.5 / 255 + 1e-9


def test_pixels_count_from_one_row_by_row() -> None:
    found = encode(find("pixels"), {"y": np.array([[[0.1, 0.2], [0.3, 0.4]]])})

    assert list(found["id"]) == ["r0_1_1", "r0_1_2", "r0_2_1", "r0_2_2"]
    assert list(found["y"]) == [0.1, 0.2, 0.3, 0.4]
