"""One loop over every word of rules/, found by listing: each keeps the contract of its folder."""

from __future__ import annotations

import functools
import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from sandmle.runtime.graphs import Graph
from sandmle.spec.schema import compose_schema
from sandmle.vocabulary import FOLDERS, Word
from tests.vocabulary.calling import VOCABULARY, call, draw_factors, load_examples, stream
from tests.vocabulary.forms import EXAMPLE_LABELS, assert_form, same

RUN = ("factors", "hidden", "observe", "noise")
WORDS = [word for folder in FOLDERS for word in VOCABULARY.folder(folder).values()]
RUNNABLE = [word for word in WORDS if word.folder in RUN]
SAMPLES = 120
EXAMPLES = load_examples()


def name_of(word: Word) -> str:
    return f"{word.folder}/{word.name}"


def example(word: Word) -> dict[str, Any]:
    """The word's row of examples.yaml as a spec writes it."""
    return {"kind": word.name, **EXAMPLES["words"][word.folder][word.name]}


def factors(seed: int = 0) -> dict[str, np.ndarray]:
    """The factors of the examples, each time in arrays of their own."""
    return {name: values.copy() for name, values in drawn_factors(seed).items()}


@functools.cache
def drawn_factors(seed: int) -> dict[str, np.ndarray]:
    return draw_factors(EXAMPLES["factors"], SAMPLES, seed)


