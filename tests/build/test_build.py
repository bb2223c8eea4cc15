"""One spec to one folder: whole or not at all, and a verdict for whatever is wrong."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from sandmle.build import build
from sandmle.build.build import build_task
from sandmle.build.calibrate import calibrate
from sandmle.build.prepare import Rejected
from sandmle.build.verdict import load_verdict
from sandmle.grading import load_grader
from sandmle.resources import resource
from sandmle.spec.edit import set_thresholds
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds
from tests.build.specs import easy_text, spec_text, write_corpus

#: A spec that is right in itself, whose rule gives the same for every sample.
UNDRAWABLE = easy_text("road").replace("crack + load", "0 * crack")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a task that was built, in its corpus."""
    corpus = write_corpus(tmp_path_factory.mktemp("built"), {"road": spec_text("road")})
    folder = corpus / "build/tasks/road"
    build_task(corpus / "specs/tasks/road.yaml", folder, corpus=corpus)
    return folder


def reject(text: str, tmp_path: Path, name: str = "road") -> tuple[str, ...]:
    """Why the task of a spec is rejected."""
    corpus = write_corpus(tmp_path / "corpus", {name: text})
    folder = corpus / "build/tasks" / name
    verdict = build_task(corpus / f"specs/tasks/{name}.yaml", folder, corpus=corpus)
    assert not verdict.accepted
    assert verdict == load_verdict(folder)
    return verdict.reasons


def test_an_accepted_task_is_whole(built: Path) -> None:
    verdict = load_verdict(built)
    assert (verdict.accepted, verdict.reasons) == (True, ())
    assert verdict.id == "road"
    assert verdict.rules == ("sign_product",)
    assert {path.name for path in built.iterdir()} == {
        "generate.py",
        "evaluate.py",
        "prepared",
        "verdict.json",
    }
    public = {path.name for path in (built / "prepared/public").iterdir()}
    assert public == {"description.md", "train.csv", "test.csv", "sample_submission.csv"}
    assert [path.name for path in (built / "prepared/private").iterdir()] == ["answers.csv"]
    assert [path.name for path in built.parent.iterdir()] == ["road"]
    assert all(margin.passed for margin in verdict.margins)
    assert all(check.passed for check in verdict.audits)
    assert verdict.sizes["train"] == 100


def test_its_evaluator_knows_the_thresholds(built: Path) -> None:
    verdict, grader = load_verdict(built), load_grader(built)
    assert grader.thresholds == verdict.thresholds
    assert grader.grade(grader.answers).medal == "gold"
    sample = (built / "prepared/public/sample_submission.csv").read_bytes()
    assert grader.grade(sample).above_median is False


def test_building_again_changes_nothing_but_timings(built: Path) -> None:
    corpus = built.parents[2]
    before = load_verdict(built)
    files = {path: path.read_bytes() for path in built.rglob("*.*") if path.suffix != ".json"}
    after = build_task(corpus / "specs/tasks/road.yaml", built, corpus=corpus)
    assert dataclasses.replace(after, timings={}) == dataclasses.replace(before, timings={})
    assert all(path.read_bytes() == content for path, content in files.items())


def test_calibrate_finds_what_the_build_computed(built: Path) -> None:
    corpus, verdict = built.parents[2], load_verdict(built)
    spec = load_spec(corpus / "specs/tasks/road.yaml", corpus=corpus)
    found = calibrate(spec, corpus=corpus)
    assert found.thresholds == verdict.thresholds
    assert found.ladder.rungs == verdict.ladder
    assert found.reasons == ()
    assert json.loads(json.dumps(dataclasses.asdict(found)))["margins"]


def test_pinned_thresholds_are_kept(tmp_path: Path, built: Path) -> None:
    computed = load_verdict(built).thresholds
    assert computed is not None
    pinned = dataclasses.replace(computed, gold=computed.gold + 0.002)
    corpus = write_corpus(tmp_path, {"road": set_thresholds(spec_text("road"), pinned)})
    verdict = build_task(corpus / "specs/tasks/road.yaml", tmp_path / "road", corpus=corpus)
    assert verdict.accepted
    assert verdict.pinned
    assert verdict.thresholds == pinned
    assert load_grader(tmp_path / "road").thresholds == pinned


def test_pinned_thresholds_that_drifted_are_a_reason(tmp_path: Path) -> None:
    pinned = Thresholds(median=0.65, bronze=0.70, silver=0.875, gold=0.95)
    (reason,) = reject(set_thresholds(spec_text("road"), pinned), tmp_path)
    assert "the bronze threshold 0.7 has drifted: the ladder now gives 0.77" in reason


def test_a_spec_with_problems_is_rejected_with_all_of_them(tmp_path: Path) -> None:
    text = spec_text("road").replace("left: crack", "left: crak") + "extra: 1\n"
    first, second = reject(text, tmp_path)
    assert "road.yaml:" in first
    assert "unknown factor 'crak'; did you mean 'crack'?" in first
    assert "unknown key 'extra'" in second


def test_data_that_cannot_be_drawn_are_a_reason(tmp_path: Path) -> None:
    (reason,) = reject(UNDRAWABLE, tmp_path)
    assert reason == ("generate.py: a hidden rule gave 1 different scores, too few for 2 classes")


@pytest.mark.parametrize(
    ("told", "split"), [("", "train"), ("provenance: {split: validation}\n", "validation")]
)
def test_the_verdict_says_what_the_task_is_for(tmp_path: Path, told: str, split: str) -> None:
    reject(UNDRAWABLE + told, tmp_path)
    assert load_verdict(tmp_path / "corpus/build/tasks/road").split == split


def test_a_word_of_the_corpus_that_fails_is_a_reason(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road")})
    word = corpus / "rules/hidden/sign_product.py"
    word.parent.mkdir(parents=True)
    text = resource("rules").joinpath("hidden/sign_product.py").read_text()
    word.write_text(text.replace("    return ", "    return [][0] + "))
    verdict = build_task(corpus / "specs/tasks/road.yaml", tmp_path / "road", corpus=corpus)
    assert verdict.reasons == (
        "generate.py: IndexError in sign_product(): list index out of range",
    )


def test_what_cannot_be_drawn_cannot_be_calibrated(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": UNDRAWABLE})
    spec = load_spec(corpus / "specs/tasks/road.yaml", corpus=corpus)
    with pytest.raises(Rejected, match=r"^generate\.py: "):
        calibrate(spec, corpus=corpus)


def test_a_task_that_is_too_easy_says_so(tmp_path: Path) -> None:
    (reason,) = reject(easy_text("road"), tmp_path)
    assert reason.startswith("too easy: models on raw columns reach silver")


def test_a_crash_leaves_the_folder_as_it_was(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load_verdict(built)

    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(build, "climb", crash)
    corpus = built.parents[2]
    with pytest.raises(ZeroDivisionError):
        build_task(corpus / "specs/tasks/road.yaml", built, corpus=corpus)
    assert load_verdict(built) == before
    assert [path.name for path in built.parent.iterdir()] == ["road"]
    assert [path.name for path in built.parent.glob(".*")] == []


def test_what_a_killed_build_left_is_cleared_away(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": "id: nothing\n"})
    left = tmp_path / "tasks/.road.4711/prepared"
    left.mkdir(parents=True)
    build_task(corpus / "specs/tasks/road.yaml", tmp_path / "tasks/road", corpus=corpus)
    assert [path.name for path in (tmp_path / "tasks").iterdir()] == ["road"]
