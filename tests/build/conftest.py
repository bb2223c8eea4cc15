"""One task, built once: most tests look at it or plant a fault in a copy."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from sandmle.build.prepare import Prepared, prepare
from sandmle.spec.load import load_spec
from tests.build.specs import spec_text, write_corpus


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of one spec that is accepted."""
    return write_corpus(tmp_path_factory.mktemp("corpus"), {"road": spec_text("road")})


@pytest.fixture(scope="session")
def _prepared(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    spec = load_spec(corpus / "specs/tasks/road.yaml", corpus=corpus)
    return prepare(spec, tmp_path_factory.mktemp("task"), corpus=corpus)


@pytest.fixture
def prepared(_prepared: Prepared, tmp_path: Path) -> Prepared:
    """The prepared task of that spec, in a folder of the test's own."""
    shutil.copytree(_prepared.folder, tmp_path / "road")
    return dataclasses.replace(_prepared, folder=tmp_path / "road")


@pytest.fixture
def changed(prepared: Prepared) -> Callable[[dict[str, bytes]], Prepared]:
    """Makes the prepared task with other public files, on disk and in memory."""

    def change(public: dict[str, bytes]) -> Prepared:
        for name, content in public.items():
            path = prepared.public / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        everything = {**prepared.dataset.public, **public}
        dataset = dataclasses.replace(prepared.dataset, public=everything)
        return dataclasses.replace(prepared, dataset=dataset)

    return change
