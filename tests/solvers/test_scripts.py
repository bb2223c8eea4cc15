"""Each solver as a policy sends it: one script, in an interpreter that lacks this project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers import naive
from sandmle.solvers.outputs import OUTPUTS, candidates, script
from sandmle.solvers.reading import read_competition
from tests.solvers.folders import Drawn, cut, numbers, write_folder

#: As in the sandbox.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    values, frame = numbers(np.random.default_rng(8), 4)
    drawn = Drawn(frame, pd.DataFrame({"y": cut(values[:, 0] * values[:, 1])}))
    write_folder(tmp_path / "data", drawn, metric="roc_auc")
    return tmp_path


@pytest.mark.parametrize("name", ["dummy", "naive", "honest"])
def test_bundled_script_writes_the_submission(name: str, work: Path) -> None:
    code = script("binary", name)
    assert "sandmle" not in code
    (work / "script.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-I", "script.py"],
        cwd=work,
        env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    written = pd.read_csv(work / "submission.csv")
    sample = pd.read_csv(work / "data" / "sample_submission.csv")
    assert list(written.columns) == list(sample.columns)
    assert list(written["id"]) == list(sample["id"])


def test_dummies_look_at_no_feature(work: Path) -> None:
    before = dict(candidates(read_competition(work / "data"), "dummy"))
    for name in ("train.csv", "test.csv"):
        table = pd.read_csv(work / "data" / name)
        table[["c0", "c1"]] = 0.0
        table.to_csv(work / "data" / name, index=False)
    after = dict(candidates(read_competition(work / "data"), "dummy"))
    assert set(before) == {"sample", "average", "always 0", "always 1", "random"}
    for name in before:
        pd.testing.assert_frame_equal(before[name], after[name])


def test_naive_chooses_among_its_own_candidates(work: Path) -> None:
    chosen = naive.solve(read_competition(work / "data"))
    offered = dict(candidates(read_competition(work / "data"), "naive"))
    assert any(chosen.equals(submission) for submission in offered.values())


@pytest.mark.parametrize("task", OUTPUTS)
def test_a_script_holds_what_its_kind_of_task_needs(task: str) -> None:
    code = script(task, "honest")
    compile(code, task, "exec")
    assert "sandmle" not in code
    others = [function for kind, (_, function) in OUTPUTS.items() if kind != task]
    assert not any(f"def {function}(" in code for function in others)
