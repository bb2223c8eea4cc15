"""What a solver learns about a competition from its public folder alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers.reading import Competition, read_competition
from sandmle.solvers.stating import stated_word


def competition(
    folder: Path, train: str, test: str, sample: str, description: str = ""
) -> Competition:
    (folder / "train.csv").write_text(train)
    (folder / "test.csv").write_text(test)
    (folder / "sample_submission.csv").write_text(sample)
    (folder / "description.md").write_text(description)
    return read_competition(folder)


@pytest.mark.parametrize(
    ("line", "metric"),
    [
        ("Metric: roc_auc", "roc_auc"),
        ("**Metric:** `macro_f1`", "macro_f1"),
        ("- Metric: Log Loss", "log_loss"),
        ("The metric is a secret.", ""),
    ],
)
def test_the_metric_is_stated_in_a_line_of_the_description(line: str, metric: str) -> None:
    assert stated_word(f"# Title\n\nSome story.\n\n{line}\n\nMore.", "metric") == metric


@pytest.mark.parametrize(
    ("labels", "sample", "description", "predicts"),
    [
        ("0 1 0", "y\n{}0.5", "", "probability"),
        ("0 1 0", "y\n{}0", "", "label"),
        ("0 1 0", "y\n{}0", "Metric: roc_auc", "probability"),
        ("0 1 2", "y\n{}0", "Metric: mae", "number"),
        ("0.5 1.25 2", "y\n{}0", "", "number"),
        ("a b a", "y\n{}a", "", "label"),
        ("a b a", "b,a\n{}0.5,0.5", "", "probability"),
    ],
)
def test_what_to_predict_follows_from_metric_labels_and_sample(
    labels: str, sample: str, description: str, predicts: str, tmp_path: Path
) -> None:
    rows = "".join(f"r{index},1,{label}\n" for index, label in enumerate(labels.split()))
    found = competition(
        tmp_path, f"id,x,y\n{rows}", "id,x\nt1,2\n", f"id,{sample.format('t1,')}\n", description
    )
    assert found.predicts == predicts
    assert found.targets == ("y",)
    assert found.train == 3
    assert found.ids == ("r0", "r1", "r2", "t1")


def test_a_class_may_be_called_none_or_na(tmp_path: Path) -> None:
    found = competition(tmp_path, "id,x,y\na,1,None\nb,,NA\n", "id,x\nc,NA\n", "id,y\nc,None\n")
    assert found.classes == ("NA", "None")
    assert found.responses()["y"].tolist() == [1, 0]
    assert found.frame["x"].isna().tolist() == [False, True, False]


def test_number_classes_ascend_and_named_ones_follow_the_description(tmp_path: Path) -> None:
    numbered = competition(tmp_path, "id,y\na,10\nb,9\n", "id\nc\n", "id,y\nc,9\n")
    assert numbered.classes == ("9", "10")
    named = competition(
        tmp_path,
        "id,y\na,high\nb,low\n",
        "id\nc\n",
        "id,y\nc,low\n",
        "From `low` to `high`.",
    )
    assert named.classes == ("low", "high")


def test_images_and_second_tables_are_found_by_id(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    for name in "abc":
        (tmp_path / "pictures" / f"{name}.png").write_bytes(b"")
    (tmp_path / "visits.csv").write_text("id,cost\nc,1\na,2\n")
    (tmp_path / "notes.csv").write_text("page,text\n1,x\n")
    found = competition(tmp_path, "id,y\na,0\nb,1\n", "id\nc\n", "id,y\nc,0\n")
    assert list(found.images) == ["pictures/{id}.png"]
    assert [path.stem for path in found.images["pictures/{id}.png"]] == ["a", "b", "c"]
    assert list(found.tables) == ["visits"]
    assert isinstance(found.tables["visits"], pd.DataFrame)


def test_several_images_of_a_row_are_series_and_those_of_some_rows_are_none(tmp_path: Path) -> None:
    (tmp_path / "clean").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        for index in (1, 2, 10):
            (tmp_path / name / f"{index}.png").write_bytes(b"")
            (tmp_path / f"{name}-{index}.png").write_bytes(b"")
    (tmp_path / "clean" / "a.png").write_bytes(b"")
    found = competition(tmp_path, "id,y\na,0\nb,1\n", "id\nc\n", "id,y\nc,0\n")
    whole = [f"{{id}}{mark}{index}.png" for index in (1, 2, 10) for mark in "-/"]
    assert sorted(found.images) == sorted(whole)
    assert found.images["{id}/10.png"][2] == tmp_path / "c" / "10.png"
    assert list(found.images).index("{id}/2.png") < list(found.images).index("{id}/10.png")


def test_task_and_format_are_stated_with_their_choices(tmp_path: Path) -> None:
    found = competition(
        tmp_path,
        "id,y\na,1 2\nb,\n",
        "id\nc\n",
        "id,y\nc,\n",
        "Task: segmentation\n\nMetric: f_beta (beta = 2)\n\nFormat: run_lengths (order = rows)",
    )
    assert (found.task, found.metric, found.format) == ("segmentation", "f_beta", "run_lengths")
    assert found.settings == {"beta": 2.0}
    assert found.choices == {"order": "rows"}


@pytest.mark.parametrize(
    ("train", "sample", "form"),
    [
        ("id,x,y\na,1,0.5\nb,2,1.5\n", "id,y\nc,0\n", "number"),
        ("id,x,y\na,1,0\nb,2,1\n", "id,y\nc,0\n", "label"),
        ("id,x,y\na,1,0\nb,2,1\n", "id,y\nc,0.5\n", "probability"),
        ("id,x,lid,rim\na,1,0,1\nb,2,1,1\n", "id,lid,rim\nc,0,0\n", "label_columns"),
        ("id,x,lid,rim\na,1,0,1\nb,2,1,1\n", "id,lid,rim\nc,0.5,0.5\n", "label_probabilities"),
        (
            "id,x,lid,rim\na,1,0,1\nb,2,1,1\n",
            "id,p\nc_lid,0.5\nc_rim,0.5\n",
            "long_probabilities",
        ),
        ("id,x,y\na,1,red\nb,2,blue\n", "id,blue,red\nc,0.5,0.5\n", "class_probabilities"),
        ("id,x,y\na,1,red\nb,2,blue\n", "id,best\nc,red blue\n", "top_k"),
        ("id,x,y\na,1,lid rim\nb,2,rim\nd,3,lid\n", "id,y\nc,rim\n", "tags"),
        ("id,x\na,1\nb,2\n", "id,y\nc_0,0\nc_1,0\n", "positions"),
    ],
)
def test_a_format_that_is_not_stated_is_seen(
    train: str, sample: str, form: str, tmp_path: Path
) -> None:
    assert competition(tmp_path, train, "id,x\nc,3\n", sample).format == form


def test_tags_become_columns(tmp_path: Path) -> None:
    found = competition(
        tmp_path,
        "id,x,tags\na,1,rim lid\nb,2,-\n",
        "id,x\nc,3\n",
        "id,tags\nc,lid\n",
        "Format: tags",
    )
    assert found.targets == ("lid", "rim")
    assert {name: values.tolist() for name, values in found.responses().items()} == {
        "lid": [1, 0],
        "rim": [1, 0],
    }


def test_the_inner_metric_counts(tmp_path: Path) -> None:
    found = competition(
        tmp_path,
        "id,x,y\na,1,0\nb,2,1\n",
        "id,x\nc,3\n",
        "id,y\nc,0\n",
        "Metric: per_group (by = site, of = f_beta (beta = 2.0))",
    )
    assert (found.metric, found.settings) == ("f_beta", {"beta": 2.0})


def test_a_table_of_other_things_is_joined_by_its_first_column(tmp_path: Path) -> None:
    (tmp_path / "stores.csv").write_text("store,area\ns2,80\ns1,35\n")
    (tmp_path / "areas.csv").write_text("area,name\n35,small\n80,large\n")
    (tmp_path / "twice.csv").write_text("store,boss\ns1,Ann\ns1,Bob\n")
    found = competition(tmp_path, "id,store,y\na,s1,0\nb,s2,1\n", "id,store\nc,s3\n", "id,y\nc,0\n")
    assert found.frame["area"].tolist()[:2] == ["35", "80"]
    assert found.frame["area"].isna().tolist() == [False, False, True]
    assert found.frame["name"].tolist()[:2] == ["small", "large"]
    assert "boss" not in found.frame


def test_shares_of_votes_are_one_target(tmp_path: Path) -> None:
    found = competition(
        tmp_path,
        "id,x,heap,veil\na,1,0.75,0.25\nb,2,1,0\n",
        "id,x\nc,3\n",
        "id,heap,veil\nc,0.5,0.5\n",
        "Task: soft_labels\n\nFormat: class_probabilities",
    )
    (shares,) = found.responses().values()
    assert found.is_distribution
    assert found.classes == ("heap", "veil")
    assert shares[0, 0] - shares[0, 1] == pytest.approx(np.log(3))
