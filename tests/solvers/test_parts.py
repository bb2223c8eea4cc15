"""Less data and other seeds: the same solvers, a little worse or a little different."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.build.prepare import prepare
from sandmle.grading import Grader
from sandmle.solvers.outputs import OUTPUTS, answer, script
from sandmle.solvers.reading import Competition, read_competition
from sandmle.spec.load import load_spec
from tests.solvers.folders import Drawn, cut, numbers, write_folder
from tests.submissions.test_compiled import SPECS, make_task

CORPUS = Path(__file__).parents[2]
#: Formats of all kinds of task, but for answers that are parts of a text: see ANSWERS.
FORMATS = sorted(SPECS)
ANSWERS = "harbour-answers"


def small_task(name: str, folder: Path) -> tuple[Competition, Grader]:
    """A built task by its format, or a shipped one by its id."""
    if name not in SPECS:
        spec = load_spec(CORPUS / f"specs/tasks/{name}.yaml", corpus=CORPUS)
        prepared = prepare(spec, folder, corpus=CORPUS)
        return prepared.competition, prepared.grader
    files, grader, description = make_task(name)
    for path, content in {**files, "description.md": description.encode()}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return read_competition(folder), grader


@pytest.mark.parametrize("name", [*FORMATS, ANSWERS])
def test_every_solver_answers_from_a_quarter_of_the_rows(name: str, tmp_path: Path) -> None:
    whole, grader = small_task(name, tmp_path)
    part = whole.part(0.25)
    assert part.ids[part.train :] == whole.ids[whole.train :]
    assert 8 <= part.train < whole.train / 2
    for rung in ("dummy", "naive", "honest"):
        grade = grader.grade(answer(part, rung).to_csv(index=False).encode())
        assert grade.score is not None, (rung, grade.reason)


def test_all_kinds_of_output_are_among_them(tmp_path: Path) -> None:
    tasks = {SPECS[name]["dna"]["task"] for name in FORMATS} | {"extractive_qa"}
    assert set(OUTPUTS) <= tasks


def small(folder: Path, targets: Callable[[np.ndarray], Mapping[str, np.ndarray]]) -> Competition:
    """Six columns, and targets of them."""
    values, frame = numbers(np.random.default_rng(8), 6)
    write_folder(folder, Drawn(frame, pd.DataFrame(targets(values))), metric="roc_auc", flips=0.2)
    return read_competition(folder)


def product(values: np.ndarray) -> Mapping[str, np.ndarray]:
    return {"y": cut(values[:, 0] * values[:, 1])}


def rare(values: np.ndarray) -> Mapping[str, np.ndarray]:
    return {"often": cut(values[:, 1]), "rare": (values[:, 0] > 1.8).astype(int)}


def test_all_rows_and_seed_zero_are_what_one_gets_without_asking(tmp_path: Path) -> None:
    plain = small(tmp_path / "data", product)
    same = read_competition(tmp_path / "data", random_seed=0).part(1.0)
    for rung in ("naive", "honest"):
        pd.testing.assert_frame_equal(answer(plain, rung), answer(same, rung))
    assert script("binary", "honest") == script("binary", "honest", share=1.0, random_seed=0)


def test_share_and_seed_change_the_answer(tmp_path: Path) -> None:
    plain = small(tmp_path / "data", product)
    other = read_competition(tmp_path / "data", random_seed=1)
    assert plain.with_seed(1).part(0.5).ids == other.part(0.5).ids
    assert plain.part(0.5).ids != other.part(0.5).ids
    first = answer(plain, "honest")["y"].to_numpy()
    for changed in (plain.part(0.5), other):
        found = answer(changed, "honest")["y"].to_numpy()
        assert not np.allclose(found, first)
        assert np.corrcoef(found, first)[0, 1] > 0.2


def test_a_part_has_known_rows_of_every_class_in_their_order(tmp_path: Path) -> None:
    whole = small(tmp_path / "data", rare)
    part = whole.part(0.1)
    assert part.classes == whole.classes
    for name in whole.targets:
        least = whole.labels[name].value_counts().clip(upper=2)
        assert (part.labels[name].value_counts().reindex(least.index) >= least).all()
    places = [whole.ids.index(name) for name in part.ids]
    assert places == sorted(places)
    pd.testing.assert_frame_equal(part.frame, whole.frame.iloc[places].reset_index(drop=True))
    assert part.labels.equals(whole.labels.iloc[places[: part.train]].reset_index(drop=True))


def test_a_part_of_few_rows_has_eight(tmp_path: Path) -> None:
    assert small(tmp_path / "data", product).part(0.01).train == 8


@pytest.mark.parametrize("share", [0.0, -0.5, 1.01])
def test_a_part_is_a_share(share: float, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="above 0, at most 1"):
        small(tmp_path / "data", product).part(share)


@pytest.mark.parametrize("task", ["binary", "ordering"])
def test_a_script_holds_its_share_and_its_seed(task: str) -> None:
    code = script(task, "honest", share=0.25, random_seed=3)
    assert "share=0.25, random_seed=3" in code
    assert code != script(task, "honest")
