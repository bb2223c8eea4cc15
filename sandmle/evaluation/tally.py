"""What is kept of rollouts: sums by policy and task, so that a run of any length fits into memory.

How rollouts enter the metrics: an unscored one (the policy, the sandbox or the grader failed, see
`sandmle.play.rollout.UNSCORED`) is counted and enters no metric; neither as 0, which would blame
the policy for a machine's fault, nor as anything else. A task's value is the mean over its scored
rollouts. Tokens, costs, terminations and times are sums over all rollouts, for all were paid for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sandmle.play.reward import format_share
from sandmle.play.rollout import Rollout, Termination

#: The metrics of the paper's tables, after the mean reward. As in MLE-bench (arXiv 2410.07095,
#: table 2) each medal is counted by itself, `any_medal` is all three, and `above_median` holds
#: those that win medals, too. `format_rate` is the share of turns that use the reasoning tags.
METRICS = (
    "reward_mean",
    "valid_submission",
    "above_median",
    "bronze",
    "silver",
    "gold",
    "any_medal",
    "format_rate",
)

#: Characters of an error that are kept.
_QUOTED = 200

#: How an episode ends in a turn of its own: what it took beside its turns is the harness's.
_IN_A_TURN: tuple[Termination, ...] = ("answer", "turn_limit", "token_limit", "repetition")


@dataclass
class Tally:
    """Sums over the rollouts of one policy on one task.

    `totals` has one for each of METRICS, over the `scored` ones; `errors` are what unscored ones
    failed with. Times are in seconds:
    `model_seconds`, `sandbox_seconds` (with waiting for a processor) and `score_seconds` over all
    `turns`; `own_seconds`, what the harness took beside them, over the `timed_turns` of episodes
    that ended in a turn; `code_seconds` are the wall time of the `code_runs` themselves. `cost` is
    money over the `priced` rollouts whose cost is known.
    """

    policy: str
    task: str
    modality: str
    task_type: str
    metric: str
    rollouts: int = 0
    scored: int = 0
    totals: Counter[str] = field(default_factory=Counter)
    terminations: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    model_seconds: float = 0.0
    sandbox_seconds: float = 0.0
    score_seconds: float = 0.0
    own_seconds: float = 0.0
    timed_turns: int = 0
    code_runs: int = 0
    code_seconds: float = 0.0
    cost: float = 0.0
    priced: int = 0

    @property
    def wins(self) -> int:
        """The scored rollouts that won a medal."""
        return round(self.totals["any_medal"])

    def means(self) -> Mapping[str, float]:
        """Each of METRICS over the scored rollouts, of which there must be some."""
        return {name: self.totals[name] / self.scored for name in METRICS}

    def add(self, rollout: Rollout) -> None:
        """Takes in one more rollout of the policy on the task."""
        self.rollouts += 1
        self.terminations[rollout.termination] += 1
        self._add_spent(rollout)
        if rollout.cost is not None:
            self.priced += 1
            self.cost += rollout.cost
        if rollout.reward is not None:
            self.scored += 1
            self.totals.update(_earned(rollout, rollout.reward.total))
        else:
            self.errors[(rollout.error or rollout.termination)[:_QUOTED]] += 1

    def _add_spent(self, rollout: Rollout) -> None:
        spent = 0.0
        for step in rollout.steps:
            self.prompt_tokens += step.prompt_tokens
            self.answer_tokens += step.tokens
            self.retries += step.retries
            self.model_seconds += step.policy_seconds
            self.sandbox_seconds += step.sandbox_seconds
            self.score_seconds += step.score_seconds
            spent += step.policy_seconds + step.sandbox_seconds + step.score_seconds
            for call in step.calls:
                if call.wall_seconds is not None:
                    self.code_runs += 1
                    self.code_seconds += call.wall_seconds
        self.turns += len(rollout.steps)
        if rollout.termination in _IN_A_TURN:
            self.timed_turns += len(rollout.steps)
            self.own_seconds += max(0.0, rollout.seconds - spent)


def _earned(rollout: Rollout, reward: float) -> dict[str, float]:
    """What a scored rollout adds to the total of each of METRICS."""
    submission = rollout.submission
    valid = submission is not None and submission.valid
    medal = submission.medal if submission is not None and submission.valid else None
    return {
        "reward_mean": reward,
        "valid_submission": valid,
        "above_median": submission is not None and valid and submission.above_median,
        **{name: medal == name for name in ("bronze", "silver", "gold")},
        "any_medal": medal is not None,
        "format_rate": format_share(rollout),
    }


class Tallies:
    """The tallies of a run, by policy and task; `rollouts` is how many they are of."""

    def __init__(self, rollouts: Iterable[Rollout] = ()) -> None:
        self.rollouts = 0
        self._tallies: dict[tuple[str, str], Tally] = {}
        for rollout in rollouts:
            self.add(rollout)

    def add(self, rollout: Rollout) -> None:
        """Takes in one more rollout."""
        self.rollouts += 1
        key = (rollout.policy, rollout.task)
        if key not in self._tallies:
            self._tallies[key] = Tally(*key, rollout.modality, rollout.task_type, rollout.metric)
        self._tallies[key].add(rollout)

    def all(self) -> list[Tally]:
        """All tallies, policies and tasks as they first came."""
        return list(self._tallies.values())

    def told(self) -> str:
        """How it goes so far, in a few words: shares of all scored rollouts."""
        scored = sum(tally.scored for tally in self._tallies.values())
        if not scored:
            return "nothing scored yet"
        rates = {
            name: sum(tally.totals[name] for tally in self._tallies.values()) / scored
            for name in ("reward_mean", "valid_submission", "any_medal")
        }
        return (
            f"reward {rates['reward_mean']:.2f}, valid {rates['valid_submission']:.0%}, "
            f"medal {rates['any_medal']:.0%}"
        )
