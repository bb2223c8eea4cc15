from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console

from sandmle import demo
from sandmle.play.rollout import read_rollouts
from sandmle.spec.load import load_spec


def test_shipped_specs_take_turns_over_the_modalities() -> None:
    modalities = Counter(load_spec(path).dna.modality for path in demo.shipped_specs(12))
    assert modalities.total() == 12
    assert len(modalities) >= 3
    assert max(modalities.values()) <= 5


@pytest.mark.slow
def test_the_demo_goes_from_a_real_data_set_to_rewards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "SHIPPED", 1)
    monkeypatch.setattr(demo, "DRAFTS", 2)
    monkeypatch.setattr(demo, "POLICIES", ("dummy", "honest"))
    console = Console(file=io.StringIO(), width=120)
    demo.run_demo(tmp_path / "demo", console)
    assert isinstance(console.file, io.StringIO)
    told = console.file.getvalue()
    rollouts = list(read_rollouts(tmp_path / "demo" / "runs" / "demo.jsonl"))
    assert {rollout.policy for rollout in rollouts} == {"dummy", "honest"}
    assert all(rollout.task[:15] in told for rollout in rollouts), "long names are cut"
    assert any(rollout.reward and rollout.reward.total >= 0.7 for rollout in rollouts)
    page = (tmp_path / "demo" / "build" / "report.html").read_text("utf-8")
    assert page.count("<article") == 3
    assert "honest <b>" in page
    assert f"open {tmp_path / 'demo' / 'runs' / 'demo' / 'index.html'}" in told
    assert list((tmp_path / "demo" / "runs" / "demo").glob("bodies-*/*.js"))
