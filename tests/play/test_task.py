"""Tasks come from what the build left, and only those that it accepted."""

from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.build.index import write_index
from sandmle.build.verdict import Verdict, dump_verdict
from sandmle.play.task import load_tasks
from sandmle.spec.model import Thresholds

SPOTS = Verdict(
    id="spots",
    accepted=True,
    reasons=(),
    version="1",
    engine="e",
    spec="5" * 64,
    modality="image",
    task="binary",
    metric="roc_auc",
    thresholds=Thresholds(0.6, 0.7, 0.8, 0.9),
    hashes={"public": "6" * 64, "private": "7" * 64},
)
PRICES = replace(
    SPOTS,
    id="prices",
    modality="tabular",
    task="regression",
    metric="rmse",
    is_lower_better=True,
    thresholds=Thresholds(4.0, 3.0, 2.0, 1.0),
)
DULL = replace(SPOTS, id="dull", accepted=False, reasons=("too easy",))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for verdict in (SPOTS, PRICES, DULL):
        folder = tmp_path / "build" / "tasks" / verdict.id
        public = folder / "prepared" / "public"
        public.mkdir(parents=True)
        (public / "description.md").write_text(f"# {verdict.id}\n")
        (folder / "verdict.json").write_text(dump_verdict(verdict))
    write_index(tmp_path / "build", ["spots", "prices", "dull"])
    return tmp_path


def test_accepted_tasks_are_loaded_in_the_order_of_the_index(corpus: Path) -> None:
    prices, spots = load_tasks(corpus)
    assert (prices.id, spots.id) == ("prices", "spots")
    assert load_tasks(corpus / "build") == [prices, spots]
    assert spots.folder == corpus / "build" / "tasks" / "spots"
    assert spots.public == spots.folder / "prepared" / "public"
    assert spots.description == "# spots\n"
    assert (spots.modality, spots.task, spots.metric) == ("image", "binary", "roc_auc")
    assert spots.thresholds == SPOTS.thresholds
    assert (spots.is_lower_better, prices.is_lower_better) == (False, True)
    assert spots.digests == {"spec": "5" * 64, "public": "6" * 64, "private": "7" * 64}


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"ids": ["spots"]}, ["spots"]),
        ({"modalities": ["tabular"]}, ["prices"]),
        ({"kinds": ["binary", "regression"]}, ["prices", "spots"]),
        ({"metrics": ["rmse"], "modalities": ["image"]}, []),
    ],
)
def test_filters_keep_what_they_name(
    corpus: Path, filters: dict[str, list[str]], ids: list[str]
) -> None:
    assert [task.id for task in load_tasks(corpus, **filters)] == ids


@pytest.mark.parametrize(
    ("name", "message"),
    [("spot", "did you mean 'spots'"), ("dull", "'dull' was rejected: too easy")],
)
def test_a_task_that_is_not_there_is_refused(corpus: Path, name: str, message: str) -> None:
    with pytest.raises(FileNotFoundError, match=message):
        load_tasks(corpus, ids=[name])


def test_a_corpus_that_is_not_built_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="run sandmle build"):
        load_tasks(tmp_path)


@pytest.mark.parametrize("line", ["", "{}", "[]", "{", '"spots"'])
def test_a_broken_index_is_refused_with_its_line(corpus: Path, line: str) -> None:
    index = corpus / "build" / "index.jsonl"
    index.write_text(index.read_text() + line + "\n")
    with pytest.raises(ValueError, match=r"index\.jsonl:4: expected an object with an id"):
        load_tasks(corpus)


def test_a_broken_verdict_is_refused_with_its_file(corpus: Path) -> None:
    (corpus / "build" / "tasks" / "spots" / "verdict.json").write_text("{}")
    with pytest.raises(ValueError, match=r"spots/verdict\.json"):
        load_tasks(corpus)
