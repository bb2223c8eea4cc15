"""The language grows by words: specs of kinds that are to come are read by it as it is.

The corpus growth/ holds a sample of each and the words that it would take, as stubs; new kinds of
task are words too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.spec.load import check_file, dump_spec, load_spec, parse_spec
from sandmle.vocabulary import load_vocabulary

CORPUS = Path(__file__).parent / "growth"
SPECS = sorted((CORPUS / "specs" / "tasks").glob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_kinds_to_come_are_read(path: Path) -> None:
    assert check_file(path) == []
    spec = load_spec(path)
    vocabulary = load_vocabulary(CORPUS)
    assert parse_spec(dump_spec(spec), file=path.name, vocabulary=vocabulary) == spec


def test_all_six_kinds_are_tried() -> None:
    assert [path.stem for path in SPECS] == [
        "forecasting-panel",
        "image-and-metadata",
        "segmentation",
        "text-normalisation",
        "top-five-retrieval",
        "two-file-join",
    ]


def test_new_types_of_factor_are_checked_too(tmp_path: Path) -> None:
    text = (CORPUS / "specs" / "tasks" / "segmentation.yaml").read_text(encoding="utf-8")
    path = tmp_path / "segmentation.yaml"
    path.write_text(text.replace("of: lesion", "of: area"), encoding="utf-8")
    (problem,) = check_file(path, corpus=CORPUS)
    assert problem.message == "factor 'area' is a number; outline takes a mask here"
    path.write_text(text.replace("{kind: outline, of: lesion}", "{kind: formula, score: area}"))
    (problem,) = check_file(path, corpus=CORPUS)
    assert problem.message == "rule 'formula' yields a number; an outlining task needs a mask"
