"""Names of files that say more than whose they are."""

from __future__ import annotations

import numpy as np
import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    Changed,
    blurred,
    caught,
    labels_of,
    passes,
    with_column,
    with_files,
)


def paths(prepared: Prepared, kind: str) -> list[str]:
    """A path for each sample, of which the label leaves a mark on some."""
    labels = blurred(labels_of(prepared), 0.4)
    rng = np.random.default_rng(0)
    counts = np.argsort(np.argsort(rng.normal(size=len(labels)) + 0.9 * labels_of(prepared)))
    form = {
        "nothing": "scans/{name}.dat",
        "a folder": "scans/{label}/{name}.dat",
        "an ending": "scans/{name}_{label}.dat",
        "a type": "scans/{name}.{suffix}",
        "a running number": "scans/{name}_{count:04d}.dat",
        "a number that tells nothing": "scans/{name}_{place:04d}.dat",
    }[kind]
    return [
        form.format(name=name, label=label, suffix=("dat", "bin")[label], count=count, place=place)
        for place, (name, label, count) in enumerate(
            zip(prepared.dataset.ids, labels, counts, strict=True)
        )
    ]


@pytest.mark.parametrize("kind", ["a folder", "an ending", "a type", "a running number"])
def test_telling_names(kind: str, prepared: Prepared) -> None:
    caught("file_names", with_files(prepared, dict.fromkeys(paths(prepared, kind), b"x")))


@pytest.mark.parametrize("kind", ["nothing", "a number that tells nothing"])
def test_names_that_tell_nothing(kind: str, prepared: Prepared) -> None:
    files = dict.fromkeys(sorted(paths(prepared, kind)), b"x")
    passes("file_names", with_files(prepared, files))


def test_files_that_are_there_for_one_class(prepared: Prepared) -> None:
    chosen = blurred(labels_of(prepared), 0.7) == 1
    files = {f"scans/{name}.dat": b"x" for name in prepared.dataset.ids[chosen]}
    assert "count of files" in caught("file_names", with_files(prepared, files))


def test_files_listed_by_label(prepared: Prepared) -> None:
    order = np.argsort(blurred(labels_of(prepared), 0.7), kind="stable")
    files = {f"scans/{name}.dat": b"x" for name in prepared.dataset.ids[order]}
    assert "order of files" in caught("file_names", with_files(prepared, files))


def test_numbered_files_that_a_column_names(prepared: Prepared, changed: Changed) -> None:
    labels = labels_of(prepared)
    for telling in (True, False):
        rng = np.random.default_rng(0)
        ranks = np.argsort(np.argsort(rng.normal(size=len(labels)) + 0.9 * telling * labels))
        names = [f"img_{rank:04d}.dat" for rank in ranks]
        files = {f"scans/{name}": b"x" for name in sorted(names)}
        broken = with_files(changed(with_column(prepared, "scan", names)), files)
        if telling:
            caught("file_names", broken)
        else:
            passes("file_names", broken)
