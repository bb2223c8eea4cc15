"""The index names the tasks of current specs; only our own folders of gone specs are removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandmle.build.index import index_line, rejections, remove_orphans, write_index
from sandmle.build.plan import corpus_specs, plan, specs_by_id, task_inputs
from sandmle.build.verdict import Verdict, dump_verdict
from sandmle.resources import resource
from sandmle.vocabulary import load_vocabulary
from tests.build.specs import spec_text, write_corpus


def put(build: Path, verdict: Verdict, folder: str = "") -> Path:
    path = build / "tasks" / (folder or verdict.id)
    path.mkdir(parents=True)
    (path / "verdict.json").write_text(dump_verdict(verdict))
    return path


def verdict(name: str, *reasons: str) -> Verdict:
    return Verdict(name, not reasons, reasons, "1.0", "e", timings={"ladder": 0.1})


def test_a_line_a_task_sorted_and_the_same_whenever_it_was_built(tmp_path: Path) -> None:
    for name in ("b", "a", "gone"):
        put(tmp_path, verdict(name))
    assert [entry.id for entry in write_index(tmp_path, ["b", "a", "unbuilt"])] == ["a", "b"]
    lines = (tmp_path / "index.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b"]
    assert not {"timings", "ladder"} & json.loads(lines[0]).keys()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["index.jsonl"]


def test_an_empty_corpus_has_an_empty_index(tmp_path: Path) -> None:
    assert write_index(tmp_path / "build", []) == []
    assert (tmp_path / "build/index.jsonl").read_text() == ""


def test_the_gate_says_which_and_why(tmp_path: Path) -> None:
    entries = [verdict("a"), verdict("b", "too easy", "leaks")]
    (tmp_path / "index.jsonl").write_text("".join(map(index_line, entries)))
    assert rejections(tmp_path / "index.jsonl") == [
        "rejected: b: too easy",
        "rejected: b: leaks",
    ]


def test_only_own_folders_of_gone_specs_are_removed(tmp_path: Path) -> None:
    build = tmp_path / "build"
    put(build, verdict("gone"))
    put(build, verdict("kept"))
    other = put(build, verdict("other"), folder="renamed")
    (build / "tasks/notes").mkdir()
    broken = build / "tasks/broken"
    broken.mkdir()
    (broken / "verdict.json").write_text('{"verdict": "guilty"}')
    away = put(tmp_path / "elsewhere", verdict("linked"))
    (build / "tasks/linked").symlink_to(away)
    assert remove_orphans(build, ["kept"]) == ["gone"]
    left = {path.name for path in (build / "tasks").iterdir()}
    assert left == {"kept", "renamed", "notes", "broken", "linked"}
    assert (other / "verdict.json").exists()
    assert (away / "verdict.json").exists()


def test_two_specs_of_one_task(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="would both build the task 'x'"):
        specs_by_id([tmp_path / "a/x.yaml", tmp_path / "b/x.yaml"])
    assert list(specs_by_id([tmp_path / "a/x.yaml"] * 2)) == ["x"]


def test_a_task_depends_on_the_words_that_it_uses_and_the_corpus_own_win(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, {"road": spec_text("road"), "bad": "id: bad\n"})
    bad, road = corpus_specs(corpus)
    found = {
        Path(name).parent.name + "/" + Path(name).name for name in task_inputs(road, corpus=corpus)
    }
    assert found == {
        "factors/normal.py",
        "observe/column.py",
        "hidden/sign_product.py",
        "noise/label_flip.py",
        "tasks/binary.py",
        "metrics/roc_auc.py",
        "submissions/probability.py",
        "templates/generate.py.j2",
        "templates/evaluate.py.j2",
        "templates/description.md.j2",
    }
    assert task_inputs(bad, corpus=corpus) == []


def test_a_plan_is_remembered_until_a_spec_or_a_word_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus(tmp_path, {name: spec_text(name) for name in ("a", "b")})
    specs = specs_by_id(corpus_specs(corpus))
    first = plan(specs, corpus=corpus, build=tmp_path / "build")
    assert first["a"] == task_inputs(specs["a"], corpus=corpus)
    read: list[str] = []

    def look(path: Path, *, corpus: Path) -> list[str]:
        read.append(path.stem)
        return task_inputs(path, corpus=corpus)

    monkeypatch.setattr("sandmle.build.plan.task_inputs", look)
    assert plan(specs, corpus=corpus, build=tmp_path / "build") == first
    assert plan({"a": specs["a"]}, corpus=corpus, build=tmp_path / "build") == {"a": first["a"]}
    assert read == []
    specs["b"].write_text(spec_text("b", random_seed=9))
    plan(specs, corpus=corpus, build=tmp_path / "build")
    assert read == ["b"]
    (corpus / "rules/hidden").mkdir(parents=True)
    own = corpus / "rules/hidden/sign_product.py"
    own.write_text(resource("rules").joinpath("hidden/sign_product.py").read_text())
    load_vocabulary.cache_clear()
    assert str(own) in plan(specs, corpus=corpus, build=tmp_path / "build")["a"]
    assert read == ["b", "a", "b"]
