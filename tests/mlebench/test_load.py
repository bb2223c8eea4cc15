from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.mlebench.load import load_competitions
from tests.mlebench.standins import prepare, write_config, write_leaderboard

CACTUS = "aerial-cactus-identification"
TAXI = "new-york-city-taxi-fare-prediction"
LABELS = [("id", "has_cactus"), ("a", 1), ("b", 0)]
FARES = [("key", "fare_amount"), ("a", 1.5), ("b", 2.5)]


@pytest.fixture(name="data")
def make_data(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    prepare(data, TAXI, answers=FARES, file="test.csv", leaderboard=(2.5, 3.0, 9.0))
    prepare(data, CACTUS, answers=LABELS, file="test.csv")
    return data


def test_competitions_are_tasks(data: Path) -> None:
    cactus, taxi = load_competitions(data)
    assert (cactus.id, cactus.modality, cactus.task, cactus.metric) == (
        CACTUS,
        "image",
        "binary",
        "roc_auc",
    )
    assert (taxi.id, taxi.metric, taxi.is_lower_better) == (TAXI, "rmse", True)
    assert cactus.public == data / CACTUS / "prepared" / "public"
    assert cactus.description.startswith(f"# {CACTUS}")
    assert (cactus.benchmark, cactus.split) == ("MLE-bench", "low")
    assert set(cactus.digests) == {"public", "private", "leaderboard"}
    again, _ = load_competitions(data)
    assert again == cactus
    (data / CACTUS / "prepared" / "private" / "test.csv").write_text("id,has_cactus\na,0\nb,1\n")
    write_leaderboard(data / CACTUS, (0.99, 0.5))
    changed = load_competitions(data, ids=[CACTUS])[0]
    assert {key for key in changed.digests if changed.digests[key] != cactus.digests[key]} == {
        "private",
        "leaderboard",
    }


def test_a_leaderboard_in_the_wrong_order_is_refused(data: Path) -> None:
    write_leaderboard(data / TAXI, (9.0, 3.0, 2.5))
    with pytest.raises(ValueError, match="the best team must stand first, but lower is better"):
        load_competitions(data)


def test_a_leaderboard_on_which_all_are_alike_tells_no_direction(data: Path) -> None:
    write_leaderboard(data / TAXI, (3.0, 3.0))
    assert load_competitions(data, ids=[TAXI])[0].is_lower_better


def test_a_grader_that_cannot_be_had_is_told_before_anything_is_played(data: Path) -> None:
    folder = prepare(data, "mine", answers=LABELS)
    write_config(folder, "mine", answers="answers.csv", module="mlebench.competitions.mine.grade")
    with pytest.raises(ValueError, match=r"config\.yaml: mine cannot be graded: ModuleNotFound"):
        load_competitions(data, ids=["mine"])


def test_a_link_to_a_competition_keeps_its_name(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / CACTUS).rename(tmp_path / "elsewhere")
    (data / CACTUS).symlink_to(tmp_path / "elsewhere")
    monkeypatch.chdir(data)
    found = [task.folder for task in load_competitions(Path())]
    assert found == [data / CACTUS, data / TAXI]


def test_the_competitions_of_one_complexity(data: Path) -> None:
    # What is of another is not even looked at: this one is half prepared.
    prepare(data, "AI4Code", answers=[("id", "cell_order")], leaderboard=None)
    assert [task.id for task in load_competitions(data, complexity="low")] == [CACTUS, TAXI]
    (data / "AI4Code" / "prepared" / "private" / "answers.csv").unlink()
    with pytest.raises(FileNotFoundError, match="AI4Code"):
        load_competitions(data, complexity="medium")
