"""All that is shown of one built task, gathered from its folder, its spec and its rollouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from sandmle.build.examination import judged, load_examination
from sandmle.build.verdict import MODEL_SEED, TEST_DRAW, Player, Verdict, load_verdict
from sandmle.errors import SpecError
from sandmle.play.reward import milestones
from sandmle.play.rollout import Rollout, Submission
from sandmle.report.samples import Sample, read_samples
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec

#: Samples that are read of each task: a row of pictures.
_SAMPLES = 6


@dataclass(frozen=True)
class Play:
    """How a policy fared on a task.

    `reward` is the mean over its scored attempts, None where there is none. `outcome` is the most
    frequent one: gold, silver, bronze, median, none (below the median) or invalid.
    """

    policy: str
    outcome: str
    reward: float | None


@dataclass(frozen=True)
class Overview:
    """One task before the eyes.

    `spec` is None where the spec is gone or cannot be read any more; `spec_text` is its YAML as
    the author wrote it. Where the task has been examined, that is in its verdict, and `panel` holds
    solvers of graded skill.
    """

    verdict: Verdict
    spec: Spec | None
    spec_text: str
    samples: tuple[Sample, ...]
    plays: tuple[Play, ...] = ()
    panel: tuple[Player, ...] = ()

    @property
    def title(self) -> str:
        """The task's title, its id where it has none."""
        return self.verdict.title or self.verdict.id

    @property
    def stale(self) -> bool:
        """Whether the spec has been edited since the task was built."""
        return self.spec is not None and self.spec.digest != self.verdict.spec

    @property
    def covered(self) -> float | None:
        """The share of the way from dummy to reference that naive goes, see Verdict."""
        return self.verdict.covered


def read_overview(folder: Path, *, corpus: Path, plays: tuple[Play, ...] = ()) -> Overview:
    """The overview of a built task's folder.

    Raises FileNotFoundError where it is not built, ValueError where its verdict is broken.
    """
    found = load_verdict(folder)
    examination = load_examination(folder, found)
    verdict = judged(found, examination)
    path = corpus / "specs" / "tasks" / f"{verdict.id}.yaml"
    try:
        spec_text = path.read_text(encoding="utf-8")
        spec = load_spec(path, corpus=corpus)
    except FileNotFoundError:
        spec_text, spec = "", None
    except SpecError:
        spec = None
    public = folder / "prepared" / "public"
    samples = read_samples(public, _SAMPLES) if (public / "train.csv").is_file() else ()
    panel = () if examination is None else examination.panel
    return Overview(verdict, spec, spec_text, samples, plays, panel)


def flips(verdict: Verdict) -> str:
    """How often honest work wins another medal, in words; empty where it was not measured."""
    rates = verdict.flip_rates
    told = {TEST_DRAW: "of other test sets", MODEL_SEED: "of other random seeds"}
    return ", ".join(f"in {rates[name]:.0%} {text}" for name, text in told.items() if name in rates)


def plays_by_task(rollouts: Iterable[Rollout]) -> Mapping[str, tuple[Play, ...]]:
    """How every policy fared on every task, policies in the order in which they first appear."""
    attempts: dict[str, dict[str, list[Rollout]]] = {}
    policies: dict[str, None] = {}
    for rollout in rollouts:
        policies[rollout.policy] = None
        attempts.setdefault(rollout.task, {}).setdefault(rollout.policy, []).append(rollout)
    return {
        task: tuple(_play(name, by_policy[name]) for name in policies if name in by_policy)
        for task, by_policy in attempts.items()
    }


def _play(policy: str, rollouts: list[Rollout]) -> Play:
    outcomes = Counter(outcome(rollout) for rollout in rollouts)
    rewards = [rollout.reward.total for rollout in rollouts if rollout.reward is not None]
    return Play(policy, outcomes.most_common(1)[0][0], fmean(rewards) if rewards else None)


def outcome(rollout: Rollout) -> str:
    """What came of an episode: gold, silver, bronze, median, none (below it) or invalid."""
    return level(rollout.submission)


def level(submission: Submission | None) -> str:
    """What a submission earned, in the same words; invalid where there is none."""
    if submission is None or not submission.valid:
        return "invalid"
    reached = milestones(submission)
    return reached[-1] if reached else "none"
