"""What drafts are worth: repaired ones pass the build."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from sandmle.build.build import build_task
from sandmle.build.judge import faults
from sandmle.resources import resource
from sandmle.roles.draft_files import write_drafts
from sandmle.roles.drawing import GivenUp

SEEDS = resource("specs") / "seeds"

#: Seeds of which few drafts pass as they are first drawn, one of each modality that is the hardest.
NAMES = ("breast-cancer", "mlsp-2013-birds", "sunspots", "predict-volcanic-eruptions-ingv-oe")


@pytest.mark.slow
def test_nearly_all_repaired_drafts_are_accepted(tmp_path: Path) -> None:
    folder = tmp_path / "specs" / "tasks"
    (tmp_path / "build").mkdir()
    given_up: list[GivenUp] = []
    paths = [
        path
        for name in NAMES
        for path in write_drafts(
            SEEDS / f"{name}.yaml",
            count=2,
            random_seed=15,
            folder=folder,
            judge=partial(faults, corpus=tmp_path),
            told=lambda one: given_up.append(one) if isinstance(one, GivenUp) else None,
        )
    ]
    assert len(paths) == 2 * len(NAMES)
    passed = sum(
        build_task(path, tmp_path / "build" / path.stem, corpus=tmp_path).accepted for path in paths
    )
    assert passed >= len(paths) - 1
    assert len(given_up) <= 2
