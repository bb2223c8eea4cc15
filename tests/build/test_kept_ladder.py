"""What judging a draft has found out is not worked out again by its build."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from sandmle.build import build
from sandmle.build.build import build_task
from sandmle.build.judge import faults
from sandmle.build.ladder import Ladder, climb
from sandmle.build.verdict import Verdict
from sandmle.spec.load import load_spec
from tests.build.specs import easy_text, spec_text, write_corpus


def kept(corpus: Path) -> list[Path]:
    """The ladders kept in a corpus."""
    return sorted(corpus.glob("build/ladders/*/*.json"))


def without_timings(verdict: Verdict) -> Verdict:
    """A verdict without what differs between two builds of one task."""
    return dataclasses.replace(verdict, timings={})


@pytest.fixture
def climbs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks whose ladders builds climb."""
    found: list[str] = []

    def counted(prepared: build.Prepared, vocabulary: object) -> Ladder:
        found.append(prepared.spec.id)
        return climb(prepared, vocabulary)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "climb", counted)
    return found


def test_the_build_of_a_judged_draft_finds_its_ladder(tmp_path: Path, climbs: list[str]) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road")})
    path, folder = corpus / "specs/tasks/road.yaml", corpus / "build/tasks/road"
    alone = build_task(path, folder, corpus=corpus)
    assert climbs == ["road"]

    assert faults(load_spec(path, corpus=corpus), corpus=corpus) == ()
    assert len(kept(corpus)) == 1
    # A draft is given its id and its provenance after it was judged.
    text = spec_text("street") + "provenance: {repairs: []}\n"
    other = corpus / "specs/tasks/street.yaml"
    other.write_text(text)
    verdict = build_task(other, corpus / "build/tasks/street", corpus=corpus)
    assert climbs == ["road"]
    assert kept(corpus) == []
    same = {"id": alone.id, "spec": alone.spec, "audits": alone.audits, "hashes": alone.hashes}
    assert without_timings(dataclasses.replace(verdict, **same)) == without_timings(alone)


@pytest.mark.parametrize(
    ("changed", "by"),
    [
        ("rate: 0.05", "rate: 0.06"),
        ("random_seed: 3", "random_seed: 4"),
        ("metric: roc_auc", "metric: average_precision"),
        ("next winter", "next summer"),
    ],
    ids=["noise", "seed", "metric", "story"],
)
def test_another_spec_has_another_ladder(
    changed: str, by: str, tmp_path: Path, climbs: list[str]
) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road")})
    path = corpus / "specs/tasks/road.yaml"
    faults(load_spec(path, corpus=corpus), corpus=corpus)
    path.write_text(path.read_text().replace(changed, by))
    build_task(path, corpus / "build/tasks/road", corpus=corpus)
    assert climbs == ["road"]


def test_nothing_is_kept_of_a_faulty_draft(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": easy_text("road")})
    assert faults(load_spec(corpus / "specs/tasks/road.yaml", corpus=corpus), corpus=corpus)
    assert kept(corpus) == []


def test_what_another_engine_has_climbed_goes(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road")})
    old = corpus / "build/ladders/0123456789abcdef"
    old.mkdir(parents=True)
    (old / "one.json").write_text("{}")
    faults(load_spec(corpus / "specs/tasks/road.yaml", corpus=corpus), corpus=corpus)
    assert not old.exists()
    assert len(kept(corpus)) == 1
