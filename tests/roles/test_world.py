"""Domain files: the shipped ones fit the vocabulary, broken ones are refused at their line."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import jsonschema
import pytest

from sandmle.errors import SpecError
from sandmle.resources import resource
from sandmle.roles.world import CARRIERS, World, load_world, load_worlds
from sandmle.spec.schema import compose_schema, word_schema
from sandmle.vocabulary import load_vocabulary
from tests.vocabulary.calling import draw_factors

WORLDS = load_worlds()
DEFINITIONS = compose_schema(load_vocabulary())["$defs"]
SHIPPED = resource("templates") / "domains"


def test_there_are_at_least_twelve_domains() -> None:
    assert len(WORLDS) >= 12


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_every_measure_is_a_factor_of_the_vocabulary(world: World) -> None:
    names = [measure.name for measure in world.measures()]
    assert len(set(names)) == len(names)
    for measure in world.measures():
        word = load_vocabulary().word("factors", measure.factor["kind"])
        schema = {**word_schema(word), "$defs": DEFINITIONS}
        jsonschema.Draft202012Validator(schema).validate(dict(measure.factor))


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_domains_ask_for_known_kinds_of_task_with_labels_for_their_classes(world: World) -> None:
    assert set(world.targets) <= set(load_vocabulary().folder("tasks"))
    for task in ("multiclass", "ordinal"):
        for entry in world.targets[task]:
            assert len(entry["labels"]) >= (10 if task == "multiclass" else 5)


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_planted_words_are_no_filler_and_serve_one_purpose(world: World) -> None:
    text = world.shows["text"]
    planted = [word for mention in text["mentions"] for word in mention["words"]]
    planted += [*text["tone"]["good"], *text["tone"]["bad"], *text["topic"]["words"]]
    planted += [text["first"], text["second"]]
    assert len(set(planted)) == len(planted)
    assert not set(planted) & set(text["filler"]["words"])


def test_a_corpus_adds_and_overrides_domains(tmp_path: Path) -> None:
    folder = tmp_path / "templates" / "domains"
    folder.mkdir(parents=True)
    text = (SHIPPED / "retail.yaml").read_text(encoding="utf-8")
    (folder / "bakery.yaml").write_text(text.replace("name: retail", "name: bakery", 1))
    (folder / "sports.yaml").write_text(text.replace("name: retail", "name: chess", 1))
    assert set(load_worlds(tmp_path)) == {*WORLDS, "bakery", "chess"} - {"sports"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("entity: {one: customer, many: customers}", "entity: {one: customer}", "'many'"),
        ("name: retail\n", "name: retail\nnom: x\n", "'nom' was unexpected"),
        ("name: basket_value", "name: Basket Value", "does not match"),
        ("stories:", "stories: x\nother:", "not of type 'array'"),
    ],
)
def test_a_broken_domain_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (SHIPPED / "retail.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "retail.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_world(path)
    assert message in str(caught.value)
    assert all(problem.line > 0 for problem in caught.value.problems)


def test_measures_keep_the_order_of_their_lists() -> None:
    world = WORLDS["retail"]
    assert dataclasses.asdict(next(world.measures()))["name"] == world.numbers[0].name


#: Measures that may be below 0: angles, differences, levels of a signal.
SIGNED = {
    "antenna_tilt",
    "clock_skew",
    "delay_minutes",
    "flexibility",
    "gradient",
    "grid_frequency",
    "interference",
    "pitch_angle",
    "rate_change",
    "signal_strength",
    "yaw_error",
}


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_measures_are_what_they_are_said_to_be(world: World) -> None:
    """No share above 100 %, no score beyond its scale, nothing below 0 that can't be."""
    groups = {measure.name: measure.factor for measure in world.groups}
    for measure in (*world.numbers, *world.whole, *world.grouped):
        uses = {**groups, measure.name: measure.factor}
        values = draw_factors(uses, 5_000)[measure.name]
        if measure.name not in SIGNED:
            assert values.min() >= 0, measure.name
        if measure.says.startswith("share of") and measure.says.endswith("%"):
            assert values.max() <= 100, measure.name
        if bounds := re.search(r"\b(\d+) to (\d+)\b", measure.says):
            assert int(bounds[1]) <= values.min(), measure.name
            assert values.max() <= int(bounds[2]), measure.name


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_readings_stay_on_one_side_of_zero(world: World) -> None:
    """The farthest that drafts draw readings from the centre is about 26 units: see readings."""
    series = world.shows["series"]
    assert abs(series["centre"]) >= 30 * series["unit"]


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_flags_say_where_they_are_1_and_readings_what_they_are(world: World) -> None:
    assert all(measure.says.startswith("1 where ") for measure in world.flags)
    assert "value" in world.shows["series"]["means"]
    assert "amount" in world.shows["rows"]["means"]


@pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))
def test_phrases_of_what_is_shown_can_be_listed(world: World) -> None:
    """They stand in one list with others: without commas, and no sentence counts them."""
    for name in CARRIERS:
        assert not set(world.shows[name]["says"]) & set(",.;:")
    for story in world.stories:
        assert not re.search(r"\b(is|are|come|comes|the same) \{\{ sees", story)
    for task in ("multilabel", "ordinal"):
        for entry in world.targets[task]:
            assert not re.search(
                r"\b(two|three|four|five)\b", f"{entry['title']} {entry['asks']}".lower()
            )


def test_phrases_of_words_can_be_listed_too() -> None:
    for word in load_vocabulary().folder("observe").values():
        assert not set(word.traits.get("SAYS", "")) & set(",.;:"), word.name
