"""What the warm back end is for, against its yardsticks: the best of several runs each."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from textwrap import dedent

import pytest

from sandmle.sandbox import Sandbox, open_sandbox, probe

from .conftest import LIMITS

pytestmark = pytest.mark.slow

# A step is a copy of the process that the next step is copied from: it is that process's double.
FORK = """
import os, time
best = 1.0
for _ in range(100):
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    best = min(best, time.perf_counter() - started)
print(best)
"""

STEP = """
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
frame = pd.read_csv('data/train.csv')
X, y = frame.drop(columns=['id', 'y']), frame['y']
print(cross_val_score(LogisticRegression(), X, y, cv=5).mean())
model = LogisticRegression().fit(X, y)
frame[['id']].assign(y=model.predict(X)).to_csv('submission.csv', index=False)
"""

DATA = """
import numpy as np, pandas as pd
random = np.random.default_rng(0)
frame = pd.DataFrame(random.normal(size=(150, 12))).rename(columns=str)
frame.insert(0, 'id', range(150))
frame['y'] = (frame['0'] + random.normal(size=150) > 0).astype(int)
frame.to_csv('submission.csv', index=False)
"""


@pytest.fixture(autouse=True)
def _both_back_ends() -> None:
    if not all(probe.probe(name).works for name in ("warm", "bwrap")):
        pytest.skip("there is nothing to compare here")


async def best_of(count: int, sandbox: Sandbox, code: str) -> float:
    """Seconds of the quickest run, as the caller sees it."""
    seconds = []
    for _ in range(count):
        started = time.perf_counter()
        result = await sandbox.run(code, LIMITS)
        seconds.append(time.perf_counter() - started)
        assert result.exit_code == 0, result.stderr
    return min(seconds)


def test_an_empty_step_costs_no_more_than_three_forks(public: Path) -> None:
    async def both() -> tuple[float, float]:
        sandbox = await open_sandbox(public, backend="warm")
        try:
            step = await best_of(100, sandbox, "")
            return step, float((await sandbox.run(FORK, LIMITS)).stdout)
        finally:
            await sandbox.close()

    step, fork = asyncio.run(both())
    print(f"{step * 1000:.1f} ms against {fork * 1000:.1f} ms")
    assert step < 3 * fork, f"{step * 1000:.1f} ms against {fork * 1000:.1f} ms"


def test_a_scikit_learn_step_is_eight_times_faster(public: Path) -> None:
    async def both() -> tuple[float, float]:
        warm = await open_sandbox(public, backend="warm")
        cold = await open_sandbox(public, backend="bwrap")
        made = await warm.run(dedent(DATA), LIMITS)
        assert made.submission is not None, made.stderr
        (public / "train.csv").write_bytes(made.submission)
        try:
            return await best_of(10, warm, STEP), await best_of(3, cold, STEP)
        finally:
            await warm.close()
            await cold.close()

    warm, cold = asyncio.run(both())
    assert cold > 8 * warm, f"{warm * 1000:.0f} ms against {cold * 1000:.0f} ms"
