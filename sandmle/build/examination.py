"""What a thorough look found of one task, as frozen data and as examination.json."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandmle.build.verdict import Audit, Player, Verdict, dump_verdict, load_verdict

EXAMINATION_FILE = "examination.json"


@dataclass(frozen=True)
class Examination:
    """All that a thorough look found of one task. `reasons` say why it is not fit to train on.

    `verdict` is the digest of the verdict of the task that was looked at. `audits` are the deep
    ones, `flip_rates` the shares of reruns in which honest work wins another medal, by what was
    drawn anew; `panel` holds solvers of graded skill from the least to the most; `timings` are
    wall seconds by stage. A task that the build rejected is not looked at.
    """

    id: str
    verdict: str
    reasons: tuple[str, ...] = ()
    audits: tuple[Audit, ...] = ()
    flip_rates: Mapping[str, float] = dataclasses.field(default_factory=dict)
    panel: tuple[Player, ...] = ()
    timings: Mapping[str, float] = dataclasses.field(default_factory=dict)


def verdict_digest(verdict: Verdict) -> str:
    """SHA-256 of all that a verdict says, but for how long it took."""
    return hashlib.sha256(
        dump_verdict(dataclasses.replace(verdict, timings={})).encode()
    ).hexdigest()


def dump_examination(examination: Examination) -> str:
    """The text of examination.json."""
    return json.dumps(dataclasses.asdict(examination), indent=1, ensure_ascii=False) + "\n"


def load_examination(task_folder: Path, verdict: Verdict) -> Examination | None:
    """The examination of a built task; None where there is none of this very verdict.

    Raises ValueError naming the file where it is broken.
    """
    path = task_folder / EXAMINATION_FILE
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = Examination(
            **{
                **data,
                "reasons": tuple(data["reasons"]),
                "audits": tuple(Audit(**entry) for entry in data["audits"]),
                "panel": tuple(Player(**entry) for entry in data["panel"]),
            }
        )
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: not an examination: {error!r}; delete it") from None
    return found if found.verdict == verdict_digest(verdict) else None


def judged(verdict: Verdict, examination: Examination | None) -> Verdict:
    """The verdict with what an examination adds: reasons to refuse the task, audits, flip rates."""
    if examination is None:
        return verdict
    reasons = (*verdict.reasons, *examination.reasons)
    return dataclasses.replace(
        verdict,
        accepted=not reasons,
        reasons=reasons,
        audits=(*verdict.audits, *examination.audits),
        flip_rates={**verdict.flip_rates, **examination.flip_rates},
    )


def load_judged(task_folder: Path) -> Verdict:
    """The verdict of a built task, with its examination where it has one.

    Errors as load_verdict and load_examination.
    """
    verdict = load_verdict(task_folder)
    return judged(verdict, load_examination(task_folder, verdict))
