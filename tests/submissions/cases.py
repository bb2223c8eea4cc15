"""One row for every word of rules/submissions and kind of task: labels, and what is wrong."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sandmle.compiler.inline import Wanted, inline
from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import read_table
from sandmle.runtime.tables import csv_bytes, submitted_columns
from sandmle.vocabulary import FUNCTIONS, load_vocabulary

SUBMISSIONS = load_vocabulary().folder("submissions")
Labels = dict[str, np.ndarray]

#: Names that a CSV file has to quote.
CLASSES = ["low", "mid, or so", 'so "high"', "3"]


@dataclass(frozen=True)
class Case:
    """Labels that a word writes, and what comes back.

    `draw(rng, rows)` gives labels by target, `expected(labels)` what the metric gets. `bad` maps a
    text in the fourth row of `column` to what its reason says after `row 4: `.
    """

    word: str
    task: str
    draw: Callable[[np.random.Generator, int], Labels]
    expected: Callable[[Labels], np.ndarray]
    column: str
    bad: Mapping[str, str]
    classes: list[str] = field(default_factory=list)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "-".join([self.word, self.task, *map(str, self.parameters.values())])


@functools.cache
def functions(name: str) -> Mapping[str, Any]:
    """The functions of a submission word, taken from its file as the compiler takes them."""
    word = SUBMISSIONS[name]
    optional = ("files",) if word.traits.get("TRAIN") == "files" else ()
    taken = inline([Wanted(word.path, (*FUNCTIONS["submissions"], *optional))])
    scope: dict[str, Any] = {}
    exec(f"from __future__ import annotations\n{taken.imports}\n{taken.definitions}", scope)
    # The tables that tests read raise the one of the package.
    scope["InvalidSubmission"] = InvalidSubmission
    return scope


def ids(rows: int) -> np.ndarray:
    return np.array([f"r{row}" for row in range(rows)])


def encode(case: Case, labels: Labels) -> dict[str, np.ndarray]:
    """The columns of answers.csv."""
    rows = len(next(iter(labels.values())))
    found: dict[str, np.ndarray] = functions(case.word)["encode"](
        ids(rows), labels, case.classes, **case.parameters
    )
    return found


def perfect(case: Case, labels: Labels) -> dict[str, np.ndarray]:
    """The columns of a perfect submission."""
    return submitted_columns(encode(case, labels))


def sample(case: Case, labels: Labels) -> dict[str, np.ndarray]:
    """The columns of the sample submission."""
    found: dict[str, np.ndarray] = functions(case.word)["sample"](
        encode(case, labels)["id"], list(labels), case.classes, **case.parameters
    )
    return found


def parse(case: Case, labels: Labels, content: bytes) -> np.ndarray:
    """A submission's content as the metric gets it; strict about the ids of the answers."""
    answers = read_table(csv_bytes(encode(case, labels)))
    found: np.ndarray = functions(case.word)["parse"](
        read_table(content, answers), list(labels), case.classes, **case.parameters
    )
    return found


def truth(case: Case, labels: Labels) -> np.ndarray:
    """What the answers say, as the metric gets it."""
    answers = read_table(csv_bytes(encode(case, labels)))
    found: np.ndarray = functions(case.word)["parse"](
        answers, list(labels), case.classes, **case.parameters
    )
    return found


