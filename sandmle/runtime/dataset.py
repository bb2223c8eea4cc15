"""What a compiled generate.py knows about its task, and how it puts the files on disk."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Dataset:
    """One task's data: all samples, in the order in which they were drawn.

    Arrays hold one entry a sample. `train` is True where a sample trains and False where it tests;
    `factors` are the true hidden factors; `scores` what the hidden rules gave, by target; `truth`
    the labels without noise and `labels` those in the files (class indices from 0, or numbers).
    `public` and `private` are the files, by path.
    """

    ids: np.ndarray
    train: np.ndarray
    factors: Mapping[str, np.ndarray]
    scores: Mapping[str, np.ndarray]
    truth: Mapping[str, np.ndarray]
    labels: Mapping[str, np.ndarray]
    public: Mapping[str, bytes]
    private: Mapping[str, bytes]


def write_dataset(dataset: Dataset, folder: Path) -> None:
    """Writes `folder`/public and `folder`/private, whole or not at all.

    Raises FileExistsError where `folder` holds anything already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(f"{folder} is not an empty folder")
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        for part, files in (("public", dataset.public), ("private", dataset.private)):
            for name, content in files.items():
                path = partial / part / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        partial.replace(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
