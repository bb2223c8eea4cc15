"""Each audit catches its planted fault, and a good task passes them all."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from sandmle.build.associations import MOST_DEVIATIONS, most_deviations
from sandmle.build.auditing import Examined, audit, audit_modules, run_audit
from sandmle.build.audits.public_size import MOST_BYTES
from sandmle.build.prepare import Prepared
from sandmle.build.verdict import Audit
from sandmle.grading import Grader
from sandmle.spec.model import Thresholds

GOOD = Thresholds(median=0.65, bronze=0.775, silver=0.875, gold=0.95)

Changed = Callable[[dict[str, bytes]], Prepared]


def grader(prepared: Prepared, **limits: float) -> Grader:
    """The task's grader with thresholds put into its script, as compiling does."""
    from sandmle.compiler.compile import compile_spec
    from sandmle.grading import make_grader

    thresholds = dataclasses.replace(GOOD, **limits)
    script = compile_spec(prepared.spec, thresholds=thresholds).evaluate
    return make_grader(script, prepared.grader.answers)


def table(prepared: Prepared, name: str) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(prepared.dataset.public[name]), dtype={"id": str})


def content(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False, float_format="%.6g").encode()


def found(name: str, prepared: Prepared, **limits: float) -> Audit:
    return run_audit(name, Examined(prepared, grader(prepared, **limits)))


def caught(name: str, prepared: Prepared, **limits: float) -> str:
    check = found(name, prepared, **limits)
    assert not check.passed
    return check.evidence


def test_a_good_task_passes_all(prepared: Prepared) -> None:
    checks = audit(Examined(prepared, grader(prepared)))
    cheap = [name for name, module in audit_modules().items() if module.COST == "cheap"]
    assert [check.name for check in checks] == cheap
    assert [check for check in checks if not check.passed] == []


def test_gold_out_of_reach(prepared: Prepared) -> None:
    caught("perfect_submission", prepared, gold=1.1)


def test_gold_out_of_reach_of_the_truth_under_noise(prepared: Prepared) -> None:
    noisy = dict(prepared.dataset.truth)
    noisy["has_damage"] = np.random.default_rng(0).permutation(noisy["has_damage"])
    broken = dataclasses.replace(
        prepared, dataset=dataclasses.replace(prepared.dataset, truth=noisy)
    )
    caught("noise_free_truth", broken)


def test_median_within_reach_of_a_constant(prepared: Prepared) -> None:
    assert "sample: 0.5" in caught("uninformed_submissions", prepared, median=0.49)


def test_a_column_that_is_the_answer(prepared: Prepared, changed: Changed) -> None:
    frames = {name: table(prepared, name) for name in ("train.csv", "test.csv")}
    scores = dict(zip(prepared.dataset.ids, prepared.dataset.scores["has_damage"], strict=True))
    for frame in frames.values():
        frame.insert(1, "leak", frame["id"].map(scores))
    broken = changed({name: content(frame) for name, frame in frames.items()})
    assert "leak: " in caught("single_column", broken)


@pytest.mark.parametrize("part", ["train.csv", "test.csv"])
@pytest.mark.parametrize("by", ["rows", "ids"])
def test_order_that_tells_the_label(
    part: str, by: str, prepared: Prepared, changed: Changed
) -> None:
    labels = dict(zip(prepared.dataset.ids, prepared.dataset.labels["has_damage"], strict=True))
    frame = table(prepared, part)
    order = frame["id"].map(labels).argsort(kind="stable")
    broken = prepared
    if by == "rows":
        broken = changed({part: content(frame.iloc[order])})
    else:
        names = dict(zip(frame["id"][order], sorted(frame["id"]), strict=True))
        ids = np.array([names.get(name, name) for name in prepared.dataset.ids])
        renamed = changed({part: content(frame.assign(id=frame["id"].map(names)))})
        broken = dataclasses.replace(renamed, dataset=dataclasses.replace(renamed.dataset, ids=ids))
    assert ("row" if by == "rows" else "id order") in caught("row_order", broken)


