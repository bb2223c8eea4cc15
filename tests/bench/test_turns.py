"""What the harness costs: measured, and told."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from sandmle.bench.turns import TurnsBench, bench_turns
from sandmle.cli import app


def test_the_command_prints_one_object_or_a_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {"cores": 2, "processor": "one", "load": [1.5], "python": "3", "notes": []}
    found = TurnsBench(64, 1.5, 1.25, 4.5, 0.5, 5000, {500: 270.0, 5000: 271.0}, machine)
    monkeypatch.setattr("sandmle.bench.turns.bench_turns", lambda **options: found)
    printed = json.loads(CliRunner().invoke(app, ["bench", "turns", "--json"]).stdout)
    assert printed["busy_cpu_ms"] == 1.25
    assert printed["memory_mib"] == {"500": 270.0, "5000": 271.0}
    told = CliRunner().invoke(app, ["bench", "turns"]).stdout
    assert "takes 1.25 ms of processor time a turn" in told
    assert "270 MiB after 500, 271 MiB after 5000 rollouts" in told


@pytest.mark.slow
def test_the_harness_takes_less_than_three_milliseconds_a_turn_and_keeps_no_rollouts() -> None:
    found = bench_turns(concurrency=64, rollouts=2000)
    assert 0 < found.busy_cpu_ms < 3
    assert found.memory_mib[2000] - found.memory_mib[500] < 10
    assert found.graded_ms > 0
