"""What a solver reads: all that it needs, and nothing about how the data came about."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from sandmle.compiler.compile import compile_spec
from sandmle.grading import make_grader
from sandmle.spec.load import load_spec
from sandmle.spec.model import WordUse
from tests.compiler.conftest import Task

SHIPPED = Path(__file__).parents[2] / "specs" / "tasks"


def test_it_tells_title_story_files_target_and_metric(task: Task) -> None:
    text = task.compiled.description
    spec = task.spec

    assert text.startswith(f"# {spec.narrative.title}\n\n{spec.narrative.story}")
    assert re.search(rf"^Metric: {spec.dna.metric.kind}\b", text, re.MULTILINE)
    for fact in (str(spec.dna.train), str(spec.dna.test), *(f"`{t.name}`" for t in spec.targets)):
        assert fact in text
    for name, meaning in spec.narrative.columns.items():
        assert f"| `{name}` | {meaning} |" in text
    for name in task.dataset.public:
        assert (re.sub(r"/[^/]*\.png", "/{id}.png", name) if "/" in name else name) in text


def test_columns_that_nobody_explains_are_named_in_no_telling_order(
    tasks: Mapping[str, Task],
) -> None:
    spec = tasks["clinic-stay"].spec
    bare = dataclasses.replace(spec, narrative=dataclasses.replace(spec.narrative, columns={}))
    text = compile_spec(bare).description
    named = re.findall(r"^\| `(\w+)` \|  \|$", text, re.MULTILINE)
    assert named == sorted(named)
    assert {"ward", "age_years", "strain_index", "path"} <= set(named)


def test_a_column_that_a_word_leaves_out_with_a_factor_is_not_named() -> None:
    without = load_spec(SHIPPED / "heaviest-catch.yaml")
    assert not any(use.kind == "passage" and "asked" in use.parameters for use in without.observe)
    assert "| `question` |" not in compile_spec(without).description
    assert "| `question` |" in compile_spec(load_spec(SHIPPED / "science-answer.yaml")).description


def test_it_tells_the_direction(tasks: Mapping[str, Task]) -> None:
    assert "Lower is better." in tasks["clinic-stay"].compiled.description
    assert "Higher is better." in tasks["plot-yield"].compiled.description


def test_it_does_not_depend_on_how_the_data_came_about(task: Task) -> None:
    other = WordUse("formula", {"score": next(iter(task.spec.factors))}, ("hidden", "rule"))
    spec = dataclasses.replace(
        task.spec,
        factors={name: replaced(use) for name, use in task.spec.factors.items()},
        noise=(),
        targets=tuple(dataclasses.replace(target, rule=other) for target in task.spec.targets),
    )

    assert compile_spec(spec).description == task.compiled.description


def replaced(use: WordUse) -> WordUse:
    """A factor of another kind."""
    return dataclasses.replace(use, kind="normal", parameters={})


def test_the_example_has_the_form_of_a_submission(task: Task) -> None:
    block = re.search(r"```csv\n(.*?)```", task.compiled.description, re.DOTALL)
    assert block is not None
    lines = block[1].splitlines()
    sample = task.dataset.public["sample_submission.csv"].decode().splitlines()

    assert len(lines) == 4
    assert lines[0] == sample[0]
    assert lines[1].split(",")[1:] == sample[1].split(",")[1:]


def test_parameters_of_the_metric_are_told(tasks: Mapping[str, Task]) -> None:
    assert "Metric: f_beta (beta = 2)" in tasks["plot-yield"].compiled.description
    assert "Metric: pinball_loss (quantile = 0.8)" in tasks["pump-load"].compiled.description


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "clinic-stay",
            "they belong to other groups than those of `train.csv`: no `ward` is in both.",
        ),
        ("pump-load", "they are later than those of `train.csv`."),
    ],
)
def test_a_split_that_is_not_random_is_told(
    tasks: Mapping[str, Task], name: str, sentence: str
) -> None:
    assert sentence in tasks[name].compiled.description


def test_columns_of_further_tables_are_told_with_their_file() -> None:
    text = compile_spec(load_spec(SHIPPED / "agriculture-votes.yaml")).description
    assert "| column | meaning | file |" in text
    assert re.search(r"^\| `hour` \| .* \| `probe.csv` \|$", text, re.MULTILINE)
    assert re.search(r"^\| `farm` \| .* \| `train.csv`, `test.csv` \|$", text, re.MULTILINE)


def test_columns_of_further_tables_that_nobody_explains_are_told_by_their_word() -> None:
    spec = load_spec(SHIPPED / "agriculture-votes.yaml")
    bare = dataclasses.replace(spec, narrative=dataclasses.replace(spec.narrative, columns={}))
    assert "| `hour` | hour of the reading, counted from 0 |" in compile_spec(bare).description


def test_tables_are_joined_where_their_column_stands() -> None:
    text = compile_spec(load_spec(SHIPPED / "ice-tracks.yaml")).description
    assert "every `sensor` in `pulses.csv`, to be joined by it." in text


def test_the_metric_names_columns_and_no_factors() -> None:
    spec = load_spec(SHIPPED / "proton-couplings.yaml")
    assert spec.dna.metric.parameters["by"] == "coupling"
    text = compile_spec(spec).description
    assert "Metric: per_group (of = log_mae, by = type)" in text
    assert "coupling)" not in text


def test_what_is_known_of_a_row_is_listed_as_one_says_it(tasks: Mapping[str, Task]) -> None:
    said = re.compile(r"^- `train.csv`: .*, with its `id`(.*)\.$", re.MULTILINE)
    for task in tasks.values():
        found = said.search(task.compiled.description)
        assert found is not None
        assert re.match(r"$| and |, what is known about it and the target", found[1])


def test_the_example_of_several_rows_a_sample_shows_one_sample() -> None:
    text = compile_spec(load_spec(SHIPPED / "telecommunications-response.yaml")).description
    keys = re.findall(r"^(\w+)_(\d+),0$", text, re.MULTILINE)
    assert len({name for name, _ in keys}) == 1
    assert [number for _, number in keys] == ["0", "1", "2"], "as submissions count"


def test_the_example_follows_the_reader(task: Task) -> None:
    """With its ids replaced by real ones the example is a valid start of a submission."""
    answers = task.dataset.private["answers.csv"].decode().splitlines()
    example = re.search(r"```csv\n(.*?)```", task.compiled.description, re.DOTALL)
    assert example is not None
    header, *rows = example[1].splitlines()
    ids = [line.split(",")[0] for line in answers[1:4]]
    renamed = [",".join([name, *row.split(",")[1:]]) for name, row in zip(ids, rows, strict=True)]
    small = make_grader(compile_spec(task.spec).evaluate, ("\n".join(answers[:4]) + "\n").encode())

    assert small.grade(("\n".join([header, *renamed]) + "\n").encode()).valid
