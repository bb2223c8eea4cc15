"""Pictures, sounds and texts of test samples that are, but for little, those of train samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from sandmle.build.auditing import Examined
from sandmle.build.evidence.encodings import pixels
from sandmle.build.evidence.sheets import LEAST_SPACES

#: A near copy lies nearer to a sample of train than NEAR times the distance that few (FEW) of
#: train's own samples keep from their next.
NEAR, FEW = 0.25, 0.05
#: Three letters in a row, of words in small letters, by so many numbers.
_LETTERS = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 3), n_features=4096)


def contents(task: Examined) -> Iterator[np.ndarray]:
    """What all samples show in files of one size, and in columns of texts: (rows, numbers).

    Each row has the length 1, and of files the mean 0, so that neither loudness nor light counts.
    """
    rows = len(task.competition.ids)
    for series in task.series:
        shown = [pixels(each) for each in series.contents]
        if len(shown) < rows or series.is_text or len(set(map(len, shown))) > 1:
            continue
        values = np.frombuffer(b"".join(shown), np.uint8).reshape(rows, -1).astype(np.float32)
        values -= values.mean(axis=1, keepdims=True)
        yield values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-9)
    for _, cells in task.competition.frame.items():
        texts = cells.fillna("").to_numpy(str)
        if np.char.count(texts, " ").mean() >= LEAST_SPACES:
            yield np.asarray(_LETTERS.transform(texts).toarray())


def near_copies(values: np.ndarray, train: int) -> float:
    """The share of the rows after the first `train` that are near copies of one of these."""
    likeness = values @ values[:train].T
    likeness[:train][np.diag_indices(train)] = -1.0
    apart = np.sqrt(np.maximum(2 - 2 * likeness.max(axis=1), 0))
    return float((apart[train:] < NEAR * np.quantile(apart[:train], FEW)).mean())
