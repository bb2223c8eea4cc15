"""The strict reader: what is right is read however it is written, what is wrong gets a reason."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import MAX_BYTES, Table, read_table

HEADER = "id,price"
ROWS = ["a1,1.5", "a2,2", "a3,-3e2", "a4,0"]
GOOD = "\n".join([HEADER, *ROWS]) + "\n"
ANSWERS = b"id,price\na1,1\na2,2\na3,3\na4,4\n"


def prices(content: bytes | str) -> list[float]:
    """The column of a submission as numbers, in the order of the answers."""
    raw = content.encode() if isinstance(content, str) else content
    table = read_table(raw, read_table(ANSWERS))
    return table.numbers("price", -1e15, 1e15).tolist()


#: Ways to write the same submission.
ACCEPTED: dict[str, bytes | str] = {
    "as expected": GOOD,
    "shuffled rows": "\n".join([HEADER, *reversed(ROWS)]) + "\n",
    "byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "CRLF line ends": GOOD.replace("\n", "\r\n"),
    "CR line ends": GOOD.replace("\n", "\r"),
    "no last line end": GOOD.rstrip("\n"),
    "empty lines at the end": GOOD + "\n\n\r\n",
    "empty lines between": GOOD.replace("\n", "\n\n"),
    "padded with separator signs": GOOD.replace("1.5", "\x1c1.5\x1f"),
    "padded numbers": GOOD.replace("1.5", "  1.5\t").replace(",0", ",000.0 "),
    "quoted fields": GOOD.replace("a1,1.5", '"a1","1.5"').replace("id", '"id"'),
    "plus sign and exponents": GOOD.replace("1.5", "+15e-1").replace("-3e2", "-.3E+3"),
}


@pytest.mark.parametrize("content", ACCEPTED.values(), ids=ACCEPTED)
def test_it_is_read_however_it_is_written(content: bytes | str) -> None:
    assert prices(content) == [1.5, 2.0, -300.0, 0.0]


def lines(*rows: str, header: str = HEADER) -> str:
    return "\n".join([header, *rows]) + "\n"


#: What is wrong, and the whole reason that the solver gets.
REFUSED: dict[str, tuple[bytes | str, str]] = {
    "an empty file": ("", "the file is empty"),
    "only empty lines": ("\n\n", "the file is empty"),
    "a header only": (HEADER, "there are no rows below the header; expected 4"),
    "no header": (
        "\n".join(ROWS),
        "column 'id' is missing; found 'a1,1.5'; expected the header id,price",
    ),
    "a missing column": (
        "id\na1\na2\na3\na4\n",
        "column 'price' is missing; expected the header id,price",
    ),
    "an extra column": (
        lines("a1,1,2", header="id,price,sure"),
        "column 'sure' is not expected; expected the header id,price",
    ),
    "an index column": (
        lines("0,a1,1", header=",id,price"),
        "column '' is not expected; expected the header id,price",
    ),
    "a misspelt column": (
        lines("a1,1", header="id,Price"),
        "column 'price' is missing; found 'id,Price'; expected the header id,price",
    ),
    "reordered columns": (
        lines("1,a1", header="price,id"),
        "the columns are in another order; expected the header id,price",
    ),
    "a column twice": (
        lines("a1,1,1", header="id,price,price"),
        "a column stands there twice; expected the header id,price",
    ),
    "semicolons": (
        GOOD.replace(",", ";"),
        "column 'id' is missing; found 'id;price'; expected the header id,price",
    ),
    "tabs": (
        GOOD.replace(",", "\t"),
        r"column 'id' is missing; found 'id\tprice'; expected the header id,price",
    ),
    "a missing row": (lines(*ROWS[:3]), "1 of 4 ids are missing, the first is 'a4'"),
    "an extra row": (lines(*ROWS, "a5,1"), "row 5: id 'a5' is not in the test set"),
    "an unknown id": (lines("a9,1", *ROWS[1:]), "row 1: id 'a9' is not in the test set"),
    "an id twice": (lines(*ROWS, "a2,2"), "row 5: id 'a2' is in row 2 too"),
    "an empty id": (lines(",1", *ROWS[1:]), "row 1: id '' is not in the test set"),
    "a padded id": (lines(" a1,1", *ROWS[1:]), "row 1: id ' a1' is not in the test set"),
    "a long id": (
        lines("z" * 60 + ",1"),
        f"row 1: id '{'z' * 40}...' is not in the test set",
    ),
    "a field too many": (lines("a1,1,000", *ROWS[1:]), "row 1: has 3 fields; expected 2: id,price"),
    "a field too few": (lines(ROWS[0], "a2"), "row 2: has 1 fields; expected 2: id,price"),
    "an empty cell": (lines("a1,", *ROWS[1:]), "row 1: 'price' is empty; expected a number"),
    "a blank cell": (lines("a1,  ", *ROWS[1:]), "row 1: 'price' is empty; expected a number"),
    "NaN": (lines("a1,NaN", *ROWS[1:]), "row 1: 'price' holds 'NaN'; expected a number"),
    "infinity": (
        lines(ROWS[0], "a2,-inf", *ROWS[2:]),
        "row 2: 'price' holds '-inf'; expected a number",
    ),
    "an overflow": (
        lines("a1,1e309", *ROWS[1:]),
        "row 1: 'price' holds '1e309'; expected -1e+15 to 1e+15",
    ),
    "out of range": (
        lines("a1,2e15", *ROWS[1:]),
        "row 1: 'price' holds '2e15'; expected -1e+15 to 1e+15",
    ),
    "an underscore": (lines("a1,0_1", *ROWS[1:]), "row 1: 'price' holds '0_1'; expected a number"),
    "a text": (lines("a1,cheap", *ROWS[1:]), "row 1: 'price' holds 'cheap'; expected a number"),
    "a decimal comma": (
        lines('a1,"1,5"', *ROWS[1:]),
        "row 1: 'price' holds '1,5'; expected a number",
    ),
    "digits of another script": (
        lines("a1,١", *ROWS[1:]),
        "row 1: 'price' holds '١'; expected a number",
    ),
    "a hexadecimal number": (
        lines("a1,0x1p3", *ROWS[1:]),
        "row 1: 'price' holds '0x1p3'; expected a number",
    ),
    "a list": (lines("a1,[1.5]", *ROWS[1:]), "row 1: 'price' holds '[1.5]'; expected a number"),
    "a number as long as a cell may be": (
        lines(f"a1,{'1' * 131_000}x", *ROWS[1:]),
        f"row 1: 'price' holds '{'1' * 40}...'; expected a number",
    ),
    "a line break in a cell": (
        lines('a1,"1\n2"', *ROWS[1:]),
        r"row 1: 'price' holds '1\n2'; expected a number",
    ),
    "a NUL byte": (
        GOOD.replace("-3e2", "-3\x00e2"),
        "line 4: holds a NUL byte; save the file as plain text",
    ),
    "Latin-1": (
        GOOD.encode() + b"caf\xe9,1\n",
        "line 6: not UTF-8 text; save the file as UTF-8",
    ),
    "UTF-16": (GOOD.encode("utf-16"), "line 1: not UTF-8 text; save the file as UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00", "line 1: not UTF-8 text; save the file as UTF-8"),
    "an unclosed quote": (
        lines('"a1,1.5', *ROWS[1:]),
        "row 1: not CSV: unexpected end of data; check the quotes",
    ),
    "text after a quote": (
        lines('"a1"x,1.5', *ROWS[1:]),
        "row 1: not CSV: ',' expected after '\"'; check the quotes",
    ),
    "a huge file": (
        b"x" * (MAX_BYTES + 1),
        f"the file is larger than {MAX_BYTES} bytes",
    ),
    "a huge cell": (
        lines(f"a1,{'1' * 200_000}", *ROWS[1:]),
        "row 1: not CSV: field larger than field limit (131072); check the quotes",
    ),
}


@pytest.mark.parametrize(("content", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_refused_with_the_reason(content: bytes | str, reason: str) -> None:
    with pytest.raises(InvalidSubmission) as caught:
        prices(content)

    assert str(caught.value) == reason


def test_classes_are_read_by_name() -> None:
    table = read_table(b'id,size\na,low\nb," high "\nc,"mid, or so"\n')

    assert table.classes("size", ["low", "mid, or so", "high"]).tolist() == [0, 2, 1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("huge", "row 1: 'size' holds 'huge'; expected one of the classes low, high"),
        ("Low", "row 1: 'size' holds 'Low'; expected one of the classes low, high"),
        (" ", "row 1: 'size' is empty; expected one of the classes low, high"),
    ],
)
def test_an_unknown_class_is_refused(text: str, reason: str) -> None:
    table = Table(ids=["a"], columns={"size": [text]}, rows=[1])
    with pytest.raises(InvalidSubmission) as caught:
        table.classes("size", ["low", "high"])

    assert str(caught.value) == reason


def test_many_classes_are_not_all_listed() -> None:
    table = Table(ids=["a"], columns={"size": ["x"]}, rows=[1])
    with pytest.raises(InvalidSubmission, match=r"classes 0, 1, 2, 3, 4, 5, 6, 7, \.\.\.$"):
        table.classes("size", [str(index) for index in range(30)])


def test_row_numbers_follow_the_rows_when_they_are_aligned() -> None:
    with pytest.raises(InvalidSubmission, match=r"^row 4: 'price' holds 'x'"):
        prices("id,price\na4,1\na3,2\na2,3\na1,x\n")


def outcome(content: bytes | str) -> list[float] | str:
    """The numbers of a submission, or the reason for which it is refused."""
    try:
        return prices(content)
    except InvalidSubmission as error:
        return str(error)


@settings(max_examples=300)
@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8")))
@example(GOOD.encode())
@example(b'"')
@example(b"\xff\xfe")
def test_any_bytes_are_read_or_refused_in_one_line(content: bytes) -> None:
    found = outcome(content)

    assert found
    assert found.isprintable() if isinstance(found, str) else len(found) == 4


DAMAGE = st.tuples(
    st.integers(0, len(GOOD) - 1), st.sampled_from(['"', "'", ",", "\n", "\r", "\0", "1", "_", "é"])
)


@settings(max_examples=200)
@given(st.lists(DAMAGE, max_size=3))
def test_a_damaged_submission_is_read_or_refused_in_one_line(
    damage: list[tuple[int, str]],
) -> None:
    text = list(GOOD)
    for place, character in damage:
        text[place] = character
    found = outcome("".join(text))

    assert found.isprintable() if isinstance(found, str) else np.isfinite(found).all()


@settings(max_examples=100)
@given(st.lists(st.floats(-1e15, 1e15), min_size=4, max_size=4))
def test_numbers_are_read_to_the_last_bit(values: list[float]) -> None:
    content = lines(*(f"a{index},{value!r}" for index, value in enumerate(values, start=1)))

    assert prices(content) == values
