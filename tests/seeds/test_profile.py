"""Profiling: real folders give their structure, odd ones an error, and no seed tells a secret."""

from __future__ import annotations

import contextlib
import wave
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from sandmle.errors import SpecError
from sandmle.resources import resource
from sandmle.seeds.load import dump_seed, load_seed
from sandmle.seeds.model import Seed
from sandmle.seeds.profile import profile_competition
from tests.seeds.competitions import NAMES, write_competition

EXPECTED = {
    "breast-cancer": ("tabular", "binary", "roc_auc", "probability"),
    "diabetes": ("tabular", "regression", "rmse", "number"),
    "digits": ("image", "multiclass", "accuracy", "label"),
    "wine": ("tabular", "multiclass", "log_loss", "class_probabilities"),
    "sunspots": ("series", "regression", "mae", "number"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_real_competition_gives_the_shipped_seed(name: str, tmp_path: Path) -> None:
    seed = profile_competition(write_competition(name, tmp_path), name=name)
    told = (seed.modality, seed.task, seed.metric.name, seed.submission.shape)
    assert told == EXPECTED[name]
    assert seed == load_seed(resource("specs") / "seeds" / f"{name}.yaml")


def test_facts_of_a_real_competition(tmp_path: Path) -> None:
    """Figures of scikit-learn's own description of the breast cancer data."""
    seed = profile_competition(write_competition("breast-cancer", tmp_path))
    assert seed.sizes is not None
    assert seed.sizes.train + seed.sizes.test == 569
    assert len(seed.columns) == 30
    assert seed.targets[0].shares == pytest.approx((357 / 569, 212 / 569), abs=0.002)


def write(
    folder: Path,
    train: pd.DataFrame,
    *,
    target: str = "y",
    sample: dict[str, object] | None = None,
    description: str = "",
) -> Path:
    folder.mkdir(exist_ok=True)
    train.to_csv(folder / "train.csv", index=False)
    test = train.drop(columns=target).head(10)
    test.to_csv(folder / "test.csv", index=False)
    test[["id"]].assign(**(sample or {target: 0})).to_csv(
        folder / "sample_submission.csv", index=False
    )
    (folder / "description.md").write_text(description, encoding="utf-8")
    return folder


def table(rows: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=rows)
    return pd.DataFrame(
        {
            "id": range(rows),
            "x": x,
            "u_shape": rng.permutation(x) * 0 + rng.normal(size=rows),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "seen": pd.date_range("2020-01-01", periods=rows).astype(str),
            "y": (x > 0).astype(int),
        }
    )


def test_columns_are_told_by_kind_and_dependence(tmp_path: Path) -> None:
    train = table()
    train["u_shape"] = train["x"].abs() * 1000
    train.loc[::4, "colour"] = None
    train["y"] = (train["u_shape"] > train["u_shape"].median()).astype(int)
    seed = profile_competition(write(tmp_path, train, sample={"y": 0.5}))
    x, bent, colour, _ = seed.columns
    assert [c.name for c in seed.columns] == ["number_1", "number_2", "category_1", "date_1"]
    assert (colour.cardinality, colour.missing) == (3, 0.25)
    assert bent.magnitude == 2
    assert bent.dependence is not None
    assert bent.dependence > 0.8
    assert x.rank_correlation is not None
    assert x.rank_correlation < 0.3
    assert x.dependence is not None
    assert x.dependence > 0.5, "a dependence that is not monotone counts too"


def test_numbered_columns_of_a_smooth_series_are_one_column(tmp_path: Path) -> None:
    walk = np.random.default_rng(1).normal(size=(80, 20)).cumsum(axis=1)
    train = pd.DataFrame(walk, columns=[f"hour_{i}" for i in range(20)])
    seed = profile_competition(write(tmp_path, train.assign(id=range(80), y=walk[:, -1])))
    assert (seed.modality, seed.task) == ("series", "regression")
    assert [(c.kind, c.length) for c in seed.columns] == [("series", 20)]


def test_long_texts_recordings_and_documents(tmp_path: Path) -> None:
    train = table()[["id", "y"]]
    words = np.random.default_rng(2).integers(0, 50, (120, 12))
    train["note"] = [" ".join(f"w{w}" for w in row) for row in words]
    seed = profile_competition(write(tmp_path / "text", train))
    assert (seed.modality, seed.columns[0].words) == ("text", 12)

    folder = write(tmp_path / "sound", table()[["id", "y"]])
    with wave.open(str(folder / "1.wav"), "wb") as recording:
        recording.setnchannels(1)
        recording.setsampwidth(2)
        recording.setframerate(8000)
        recording.writeframes(bytes(2 * 500))
    seed = profile_competition(folder)
    assert (seed.modality, seed.files[0].kind, seed.files[0].length) == ("audio", "audio", 500)

    folder = write(tmp_path / "documents", table()[["id", "y"]])
    (folder / "1.txt").write_text("six short words in one file")
    assert profile_competition(folder).modality == "text"


def test_images_beside_columns_are_mixed(tmp_path: Path) -> None:
    folder = write(tmp_path, table().assign(z=table()["x"]))
    Image.new("RGB", (40, 30)).save(folder / "1.png")
    seed = profile_competition(folder)
    assert seed.modality == "mixed"
    assert (seed.files[0].width, seed.files[0].height, seed.files[0].channels) == (40, 30, 3)


@pytest.mark.parametrize(
    ("values", "sample", "description", "task", "metric"),
    [
        ([1, 2, 3, 4], {"y": 0}, "## Evaluation\nquadratic weighted kappa", "ordinal", "config"),
        (["a", "b", "c", "d"], {"y": "a"}, "", "multiclass", "task"),
        ([1, 2, 3, 4], {"y": 0}, "## Metric\nRMSE of predictions", "regression", "description"),
        (["no", "yes", "no", "yes"], {"y": 0.5}, "", "binary", "task"),
    ],
)
def test_the_task_follows_target_and_metric(
    tmp_path: Path,
    values: list[object],
    sample: dict[str, object],
    description: str,
    task: str,
    metric: str,
) -> None:
    train = table().assign(y=values * 30)
    folder = write(tmp_path, train, sample=sample, description=description)
    if metric == "config":
        (folder / "config.yaml").write_text("grader: {name: quadratic-weighted-kappa}\n")
    seed = profile_competition(folder)
    assert (seed.task, seed.metric.known_from) == (task, metric)


def test_several_binary_targets_and_one_hot_classes(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    train = table().drop(columns="y")
    labels = pd.DataFrame(rng.integers(0, 2, (120, 3)), columns=["a", "b", "c"])
    seed = profile_competition(_with_targets(tmp_path / "many", train, labels))
    assert (seed.task, len(seed.targets)) == ("multilabel", 3)
    hot = pd.DataFrame(np.eye(3, dtype=int)[rng.integers(0, 3, 120)], columns=["a", "b", "c"])
    seed = profile_competition(_with_targets(tmp_path / "hot", train, hot))
    assert (seed.task, len(seed.targets)) == ("multiclass", 1)
    assert seed.targets[0].shares is not None
    assert len(seed.targets[0].shares) == 3


def _with_targets(folder: Path, train: pd.DataFrame, labels: pd.DataFrame) -> Path:
    folder.mkdir()
    pd.concat([train, labels], axis=1).to_csv(folder / "train.csv", index=False)
    train.to_csv(folder / "test.csv", index=False)
    sample = pd.concat([train[["id"]], labels * 0 + 0.5], axis=1)
    sample.to_csv(folder / "sampleSubmission.csv", index=False)
    return folder


def test_no_secret_survives(tmp_path: Path) -> None:
    """Names, texts and values of every place in a competition are planted, and searched for."""
    rng = np.random.default_rng(4)
    rows = 90
    folder = tmp_path / "zanzibar"
    train = pd.DataFrame(
        {
            "id": [f"zanzibar{i}" for i in range(rows)],
            "zanzibar_amount": np.where(rng.random(rows) < 0.5, 918273.645, 192837.465),
            "zanzibar_size": rng.normal(918273.645, 1, rows).round(3),
            "zanzibar_pet": rng.choice(["zanzibar_cat", "zanzibar_dog", "zanzibar_cow"], rows),
            "note": [
                f"zanzibar word {w} and some more words here" for w in rng.integers(0, 99, rows)
            ],
            "y": rng.choice(["zanzibar_yes", "zanzibar_no", "zanzibar_perhaps"], rows),
        }
    )
    write(folder, train, sample={"y": "zanzibar_no"}, description="# zanzibar\nmost zanzibar")
    (folder / "config.yaml").write_text("id: zanzibar\ngrader: {name: zanzibar-score}\n")
    (folder / "zanzibar_images").mkdir()
    Image.new("L", (9, 9)).save(folder / "zanzibar_images" / "zanzibar1.png")
    train[["id", "zanzibar_size"]].to_csv(folder / "zanzibar.csv", index=False)
    seed = profile_competition(folder, name="harmless")
    dump_seed(seed, tmp_path / "harmless.yaml")
    text = (tmp_path / "harmless.yaml").read_text().lower()
    for secret in ("zanzibar", "918273", "192837", "9.18", "perhaps", "word ", "png"):
        assert secret not in text
    assert load_seed(tmp_path / "harmless.yaml") == seed


def broken(folder: Path) -> SpecError:
    with pytest.raises(SpecError) as caught:
        profile_competition(folder)
    return caught.value


def test_a_missing_folder_or_table_is_named(tmp_path: Path) -> None:
    assert "nowhere" in str(broken(tmp_path / "nowhere"))
    assert "train.csv" in str(broken(tmp_path))
    write(tmp_path, table())
    (tmp_path / "sample_submission.csv").unlink()
    assert "sample_submission.csv" in str(broken(tmp_path))


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"id,y\n1,0\n2,0,7,7\n", 3, "Expected 2 fields"),
        (b"id,y\n\xff\xfe\xfa,1\n", 1, "not UTF-8"),
        (b"", 1, "not a csv"),
        (b"id,y\n", 1, "no rows"),
        (b"id,y,y\n1,0,0\n", 1, "two columns are called 'y'"),
        (b"id,y\n1,0\n2,0\n", 1, "fewer than two distinct values"),
        (b"id,what\n1,0\n2,1\n", 1, "cannot tell the target"),
    ],
)
def test_a_broken_table_is_reported_at_its_line(
    tmp_path: Path, content: bytes, line: int, message: str
) -> None:
    write(tmp_path, table()[["id", "y"]])
    if b"what" in content:
        (tmp_path / "test.csv").write_bytes(content)
    (tmp_path / "train.csv").write_bytes(content)
    (problem,) = broken(tmp_path).problems
    assert problem.line == line
    assert message in problem.message
    assert problem.file.endswith("train.csv")


def test_free_text_targets_and_mixed_targets_are_refused(tmp_path: Path) -> None:
    train = table().assign(y=[f"answer {i}" for i in range(120)])
    assert "free text" in str(broken(write(tmp_path / "text", train)))
    labels = pd.DataFrame({"a": [0, 1] * 60, "b": np.arange(120) / 7})
    folder = _with_targets(tmp_path / "mixed", table().drop(columns="y"), labels)
    assert "all be 0/1 or all be numbers" in str(broken(folder))


def test_a_broken_image_or_config_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, table())
    (folder / "1.png").write_bytes(b"no image")
    assert "1.png" in str(broken(folder))
    (folder / "1.png").unlink()
    (folder / "config.yaml").write_text("grader:\n  name: [x\n")
    (problem,) = broken(folder).problems
    assert problem.file.endswith("config.yaml")


CELLS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, st.sampled_from(["", "1", "2.5", "a"])), min_size=1))
def test_any_table_gives_a_seed_or_an_error(tmp_path_factory, rows) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("any")
    frame = pd.DataFrame(rows, columns=["a", "b", "y"]).assign(id=range(len(rows)))
    write(folder, frame)
    with contextlib.suppress(SpecError):
        assert isinstance(profile_competition(folder), Seed)
