"""A task as a policy meets it: its description and public files, and what results are sorted by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandmle.spec.model import Thresholds


@dataclass(frozen=True)
class Task:
    """One built task. `folder` is its own; only what lies under `public` is shown to a policy.

    `task` is the kind: binary, multiclass, multilabel, ordinal or regression. `digests` are
    SHA-256 by name, of the spec and of the files.
    """

    id: str
    folder: Path
    public: Path
    description: str
    modality: str
    task: str
    metric: str
    is_lower_better: bool
    thresholds: Thresholds | None
    digests: Mapping[str, str]
