"""The labels of the test rows in public files, written in whatever way."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import hashlib
import json
import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from sandmle.build.audits.target_bytes import _told
from sandmle.build.evidence.disclosure import told_by_bytes
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    TARGET,
    Changed,
    blurred,
    caught,
    content,
    labels_of,
    named,
    passes,
    pictures,
    png,
    table,
    with_column,
    with_files,
)


def coded(label: int, kind: str) -> str:
    """A label in another form."""
    return {
        "as it is": str(label),
        "negated": str(-label),
        "shifted and scaled": str(3 + 7 * label),
        "as a word": ("whole", "broken")[label],
        "as hex": f"{label:#04x}",
        "as base64": base64.b64encode(str(label).encode()).decode(),
        "as a hash": hashlib.sha256(str(label).encode()).hexdigest(),
    }[kind]


KINDS = [
    "as it is",
    "negated",
    "shifted and scaled",
    "as a word",
    "as hex",
    "as base64",
    "as a hash",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_the_main_table(kind: str, prepared: Prepared, changed: Changed) -> None:
    cells = [coded(int(label), kind) for label in labels_of(prepared)]
    broken = changed(with_column(prepared, "code", cells))
    assert caught("target_bytes", broken) == f"column code tells {TARGET}"


def test_a_column_that_tells_7_of_10_rows(prepared: Prepared, changed: Changed) -> None:
    labels = labels_of(prepared)
    shown = np.random.default_rng(0).random(len(labels)) < 0.7
    cells = [("x", "y")[label] if there else "" for label, there in zip(labels, shown, strict=True)]
    caught("target_bytes", changed(with_column(prepared, "code", cells)))


def test_a_column_that_goes_with_the_label(prepared: Prepared, changed: Changed) -> None:
    cells = blurred(labels_of(prepared), 0.8)
    passes("target_bytes", changed(with_column(prepared, "flag", cells)))


def test_a_column_of_another_table(prepared: Prepared, changed: Changed) -> None:
    answers = pd.read_csv(BytesIO(prepared.grader.answers), dtype=str).sample(frac=0.7)
    other = answers.rename(columns={TARGET: "visits"})
    assert "visits.csv" in caught("target_bytes", changed({"visits.csv": content(other)}))


def test_a_column_of_a_table_of_several_rows_an_id(prepared: Prepared, changed: Changed) -> None:
    visits = pd.DataFrame({"id": prepared.dataset.ids, "kind": labels_of(prepared)})
    visits = visits.loc[np.repeat(visits.index, 3)].assign(minutes=range(3 * len(visits)))
    assert "column kind" in caught("target_bytes", changed({"visits.csv": content(visits)}))


def test_the_sample_submission(prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "sample_submission.csv")
    by_id = dict(zip(prepared.dataset.ids, labels_of(prepared), strict=True))
    frame[TARGET] = 0.5 + 0.001 * frame["id"].map(by_id)
    broken = changed({"sample_submission.csv": content(frame)})
    assert "sample_submission.csv" in caught("target_bytes", broken)


def test_a_sample_submission_that_knows_some_rows(prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "sample_submission.csv")
    by_id = dict(zip(prepared.dataset.ids, labels_of(prepared), strict=True))
    known = frame["id"].map(by_id).where(np.random.default_rng(0).random(len(frame)) < 0.3, 0.5)
    broken = changed({"sample_submission.csv": content(frame.assign(**{TARGET: known}))})
    assert "sample_submission.csv" in caught("target_bytes", broken)


@pytest.mark.parametrize("form", ["digits", "shades", "base64 in JSON"])
def test_labels_in_a_row(form: str, prepared: Prepared, changed: Changed) -> None:
    by_id = dict(zip(prepared.dataset.ids, map(int, labels_of(prepared)), strict=True))
    told = [by_id[name] for name in table(prepared, "test.csv")["id"]]
    text = base64.b64encode(prepared.grader.answers).decode()
    hidden = {
        "digits": "".join(map(str, told)).encode() + b"\n",
        "shades": png(np.array([told], dtype=np.uint8) * 90 + 40),
        "base64 in JSON": json.dumps({"cache": text}).encode(),
    }[form]
    assert "cache/x" in caught("target_bytes", changed({"cache/x": hidden}))


def archive(answers: bytes) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as held:
        held.writestr("a.csv", answers)
    return buffer.getvalue()


@pytest.mark.parametrize("form", ["plain", "windows", "gzip", "zip", "base64", "half of it"])
def test_copies_of_the_answers(form: str, prepared: Prepared, changed: Changed) -> None:
    answers = prepared.grader.answers
    copy = {
        "plain": b"x" + answers,
        "windows": answers.replace(b"\n", b"\r\n"),
        "gzip": gzip.compress(answers),
        "zip": archive(answers),
        "base64": base64.b64encode(answers),
        "half of it": b"\n".join(answers.splitlines()[::2]) + answers[:2000],
    }[form]
    assert "cache/x.bin" in caught("target_bytes", changed({"cache/x.bin": copy}))


@pytest.mark.parametrize(
    "form", ["lines", "object", "list of pairs", "list", "list by id", "bytes"]
)
def test_labels_in_other_files(form: str, prepared: Prepared, changed: Changed) -> None:
    ids = list(table(prepared, "test.csv")["id"])
    by_id = dict(zip(prepared.dataset.ids, map(int, labels_of(prepared)), strict=True))
    told = [by_id[name] for name in ids]
    text = {
        "lines": "\n".join(json.dumps({"damage": by_id[name], "row": name}) for name in ids),
        "object": json.dumps({name: ["no", "yes"][by_id[name]] for name in ids}),
        "list of pairs": json.dumps([[name, 1 - by_id[name]] for name in sorted(ids)]),
        "list": json.dumps([5 * label for label in told]),
        "list by id": "\n".join(f"v{by_id[name]}" for name in sorted(ids)),
        "bytes": np.array(told, dtype="<f4").tobytes().decode("latin-1"),
    }[form]
    broken = changed({"notes.dat": text.encode("latin-1")})
    assert "notes.dat" in caught("target_bytes", broken)


@pytest.mark.parametrize("form", ["corner", "last bit", "compressed"])
def test_labels_in_pixels(form: str, prepared: Prepared) -> None:
    stack, labels = pictures(prepared), labels_of(prepared)
    if form == "corner":
        stack[:, 0, 0] = 100 + labels
    else:
        stack[:, 5, 7] = stack[:, 5, 7] // 2 * 2 + labels
    contents = [png(pixels, level=9 if form == "compressed" else 0) for pixels in stack]
    broken = with_files(prepared, named(prepared, contents))
    assert "scans/{id}.png" in caught("target_bytes", broken)


@pytest.mark.parametrize("form", ["last byte", "tenth byte"])
def test_labels_in_other_bytes_of_files(form: str, prepared: Prepared) -> None:
    rng, contents = np.random.default_rng(0), []
    for label in labels_of(prepared):
        noise = rng.integers(0, 256, 50 + rng.integers(0, 9)).astype(np.uint8).tobytes()
        if form == "tenth byte":
            noise = noise[:9] + bytes([7 * label]) + noise[10:]
        contents.append(
            noise + {"name": b"10"[label:], "last byte": bytes([9 + label])}.get(form, b"")
        )
    broken = with_files(prepared, named(prepared, contents, "scans/{id}.raw"))
    caught("target_bytes", broken)


def test_names_of_classes_in_files() -> None:
    rng = np.random.default_rng(0)
    labels, names = rng.integers(0, 3, 90), ("rust", "mildew", "blight")
    contents = []
    for label in labels:
        noise = [
            rng.integers(0, 256, 20 + rng.integers(0, 9)).astype(np.uint8).tobytes() for _ in "ab"
        ]
        contents.append(names[label].encode().join(noise))
    assert told_by_bytes(contents, labels, names) == "the name 'rust' in the bytes"
    assert told_by_bytes(contents, rng.permutation(labels), names) is None


def test_rows_that_are_counted_for_each_id_are_no_answers(
    prepared: Prepared, changed: Changed
) -> None:
    rows = [f"{name},{number}" for name in prepared.dataset.ids for number in range(5)]
    passes("target_bytes", changed({"nodes.csv": "\n".join(["id,node", *rows]).encode()}))


def test_pictures_that_tell_nothing(prepared: Prepared) -> None:
    contents = [png(pixels) for pixels in pictures(prepared)]
    passes("target_bytes", with_files(prepared, named(prepared, contents)))


@pytest.mark.parametrize(
    "kind", ["shifted", "negated", "its log", "one over it", "as text", "7 of 10", "ranks", "hex"]
)
def test_numbers_in_another_form(kind: str) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.gamma(2.0, 1.0, 300)
    noise = rng.gamma(2.0, 1.0, 300)
    shown = np.where(rng.random(300) < 0.7, numbers, noise)
    cells = {
        "shifted": 3.5 + 0.1 * numbers,
        "negated": -numbers,
        "its log": np.log(numbers),
        "one over it": 1 / numbers,
        "as text": numbers,
        "7 of 10": 4 - 2 * shown,
        "ranks": np.argsort(np.argsort(numbers)).astype(float),
        "hex": numbers,
    }[kind]
    texts = [f"{cell:.6g}" for cell in cells]
    if kind == "hex":
        texts = [text.encode().hex() for text in texts]
    assert _told(np.array(texts), numbers) is not None


@pytest.mark.parametrize("kind", ["noise", "nothing", "rounded", "levels"])
def test_honest_numbers(kind: str) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=300)
    cells = {
        "noise": numbers + rng.normal(0, 0.02, 300),
        "nothing": rng.normal(size=300),
        "rounded": np.round(numbers, 1),
        "levels": np.sign(numbers),
    }[kind]
    assert _told(np.array([f"{cell:.6g}" for cell in cells]), numbers) is None


def test_one_class_of_several() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 300)
    cells = np.where(labels == 2, "C", rng.choice(list("ABDE"), 300))
    assert _told(cells, labels) == ""
    assert _told(rng.permutation(cells), labels) is None


def test_answers_that_are_texts(prepared: Prepared, changed: Changed) -> None:
    words = np.array([f"answer {place % 40}" for place in range(len(prepared.dataset.ids))])
    ids = pd.read_csv(BytesIO(prepared.grader.answers), dtype=str)["id"]
    by_id = dict(zip(prepared.dataset.ids, words, strict=True))
    answers = content(pd.DataFrame({"id": ids, TARGET: ids.map(by_id)}))
    dataset = dataclasses.replace(prepared.dataset, labels={TARGET: words}, truth={TARGET: words})
    task = dataclasses.replace(
        prepared, dataset=dataset, grader=dataclasses.replace(prepared.grader, answers=answers)
    )
    passes("target_bytes", task)
    task_with = dataclasses.replace(
        changed(with_column(prepared, "note", words)), grader=task.grader
    )
    dataset = dataclasses.replace(task_with.dataset, labels={TARGET: words}, truth={TARGET: words})
    broken = dataclasses.replace(task_with, dataset=dataset)
    assert f"column note is {TARGET}" in caught("target_bytes", broken)
