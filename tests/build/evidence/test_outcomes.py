"""What labels say, as columns."""

from __future__ import annotations

import numpy as np

from sandmle.build.auditing import Examined
from sandmle.build.evidence.outcomes import summaries
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import TARGET, grader, labels_of


def test_classes_are_a_column_each_in_the_order_of_the_rows(prepared: Prepared) -> None:
    task = Examined(prepared, grader(prepared))
    by_id = dict(zip(prepared.dataset.ids, labels_of(prepared), strict=True))
    shown = task.outcomes[TARGET]
    assert shown.shape == (600, 2)
    assert shown[:, 1].tolist() == [by_id[name] for name in task.competition.ids]


def test_what_labels_of_each_type_say() -> None:
    masks = np.zeros((3, 4, 4), bool)
    masks[1, :2, :2] = True
    boxes = np.empty(2, dtype=object)
    boxes[:] = [np.array([[0, 1, 1, 2, 3.0]]), np.empty((0, 5))]
    tags = np.empty(2, dtype=object)
    tags[:] = [("a", "b", "a"), ("b",)]
    assert summaries(masks)["area"].tolist() == [0, 4, 0]
    assert summaries(np.array(["ab", "a"]))["length"].tolist() == [2, 1]
    found = summaries(boxes)
    assert found["length"].tolist() == [1, 0]
    assert found["area"].tolist() == [6, 0]
    found = summaries(tags)
    assert found["length"].tolist() == [3, 1]
    assert found["count of 'a'"].tolist() == [2, 0]
    assert found["first 'b'"].tolist() == [0, 1]
    assert summaries(np.array([[0.2, 0.8], [0.5, 0.5]]))["number 1"].tolist() == [0.8, 0.5]
    assert summaries(np.array([1.0, 2.0]))[""].tolist() == [1.0, 2.0]
