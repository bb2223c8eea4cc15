from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from sandmle.mlebench.forms import FORMS
from sandmle.mlebench.known import Known, known_competitions
from sandmle.resources import resource
from sandmle.spec.model import WordUse
from sandmle.spec.scoring import metric_traits
from sandmle.vocabulary import load_vocabulary

KNOWN = known_competitions()
SEEDS = {
    path.stem: yaml.safe_load(path.read_text())
    for path in Path(resource("specs") / "seeds").glob("*.yaml")
    if "benchmark: MLE-bench" in path.read_text()
}


def test_all_competitions_are_known_by_their_complexity() -> None:
    # The splits of the benchmark: 22 low (Lite), 38 medium, 15 high.
    assert Counter(one.complexity for one in KNOWN.values()) == {
        "low": 22,
        "medium": 38,
        "high": 15,
    }
    assert set(KNOWN) == set(SEEDS)


@pytest.mark.parametrize("known", KNOWN.values(), ids=list(KNOWN))
def test_a_competition_is_what_its_seed_says(known: Known) -> None:
    seed = SEEDS[known.id]
    found = (known.modality, known.task, known.metric)
    assert found == (seed["modality"], seed["task"], seed["metric"]["name"])


@pytest.mark.parametrize("known", KNOWN.values(), ids=list(KNOWN))
def test_better_is_the_way_that_the_metric_has(known: Known) -> None:
    parameters = SEEDS[known.id]["metric"].get("parameters", {})
    use = WordUse(known.metric, parameters, ())
    traits = metric_traits(use, load_vocabulary())
    assert traits is not None
    assert traits.greater_is_better is not known.is_lower_better


@pytest.mark.parametrize("known", KNOWN.values(), ids=list(KNOWN))
def test_a_rule_has_answers_a_form_and_a_metric(known: Known) -> None:
    if known.rule is None:
        assert known.answers is known.gold is None
        return
    assert known.answers is not None
    assert known.answers.endswith(".csv")
    assert known.rule.form in FORMS
    assert known.rule.metric["kind"] in load_vocabulary().folder("metrics")
