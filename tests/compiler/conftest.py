"""Compiled tasks of all kinds, each compiled and generated once a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sandmle.compiler.compile import CompiledTask, compile_spec
from sandmle.grading import load_script
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec, Thresholds

SPECS = tuple(sorted((Path(__file__).parent / "specs").glob("*.yaml")))
THRESHOLDS = Thresholds(median=0.5, bronze=0.6, silver=0.7, gold=0.8)


@dataclass(frozen=True)
class Task:
    """A spec, its compiled texts, and what its generate.py gives."""

    spec: Spec
    compiled: CompiledTask
    dataset: Any


def make_task(spec: Spec) -> Task:
    """Compiles a spec and runs its generate.py in process."""
    compiled = compile_spec(spec)
    scope = load_script(compiled.generate, "generate.py")
    return Task(spec, compiled, scope["generate"]())


@pytest.fixture(scope="session")
def tasks() -> Mapping[str, Task]:
    """All tasks of tests/compiler/specs by id."""
    return {path.stem: make_task(load_spec(path)) for path in SPECS}


@pytest.fixture(scope="session", params=[path.stem for path in SPECS])
def task(request: pytest.FixtureRequest, tasks: Mapping[str, Task]) -> Task:
    """Each of the tasks in turn."""
    return tasks[request.param]
