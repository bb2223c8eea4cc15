"""What the build found of one task, as frozen data and as verdict.json."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandmle.spec.model import Thresholds

VERDICT_FILE = "verdict.json"

#: The rungs of the ladder, from the lowest up.
RUNGS = ("dummy", "naive", "honest", "reference")

#: What flip rates are taken over: other test sets, and other random seeds of honest's solver.
TEST_DRAW, MODEL_SEED = "test_draw", "model_seed"

#: How the reason begins for which a task teaches nothing.
DEAD = "dead: "


@dataclass(frozen=True)
class Rung:
    """One baseline's score: `rung` is one of RUNGS, `name` tells its baselines apart."""

    rung: str
    name: str
    score: float


@dataclass(frozen=True)
class Margin:
    """A distance on the ladder that a good task keeps, both in the metric's own units.

    `value` is positive towards better scores, whatever the metric's direction.
    """

    name: str
    value: float
    least: float
    passed: bool


@dataclass(frozen=True)
class Audit:
    """One check of a built task and what it found.

    `name` is that of its file in build/audits/, `claim` what a good task fulfils; `cost` is cheap
    or deep; `evidence` is what was measured, or what fails.
    """

    name: str
    claim: str
    cost: str
    passed: bool
    evidence: str


@dataclass(frozen=True)
class Player:
    """A solver of graded skill, on a rung of the ladder: its score, and the highest of median,
    bronze, silver and gold that it reaches, or none.
    """

    rung: str
    name: str
    score: float
    reached: str


@dataclass(frozen=True)
class Verdict:
    """Everything that the build found of one task. `reasons` say why it was not accepted.

    A spec that can't be read leaves its texts empty, its mappings and tuples too. `spec` is the
    spec's digest, `version` the engine's. `rules` are the kinds of the hidden rules, by target in
    their order. `split` is what the task is for, train or validation, as its spec's provenance
    says. `thresholds` are the task's own: `pinned` ones stand in its spec, others were computed.
    `flip_rates` are the shares of reruns in which honest work wins another medal, by
    what was drawn anew: TEST_DRAW, MODEL_SEED. `hashes` are SHA-256 over the content of the
    `public` and the `private` files, `sizes` count `train` and `test` rows, `files` and `bytes`
    that a solver sees; `timings` are wall seconds by stage.
    """

    id: str
    accepted: bool
    reasons: tuple[str, ...]
    version: str
    engine: str
    spec: str = ""
    title: str = ""
    domain: str = ""
    modality: str = ""
    task: str = ""
    metric: str = ""
    is_lower_better: bool = False
    rules: tuple[str, ...] = ()
    split: str = "train"
    thresholds: Thresholds | None = None
    pinned: bool = False
    standard_error: float | None = None
    ladder: tuple[Rung, ...] = ()
    margins: tuple[Margin, ...] = ()
    audits: tuple[Audit, ...] = ()
    flip_rates: Mapping[str, float] = dataclasses.field(default_factory=dict)
    hashes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    sizes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    timings: Mapping[str, float] = dataclasses.field(default_factory=dict)

    @property
    def covered(self) -> float | None:
        """The share of the way from the best dummy to the best reference that naive goes.

        None where a rung is missing, or where the reference is no better than the dummy.
        """
        sign = -1 if self.is_lower_better else 1
        best: dict[str, float] = {}
        for entry in self.ladder:
            best[entry.rung] = max(best.get(entry.rung, sign * entry.score), sign * entry.score)
        if not {"dummy", "naive", "reference"} <= best.keys():
            return None
        span = best["reference"] - best["dummy"]
        return (best["naive"] - best["dummy"]) / span if span > 0 else None


def audit_problem(check: Audit) -> str:
    """A failed audit as a reason."""
    return f"audit failed: {check.claim} ({check.evidence})"


def dump_verdict(verdict: Verdict) -> str:
    """The text of verdict.json."""
    return json.dumps(dataclasses.asdict(verdict), indent=1, ensure_ascii=False) + "\n"


def parse_verdict(text: str) -> Verdict:
    """The verdict of a verdict.json's text. Raises ValueError where it is not one."""
    try:
        data = json.loads(text)
        limits = data["thresholds"]
        return Verdict(
            **{
                **data,
                "reasons": tuple(data["reasons"]),
                "rules": tuple(data["rules"]),
                "thresholds": None if limits is None else Thresholds(**limits),
                "ladder": tuple(Rung(**rung) for rung in data["ladder"]),
                "margins": tuple(Margin(**margin) for margin in data["margins"]),
                "audits": tuple(Audit(**audit) for audit in data["audits"]),
            }
        )
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"not a verdict: {error!r}") from None


def load_verdict(folder: Path) -> Verdict:
    """The verdict of a built task's folder.

    Raises FileNotFoundError where it is not built, ValueError naming the file where it is broken.
    """
    path = folder / VERDICT_FILE
    try:
        return parse_verdict(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}; build the task again") from None
