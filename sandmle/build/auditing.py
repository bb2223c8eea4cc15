"""Runs the checks of built tasks: each file of audits/ is one, found by listing.

Such a file says what it claims of a good task in CLAIM, whether every build pays for it in COST
("cheap" ones run in every build, "deep" ones when they are asked for), and has one function,
`examine(task: Examined) -> Finding`. Which checks are worth automating, and at which limits they
raise no false alarm, was measured over good tasks and planted faults: docs/quality.md.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, cast

import numpy as np

from sandmle.build.evidence.encodings import Encoding, encoding
from sandmle.build.evidence.outcomes import outcomes
from sandmle.build.evidence.public_files import Series, series_of, shared_texts
from sandmle.build.evidence.sheets import Sheet, read_sheet
from sandmle.build.prepare import Prepared
from sandmle.build.verdict import Audit
from sandmle.grading import Grader
from sandmle.solvers.reading import Competition

Cost = Literal["cheap", "deep"]

_FOLDER = Path(__file__).parent / "audits"


@dataclass(frozen=True)
class Examined:
    """A task under examination.

    `grader` is its final evaluate.py, with thresholds; `warm` the name of warm processes to ask,
    if there are any.
    """

    prepared: Prepared
    grader: Grader
    warm: str = ""

    @functools.cached_property
    def competition(self) -> Competition:
        """The task as a solver reads it."""
        return self.prepared.competition

    @functools.cached_property
    def outcomes(self) -> Mapping[str, np.ndarray]:
        """What each target's labels say, in the order of the ids, as columns; see outcomes."""
        return outcomes(self.prepared.dataset, self.competition)

    @functools.cached_property
    def series(self) -> tuple[Series, ...]:
        """The public files of samples."""
        return series_of(self.prepared.dataset, self.competition)

    @functools.cached_property
    def encodings(self) -> Mapping[str, list[Encoding]]:
        """How the files of each series are encoded."""
        return {each.name: [encoding(content) for content in each.contents] for each in self.series}

    @functools.cached_property
    def sheet(self) -> Sheet:
        """All that a row shows, one cell or number at a time."""
        return read_sheet(self.competition, self.series)

    @functools.cached_property
    def shared_texts(self) -> Mapping[str, str]:
        """Public files that belong to no one sample and are not the main tables, as text."""
        return shared_texts(self.prepared.dataset, self.competition)


@dataclass(frozen=True)
class Finding:
    """What one check found: whether its claim holds, and what shows it."""

    passed: bool
    evidence: str


class AuditModule(Protocol):
    """What a file of audits/ defines."""

    CLAIM: str
    COST: Cost

    def examine(self, task: Examined) -> Finding: ...


@functools.cache
def audit_modules() -> dict[str, AuditModule]:
    """All checks by name, sorted."""
    names = sorted(path.stem for path in _FOLDER.glob("[!_]*.py"))
    package = f"{__package__}.{_FOLDER.name}"
    return {name: cast(AuditModule, importlib.import_module(f"{package}.{name}")) for name in names}


def audit(task: Examined, costs: Sequence[Cost] = ("cheap",)) -> tuple[Audit, ...]:
    """The results of all checks of some costs, by name."""
    return tuple(
        run_audit(name, task) for name, module in audit_modules().items() if module.COST in costs
    )


def run_audit(name: str, task: Examined) -> Audit:
    """The result of one check."""
    module = audit_modules()[name]
    finding = module.examine(task)
    return Audit(name, module.CLAIM, module.COST, finding.passed, finding.evidence)