def main_table(shown: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    dates = call("observe", {"kind": "date_column", "name": "received", "of": "day"}, factors=shown)
    names = {"load": "a", "weight": "b", "visits": "visits", "colour": "colour", "note": "note"}
    return {column: shown[factor] for column, factor in names.items()} | dates


def labels_for(word: Word) -> np.ndarray:
    task = VOCABULARY.word("tasks", word.traits["TASKS"][0])
    kinds = ["category"] if task.traits["CLASSES"] and "category" in task.traits["YIELDS"] else []
    kind = [*kinds, *task.traits["YIELDS"]][0]
    return EXAMPLE_LABELS[kind](stream("labels", 0), SAMPLES)


def output(word: Word, seed: int = 0) -> Any:
    """What the word gives on its example."""
    shown = factors(seed)
    given: list[Any] = []
    if word.folder == "factors":
        given = [SAMPLES]
    elif word.folder == "noise":
        disturbed = {
            "columns": lambda: main_table(shown),
            "factor": lambda: shown[example(word)["factor"]],
            "labels": lambda: labels_for(word),
        }
        given = [disturbed[word.traits["DISTURBS"]]()]
    return call(word.folder, example(word), *given, factors=shown, seed=seed)


def digest(found: Any) -> str:
    """SHA-256 of an output as it would be written."""
    parts: list[bytes] = []
    if isinstance(found, bytes):
        parts = [found]
    elif isinstance(found, (list, tuple)):
        parts = [digest(part).encode() for part in found]
    elif isinstance(found, dict):
        parts = [f"{name}:{digest(values)}".encode() for name, values in found.items()]
    elif isinstance(found, Graph):
        parts = [digest(vars(found)).encode()]
    elif not isinstance(found, np.ndarray):
        parts = [str(found).encode()]
    elif found.dtype.kind == "O":
        parts = [digest(part).encode() for part in found]
    else:
        # Single precision holds about as many digits as files do.
        held = found.astype(np.float32) if found.dtype.kind == "f" else found
        parts = [str(found.shape).encode(), found.dtype.kind.encode(), held.tobytes()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


@functools.cache
def whole_schema() -> dict[str, Any]:
    schema = compose_schema(VOCABULARY)
    Draft202012Validator.check_schema(schema)
    return schema


def digests() -> str:
    """A line a word, for comparing processes."""
    return "\n".join(f"{name_of(word)} {digest(output(word))}" for word in RUNNABLE)


def assert_columns(columns: dict[str, np.ndarray], rows: int) -> None:
    for name, values in columns.items():
        assert isinstance(values, np.ndarray), name
        assert values.shape == (rows,), name
        assert values.dtype.kind in "fiU", f"{name} has dtype {values.dtype}"


def test_every_row_of_the_examples_is_a_word() -> None:
    rows = {f"{folder}/{name}" for folder, names in EXAMPLES["words"].items() for name in names}
    assert rows == {name_of(word) for word in RUNNABLE}


@pytest.mark.parametrize("word", WORDS, ids=name_of)
def test_words_explain_themselves(word: Word) -> None:
    assert word.summary.endswith((".", ":")), "the first line is a sentence"
    if word.folder in RUN:
        assert "\nDifficulty: " in word.docstring
    for name, fragment in word.parameters.items():
        assert "$ref" in fragment or "enum" in fragment or "description" in fragment, name
        assert fragment.get("description", "").strip() == fragment.get("description", ""), name


@pytest.mark.parametrize(
    "word", [word for word in WORDS if word.folder in ("metrics", "submissions")], ids=name_of
)
def test_what_solvers_read_of_metrics_and_submissions_explains_their_settings(word: Word) -> None:
    said, _, _ = word.docstring.partition("Source:")
    assert [name for name in word.parameters if f"`{name}`" not in said] == []


@pytest.mark.parametrize("word", [word for word in WORDS if word.folder == "observe"], ids=name_of)
def test_columns_of_one_parameter_are_told_apart(word: Word) -> None:
    for name, meaning in word.traits.get("MEANS", {}).items():
        is_list = word.parameters[name].get("type") == "array"
        assert not is_list or "{column}" in meaning, name


@pytest.mark.parametrize("word", RUNNABLE, ids=name_of)
def test_defaults_and_examples_keep_the_words_own_schema(word: Word) -> None:
    schema = whole_schema()
    validator = Draft202012Validator(
        {"$defs": schema["$defs"], "$ref": f"#/$defs/{word.folder}.{word.name}"}
    )
    use = {**example(word), "factor": "a", "file": "x.csv"}
    if word.traits.get("WRITES") == "files":
        use["file"] = "images/{id}.png"
    wanted = {"kind", *word.parameters, *schema["$defs"][f"{word.folder}.{word.name}"]["required"]}
    use = {name: value for name, value in use.items() if name in wanted}
    assert list(validator.iter_errors(use)) == []
    for name, fragment in word.parameters.items():
        if fragment.get("default") is not None and "$ref" not in fragment:
            default = fragment["default"]
            default = list(default) if isinstance(default, tuple) else default
            assert list(validator.iter_errors({**use, name: default})) == [], name


@pytest.mark.parametrize("word", RUNNABLE, ids=name_of)
def test_outputs_keep_the_contract_of_the_folder(word: Word) -> None:
    found = output(word)
    if word.folder == "factors":
        assert_form(word.traits["YIELDS"], found, SAMPLES, is_label=False)
    elif word.folder == "hidden":
        assert_form(word.traits["YIELDS"], found, SAMPLES, is_label=True)
        if word.traits["YIELDS"] == "category":
            assert np.bincount(found).min() > 0, "every class occurs"
    elif word.folder == "observe":
        assert_observed(word, found)
    else:
        assert_disturbed(word, found)


def assert_observed(word: Word, found: Any) -> None:
    if word.traits["WRITES"] == "columns":
        assert_columns(found, SAMPLES)
    elif word.traits["WRITES"] == "rows":
        index, columns = found
        assert index.dtype.kind == "i"
        assert set(index) == set(range(SAMPLES)), "every sample has rows"
        assert (np.diff(index) >= 0).all(), "a sample's rows stand together"
        assert_columns(columns, len(index))
    elif word.traits["WRITES"] == "table":
        assert_columns(found, len(next(iter(found.values()))))
    else:
        assert len(found) == SAMPLES
        files = [[content] if isinstance(content, bytes) else content for content in found]
        sizes = {len(content) for several in files for content in several}
        assert len(sizes) == 1, "a file's size tells something"
        if word.traits["MODALITY"] == "image":
            assert max(Image.open(io.BytesIO(files[0][0])).size) <= 64


def assert_disturbed(word: Word, found: Any) -> None:
    if word.traits["DISTURBS"] == "columns":
        table = main_table(factors())
        assert_columns(found, SAMPLES)
        assert list(found)[: len(table)] == list(table), "columns stay where they were"
        for name, values in table.items():
            assert found[name].dtype.kind == values.dtype.kind, name
            assert found[name].dtype.kind != "f" or not np.isinf(found[name]).any(), name
        assert digest(found) != digest(table), "the example disturbs something"
    else:
        is_label = word.traits["DISTURBS"] == "labels"
        before = labels_for(word) if is_label else factors()[example(word)["factor"]]
        assert found.shape == before.shape
        assert found.dtype.kind == before.dtype.kind
        assert not same(found, before).all(), "the example disturbs something"
        if found.dtype.kind == "i":
            assert set(found) <= set(before), "no new class"


@pytest.mark.parametrize("word", RUNNABLE, ids=name_of)
def test_words_leave_what_they_are_given_alone(word: Word) -> None:
    shown = factors()
    before = {name: values.copy() for name, values in shown.items()}
    table = main_table(shown)
    if word.traits.get("DISTURBS") == "columns":
        call(word.folder, example(word), table, factors=shown)
        assert digest(table) == digest(main_table(before))
    elif word.folder in ("hidden", "observe"):
        call(word.folder, example(word), factors=shown)
    assert digest(shown) == digest(before)


def test_another_seed_gives_other_data() -> None:
    same = [name_of(w) for w in RUNNABLE if digest(output(w)) == digest(output(w, seed=1))]
    assert same == []


def test_words_give_the_same_bytes_in_every_process() -> None:
    root = Path(__file__).parents[2]
    code = "from tests.vocabulary.test_words import digests; print(digests())"
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout.splitlines()
        for hash_seed in ("0", "1")
    ]
    assert found[0] == found[1] == digests().splitlines()


@pytest.mark.parametrize(
    ("folder", "use", "message"),
    [
        ("factors", {"kind": "category", "levels": ["a", "b"], "weights": [1, 2, 3]}, "3 weights"),
        ("hidden", {"kind": "distance_to_point", "of": ["a", "b"], "point": [0]}, "1 coordinates"),
        ("observe", {"kind": "column", "name": "x", "of": "signal"}, "one value a sample"),
        ("observe", {"kind": "column", "name": "x", "of": "colour", "jitter": 1}, "of numbers"),
        ("noise", {"kind": "missing", "only": ["colour"]}, "no column 'colour' of numbers"),
        ("noise", {"kind": "typos", "only": ["load"]}, "no column 'load' of text"),
    ],
)
def test_what_a_schema_cannot_refuse_is_refused_with_a_reason(
    folder: str, use: dict[str, Any], message: str
) -> None:
    shown = factors()
    given: list[Any] = {"factors": [SAMPLES], "noise": [main_table(shown)]}.get(folder, [])
    with pytest.raises(ValueError, match=message):
        call(folder, use, *given, factors=shown)
