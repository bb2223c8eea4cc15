"""The Technical Writer: a story that reads well beside any carrier, and columns that all mean
something."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sandmle.resources import resource
from sandmle.roles.draft import draft
from sandmle.seeds.load import load_seed
from sandmle.spec.model import Spec
from sandmle.vocabulary import load_vocabulary

SEEDS = resource("specs") / "seeds"


def told(name: str, count: int = 2) -> Iterator[Spec]:
    yield from draft(load_seed(SEEDS / f"{name}.yaml"), count=count, random_seed=11)


#: Seeds of each kind of output whose phrases come from words, and not from domains.
NAMES = (
    "AI4Code",
    "google-research-identify-contrails-reduce-global-warming",
    "denoising-dirty-documents",
    "chaii-hindi-and-tamil-question-answering",
    "icecube-neutrinos-in-deep-ice",
    "stanford-covid-vaccine",
    "text-normalization-challenge-russian-language",
    "lmsys-chatbot-arena",
)


@pytest.mark.parametrize("name", NAMES)
def test_narratives_are_put_together_well(name: str) -> None:
    for spec in told(name):
        text = f"{spec.narrative.title}. {spec.narrative.story}"
        assert not re.search(r"\b(an?|the|same) (an?|the)\b", text)
        assert not re.search(r"\b(\w+) \1\b", text)
        assert not re.search(r"(asks|wonders?|to know|to tell|say) the ", text), "no question"
        one = spec.domain.entity
        assert not re.search(
            rf"(pixels|words|parts|side|tag of every element) of an? {one}\b(?!')", text
        )
        for meaning in spec.narrative.columns.values():
            assert meaning
            assert not meaning.endswith("s' numbers")
            assert meaning not in ("the reading", "texts", "tokens", "questions", "readings")


def test_what_a_metric_takes_for_places_or_directions_is_called_so() -> None:
    (spec,) = told("icecube-neutrinos-in-deep-ice", count=1)
    assert spec.dna.metric.kind == "angular_error"
    assert [target.name for target in spec.targets] == ["azimuth", "zenith"]


def test_the_two_sides_of_a_comparison_are_told_apart() -> None:
    for spec in told("lmsys-chatbot-arena"):
        labels = spec.targets[0].labels
        assert list(labels) == ["first", "second", "tie"][: len(labels)]
        assert len(set(spec.narrative.columns.values())) == len(spec.narrative.columns)
        assert any(says.endswith("first version") for says in spec.narrative.columns.values())


def test_colour_and_number_of_pictures_are_as_the_word_makes_them() -> None:
    words = load_vocabulary().folder("observe")
    assert "colour" in words["layers"].traits["SAYS"]
    assert "pictures" in words["frames"].traits["SAYS"]


@pytest.mark.parametrize(
    ("name", "says"), [("iwildcam-2019-fgvc6", "about "), ("lmsys-chatbot-arena", "")]
)
def test_numbers_of_rows_are_rough_where_groups_stay_whole(name: str, says: str) -> None:
    stories = [(spec.narrative.story, spec.dna.train) for spec in told(name, count=6)]
    counted = [(story, rows) for story, rows in stories if f" {rows} " in story]
    assert counted
    assert all(f"{says}{rows} " in story for story, rows in counted)
    assert says or not any(
        "about " in story.partition(f"{rows} ")[0][-6:] for story, rows in counted
    )


def test_columns_that_show_the_same_are_told_apart() -> None:
    name = "jigsaw-unintended-bias-in-toxicity-classification"
    means = [list(spec.narrative.columns.values()) for spec in told(name, count=12)]
    assert any(meaning.endswith(", second part") for meanings in means for meaning in meanings)
    assert all(len({*meanings}) == len(meanings) for meanings in means)
