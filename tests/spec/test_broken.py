"""Specs with one fault each: every one is refused at the right place with a message that helps.

broken/expected.txt holds what is said of each; `python -m tests.spec.test_broken` renews it after
a message was changed on purpose.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.spec.check import check_source
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary

FOLDER = Path(__file__).parent / "broken"
GOLDEN = FOLDER / "expected.txt"
FILES = sorted(FOLDER.glob("*.yaml"))


def said_of(path: Path) -> list[str]:
    source = parse_source(path.read_text(encoding="utf-8"), file=path.name)
    return [str(problem) for problem in check_source(source, load_vocabulary())]


def expected_of(path: Path) -> list[str]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"{path.name}:")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_fault_is_told_at_its_place(path: Path) -> None:
    assert said_of(path) == expected_of(path) != []


def test_the_golden_file_tells_of_nothing_else() -> None:
    told = {line.split(":")[0] for line in GOLDEN.read_text(encoding="utf-8").splitlines()}
    assert told == {path.name for path in FILES}
    assert len(FILES) >= 30


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(line for path in FILES for line in said_of(path)) + "\n")