def test_blocks_of_equal_labels(prepared: Prepared, changed: Changed) -> None:
    labels = dict(zip(prepared.dataset.ids, prepared.dataset.labels["has_damage"], strict=True))
    frame = table(prepared, "test.csv")
    groups = [frame[frame["id"].map(labels) == label] for label in (0, 1)]
    blocks = [part[start : start + 25] for start in range(0, 250, 25) for part in groups]
    rest = frame[~frame["id"].isin(pd.concat(blocks)["id"])]
    broken = changed({"test.csv": content(pd.concat([*blocks, rest]))})
    assert "row before" in caught("row_order", broken)


def test_the_more_is_looked_at_the_farther_chance_may_go() -> None:
    assert most_deviations(1) == pytest.approx(MOST_DEVIATIONS)
    # Six classes, in train and test, by three tests: statsmodels' multipletests(method="sidak")
    # takes 1.76e-6 for 6.33e-5 in 36 tests, which is 4.78 standard errors to both sides.
    assert most_deviations(36) == pytest.approx(4.78, abs=0.005)


def test_sizes_of_files(prepared: Prepared, changed: Changed) -> None:
    labels = prepared.dataset.labels["has_damage"]

    def files(sizes: np.ndarray) -> dict[str, bytes]:
        return {
            f"images/{name}.png": bytes(int(size))
            for name, size in zip(prepared.dataset.ids, sizes, strict=True)
        }

    rng = np.random.default_rng(0)
    innocent = changed(files(rng.integers(900, 1000, len(labels))))
    assert found("file_sizes", innocent).passed
    telling = changed(files(rng.integers(900, 1000, len(labels)) + 40 * labels))
    assert "size of images/*.png" in caught("file_sizes", telling)


def test_test_rows_that_stand_in_train(prepared: Prepared, changed: Changed) -> None:
    train, test = table(prepared, "train.csv"), table(prepared, "test.csv")
    test.loc[:19, test.columns[1:]] = train.loc[:19, test.columns[1:]]
    broken = changed({"test.csv": content(test)})
    assert caught("duplicates", broken) == "4.0% of the test rows"


def test_equal_rows_of_a_discrete_table_are_no_fault(prepared: Prepared, changed: Changed) -> None:
    frames = {name: table(prepared, name) for name in ("train.csv", "test.csv")}
    for frame in frames.values():
        for name in frame.columns[1:11]:
            frame[name] = (frame[name] > 0).astype(int)
    discrete = changed({name: content(frame) for name, frame in frames.items()})
    assert found("duplicates", discrete).passed


def test_equal_files_are_duplicates_even_where_columns_differ_not(
    prepared: Prepared, changed: Changed
) -> None:
    train, test = table(prepared, "train.csv"), table(prepared, "test.csv")
    files = {
        f"scans/{name}.png": index.to_bytes(4, "big")
        for index, name in enumerate(prepared.dataset.ids)
    }
    bare = {
        "train.csv": content(train[["id", "has_damage"]]),
        "test.csv": content(test[["id"]]),
    }
    good = changed({**files, **bare})
    assert found("duplicates", good).passed
    for one, two in zip(train["id"][:20], test["id"][:20], strict=True):
        files[f"scans/{two}.png"] = files[f"scans/{one}.png"]
    broken = changed({**files, **bare})
    caught("duplicates", broken)


def test_files_too_large_for_a_micro_task(prepared: Prepared, changed: Changed) -> None:
    heavy = changed({"scans/all.bin": bytes(MOST_BYTES)})
    assert "at most 2" in caught("public_size", heavy)


def test_a_target_in_a_second_table(prepared: Prepared, changed: Changed) -> None:
    train = table(prepared, "train.csv")
    broken = changed({"visits.csv": content(train[["id", "has_damage"]])})
    assert caught("public_targets", broken) == "visits.csv: has_damage"


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ("factors = draw_factors()", "factors = draw_factors()\n    hash_order()", "other data"),
        ("def generate()", "def generate_all()", "fails under PYTHONHASHSEED=0: KeyError"),
    ],
)
def test_data_that_depend_on_the_process(
    old: str, new: str, detail: str, prepared: Prepared
) -> None:
    unstable = "\n\ndef hash_order():\n    global RANDOM_SEED\n    RANDOM_SEED = hash('a') % 1000\n"
    script = prepared.folder / "generate.py"
    text = script.read_text().replace(old, new)
    script.write_text(text.replace("\n\ndef draw_factors", f"{unstable}\n\ndef draw_factors"))
    assert detail in caught("determinism", prepared)
