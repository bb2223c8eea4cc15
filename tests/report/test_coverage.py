"""Coverage: a task counts for a competition only where it keeps all of its structure."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.report.coverage import cover, coverage_text
from sandmle.resources import resource
from sandmle.roles.draft import draft
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed
from sandmle.spec.load import dump_spec
from sandmle.spec.model import Spec, WordUse
from sandmle.vocabulary import load_vocabulary

SEEDS = resource("specs") / "seeds"
HOTELS = load_seed(SEEDS / "hotel-id-2021-fgvc8.yaml")


def first_draft(seed: Seed) -> Spec:
    return next(draft(seed, count=1, random_seed=1))


def tasks(spec: Spec, *, accepted: set[str]) -> tuple[str, ...]:
    (row,) = cover([HOTELS], [spec], accepted=accepted, vocabulary=load_vocabulary())
    return row.tasks


def test_a_draft_that_keeps_all_covers_its_seed_with_fewer_guesses() -> None:
    spec = first_draft(HOTELS)
    assert spec.dna.metric.parameters["k"] < HOTELS.metric.parameters["k"]
    assert tasks(spec, accepted={spec.id}) == (spec.id,)


def test_a_rejected_task_covers_nothing() -> None:
    assert tasks(first_draft(HOTELS), accepted=set()) == ()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("modality", "audio"),
        ("task", "multilabel"),
        ("metric", WordUse("accuracy", {}, ("dna", "metric"))),
        ("metric", WordUse("map_at_k", {"k": 9}, ("dna", "metric"))),
        ("submission", WordUse("label", {}, ("dna", "submission"))),
    ],
)
def test_what_differs_in_one_part_covers_nothing(part: str, value: Any) -> None:
    spec = first_draft(HOTELS)
    changed: dict[str, Any] = {part: value}
    other = dataclasses.replace(spec, dna=dataclasses.replace(spec.dna, **changed))
    assert tasks(other, accepted={spec.id}) == ()


def test_what_a_word_does_by_itself_need_not_be_written() -> None:
    seed = load_seed(SEEDS / "hubmap-kidney-segmentation.yaml")
    assert seed.submission.parameters == {"order": "columns"}
    spec = first_draft(seed)
    other = dataclasses.replace(spec, dna=dataclasses.replace(spec.dna, submission=None))
    (row,) = cover([seed], [other], accepted={spec.id}, vocabulary=load_vocabulary())
    assert row.tasks == (spec.id,)


def test_seeds_that_are_no_benchmarks_are_left_out() -> None:
    wine = load_seed(SEEDS / "wine.yaml")
    assert cover([wine], [], accepted=(), vocabulary=load_vocabulary()) == []


def test_the_page_has_a_line_for_each_and_says_what_is_simplified() -> None:
    spec = first_draft(HOTELS)
    rows = cover([HOTELS], [spec], accepted={spec.id}, vocabulary=load_vocabulary())
    text = coverage_text(rows)
    assert "1 of 1 competitions have" in text
    line = next(line for line in text.splitlines() if line.startswith("| hotel-id"))
    assert f"| map at k, k 5 | top k, k 5 | `{spec.id}` | {HOTELS.simplified} |" in line


def corpus(folder: Path, *, accepted: bool) -> Path:
    spec = first_draft(HOTELS)
    for part in ("specs/seeds", "specs/tasks", "build"):
        (folder / part).mkdir(parents=True)
    seed = SEEDS / f"{HOTELS.name}.yaml"
    (folder / "specs" / "seeds" / seed.name).write_text(seed.read_text())
    (folder / "specs" / "tasks" / f"{spec.id}.yaml").write_text(dump_spec(spec))
    line = json.dumps({"id": spec.id, "accepted": accepted})
    (folder / "build" / "index.jsonl").write_text(line + "\n")
    return folder


@pytest.mark.parametrize("accepted", [True, False])
def test_the_command_checks_that_every_competition_has_a_task(
    tmp_path: Path, accepted: bool
) -> None:
    folder = corpus(tmp_path, accepted=accepted)
    page = tmp_path / "docs" / "coverage.md"
    arguments = ["coverage", "-o", str(page), "--check", "--corpus", str(folder)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == (0 if accepted else 1)
    assert ("**none**" in page.read_text()) != accepted


def test_without_a_build_the_command_says_what_to_do(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["coverage", "--corpus", str(tmp_path)])
    assert result.exit_code == 2
    assert "run `sandmle build` first" in result.output
