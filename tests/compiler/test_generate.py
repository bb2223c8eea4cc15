"""What a compiled generate.py draws: the spec's task, in which nothing but the data tells."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandmle.runtime.table import submitted
from sandmle.spec.model import Spec, WordUse
from tests.compiler.conftest import Task, make_task

ID = re.compile(r"[b-df-hj-np-tv-xz][b-df-hj-np-tv-xz2-9]{7}")


def read(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def columns(content: bytes) -> list[str]:
    return content.decode().splitlines()[0].split(",")


def ids(rows: list[dict[str, str]]) -> list[str]:
    return [row["id"] for row in rows]


def by_id(task: Task, values: np.ndarray) -> dict[str, Any]:
    return dict(zip(task.dataset.ids.tolist(), values.tolist(), strict=True))


def with_noise(spec: Spec, *uses: WordUse) -> Spec:
    return dataclasses.replace(spec, noise=(*spec.noise, *uses))


def test_train_and_test_hold_every_sample_once(task: Task) -> None:
    public = task.dataset.public
    train, test = ids(read(public["train.csv"])), ids(read(public["test.csv"]))

    assert len(train) + len(test) == task.spec.dna.train + task.spec.dna.test
    assert sorted(train + test) == sorted(set(task.dataset.ids.tolist()))
    assert set(train) == set(task.dataset.ids[task.dataset.train].tolist())
    if task.spec.dna.split.kind != "group":
        assert len(train) == task.spec.dna.train


def test_only_train_shows_the_targets(task: Task) -> None:
    names = [target.name for target in task.spec.targets]
    public = task.dataset.public

    assert columns(public["train.csv"]) == [*columns(public["test.csv"]), *names]
    assert not set(names) & set(columns(public["test.csv"]))
    assert list(task.dataset.private) == ["answers.csv"]


def test_answers_and_sample_submission_follow_the_test_set(task: Task) -> None:
    test = ids(read(task.dataset.public["test.csv"]))
    answers, sample = (
        task.dataset.private["answers.csv"],
        task.dataset.public["sample_submission.csv"],
    )

    assert ids(read(answers)) == test
    assert ids(read(sample)) == test
    assert submitted(answers).splitlines()[0] == sample.splitlines()[0]


def test_files_show_the_labels_of_their_rows(task: Task) -> None:
    rows = {row["id"]: row for row in read(task.dataset.public["train.csv"])}
    for target in task.spec.targets:
        labels = by_id(task, task.dataset.labels[target.name])
        for row in rows.values():
            label = labels[row["id"]]
            if task.spec.dna.task == "regression":
                assert float(row[target.name]) == label
            else:
                expected = target.labels[label] if target.labels else str(label)
                assert row[target.name] == expected


def test_ids_say_nothing(task: Task) -> None:
    dataset = task.dataset

    assert all(ID.fullmatch(name) for name in dataset.ids)
    first = np.array([ord(name[0]) for name in dataset.ids], dtype=float)
    for labels in dataset.labels.values():
        assert abs(np.corrcoef(first, labels)[0, 1]) < 0.2


def test_row_order_says_nothing(task: Task) -> None:
    for labels in task.dataset.truth.values():
        truth = by_id(task, labels)
        ordered = np.array(
            [truth[name] for name in ids(read(task.dataset.public["train.csv"]))], dtype=float
        )
        position = np.arange(len(ordered))
        neighbours = np.corrcoef(ordered[1:], ordered[:-1])[0, 1]
        assert abs(np.corrcoef(position, ordered)[0, 1]) < 0.3
        assert abs(neighbours) < 0.3


def test_a_random_split_has_the_same_mix_in_both_parts(tasks: Mapping[str, Task]) -> None:
    for name in ("cell-signs", "plot-yield", "ticket-urgency"):
        dataset = tasks[name].dataset
        for labels in dataset.truth.values():
            for value in np.unique(labels):
                share = (labels[dataset.train] == value).mean()
                assert share == pytest.approx((labels == value).mean(), abs=0.05)


def test_a_group_split_divides_no_group(tasks: Mapping[str, Task]) -> None:
    task = tasks["clinic-stay"]
    wards = task.dataset.factors["ward"]

    assert not set(wards[task.dataset.train]) & set(wards[~task.dataset.train])
    assert abs(task.dataset.train.sum() - task.spec.dna.train) <= 10


def test_a_time_split_tests_on_the_future(tasks: Mapping[str, Task]) -> None:
    task = tasks["pump-load"]
    day, train = task.dataset.factors["day"], task.dataset.train

    assert day[train].max() < day[~train].min()


def test_label_noise_stays_in_train_unless_told_otherwise(tasks: Mapping[str, Task]) -> None:
    dataset = tasks["cell-signs"].dataset
    for target, truth in dataset.truth.items():
        changed = truth != dataset.labels[target]
        assert changed[dataset.train].any()
        assert not changed[~dataset.train].any()

    both = tasks["pump-load"].dataset
    changed = both.truth["load_kw"] != both.labels["load_kw"]
    assert changed[both.train].all()
    assert changed[~both.train].all()


def test_targets_are_disturbed_independently(tasks: Mapping[str, Task]) -> None:
    dataset = tasks["cell-signs"].dataset
    changed = [dataset.truth[name] != dataset.labels[name] for name in dataset.truth]

    assert (changed[0] != changed[1]).any()


def test_observers_see_the_disturbed_factor_and_rules_the_true_one(
    tasks: Mapping[str, Task],
) -> None:
    task = tasks["clinic-stay"]
    clean = make_task(
        dataclasses.replace(
            task.spec, noise=tuple(use for use in task.spec.noise if use.kind != "factor_noise")
        )
    )

    assert np.array_equal(
        task.dataset.scores["length_of_stay"], clean.dataset.scores["length_of_stay"]
    )
    assert np.array_equal(task.dataset.factors["age"], clean.dataset.factors["age"])
    seen = {row["id"]: row["age_years"] for row in read(task.dataset.public["test.csv"])}
    true = {row["id"]: row["age_years"] for row in read(clean.dataset.public["test.csv"])}
    shifts = [float(seen[name]) - float(true[name]) for name in seen if seen[name] and true[name]]
    assert np.std(shifts) == pytest.approx(0.1 * clean.dataset.factors["age"].std(), rel=0.2)


def test_another_noise_word_reshuffles_nothing_else(tasks: Mapping[str, Task]) -> None:
    task = tasks["plot-yield"]
    noisy = make_task(
        with_noise(
            task.spec,
            WordUse("distractors", {"count": 2}, ("noise", 0)),
            WordUse("label_flip", {"rate": 0.1}, ("noise", 1)),
        )
    )

    assert np.array_equal(task.dataset.ids, noisy.dataset.ids)
    assert np.array_equal(task.dataset.train, noisy.dataset.train)
    for name, values in task.dataset.factors.items():
        assert np.array_equal(values, noisy.dataset.factors[name])
    assert task.dataset.private == noisy.dataset.private
    before, after = read(task.dataset.public["test.csv"]), read(noisy.dataset.public["test.csv"])
    assert [row["rain_mm"] for row in before] == [row["rain_mm"] for row in after]


def test_two_noise_words_of_a_kind_have_streams_of_their_own(tasks: Mapping[str, Task]) -> None:
    flip = WordUse("label_flip", {"rate": 0.3}, ("noise", 0))
    script = make_task(with_noise(tasks["plot-yield"].spec, flip, flip)).compiled.generate

    assert 'stream("noise.label_flip.0")' in script
    assert 'stream("noise.label_flip.1")' in script


def test_another_random_seed_gives_other_samples(tasks: Mapping[str, Task]) -> None:
    task = tasks["plot-yield"]
    other = make_task(dataclasses.replace(task.spec, random_seed=3))

    assert not set(task.dataset.ids) & set(other.dataset.ids)
    assert not np.array_equal(task.dataset.factors["rain"], other.dataset.factors["rain"])


def test_numbers_have_six_digits_at_most(task: Task) -> None:
    for name, content in task.dataset.public.items():
        if name.endswith(".csv"):
            for row in read(content):
                for cell in row.values():
                    if re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", cell):
                        assert f"{float(cell):.6g}" == cell or cell == f"{float(cell):.0f}"


def test_every_sample_has_its_file(tasks: Mapping[str, Task]) -> None:
    dataset = tasks["cell-signs"].dataset
    files = {name for name in dataset.public if name.startswith("slides/")}

    assert files == {f"slides/{name}.png" for name in dataset.ids}
    assert all(dataset.public[name].startswith(b"\x89PNG") for name in files)


def test_a_second_table_keeps_each_samples_rows_in_order(tasks: Mapping[str, Task]) -> None:
    dataset = tasks["pump-load"].dataset
    rows = read(dataset.public["sensors/readings.csv"])
    order = list(dict.fromkeys(ids(rows)))

    assert sorted(order) == sorted(dataset.ids.tolist())
    assert order != dataset.ids.tolist()
    assert ids(rows) == [name for name in order for _ in range(24)]
    assert [int(row["step"]) for row in rows[:24]] == list(range(24))


def test_scores_are_rounded_before_they_are_cut(task: Task) -> None:
    for scores in task.dataset.scores.values():
        assert all(float(f"{score:.6g}") == score for score in scores)


def test_a_class_without_enough_rows_is_a_clear_error(
    tasks: Mapping[str, Task], tmp_path: Path
) -> None:
    spec = tasks["plot-yield"].spec
    rare = dataclasses.replace(
        spec,
        targets=(
            dataclasses.replace(
                spec.targets[0],
                rule=WordUse("formula", {"score": "rain"}, ("hidden", "rule")),
                quantiles=(0.99,),
            ),
        ),
    )
    with pytest.raises(ValueError, match="class 1 of 'harvest' has 2 rows in train and 2 in test"):
        make_task(rare)


def command(task: Task, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = folder / "generate.py"
    script.write_text(task.compiled.generate, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


def test_the_command_writes_nothing_else(tasks: Mapping[str, Task], tmp_path: Path) -> None:
    done = command(tasks["plot-yield"], tmp_path, "--out", "deep/er/out")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "generate.py"]
    assert [path.name for path in (tmp_path / "deep" / "er").iterdir()] == ["out"]
    assert {path.name for path in (tmp_path / "deep" / "er" / "out").iterdir()} == {
        "public",
        "private",
    }


def test_the_command_leaves_a_full_folder_alone(tasks: Mapping[str, Task], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    done = command(tasks["plot-yield"], tmp_path, "--out", "out")

    assert done.returncode == 1
    assert done.stderr == "generate.py: out is not an empty folder\n"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_a_rule_that_is_not_finite_is_a_clear_error(tasks: Mapping[str, Task]) -> None:
    spec = tasks["pump-load"].spec
    wild = WordUse("formula", {"score": "(speed * 1e12) ** 3 ** 2"}, ("hidden", "rule"))
    nested = "((((speed * 1e12)**3)**3)**3)**3"
    wild = dataclasses.replace(wild, parameters={"score": nested})
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(ValueError, match="not finite"),
    ):
        make_task(
            dataclasses.replace(spec, targets=(dataclasses.replace(spec.targets[0], rule=wild),))
        )
    assert math.isfinite(tasks["pump-load"].dataset.scores["load_kw"].sum())
