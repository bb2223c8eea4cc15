"""What is chosen on the command line, in a file and by an earlier run, together."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.errors import SpecError
from sandmle.evaluation.choices import Choices, Given, choices_of, choose, read_choices
from sandmle.evaluation.preparation import prepare

HERE = "on the command line"


def test_the_defaults_are_those_of_evaluation() -> None:
    choices = choose([Given(HERE, {"policy": ["honest"], "limit": None, "turns": None})])
    assert choices == Choices(policy=("honest",))
    assert choices.tasks == ("validation",)
    assert (choices.settings.score, choices.settings.turns) == ("validity", 30)
    assert choices.means.concurrency == 64


def test_places_add_to_each_other(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text("policy: honest\nattempts: 4\nstep_seconds: 60\nlibraries: [torch]\n")
    choices = choose([Given(HERE, {"tasks": ["all"], "attempts": 4}), read_choices(path)])
    assert (choices.policy, choices.tasks, choices.attempts) == (("honest",), ("all",), 4)
    assert choices.settings.step.wall_seconds == 60.0
    assert choices.settings.libraries == ("torch",)


def test_places_that_differ_are_refused() -> None:
    places = [Given(HERE, {"policy": ["honest"], "turns": 20}), Given("in a.yaml", {"turns": 30})]
    with pytest.raises(ValueError, match=r"turns is 20 on the command line, but 30 in a\.yaml"):
        choose(places)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "nobody is to play"),
        ({"policy": ["honest", "honest"]}, "given twice"),
        ({"policy": ["honest"], "temperature": 1.0}, "no setting 'temperature'"),
        ({"policy": ["onest"]}, "did you mean 'honest'"),
    ],
)
def test_what_makes_no_sense_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        choose([Given(HERE, values)])


def test_a_file_is_told_its_faults_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text("policy: honest\nturn: 3\nlimit: many\ntasks: [1]\n")
    with pytest.raises(SpecError) as caught:
        read_choices(path)
    told = [
        f"{problem.line}:{problem.column}: {problem.message}" for problem in caught.value.problems
    ]
    assert told == [
        "2:1: no setting 'turn'; did you mean 'turns'?",
        "3:8: expected a int, got 'many'",
        "4:8: 0: expected a str, got 1",
    ]


@pytest.mark.parametrize("text", ["- honest\n", "policy: honest\npolicy: naive\n", "a: ["])
def test_what_is_no_file_of_settings_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text(text)
    with pytest.raises(SpecError):
        read_choices(path)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"score": "all"}, "score must be test, validity or none"),
        ({"turns": 0}, "turns must be a finite number above zero"),
        ({"step_seconds": -1.0}, "wall_seconds must be a finite number above zero"),
        ({"reward": "papr"}, "no reward 'papr'"),
        ({"policy": ("broken:nicely",)}, "has the ways"),
    ],
)
def test_settings_are_looked_at_before_anything_is_played(
    corpus: Path, values: dict[str, object], message: str
) -> None:
    choices = choose([Given(HERE, {"policy": ["broken"], **values})])
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        prepare(choices, corpus=corpus)


def test_a_shard_that_is_none_is_refused(corpus: Path) -> None:
    choices = choose([Given(HERE, {"policy": ["broken"]})])
    for shard in ("0/4", "5/4", "1", "a/b", "1/0"):
        with pytest.raises(ValueError, match="is no shard"):
            prepare(choices, corpus=corpus, shard=shard)


def test_a_run_s_config_says_what_was_chosen(corpus: Path) -> None:
    values = {"policy": ["broken"], "tasks": ["all"], "limit": 2, "turns": 7, "step_mebibytes": 64}
    choices = choose([Given(HERE, values)])
    config = prepare(choices, corpus=corpus).config
    assert choose([Given("in a run", choices_of(config))]) == choices
