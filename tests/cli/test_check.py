from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app

EXAMPLE = Path(__file__).parents[1] / "spec" / "example.yaml"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A spec with two faults, in a corpus folder of its own."""
    folder = tmp_path / "specs" / "tasks"
    folder.mkdir(parents=True)
    text = EXAMPLE.read_text("utf-8").replace("of: moisture}", "of: moistrue}")
    path = folder / "example.yaml"
    path.write_text(text.replace("train: 120", "train: 20"), encoding="utf-8")
    return path


def test_a_right_spec_passes_in_silence_on_stdout() -> None:
    done = CliRunner().invoke(app, ["check", str(EXAMPLE)])
    assert done.exit_code == 0
    assert done.stdout == ""
    assert done.stderr == "1 spec: all right\n"


def test_every_problem_is_a_line_that_an_editor_can_follow(broken: Path) -> None:
    done = CliRunner().invoke(app, ["check", str(broken)])
    assert done.exit_code == 1
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{broken}:6:")
    assert "dna.train" in first
    assert second.startswith(f"{broken}:14:")
    assert "did you mean 'moisture'?" in second


def test_a_script_gets_the_same_as_json(broken: Path) -> None:
    done = CliRunner().invoke(app, ["check", "--json", str(broken)])
    assert done.exit_code == 1
    assert [(item["line"], item["where"]) for item in json.loads(done.stdout)] == [
        (6, "dna.train"),
        (14, "observe[1].of"),
    ]


def test_without_arguments_the_corpus_around_is_checked(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(broken.parent)
    done = CliRunner().invoke(app, ["check"])
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == 2


def test_what_cannot_be_read_is_a_matter_of_usage(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["check", str(tmp_path / "none.yaml")]).exit_code == 2
    empty = CliRunner().invoke(app, ["check", "--corpus", str(tmp_path)])
    assert empty.exit_code == 2
    assert "sandmle init" in empty.stderr


def test_a_broken_word_is_named_without_a_traceback(broken: Path) -> None:
    word = broken.parents[2] / "rules" / "hidden" / "mine.py"
    word.parent.mkdir(parents=True)
    word.write_text("def mine(:\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(broken)])
    assert done.exit_code == 2
    assert done.stderr.startswith(f"{word}:1: not Python")
