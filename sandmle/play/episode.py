"""One episode from its opening to its rollout."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sandmle.errors import BudgetSpent, EndpointError
from sandmle.play.attempt import attempt
from sandmle.play.context import ContextFull
from sandmle.play.conversation import Turn
from sandmle.play.environment import Environment
from sandmle.play.policies import Policy
from sandmle.play.prompts import templates_digest
from sandmle.play.reward import Weights, reward
from sandmle.play.rollout import FORMAT, Rollout
from sandmle.play.task import Task


@dataclass(frozen=True)
class Episode:
    """Who plays what, for the how-manieth time, from 0."""

    task: Task
    policy: Policy
    attempt: int = 0


async def play_episode(episode: Episode, environment: Environment, weights: Weights) -> Rollout:
    """Plays an episode in an environment of its task, which is closed afterwards.

    Whatever the policy does or raises becomes data of the rollout, but for EndpointError and
    BudgetSpent: no other episode would go better, so they are raised and there is no rollout.
    Raises what is a fault of ours: CompileError from a template, ValueError from a reward outside
    [0, 1].
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    policy, task = episode.policy, episode.task
    async with environment:
        await environment.reset()
        while environment.termination is None:
            reply = await attempt(
                policy.respond(environment.messages, task, episode.attempt),
                seconds=environment.seconds_left,
            )
            if reply.timed_out:
                environment.end("time_limit")
            elif isinstance(reply.error, EndpointError | BudgetSpent):
                raise reply.error
            elif isinstance(reply.error, ContextFull):
                environment.end("context_limit", str(reply.error))
            elif reply.error is not None:
                environment.end("policy_error", reply.fault)
            elif not isinstance(reply.value, Turn):
                environment.end("policy_error", f"expected a Turn, got {reply.value!r:.200}")
            else:
                await environment.step(reply.value)
    return rollout_of(environment, episode, weights, started=started)


def rollout_of(
    environment: Environment, episode: Episode, weights: Weights, *, started: str
) -> Rollout:
    """The record of an episode that has ended, with its reward; `started` is UTC, ISO 8601.

    Raises RuntimeError while it goes on.
    """
    if environment.termination is None:
        raise RuntimeError("the episode has not ended")
    task = environment.task
    rollout = Rollout(
        format=FORMAT,
        task=task.id,
        modality=task.modality,
        task_type=task.task,
        metric=task.metric,
        is_lower_better=task.is_lower_better,
        thresholds=task.thresholds,
        policy=episode.policy.name,
        attempt=episode.attempt,
        settings=environment.settings,
        backend=environment.backend,
        isolated=environment.isolated,
        messages=environment.messages,
        steps=environment.steps,
        submissions=environment.submissions,
        final=environment.final,
        reward=None,
        termination=environment.termination,
        error=environment.error,
        digests={
            **task.digests,
            "prompts": templates_digest(task),
            "policy": episode.policy.digest,
            "weights": weights.digest,
        },
        sampling=episode.policy.sampling(task, episode.attempt),
        cost=environment.cost,
        started=started,
        seconds=environment.seconds,
    )
    return replace(rollout, reward=reward(rollout, weights))
