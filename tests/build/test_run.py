"""`build_corpus` runs the shipped Snakefile with real jobs, and tells how far it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.build.lock import hold_lock
from sandmle.build.run import build_corpus
from sandmle.errors import BuildError, VocabularyError
from tests.build.specs import spec_text, write_corpus


def test_a_corpus_is_built_once(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road"), "wrong": "id: wrong\n"})
    steps: list[tuple[int, int]] = []
    verdicts = build_corpus(
        None, corpus=corpus, progress=lambda done, total: steps.append((done, total))
    )
    assert [(verdict.id, verdict.accepted) for verdict in verdicts] == [
        ("road", True),
        ("wrong", False),
    ]
    assert steps[0] == (1, 5)  # two tasks, the index, the gate, the end
    assert steps == sorted(steps)
    assert len((corpus / "build/index.jsonl").read_text().splitlines()) == 2
    before = (corpus / "build/tasks/road/verdict.json").stat().st_mtime_ns

    chosen = build_corpus([corpus / "specs/tasks/road.yaml"], corpus=corpus)
    assert [verdict.id for verdict in chosen] == ["road"]
    assert len((corpus / "build/index.jsonl").read_text().splitlines()) == 2
    assert (corpus / "build/tasks/road/verdict.json").stat().st_mtime_ns == before


def test_two_builds_do_not_get_in_each_others_way(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road")})
    with hold_lock(corpus / "build"), pytest.raises(BuildError, match="another build is at work"):
        build_corpus(None, corpus=corpus)
    assert not (corpus / "build/tasks").exists()


def test_broken_words_are_told_before_anything_runs(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road")})
    (corpus / "rules/hidden").mkdir(parents=True)
    (corpus / "rules/hidden/odd.py").write_text("x = 1\n")
    with pytest.raises(VocabularyError, match=r"odd\.py:1"):
        build_corpus(None, corpus=corpus)
    assert not (corpus / "build").exists()


def test_a_job_that_cannot_write_is_a_failed_build_with_its_output(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"wrong": "id: wrong\n"})
    (corpus / "build/tasks").mkdir(parents=True)
    (corpus / "build/tasks/wrong").write_text("in the way")
    with pytest.raises(BuildError, match=r"(?s)no verdict for wrong.*build/tasks/wrong"):
        build_corpus(None, corpus=corpus)
