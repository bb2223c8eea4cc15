from __future__ import annotations

import json
import os
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from sandmle.errors import RolloutError
from sandmle.viewer.runs import find_runs
from sandmle.viewer.write import write_view
from tests.viewer.episodes import climbing, hostile, many, write_rollouts


def index_of(out: Path) -> dict[str, Any]:
    text = (out / "index.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="index">(.*?)</script>', text, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "first"
    folder.mkdir()
    write_rollouts(folder / "rollouts.jsonl", [climbing(), climbing(), hostile()])
    return folder


def test_the_index_has_a_row_for_each_rollout(run: Path, tmp_path: Path) -> None:
    assert write_view(find_runs([run]), tmp_path / "out") == 3
    index = index_of(tmp_path / "out")
    rows = [dict(zip(index["columns"], row, strict=True)) for row in index["rollouts"]]
    assert [row["copy"] for row in rows] == [0, 1, 0]
    assert rows[0]["outcome"] == "gold"
    assert rows[2]["outcome"] == "invalid"
    assert (tmp_path / "out" / index["bodies"]).is_dir()
    policy = index["runs"][0]["policies"][0]
    assert policy["metrics"][0] == {"name": "reward_mean", "value": 0.4, "low": None, "high": None}


def test_runs_that_share_a_name_are_told_apart(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "first"
    other.mkdir(parents=True)
    write_rollouts(other / "rollouts.jsonl", [climbing()])
    write_view(find_runs([run, other]), tmp_path / "out")
    assert [run["name"] for run in index_of(tmp_path / "out")["runs"]] == ["first", "first (2)"]


def test_a_broken_file_leaves_no_page(run: Path, tmp_path: Path) -> None:
    with (run / "rollouts.jsonl").open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(RolloutError, match=r"rollouts\.jsonl:4"):
        write_view(find_runs([run]), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_page_stays_as_it_is_until_the_next_one_is_there(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_view(find_runs([run]), out)
    before = sorted((path, path.read_bytes()) for path in out.rglob("*") if path.is_file())
    good = (run / "rollouts.jsonl").read_bytes()
    (run / "rollouts.jsonl").write_bytes(good + b"[]\n")
    with pytest.raises(RolloutError):
        write_view(find_runs([run]), out)
    assert sorted((path, path.read_bytes()) for path in out.rglob("*") if path.is_file()) == before
    (run / "rollouts.jsonl").write_bytes(good[: good.index(b"\n") + 1])
    assert write_view(find_runs([run]), out) == 1
    assert len(list(out.iterdir())) == 2, "the page and its bodies, none of the last one's"


def test_a_page_of_something_else_is_not_replaced(run: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>mine</title>")
    with pytest.raises(FileExistsError, match="--out"):
        write_view(find_runs([run]), tmp_path)
    assert (tmp_path / "index.html").read_text() == "<title>mine</title>"


def test_a_folder_without_rollouts_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"rollouts\.jsonl"):
        find_runs([tmp_path])


def test_a_run_that_is_still_played_is_shown_as_far_as_it_is(run: Path, tmp_path: Path) -> None:
    with (run / "rollouts.jsonl").open("ab") as file:
        file.write(b'{"format": 3, "task": "half')
    assert write_view(find_runs([run]), tmp_path / "out") == 3


def test_memory_does_not_grow_with_what_the_rollouts_say(tmp_path: Path) -> None:
    peaks = []
    for count in (20, 200):
        path = write_rollouts(
            tmp_path / f"{count}.jsonl",
            (climbing(attempt=number, error=os.urandom(50_000).hex()) for number in range(count)),
        )
        tracemalloc.start()
        write_view(find_runs([path]), tmp_path / f"{count}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 3_000_000, "18 MB more were written"


def test_rows_are_small(tmp_path: Path) -> None:
    path = write_rollouts(tmp_path / "many.jsonl", many(400))
    write_view(find_runs([path]), tmp_path / "out")
    rows = index_of(tmp_path / "out")["rollouts"]
    assert len(json.dumps(rows)) / len(rows) < 150
