"""All that is shown of one built task, gathered from its folder."""

from __future__ import annotations

from dataclasses import dataclass

from sandmle.report.ladder import Rung
from sandmle.report.samples import Sample
from sandmle.spec.model import Spec, Thresholds


@dataclass(frozen=True)
class Audit:
    """One check of a built task and what it found."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True)
class Play:
    """How a policy fared: its mean reward, and its most frequent outcome (gold, ..., invalid)."""

    policy: str
    outcome: str
    reward: float


@dataclass(frozen=True)
class Overview:
    """One task before the eyes; `spec_text` is its YAML as the author wrote it."""

    spec: Spec
    spec_text: str
    accepted: bool
    reasons: tuple[str, ...]
    greater_is_better: bool
    rungs: tuple[Rung, ...]
    thresholds: Thresholds | None
    audits: tuple[Audit, ...]
    samples: tuple[Sample, ...]
    plays: tuple[Play, ...] = ()

    @property
    def covered(self) -> float | None:
        """The share of the way from the best dummy to the reference that the best naive goes."""
        sign = 1 if self.greater_is_better else -1
        best = {
            rung: max(sign * item.score for item in self.rungs if item.rung == rung)
            for rung in {item.rung for item in self.rungs}
        }
        if not {"dummy", "naive", "reference"} <= best.keys():
            return None
        span = best["reference"] - best["dummy"]
        return (best["naive"] - best["dummy"]) / span if span > 0 else None
