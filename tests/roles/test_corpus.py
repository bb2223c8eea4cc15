"""A corpus of drafts: the same for any number of processes and after any interruption."""

from __future__ import annotations

import dataclasses
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandmle.errors import SpecError
from sandmle.resources import resource
from sandmle.roles import drawing
from sandmle.roles.corpus import Plan, Summary, draft_corpus, read_plan
from sandmle.roles.log import read_log
from sandmle.roles.repair import NOT_BUILT, TOO_HARD, Fault
from sandmle.roles.role import DraftError
from sandmle.seeds.load import load_seed
from sandmle.spec.likeness import near_pairs
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec
from sandmle.spec.outline import outline
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
SEEDS = resource("specs") / "seeds"
NAMES = ("AI4Code", "breast-cancer", "diabetes", "digits", "wine")


def plan_of(*names: str, validation: float = 0.0) -> Plan:
    seeds = {name: load_seed(SEEDS / f"{name}.yaml", VOCABULARY) for name in names}
    return Plan(seeds, "even", random_seed=1, validation=validation)


PLAN = plan_of(*NAMES)


def picky(spec: Spec) -> Sequence[Fault]:
    """Finds faults in half of the specs, as their digests say."""
    kind = zlib.crc32(spec.digest.encode()) % 4
    return [Fault((TOO_HARD, NOT_BUILT)[kind], "some margin", -0.1)] if kind < 2 else []


def drafted(plan: Plan, folder: Path, count: int, cores: int = 1) -> Summary:
    return draft_corpus(plan, count=count, folder=folder, corpus=folder, judge=picky, cores=cores)


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def specs_in(folder: Path) -> list[Spec]:
    return [load_spec(path) for path in sorted(folder.glob("*.yaml"))]


def test_any_number_of_processes_drafts_the_same(tmp_path: Path) -> None:
    one, three = tmp_path / "one", tmp_path / "three"
    summary = drafted(PLAN, one, 16)
    assert summary == drafted(PLAN, three, 16, cores=3)
    assert texts(one) == texts(three)
    specs = specs_in(one)
    assert len(specs) == summary.count == 16
    assert near_pairs({spec.id: outline(spec, VOCABULARY) for spec in specs}) == []
    assert set(Counter(spec.seed for spec in specs).values()) == {3, 4}
    assert summary.repaired == sum("repairs" in spec.provenance for spec in specs) > 0


@pytest.mark.parametrize("torn", [False, True])
def test_what_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path: Path, torn: bool) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    once = drafted(PLAN, whole, 12)
    drafted(PLAN, parts, 7)
    if torn:  # killed between the line and the file
        (parts / f"{read_log(parts)[-1].id}.yaml").unlink()
    summary = drafted(PLAN, parts, 12)
    assert texts(parts) == texts(whole)
    assert summary == dataclasses.replace(once, found=6 if torn else 7)


def test_what_is_there_already_is_not_drafted_again(tmp_path: Path) -> None:
    drafted(PLAN, tmp_path, 6)
    kept = texts(tmp_path)
    summary = drafted(PLAN, tmp_path, 6)
    assert (summary.count, summary.found) == (6, 6)
    assert texts(tmp_path) == kept


def test_another_plan_drafts_beside_the_first(tmp_path: Path) -> None:
    drafted(PLAN, tmp_path, 5)
    other = dataclasses.replace(PLAN, random_seed=2)
    assert drafted(other, tmp_path, 5).found == 0
    specs = specs_in(tmp_path)
    assert len(specs) == 10
    assert near_pairs({spec.id: outline(spec, VOCABULARY) for spec in specs}) == []


@pytest.fixture
def few_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes seeds of little variety run out soon."""
    monkeypatch.setattr(drawing, "ATTEMPTS", 3)


@pytest.mark.usefixtures("few_attempts")
def test_seeds_that_run_out_leave_their_share_to_others(tmp_path: Path) -> None:
    plan = plan_of("AI4Code", "wine")
    summary = draft_corpus(plan, count=24, folder=tmp_path, corpus=tmp_path)
    found = Counter(spec.seed for spec in specs_in(tmp_path))
    assert sum(found.values()) == summary.count == 24
    assert summary.exhausted == ["AI4Code"]
    assert found["wine"] > 12
    parts = tmp_path / "parts"
    for count in (16, 20, 24):
        draft_corpus(plan, count=count, folder=parts, corpus=tmp_path)
    assert {path.name for path in parts.iterdir()} == {
        path.name for path in tmp_path.iterdir() if path != parts
    }


@pytest.mark.usefixtures("few_attempts")
def test_where_all_seeds_run_out_it_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    with pytest.raises(DraftError, match=r"(\d+) of 99 drafts, then all seeds have run out"):
        draft_corpus(plan_of("AI4Code"), count=99, folder=tmp_path, corpus=tmp_path)
    assert len(specs_in(tmp_path)) > 1


def test_validation_shares_neither_seeds_nor_rules_with_training(tmp_path: Path) -> None:
    names = ("breast-cancer", "wine", "tabular-playground-series-may-2022", "digits")
    plan = plan_of(*names, validation=0.25)
    summary = draft_corpus(plan, count=24, folder=tmp_path, corpus=tmp_path)
    assert summary.splits == {"train": 18, "validation": 6}
    seeds: dict[str, set[str | None]] = {"train": set(), "validation": set()}
    rules: dict[str, set[str]] = {"train": set(), "validation": set()}
    for spec in specs_in(tmp_path):
        split = spec.provenance["split"]
        seeds[split].add(spec.seed)
        rules[split] |= {target.rule.kind for target in spec.targets}
    combining = {"blend", "both", "either", "gate", "regime", "xor", "positive", "grade_in_group"}
    assert not seeds["train"] & seeds["validation"]
    assert not (rules["train"] & rules["validation"]) - combining


def test_a_log_of_other_seeds_is_named(tmp_path: Path) -> None:
    drafted(PLAN, tmp_path, 3)
    log = tmp_path / "drafted.jsonl"
    log.write_text(log.read_text().replace('"number": 0', '"number": 1'))
    with pytest.raises(SpecError, match="not this plan's order"):
        drafted(PLAN, tmp_path, 9)


def test_a_plan_goes_by_all_seeds_of_a_folder(tmp_path: Path) -> None:
    plan = read_plan(
        SEEDS, mix="paper", random_seed=1, validation=0.07, way="", vocabulary=VOCABULARY
    )
    assert set(NAMES) < set(plan.seeds)
    assert plan.id != dataclasses.replace(plan, random_seed=2).id
    assert plan.id != dataclasses.replace(plan, way="not repaired").id
