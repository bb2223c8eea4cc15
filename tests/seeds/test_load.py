"""Seed files: what is written is read again, and every fault has its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.errors import SpecError
from sandmle.resources import resource
from sandmle.seeds.load import dump_seed, load_seed

GOOD = """\
seed: 1
modality: tabular
task: binary
metric: {name: roc_auc, known_from: config}
sizes: {train: 100, test: 50}
submission: {shape: probability, columns: 1}
targets:
  - {name: target_1, kind: category, shares: [0.7, 0.3]}
columns:
  - {name: number_1, kind: number, missing: 0.1, magnitude: 1}
"""


@pytest.mark.parametrize(
    "path", sorted((resource("specs") / "seeds").glob("*.yaml")), ids=lambda p: p.stem
)
def test_shipped_seeds_survive_a_round_trip(path: Path, tmp_path: Path) -> None:
    seed = load_seed(path)
    dump_seed(seed, tmp_path / path.name)
    assert load_seed(tmp_path / path.name) == seed
    assert (tmp_path / path.name).read_text() == path.read_text()


def test_the_name_is_the_stem_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "my-seed.yaml"
    path.write_text(GOOD)
    assert load_seed(path).name == "my-seed"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("task: binary", "task: guess", 3, "'guess' is not one of"),
        ("missing: 0.1", "missing: 1.5", 10, "maximum"),
        ("number_1", "Zanzibar", 10, "does not match"),
        ("train: 100", "train: many", 5, "not of type 'integer'"),
        ("magnitude: 1", "length_of: 3", 10, "unknown key"),
        ("modality: tabular\n", "", 1, "'modality' is a required property"),
        ("modality: tabular", "modality: smell", 2, "'smell' is not one of"),
        ("shape: probability", "shape: telegram", 6, "'telegram' is not one of"),
        ("kind: category, shares", "kind: colour, shares", 8, "'colour' is not one of"),
    ],
)
def test_a_fault_is_reported_at_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    path = tmp_path / "seed.yaml"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(SpecError) as caught:
        load_seed(path)
    (problem,) = caught.value.problems
    assert problem.line == line
    assert message in problem.message


def test_all_competitions_of_the_benchmark_have_a_seed_that_says_what_is_simplified() -> None:
    seeds = [load_seed(path) for path in sorted((resource("specs") / "seeds").glob("*.yaml"))]
    benchmarked = [seed for seed in seeds if seed.benchmark == "MLE-bench"]
    assert len(benchmarked) == 75
    for seed in benchmarked:
        # What no small task can hold is left out of it, and said.
        large = seed.classes > 10 or any((files.count or 1) > 3 for files in seed.files)
        assert seed.simplified or not large


def test_parameters_nest_and_texts_are_quoted_where_they_must(tmp_path: Path) -> None:
    path = tmp_path / "seed.yaml"
    path.write_text(
        GOOD.replace(
            "name: roc_auc,", "name: per_group, parameters: {of: {kind: f_beta, beta: 2}},"
        )
        + 'simplified: "a: b, 1 of 2"\n'
    )
    seed = load_seed(path)
    assert seed.metric.parameters == {"of": {"kind": "f_beta", "beta": 2}}
    dump_seed(seed, tmp_path / "again" / "seed.yaml")
    assert load_seed(tmp_path / "again" / "seed.yaml") == seed


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "seed.yaml"
    path.write_text(GOOD)
    with pytest.raises(SpecError):
        dump_seed(load_seed(path), tmp_path / "file" / "seed.yaml")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "seed.yaml"]
