"""`sandmle sft-data` from runs to a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet
import pytest
from typer.testing import CliRunner, Result

from sandmle.cli import app
from sandmle.evaluation.config import CONFIG_FORMAT, Config, Selected, dump_config
from sandmle.play.rollout import rollout_line
from sandmle.play.settings import Settings
from tests.sft.examples import corpus, read_lines, won, write


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["sft-data", *map(str, arguments)])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return corpus(tmp_path / "mine", example="train", other="train", held_out="validation")


ROLLOUTS = [
    won("a"),
    won("b", medal="bronze", score=0.75),
    won("a"),
    won("c", medal="gold", score=0.95),
    won("a", task="other"),
    won("a", task="held_out"),
    won("long\n" * 50_000),
]


def test_a_run_becomes_a_file_beside_its_rollouts(root: Path) -> None:
    write(root / "runs" / "one" / "rollouts.jsonl", ROLLOUTS)
    done = run(root / "runs" / "one", "-C", root)
    assert done.exit_code == 0, done.output
    path = root / "runs" / "one" / "sft.parquet"
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert [(row["task"], row["medal"]) for row in rows] == [
        ("example", "silver"),
        ("example", "gold"),
        ("other", "silver"),
    ]
    assert {row["split"] for row in rows} == {"train"}
    assert [row["source"].rpartition(":")[2] for row in rows] == ["1", "4", "5"]
    assert done.stdout.startswith(f"{path}: 3 of 7 rollouts, 2 tasks, ")
    for reason in (
        "1 below silver",
        "1 a validation task",
        "1 longer than 40,960 tokens",
        "1 the same code on the same task",
    ):
        assert reason in done.stderr


def test_several_runs_are_one_set_and_json_tells_what_came_of_it(root: Path) -> None:
    one = write(root / "one.jsonl", ROLLOUTS[:3])
    two = write(root / "two.jsonl", ROLLOUTS[3:])
    out = root / "out.jsonl"
    done = run(one, two, one, "-C", root, "-o", out, "--json", "--min-medal", "bronze")
    told = json.loads(done.stdout)
    assert (told["read"], told["taken"], told["tasks"]) == (10, 4, 2)
    assert told["file"] == str(out)
    assert told["left_out"]["the same code on the same task"] == 4
    rows = read_lines(out)
    assert [row["source"] for row in rows] == [f"{one}:1", f"{one}:2", f"{two}:1", f"{two}:2"]
    assert told["tokens"] == sum(row["tokens"] for row in rows)  # type: ignore[misc]


def test_at_most_so_many_of_a_task(root: Path) -> None:
    path = write(root / "one.jsonl", ROLLOUTS)
    out = root / "new" / "folder" / "out.jsonl"
    assert run(path, "-C", root, "-o", out, "--per-task", "1").exit_code == 0
    assert [(row["task"], row["medal"]) for row in read_lines(out)] == [
        ("example", "gold"),
        ("other", "silver"),
    ]


def test_validation_tasks_must_be_asked_for(root: Path) -> None:
    path = write(root / "one.jsonl", ROLLOUTS)
    out = root / "out.jsonl"
    assert run(path, "-C", root, "-o", out, "--split", "validation").exit_code == 0
    assert [row["task"] for row in read_lines(out)] == ["held_out"]


def test_a_run_tells_itself_what_its_tasks_were_for(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    path = write(folder / "rollouts.jsonl", [won("a"), won("b", task="held_out")])
    config = Config(
        format=CONFIG_FORMAT,
        version="0",
        policies=("test",),
        options={},
        tasks=("all",),
        limit=None,
        attempts=1,
        reward="paper",
        settings=Settings(),
        digests={},
        selected={
            "example": Selected("train", "tabular", None, "0"),
            "held_out": Selected("validation", "tabular", None, "0"),
        },
        shard=None,
    )
    (folder / "config.json").write_text(dump_config(config))
    done = run(folder, "-C", tmp_path, "-o", tmp_path / "out.jsonl")
    assert done.exit_code == 0, done.output
    (row,) = read_lines(tmp_path / "out.jsonl")
    assert (row["task"], row["split"], row["source"]) == ("example", "train", f"{path}:1")
    assert "1 a validation task" in done.stderr


def test_a_corpus_is_needed_only_to_tell_splits(tmp_path: Path) -> None:
    path = write(tmp_path / "one.jsonl", [won()])
    done = run(path, "-C", tmp_path)
    assert done.exit_code == 2
    assert "not built" in done.stderr
    assert run(path, "-C", tmp_path, "--split", "all").exit_code == 0


def test_where_nothing_is_wanted_nothing_is_written(root: Path) -> None:
    path = write(root / "one.jsonl", [won(medal="bronze", score=0.75)] * 2)
    done = run(path, "-C", root)
    assert done.exit_code == 1
    assert "none of 2 rollouts is wanted" in done.stderr
    assert "2 below silver" in done.stderr
    assert list(root.glob("*.parquet")) == []


def test_a_broken_line_is_named_and_nothing_is_written(root: Path) -> None:
    path = root / "one.jsonl"
    path.write_bytes(rollout_line(won()) + b'{"format": 1}\n')
    done = run(path, "-C", root)
    assert done.exit_code == 2
    assert f"{path}:2: not a rollout" in done.stderr
    assert list(root.glob("*.parquet")) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-run"], "no-such-run: no run: expected a folder with rollouts.jsonl"),
        (["one.jsonl", "-o", "out.csv"], "ends in .parquet or .jsonl"),
        (["one.jsonl", "-o", "specs/../one.jsonl"], "give another --out"),
    ],
)
def test_bad_usage_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(root)
    write(root / "one.jsonl", [won()])
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_missing_library_is_told_with_how_to_get_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(root / "one.jsonl", [won()])
    monkeypatch.setitem(sys.modules, "transformers", None)
    done = run(path, "-C", root, "--tokenizer", "x")
    assert done.exit_code == 2
    assert "pip install transformers" in done.stderr
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    done = run(path, "-C", root)
    assert done.exit_code == 2
    assert "sandmle[parquet]" in done.stderr
