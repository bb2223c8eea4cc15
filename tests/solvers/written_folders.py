"""Small public folders whose answer is written, from words of the vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import Competition, read_competition
from tests.vocabulary.calling import call, draw_factors

TRAIN, TEST = 120, 80
#: The word of rules/submissions/ that each kind of task asks for.
FORMATS = {
    "extractive_qa": "free_text",
    "ordering": "permutation",
    "seq2seq": "free_text",
    "sequence_labelling": "tag_sequence",
}

Use = Mapping[str, Any]


def written_folder(
    folder: Path, task: str, *, factors: Mapping[str, Use], rule: Use, observe: Sequence[Use]
) -> tuple[Competition, list[str]]:
    """A task's public folder, read, and the test rows' true answers."""
    drawn = draw_factors(factors, TRAIN + TEST)
    labels = call("hidden", rule, factors=drawn)
    answers = [" ".join(label) if isinstance(label, tuple) else str(label) for label in labels]
    ids = np.array([f"r{row:03d}" for row in range(TRAIN + TEST)])
    table = pd.DataFrame({"id": ids})
    for use in observe:
        shown = call("observe", use, factors=drawn)
        if isinstance(shown, dict):
            table = table.assign(**shown)
        elif isinstance(shown, list):
            for identifier, content in zip(ids, shown, strict=True):
                path = folder / use["file"].replace("{id}", identifier)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        else:
            rows, columns = shown
            pd.DataFrame({"id": ids[rows], **columns}).to_csv(folder / use["file"], index=False)
    table[:TRAIN].assign(answer=answers[:TRAIN]).to_csv(folder / "train.csv", index=False)
    table[TRAIN:].to_csv(folder / "test.csv", index=False)
    sample = pd.DataFrame({"id": ids[TRAIN:], "answer": "-"})
    sample.to_csv(folder / "sample_submission.csv", index=False)
    (folder / "description.md").write_text(f"Task: {task}\nFormat: {FORMATS[task]}\n", "utf-8")
    return read_competition(folder), answers[TRAIN:]


def right_share(competition: Competition, rung: str, truth: Sequence[str]) -> float:
    """The share of words that the rung's first submission has right, each in its place."""
    _, table = next(candidates(competition, rung))
    assert list(table.columns) == ["id", "answer"]
    assert list(table["id"]) == list(competition.ids[competition.train :])
    right = total = 0
    for found, answer in zip(table["answer"], truth, strict=True):
        words, own = answer.split(), str(found).split()
        right += sum(word == other for word, other in zip(words, own, strict=False))
        total += max(len(words), len(own))
    return right / total
