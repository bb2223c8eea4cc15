"""One rollout as a training example: a conversation in the form that chat templates take.

The form is the one of chat APIs, which Hugging Face's chat templates and TRL share. A call's
arguments are JSON text there, and an object for templates: `sandmle.sft.files` marks them as JSON,
so that each reader gets the one that it needs.
"""

from __future__ import annotations

import json
from typing import Any

from sandmle.play.chat import chat_messages
from sandmle.play.reward import format_share
from sandmle.play.rollout import Rollout
from sandmle.play.settings import Settings
from sandmle.play.tools import tool_schemas


def example(rollout: Rollout) -> dict[str, Any]:
    """A scored rollout as a row: `messages`, `loss_mask`, `tools`, and what rows are sorted by.

    `loss_mask` is 1 for a message to learn from, the policy's own, and 0 for others. The
    conversation ends with the last turn of the policy: nobody learns from what follows it.
    `format` is the share of the turns that use the reasoning tags properly.
    """
    submission, reward = rollout.submission, rollout.reward
    messages = conversation(rollout)
    return {
        "messages": messages,
        "loss_mask": [int(message["role"] == "assistant") for message in messages],
        "tools": json.dumps(_tools(rollout.settings), ensure_ascii=False),
        "task": rollout.task,
        "modality": rollout.modality,
        "task_type": rollout.task_type,
        "metric": rollout.metric,
        "policy": rollout.policy,
        "attempt": rollout.attempt,
        "medal": submission and submission.medal,
        "score": submission and submission.score,
        "reward": reward and reward.total,
        "format": format_share(rollout),
        "turns": len(rollout.steps),
    }


def _tools(settings: Settings) -> list[dict[str, Any]]:
    """The tools that a chat template is to offer: none where the opening messages offer them."""
    return tool_schemas(settings.score) if settings.tools == "native" else []


def conversation(rollout: Rollout) -> list[dict[str, Any]]:
    """The messages up to the policy's last turn, as a model was and will be sent them.

    Each has all keys that any has: tables know no missing ones, only nulls.
    """
    turns = [place for place, said in enumerate(rollout.messages) if said.role == "assistant"]
    sent = chat_messages(rollout.messages[: turns[-1] + 1 if turns else 0])
    return [{"tool_calls": None, "tool_call_id": None, **message} for message in sent]