def same(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two arrays of labels, boxes or texts hold the same."""
    if left.shape != right.shape or left.dtype.kind != right.dtype.kind:
        return False
    if left.dtype != object:
        return bool(np.allclose(left, right, rtol=1e-5, atol=1e-4))
    return all(
        np.allclose(a, b, rtol=1e-5) if isinstance(a, np.ndarray) else a == b
        for a, b in zip(left, right, strict=True)
    )


def one(targets: Callable[[np.random.Generator, int], np.ndarray], name: str = "y") -> Any:
    """Draws the labels of one target."""
    return lambda rng, rows: {name: targets(rng, rows)}


def draw_classes(rng: np.random.Generator, rows: int) -> np.ndarray:
    return rng.integers(0, len(CLASSES), rows)


def draw_numbers(rng: np.random.Generator, rows: int) -> np.ndarray:
    return np.array([float(f"{value:.6g}") for value in rng.normal(0, 1e3, rows)])


def draw_marks(rng: np.random.Generator, rows: int) -> Labels:
    return {name: rng.integers(0, 2, rows) for name in ("lid", "bolt", "seam")}


def draw_shares(rng: np.random.Generator, rows: int) -> np.ndarray:
    return np.round(rng.dirichlet(np.ones(len(CLASSES)), rows), 6)


def draw_masks(rng: np.random.Generator, rows: int) -> np.ndarray:
    height, width = rng.integers(1, 9, 2)
    return rng.random((rows, height, width)) < rng.random((rows, 1, 1))


def draw_images(rng: np.random.Generator, rows: int) -> np.ndarray:
    height, width = rng.integers(1, 13, 2)
    return np.round(rng.random((rows, height, width)), 6)


def draw_boxes(rng: np.random.Generator, rows: int) -> np.ndarray:
    pictures = np.empty(rows, dtype=object)
    for row in range(rows):
        count = int(rng.integers(0, 5))
        places = np.round(rng.uniform(1, 30, (count, 4)), 2)
        pictures[row] = np.column_stack([rng.integers(0, len(CLASSES), count), places])
    return pictures


def draw_sequences(rng: np.random.Generator, rows: int) -> np.ndarray:
    return np.round(rng.normal(0, 10, (rows, rng.integers(1, 13))), 4)


def draw_texts(rng: np.random.Generator, rows: int) -> np.ndarray:
    words = np.array(["ein", "zwei,", '"drei"', "vier-", "fünf", "шесть"])
    texts = np.empty(rows, dtype=object)
    for row in range(rows):
        texts[row] = " ".join(rng.choice(words, rng.integers(0, 6)))
    return texts


def draw_tags(rng: np.random.Generator, rows: int) -> np.ndarray:
    tags = np.empty(rows, dtype=object)
    for row in range(rows):
        tags[row] = tuple(map(str, rng.choice(["O", "B-part", "I-part"], rng.integers(0, 8))))
    tags[min(3, rows - 1)] = ("O", "B-part", "O")
    return tags


def draw_orders(rng: np.random.Generator, rows: int) -> np.ndarray:
    orders = np.empty(rows, dtype=object)
    for row in range(rows):
        orders[row] = tuple(map(str, rng.permutation(["c7", "a1", "b22"][: rng.integers(1, 4)])))
    orders[min(3, rows - 1)] = ("c7", "a1", "b22")
    return orders


def stacked(labels: Labels) -> np.ndarray:
    return np.column_stack(list(labels.values()))


def chances(labels: Labels) -> np.ndarray:
    """Labels 0 or 1 as probabilities: of one target, or of several in columns."""
    found = stacked(labels).astype(float)
    return found if found.shape[1] > 1 else found[:, 0]


def alone(labels: Labels) -> np.ndarray:
    (values,) = labels.values()
    return values


def ranked(labels: Labels) -> np.ndarray:
    """The labels of each row in their order, -1 behind them."""
    found = np.full((len(labels["lid"]), 3), -1)
    for row, applies in enumerate(stacked(labels)):
        places = np.flatnonzero(applies)
        found[row, : len(places)] = places
    return found


def certain(labels: Labels) -> np.ndarray:
    """Boxes with confidence 1."""
    found = np.empty(len(alone(labels)), dtype=object)
    for row, boxes in enumerate(alone(labels)):
        found[row] = np.column_stack([boxes, np.ones(len(boxes))])
    return found


def holding(column: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Reasons for `texts` in `column`: what was expected of each."""
    return {
        text: f"{column!r} {f'holds {text!r}' if text.strip() else 'is empty'}; expected {wanted}"
        for text, wanted in texts.items()
    }


NO_NUMBER = ["nan", "inf", "1_0", "0x10", "--1", "1e", "one", "", "  ", "1,5", "1.2.3", "١", "1 2"]


def probability_faults(column: str) -> dict[str, str]:
    beyond = dict.fromkeys(("1.5", "-0.1", "1e309", "-1e-9"), "0 to 1")
    return holding(column, dict.fromkeys([*NO_NUMBER, "50%", "yes"], "a number") | beyond)


def number_faults(column: str, limits: str = "-1e+15 to 1e+15") -> dict[str, str]:
    beyond = dict.fromkeys(("1e309", "1e16", "-1e16"), limits)
    return holding(column, dict.fromkeys(NO_NUMBER, "a number") | beyond)


def class_faults(column: str, classes: list[str], wrong: list[str]) -> dict[str, str]:
    wanted = f"one of the classes {', '.join(classes)}"
    texts = [*wrong, "maybe", "", "nan", "1.0", "7", "-1", "None", "true", "True", "0.5", "1e0"]
    return holding(column, dict.fromkeys(texts, wanted))


def listed(column: str, faults: Mapping[str, str]) -> dict[str, str]:
    return {text: f"{column!r} {fault}" for text, fault in faults.items()}


ONE_WORD_CLASSES = 'low, mid,_or_so, so_"high", 3'
BOX = "low 0.5 1 2 3 4"
#: A picture's box with each value spoilt, in an order that does not matter.
BOX_FAULTS = listed(
    "y",
    {
        "low 0.5 1 2 3": "holds 5 values; expected `class confidence left top width height` "
        "for every box",
        f"{BOX} low": "holds 7 values; expected `class confidence left top width height` "
        "for every box",
        " ".join([BOX] * 101): "holds more than 100 entries; expected at most 100 of "
        "`class confidence left top width height`",
        "1 0.5 1 2 3 4": f"box 1 has class '1'; expected one of {ONE_WORD_CLASSES}",
        f"{BOX} Low 0.5 1 2 3 4": f"box 2 has class 'Low'; expected one of {ONE_WORD_CLASSES}",
        "low 1.5 1 2 3 4": "box 1 has confidence '1.5'; expected 0 to 1",
        "low nan 1 2 3 4": "box 1 has confidence 'nan'; expected a number",
        "low 0.5 1,5 2 3 4": "box 1 has left '1,5'; expected a number",
        "low 0.5 1 1e9 3 4": "box 1 has top '1e9'; expected -100000 to 100000",
        f"{BOX} {BOX} low 0.5 1 2 0 4": "box 3 has width '0'; expected 0.001 to 100000",
        "low 0.5 1 2 -3 4": "box 1 has width '-3'; expected 0.001 to 100000",
        "low 0.5 1 2 3 inf": "box 1 has height 'inf'; expected a number",
        "- -": "holds 2 values; expected `class confidence left top width height` for every box",
    },
)
CENTRE_FAULTS = listed(
    "y",
    {
        "low 1": "holds 2 values; expected `class x y` for every centre",
        "low": "holds 1 values; expected `class x y` for every centre",
        "low 1 2 low": "holds 4 values; expected `class x y` for every centre",
        "low 1 2 " * 101: "holds more than 100 entries; expected at most 100 of `class x y`",
        "Low 1 2": f"centre 1 has class 'Low'; expected one of {ONE_WORD_CLASSES}",
        "low 1 2 low 1 2 mid 1 2": f"centre 3 has class 'mid'; expected one of {ONE_WORD_CLASSES}",
        "low x 2": "centre 1 has x 'x'; expected a number",
        "low 1 y": "centre 1 has y 'y'; expected a number",
        "low 1_0 2": "centre 1 has x '1_0'; expected a number",
        "low 1 nan": "centre 1 has y 'nan'; expected a number",
        "low 1e6 1": "centre 1 has x '1e6'; expected -100000 to 100000",
        "low 1 -1e6": "centre 1 has y '-1e6'; expected -100000 to 100000",
        "low,1,2": "holds 1 values; expected `class x y` for every centre",
    },
)
#: For masks of 4 by 6 pixels.
RUN_FAULTS = listed(
    "y",
    {
        "1": "holds 1 values; expected `start length` for every run",
        "1 2 3": "holds 3 values; expected `start length` for every run",
        "1 1 " * 25: "holds more than 24 entries; expected at most 24 of `start length`",
        "0 3": "run 1 starts at pixel 0 of 24; expected pixels 1 to 24",
        "1 2 5 1 25 1": "run 3 starts at pixel 25 of 24; expected pixels 1 to 24",
        "24 2": "run 1 ends at pixel 25 of 24; expected pixels 1 to 24",
        "1 0": "run 1 is 0 pixels long; expected at least 1",
        "5 2 1 2": "run 2 starts at pixel 1, but the one before ends at 6; "
        "expected runs that ascend and don't overlap",
        "1 5 5 1": "run 2 starts at pixel 5, but the one before ends at 5; "
        "expected runs that ascend and don't overlap",
        "1 -2": "run 1 has length '-2'; expected a whole number",
        "1.0 2": "run 1 has start '1.0'; expected a whole number",
        "1 2 x 3": "run 2 has start 'x'; expected a whole number",
        "1 1234567890": "run 1 has length '1234567890'; expected a whole number",
        "١ 2": "run 1 has start '١'; expected a whole number",
        "1,2": "holds 1 values; expected `start length` for every run",
        "- 3": "run 1 has start '-'; expected a whole number",
    },
)
TAG_NAMES = "lid, bolt, seam"
TAG_FAULTS = listed(
    "tags",
    {
        "rim": f"tag 1 is 'rim'; expected one of {TAG_NAMES}",
        "lid rim": f"tag 2 is 'rim'; expected one of {TAG_NAMES}",
        "Lid": f"tag 1 is 'Lid'; expected one of {TAG_NAMES}",
        "lid,bolt": f"tag 1 is 'lid,bolt'; expected one of {TAG_NAMES}",
        "1": f"tag 1 is '1'; expected one of {TAG_NAMES}",
        "0 1 0": f"tag 1 is '0'; expected one of {TAG_NAMES}",
        "lid lid": "tag 2 is 'lid'; expected each tag once",
        "lid bolt lid": "tag 3 is 'lid'; expected each tag once",
        "lid bolt seam lid": "holds more than 3 entries; expected at most 3 of `tag`",
        "lid - bolt": f"tag 2 is '-'; expected one of {TAG_NAMES}",
        "[lid]": f"tag 1 is '[lid]'; expected one of {TAG_NAMES}",
        "nan": f"tag 1 is 'nan'; expected one of {TAG_NAMES}",
    },
)


def ranking_faults(names: list[str], k: int) -> dict[str, str]:
    first, second = names[:2]
    wanted = f"expected one of {', '.join(names)}"
    return listed(
        "ranking",
        {
            "rim": f"name 1 is 'rim'; {wanted}",
            f"{first} rim": f"name 2 is 'rim'; {wanted}",
            first.upper(): f"name 1 is {first.upper()!r}; {wanted}",
            f"{first},{second}": f"name 1 is {f'{first},{second}'!r}; {wanted}",
            "0": f"name 1 is '0'; {wanted}",
            "0.9 0.1": f"name 1 is '0.9'; {wanted}",
            f"{first} {first}": f"name 2 is {first!r}; expected each name once",
            f"{second} {first} {second}": f"name 3 is {second!r}; expected each name once",
            " ".join([first] * (k + 1)): f"holds more than {k} entries; "
            f"expected at most {k} of `name`",
            f"{first} -": f"name 2 is '-'; {wanted}",
            f"[{first}]": f"name 1 is {f'[{first}]'!r}; {wanted}",
        },
    )


WANTED_TAGS = "expected 3, one for every element of the sequence"
LONG_TAG = "x" * 61
TAG_COUNT_FAULTS = listed(
    "y",
    {
        "O": f"holds 1 tags; {WANTED_TAGS}",
        "O O": f"holds 2 tags; {WANTED_TAGS}",
        "O O O O": f"holds more than 3 tags; {WANTED_TAGS}",
        "O " * 600: f"holds more than 3 tags; {WANTED_TAGS}",
        "O,O,O": f"holds 1 tags; {WANTED_TAGS}",
        "[O O]": f"holds 2 tags; {WANTED_TAGS}",
        "- -": f"holds 2 tags; {WANTED_TAGS}",
        f"O {LONG_TAG} O": f"tag 2 is '{LONG_TAG[:40]}...'; expected at most 60 characters",
        "O\nO": f"holds 2 tags; {WANTED_TAGS}",
        "O-O-O": f"holds 1 tags; {WANTED_TAGS}",
    },
)
ITEMS = "expected each of its 3 items once"
ORDER_FAULTS = listed(
    "y",
    {
        "": f"is empty; {ITEMS}",
        "  ": f"is empty; {ITEMS}",
        "a1": f"lacks the item 'b22'; {ITEMS}",
        "b22 a1": f"lacks the item 'c7'; {ITEMS}",
        "a1 a1 b22": f"item 2 is 'a1' again; {ITEMS}",
        "a1 b22 b22": f"item 3 is 'b22' again; {ITEMS}",
        "a1 b22 c8": f"item 3 is 'c8', which is none of the sample's; {ITEMS}",
        "a1,b22,c7": f"item 1 is 'a1,b22,c7', which is none of the sample's; {ITEMS}",
        "0 1 2": f"item 1 is '0', which is none of the sample's; {ITEMS}",
        "a1 b22 c7 a1": f"holds more than 3 items; {ITEMS}",
        "a1 b22 c7 d": f"holds more than 3 items; {ITEMS}",
        "A1 b22 c7": f"item 1 is 'A1', which is none of the sample's; {ITEMS}",
        "- a1 b22": f"item 1 is '-', which is none of the sample's; {ITEMS}",
    },
)
TEXT_FAULTS = listed(
    "y",
    {
        "x" * 2001: "has 2001 characters; expected at most 2000",
        "ab " * 900: "has 2699 characters; expected at most 2000",
        "é" * 5000: "has 5000 characters; expected at most 2000",
    },
)


def fixed_masks(rng: np.random.Generator, rows: int) -> np.ndarray:
    return rng.random((rows, 4, 6)) < rng.random((rows, 1, 1))


def label_cases() -> list[Case]:
    kinds = ["multiclass", "ordinal", "preference"]
    binary = Case(
        "label",
        "binary",
        one(lambda rng, rows: rng.integers(0, 2, rows)),
        alone,
        "y",
        class_faults("y", ["no", "yes"], ["No", "0"]),
        ["no", "yes"],
    )
    bad = class_faults("y", CLASSES, ["Low", "mid"])
    return [
        binary,
        *(Case("label", kind, one(draw_classes), alone, "y", bad, CLASSES) for kind in kinds),
    ]


def number_cases() -> list[Case]:
    kinds = ["regression", "forecasting", "ranking"]
    several = Case(
        "number",
        "multi_target",
        lambda rng, rows: {"y": draw_numbers(rng, rows), "z": draw_numbers(rng, rows)},
        stacked,
        "z",
        number_faults("z"),
    )
    bad = number_faults("y")
    return [several, *(Case("number", kind, one(draw_numbers), alone, "y", bad) for kind in kinds)]


def share_cases() -> list[Case]:
    def certainty(labels: Labels) -> np.ndarray:
        return np.eye(len(CLASSES))[labels["y"]]

    name, bad = "class_probabilities", probability_faults("low")
    return [
        Case(name, "multiclass", one(draw_classes), certainty, "low", bad, CLASSES),
        Case(name, "preference", one(draw_classes), certainty, "low", bad, CLASSES),
        Case(name, "soft_labels", one(draw_shares), alone, "low", bad, CLASSES),
    ]


def ranking_cases() -> list[Case]:
    def first(labels: Labels) -> np.ndarray:
        return np.column_stack([labels["y"], np.full((len(labels["y"]), 2), -1)])

    words = ["low", "mid,_or_so", 'so_"high"', "3"]
    return [
        Case(
            "top_k",
            "multiclass",
            one(draw_classes),
            first,
            "ranking",
            ranking_faults(words, 3),
            CLASSES,
            {"k": 3},
        ),
        Case(
            "top_k",
            "multilabel",
            draw_marks,
            ranked,
            "ranking",
            ranking_faults(["lid", "bolt", "seam"], 3),
            ["0", "1"],
            {"k": 3},
        ),
    ]


def multilabel_cases() -> list[Case]:
    yes = ["0", "1"]
    bad = probability_faults("seam")
    marks = class_faults("seam", yes, ["yes", "01"])
    long = probability_faults("probability")
    return [
        Case("label_columns", "multilabel", draw_marks, stacked, "seam", marks, yes),
        Case("label_probabilities", "multilabel", draw_marks, chances, "seam", bad, yes),
        Case("long_probabilities", "multilabel", draw_marks, chances, "probability", long, yes),
        Case("tags", "multilabel", draw_marks, stacked, "tags", TAG_FAULTS, yes),
    ]


def other_cases() -> list[Case]:
    def estimated(labels: Labels) -> np.ndarray:
        return np.column_stack([labels["y"], np.full(len(labels["y"]), 1e-9)])

    def flat(labels: Labels) -> np.ndarray:
        return labels["y"].reshape(len(labels["y"]), -1)

    deviation = "standard_deviation"
    faults = number_faults(deviation, "1e-09 to 1e+15") | holding(
        deviation, dict.fromkeys(("0", "-1", "0.0", "1e-10"), "1e-09 to 1e+15")
    )
    shares, numbers = probability_faults("y"), number_faults("y")
    many = {"O " * 501: "'y' holds more than 500 tags; expected at most that many"}
    long_tags = {
        f"{'O ' * count}{'x' * (61 + count)}": f"'y' tag {count + 1} is '{'x' * 40}...'; "
        "expected at most 60 characters"
        for count in range(9)
    }
    return [
        Case(
            "probability",
            "binary",
            one(lambda rng, rows: rng.integers(0, 2, rows)),
            chances,
            "y",
            shares,
            ["0", "1"],
        ),
        Case(
            "estimate", "probabilistic_regression", one(draw_numbers), estimated, deviation, faults
        ),
        Case("run_lengths", "segmentation", one(fixed_masks), alone, "y", RUN_FAULTS),
        Case(
            "run_lengths",
            "segmentation",
            one(draw_masks),
            alone,
            "y",
            {key: RUN_FAULTS[key] for key in list(RUN_FAULTS)[:2]},
            parameters={"order": "rows"},
        ),
        Case("bounding_boxes", "detection", one(draw_boxes), certain, "y", BOX_FAULTS, CLASSES),
        Case("centres", "detection", one(draw_boxes), certain, "y", CENTRE_FAULTS, CLASSES),
        Case("pixels", "image_to_image", one(draw_images), flat, "y", shares),
        Case("positions", "sequence_regression", one(draw_sequences), alone, "y", numbers),
        Case("free_text", "seq2seq", one(draw_texts), alone, "y", TEXT_FAULTS),
        Case("free_text", "extractive_qa", one(draw_texts), alone, "y", TEXT_FAULTS),
        Case(
            "tag_sequence",
            "sequence_labelling",
            one(draw_tags),
            alone,
            "y",
            TAG_COUNT_FAULTS,
            parameters={"aligned": True},
        ),
        Case(
            "tag_sequence",
            "sequence_labelling",
            one(draw_tags),
            alone,
            "y",
            long_tags | many,
        ),
        Case("permutation", "ordering", one(draw_orders), alone, "y", ORDER_FAULTS),
    ]


CASES = [
    *label_cases(),
    *number_cases(),
    *share_cases(),
    *ranking_cases(),
    *multilabel_cases(),
    *other_cases(),
]
