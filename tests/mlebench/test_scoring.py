"""Our metrics on competitions' answers, against scikit-learn and scipy as MLE-bench's graders call
them, or by hand.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sandmle.errors import InvalidSubmission
from sandmle.mlebench.known import Rule, known_competitions
from sandmle.mlebench.scoring import score
from tests.mlebench.standins import Rows, table

ROWS = 60


def rule_of(name: str) -> Rule:
    rule = known_competitions()[name].rule
    assert rule is not None
    return rule


def scored(
    name: str, answers: pd.DataFrame | Rows, submission: pd.DataFrame | Rows, at: Path
) -> float:
    """The score of a submission to a competition of the benchmark."""
    path = at / "answers.csv"
    contents = [
        one.to_csv(index=False).encode() if isinstance(one, pd.DataFrame) else table(one)
        for one in (answers, submission)
    ]
    path.write_bytes(contents[0])
    return score(rule_of(name), contents[1], path)


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sample(frac=1.0, random_state=1)


@pytest.fixture(name="rng")
def make_rng() -> np.random.Generator:
    return np.random.default_rng(7)


def ids(count: int = ROWS) -> list[str]:
    return [f"row{number}" for number in range(count)]


def test_area_under_the_curve(tmp_path: Path, rng: np.random.Generator) -> None:
    true, guess = rng.integers(0, 2, ROWS), rng.random(ROWS).round(1)
    answers = pd.DataFrame({"id": ids(), "has_cactus": true})
    submission = pd.DataFrame({"extra": 1, "has_cactus": guess, "id": ids()})
    found = scored("aerial-cactus-identification", answers, shuffled(submission), tmp_path)
    assert found == round(reference.roc_auc_score(true, guess), 5)


def test_mean_area_over_columns_leaves_out_rows_that_are_not_scored(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    columns = list(rule_of("jigsaw-toxic-comment-classification-challenge").columns or ())
    true, guess = rng.integers(0, 2, (ROWS, 6)), rng.normal(size=(ROWS, 6))
    true[::3] = -1
    answers = pd.DataFrame(true, columns=columns).assign(id=ids())
    submission = pd.DataFrame(guess, columns=columns).assign(id=ids())
    found = scored(
        "jigsaw-toxic-comment-classification-challenge", answers, shuffled(submission), tmp_path
    )
    kept = true[:, 0] >= 0
    assert found == round(reference.roc_auc_score(true[kept], guess[kept], average="macro"), 5)


def test_log_loss_of_all_columns_but_the_id(tmp_path: Path, rng: np.random.Generator) -> None:
    true, guess = np.eye(3)[rng.integers(0, 3, ROWS)], rng.dirichlet((1, 1, 1), ROWS)
    names = ["EAP", "HPL", "MWS"]
    answers = pd.DataFrame(true, columns=names).assign(id=ids())
    submission = pd.DataFrame(guess, columns=names).assign(id=ids())[["id", "MWS", "EAP", "HPL"]]
    found = scored("spooky-author-identification", answers, shuffled(submission), tmp_path)
    assert found == round(reference.log_loss(true, guess), 5)


def test_divergence_from_votes(tmp_path: Path, rng: np.random.Generator) -> None:
    name = "hms-harmful-brain-activity-classification"
    votes, guess = rng.integers(0, 9, (ROWS, 6)), rng.dirichlet([1] * 6, ROWS)
    votes[:, 0] += 1
    columns = list(rule_of(name).columns or ())
    answers = pd.DataFrame(votes, columns=columns).assign(eeg_id=range(ROWS))
    submission = pd.DataFrame(guess, columns=columns).assign(eeg_id=range(ROWS))
    true = votes / votes.sum(axis=1, keepdims=True)
    expected = np.mean([stats.entropy(row, other) for row, other in zip(true, guess, strict=True)])
    assert scored(name, answers, submission, tmp_path) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("iwildcam-2020-fgvc7", reference.accuracy_score),
        (
            "iwildcam-2019-fgvc6",
            lambda true, guess: reference.f1_score(true, guess, average="macro"),
        ),
    ],
)
def test_classes(name: str, metric: object, tmp_path: Path, rng: np.random.Generator) -> None:
    true, guess = rng.integers(0, 5, ROWS), rng.integers(0, 7, ROWS)
    answers = pd.DataFrame({"Id": ids(), "Category": true})
    submission = pd.DataFrame({"Id": ids(), "Category": guess.astype(float)})
    assert callable(metric)
    assert scored(name, answers, submission, tmp_path) == round(metric(true, guess), 5)


def test_kappa_weighs_by_places_among_the_classes_that_are_there(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    true, guess = rng.integers(1, 7, ROWS), rng.choice([1, 3, 6, 900], ROWS)
    answers = pd.DataFrame({"essay_id": ids(), "score": true})
    submission = pd.DataFrame({"essay_id": ids(), "score": guess})
    name = "learning-agency-lab-automated-essay-scoring-2"
    expected = reference.cohen_kappa_score(guess, true, weights="quadratic")
    assert scored(name, answers, submission, tmp_path) == round(expected, 5)


def test_top_guess_of_several(tmp_path: Path) -> None:
    answers = [("id", "predicted"), ("1", 4), ("2", 5), ("3", 6)]
    submission = [("id", "predicted"), ("1", "4 9"), ("2", "9 5"), ("3", "6")]
    found = scored("inaturalist-2019-fgvc6", answers, submission, tmp_path)
    assert found == round(1 / 3, 5)


def test_logarithms_of_errors_by_group(tmp_path: Path, rng: np.random.Generator) -> None:
    true, guess = rng.normal(size=ROWS), rng.normal(size=ROWS)
    kinds = rng.choice(["1JHC", "2JHH"], ROWS)
    answers = pd.DataFrame({"id": range(ROWS), "type": kinds, "scalar_coupling_constant": true})
    submission = pd.DataFrame({"id": range(ROWS), "scalar_coupling_constant": guess})
    errors = pd.Series(np.abs(true - guess)).groupby(kinds).mean()
    found = scored("champs-scalar-coupling", answers, shuffled(submission), tmp_path)
    assert found == pytest.approx(np.log(errors).mean(), abs=1e-5)


def test_errors_count_where_a_column_of_the_answers_says(tmp_path: Path) -> None:
    answers = [("id", "u_out", "pressure"), (1, 0, 10.0), (2, 1, 99.0), (3, 0, 20.0)]
    submission = [("id", "pressure"), (3, 21.0), (2, 0.0), (1, 13.0)]
    assert scored("ventilator-pressure-prediction", answers, submission, tmp_path) == 2.0


def test_mean_error_of_scored_columns_and_positions(tmp_path: Path) -> None:
    columns = ["reactivity", "deg_Mg_pH10", "deg_Mg_50C"]
    answers = [("id_seqpos", *columns, "keep"), ("a_0", 1, 2, 3, True), ("a_1", 0, 0, 0, False)]
    submission = [("id_seqpos", *columns, "deg_pH10"), ("a_1", 9, 9, 9, 9), ("a_0", 2, 4, 6, 9)]
    assert scored("stanford-covid-vaccine", answers, submission, tmp_path) == 2.0


def test_columns_of_ranks(tmp_path: Path, rng: np.random.Generator) -> None:
    true, guess = rng.random((ROWS, 3)), rng.random((ROWS, 3)).round(1)
    names = ["one", "two", "three"]
    answers = pd.DataFrame(true, columns=names).assign(qa_id=range(ROWS))
    submission = pd.DataFrame(guess, columns=names).assign(qa_id=range(ROWS))
    expected = np.mean([stats.spearmanr(true[:, k], guess[:, k]).statistic for k in range(3)])
    found = scored("google-quest-challenge", answers, submission, tmp_path)
    assert found == pytest.approx(expected, abs=1e-5)


def test_a_score_is_rounded_to_a_whole_number_where_mlebench_does(tmp_path: Path) -> None:
    answers = [("segment_id", "time_to_eruption"), (1, 100), (2, 200)]
    submission = [("segment_id", "time_to_eruption"), (1, 101.2), (2, 204)]
    assert scored("predict-volcanic-eruptions-ingv-oe", answers, submission, tmp_path) == 3.0


def test_tags_that_no_answer_has_are_ignored(tmp_path: Path) -> None:
    answers = [("id", "attribute_ids"), ("a", "1 2"), ("b", "3"), ("c", "")]
    submission = [("id", "attribute_ids"), ("a", "2 77"), ("b", "3 1 3"), ("c", "2")]
    # Two hits, two false (1 in b, 2 in c), one missed: F1 = 4 / (4 + 2 + 1).
    found = scored("imet-2020-fgvc7", answers, submission, tmp_path)
    assert found == round(4 / 7, 5)


def test_precision_of_rankings_takes_each_guess_once(tmp_path: Path) -> None:
    answers = [("Image", "Id"), ("a", "w1"), ("b", "w2"), ("c", "w3")]
    submission = [("Image", "Id"), ("a", "w1 w2"), ("b", "w9 w9 w2"), ("c", "w1 w2 w4 w5 w6 w3")]
    # 1 at once, 1/3 at the third place, and a sixth guess does not count.
    found = scored("whale-categorization-playground", answers, submission, tmp_path)
    assert found == round((1 + 1 / 3 + 0) / 3, 5)


def test_customers_without_an_answer_are_not_graded(tmp_path: Path) -> None:
    answers = [("customer_id", "prediction"), ("c1", "01 02")]
    submission = [("customer_id", "prediction"), ("c0", "05"), ("c1", "02 09 01")]
    found = scored("h-and-m-personalized-fashion-recommendations", answers, submission, tmp_path)
    assert found == round((1 + 2 / 3) / 2, 5)


def test_texts_count_as_they_stand(tmp_path: Path) -> None:
    answers = [("id", "after"), ("0_1", "NA"), ("0_2", "two  spaces"), ("0_3", "1")]
    submission = [("id", "after"), ("0_1", "NA"), ("0_2", "two spaces"), ("0_3", "1")]
    name = "text-normalization-challenge-english-language"
    assert scored(name, answers, submission, tmp_path) == round(2 / 3, 5)


def test_edits_between_texts(tmp_path: Path) -> None:
    answers = [("image_id", "InChI"), ("a", "kitten"), ("b", "flaw")]
    submission = [("image_id", "InChI"), ("b", "lawn"), ("a", "sitting")]
    assert scored("bms-molecular-translation", answers, submission, tmp_path) == 2.5


def test_orders_are_compared_pooled(tmp_path: Path) -> None:
    answers = [("id", "cell_order"), ("a", "x y z"), ("b", "p q")]
    submission = [("id", "cell_order"), ("a", "z y x"), ("b", "p q")]
    # 3 of 3 + 1 pairs are swapped: 1 - 4 * 3 / (3 * 2 + 2 * 1).
    assert scored("AI4Code", answers, submission, tmp_path) == -0.5


def test_sequences_are_compared_pooled(tmp_path: Path) -> None:
    answers = [("Id", "Sequence"), ("1", "1 2 3 4"), ("2", "5")]
    submission = [("Id", "Sequence"), ("1", "1 2 4"), ("2", "5 6")]
    assert scored("multi-modal-gesture-recognition", answers, submission, tmp_path) == 0.4


def test_masks_overlap_by_their_pixels(tmp_path: Path) -> None:
    answers = [("id", "rle_mask"), ("a", "1 4"), ("b", ""), ("c", "11 2"), ("d", "")]
    submission = [("id", "rle_mask"), ("a", "2 4"), ("b", ""), ("c", "11 2"), ("d", "7 1")]
    # 3 of 5 pixels pass the thresholds 0.5 and 0.55 of ten; empty masks are right or wrong.
    found = scored("tgs-salt-identification-challenge", answers, submission, tmp_path)
    assert found == round((0.2 + 1 + 1 + 0) / 4, 5)


def test_masks_of_pictures_of_their_own_size(tmp_path: Path) -> None:
    name = "hubmap-kidney-segmentation"
    answers = [
        ("id", "width_pixels", "height_pixels", "encoding"),
        ("large", 30, 20, "1 10 600 1"),
        ("small", 3, 2, "1 6"),
    ]
    submission = [("id", "predicted"), ("small", "4 3"), ("large", "5 10")]
    expected = (2 * 6 / (11 + 10) + 2 * 3 / (6 + 3)) / 2
    assert scored(name, answers, submission, tmp_path) == round(expected, 5)
    with pytest.raises(InvalidSubmission, match="runs that ascend within pixels 1 to 6"):
        scored(name, answers, [("id", "predicted"), ("small", "7 1"), ("large", "")], tmp_path)


def test_pooled_masks(tmp_path: Path) -> None:
    name = "google-research-identify-contrails-reduce-global-warming"
    head = ("record_id", "encoded_pixels")
    answers = [(*head, "height", "width"), (1, "1 2", 4, 4), (2, "-", 4, 4)]
    assert scored(name, answers, [head, (1, "2 2"), (2, "-")], tmp_path) == 0.5


def test_only_the_last_weeks_of_each_patient_count(tmp_path: Path) -> None:
    name = "osic-pulmonary-fibrosis-progression"
    head = ("Patient_Week", "FVC", "Confidence")
    weeks = [("p", week, fvc) for week, fvc in ((-3, 2000), (2, 2100), (10, 2200), (9, 2300))]
    answers = [
        ("Patient", "Weeks", *head),
        *((who, week, f"{who}_{week}", fvc, 100) for who, week, fvc in weeks),
        ("p", 11, "p_11", "", 100),  # not measured
    ]
    submission = [head, *((f"{who}_{week}", 2200, 50) for who, week, _ in weeks), ("p_11", 0, 1)]
    scale = np.sqrt(2) * 70
    expected = np.mean([-2 * error / scale - np.log(scale) for error in (100, 0, 100)])
    assert scored(name, answers, submission, tmp_path) == round(expected, 5)


def test_rows_of_a_sample_are_weighed_together(tmp_path: Path, rng: np.random.Generator) -> None:
    name = "rsna-2022-cervical-spine-fracture-detection"
    parts = rule_of(name).parts
    true, guess = rng.integers(0, 2, (5, 8)), rng.random((5, 8))
    rows = [f"1.2.{sample}_{part}" for sample in range(5) for part in parts]
    answers = pd.DataFrame({"row_id": rows, "fractured": true.ravel()})
    submission = pd.DataFrame({"row_id": rows, "fractured": guess.ravel()})
    # As the organisers have it: 7 for the patient and 1 for a bone, twice as much where broken.
    weights = np.array([7, 1, 1, 1, 1, 1, 1, 1]) * np.where(true == 1, 2, 1)
    loss = -np.log(np.where(true == 1, guess, 1 - guess))
    expected = ((loss * weights).sum(axis=1) / weights.sum(axis=1)).mean()
    found = scored(name, shuffled(answers), submission, tmp_path)
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("given_ids", [("007", "8", "9.0"), ("7", "08", "9")])
def test_ids_that_are_numbers_are_matched_as_numbers(
    given_ids: tuple[str, ...], tmp_path: Path
) -> None:
    name = "rsna-miccai-brain-tumor-radiogenomic-classification"
    answers = [("BraTS21ID", "MGMT_value"), ("00007", 1), ("00008", 0), ("00009", 1)]
    submission = [("BraTS21ID", "MGMT_value"), *zip(given_ids, (0.9, 0.1, 0.8), strict=True)]
    assert scored(name, answers, submission, tmp_path) == 1.0


def test_an_id_that_stands_twice_is_matched_in_order(tmp_path: Path) -> None:
    name = "detecting-insults-in-social-commentary"
    answers = [("Insult", "Comment"), (1, "same"), (0, "same"), (0, "other")]
    submission = [("Insult", "Date", "Comment"), (0.9, "", "same"), (0.2, "", "other")]
    assert scored(name, answers, [*submission, (0.1, "", "same")], tmp_path) == 1.0
    with pytest.raises(InvalidSubmission, match="1 of 3 ids are missing, the first is 'same'"):
        scored(name, answers, [*submission, (0.1, "", "new")], tmp_path)


ANSWERS = [("Id", "Pawpularity"), ("a", 50), ("b", 60)]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\x00\xff\xfe,", "not a CSV file"),
        (b"Id\na\nb\n", "column 'Pawpularity' is missing; found 'Id'"),
        (b"Id,Pawpularity\n", "2 of 2 ids are missing, the first is 'a'"),
        (b"Id,Pawpularity\na,1\nc,1\n", "1 of 2 ids are missing, the first is 'b'"),
        (b"Id,Pawpularity\na,1\nb,1\nc,1\n", "row 3: id 'c' is not in the test set"),
        (b"Id,Pawpularity\na,1\nb,1\na,1\n", "row 3: id 'a' stands there too often"),
        (b"Id,Pawpularity\na,1\nb,cat\n", "row 2: 'Pawpularity' holds 'cat'; expected a number"),
        (b"Id,Pawpularity\na,1\nb,\n", "row 2: 'Pawpularity' is empty; expected a number"),
        (b"Id,Pawpularity\na,1\nb,101\n", "holds '101'; expected a number from 1 to 100"),
        (b"Id,Pawpularity\na,inf\nb,2\n", "row 1: 'Pawpularity' holds 'inf'; expected a number"),
        (b"Id,Pawpularity\na,1,2\nb,2,3\n", "more fields than the header"),
        (b"Id,Pawpularity\na,1\nb,2,3,4\n", "not a CSV file"),
        (b"Id" + b"," * 20_000 + b"\n", "line 1 is too long; expected at most 10000 fields"),
        (b"Id,Pawpularity\na" + b",1" * 20_000, "line 2 is too long"),
        (b"x" * 2_000_000, "column 'Id' is missing"),
    ],
)
def test_invalid_submissions_are_told_what_to_mend(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes(table(ANSWERS))
    with pytest.raises(InvalidSubmission) as error:
        score(rule_of("petfinder-pawpularity-score"), content, path)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("name", "answers", "submission", "reason"),
    [
        (
            "spooky-author-identification",
            [("id", "EAP", "HPL"), ("a", 1, 0)],
            [("id", "EAP", "HPL"), ("a", 0.5, 0.6)],
            "row 1: the probabilities add up to 1.1; expected 1",
        ),
        (
            "cassava-leaf-disease-classification",
            [("image_id", "label"), ("a", 1)],
            [("image_id", "label"), ("a", "one")],
            "row 1: 'label' holds 'one'; expected a class, which is a number",
        ),
        (
            "tgs-salt-identification-challenge",
            [("id", "rle_mask"), ("a", "1 1")],
            [("id", "rle_mask"), ("a", "1 1 x")],
            "row 1: 'rle_mask' holds '1 1 x'; expected runs: start length start length",
        ),
        (
            "AI4Code",
            [("id", "cell_order"), ("a", "x y")],
            [("id", "cell_order"), ("a", "x x")],
            "row 1: 'cell_order' holds 'x x'; expected the 2 items of this row, each once",
        ),
        (
            "multi-modal-gesture-recognition",
            [("Id", "Sequence"), ("1", "1 2")],
            [("Id", "Sequence"), ("1", "1 b")],
            "row 1: 'Sequence' holds '1 b'; expected whole numbers",
        ),
    ],
)
def test_each_form_refuses_what_it_cannot_read(
    name: str, answers: Rows, submission: Rows, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSubmission) as error:
        scored(name, answers, submission, tmp_path)
    assert reason in str(error.value)


def test_answers_without_a_column_are_no_fault_of_the_submission(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes(table([("Id", "Other"), ("a", 1)]))
    with pytest.raises(ValueError, match=r"answers.csv: .* column 'Pawpularity' is missing"):
        score(rule_of("petfinder-pawpularity-score"), table(ANSWERS), path)


@settings(max_examples=150)
@given(st.binary(max_size=60) | st.text(alphabet='Id,Pawpularity\n"ab019.\x00 ', max_size=60))
def test_whatever_is_submitted_is_scored_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes | str
) -> None:
    path = tmp_path_factory.getbasetemp() / "hypothesis-answers.csv"
    if not path.exists():
        path.write_bytes(table(ANSWERS))
    data = content if isinstance(content, bytes) else b"Id,Pawpularity\n" + content.encode()
    with contextlib.suppress(InvalidSubmission):
        assert score(rule_of("petfinder-pawpularity-score"), data, path) >= 0


def test_perfect_submissions_score_best(tmp_path: Path) -> None:
    """The answers themselves, where rows of a few classes and numbers are all that is wanted."""
    numbers = [("key", "fare_amount"), ("a", 1.5), ("b", 2.5)]
    assert scored("new-york-city-taxi-fare-prediction", numbers, numbers, tmp_path) == 0.0
    words = [("textID", "selected_text"), ("a", "so good"), ("b", "")]
    assert scored("tweet-sentiment-extraction", words, words, tmp_path) == 1.0
