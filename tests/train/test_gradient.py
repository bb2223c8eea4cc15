"""The update is GRPO's, computed here by hand: two tokens, known rewards, plain gradient descent.

Formula: Shao et al. 2024 (arXiv 2402.03300), equation 3 without its KL term, with the upper clip
of Yu et al. 2025 (arXiv 2503.14476); the mean over sequences of each one's mean over its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandmle.train.configuration import Training
from tests.train.extra import needs_train

pytestmark = needs_train

LEARNING_RATE = 0.5
PROMPT = [3, 4, 5]
#: Two tokens, A and B, in sequences of different length; 0 in the mask is the environment's.
A, B, HEARD = 6, 7, 8
COMPLETIONS = [[A], [B], [A, HEARD, B], [B, HEARD, HEARD, B]]
MASKS = [[1], [1], [1, 0, 1], [1, 0, 0, 1]]
REWARDS: list[float | None] = [1.0, 0.2, 0.5, None]


@pytest.fixture
def trainer(small: Callable[..., Training], tmp_path: Path) -> Any:
    """TRL's trainer under a training file's own arguments, on rollouts that are given."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from sandmle.train.arguments import trl_arguments
    from sandmle.train.batch import environment_reward
    from sandmle.train.embedded import make_model
    from tests.train.examples import tokenizer

    training = small(steps=1, every=1)
    training = replace(
        training,
        optimisation=replace(
            training.optimisation,
            tasks=1,
            rollouts=4,
            microbatch=4,
            learning_rate=LEARNING_RATE,
            gradient_norm=1e9,
        ),
    )
    arguments = trl_arguments(training, tmp_path, processes=1)
    arguments |= {"optim": "sgd", "eval_strategy": "no", "save_strategy": "no"}

    def rollouts(prompts: Sequence[str], _: Any) -> dict[str, Any]:
        return {
            "prompt_ids": [list(PROMPT) for _ in COMPLETIONS],
            "completion_ids": [list(ids) for ids in COMPLETIONS],
            "env_mask": [list(mask) for mask in MASKS],
            "logprobs": [[0.0] * len(ids) for ids in COMPLETIONS],
            "environment_reward": list(REWARDS),
        }

    return GRPOTrainer(
        model=make_model(tokenizer(), seed=2),
        reward_funcs=environment_reward,
        args=GRPOConfig(**arguments),
        train_dataset=Dataset.from_dict({"prompt": ["toy"]}),
        processing_class=tokenizer(),
        rollout_func=rollouts,
    )


def advantages() -> list[float]:
    """Each reward less the group's mean, by its spread; nothing for what is not learned from."""
    known = [reward for reward in REWARDS if reward is not None]
    mean, spread = np.mean(known), np.std(known, ddof=1)
    return [
        0.0 if reward is None else float((reward - mean) / (spread + 1e-4)) for reward in REWARDS
    ]


def test_one_update_is_the_formulas(trainer: Any) -> None:
    """The last layer's weights after a step, by the softmax's own derivative in numpy."""
    import torch

    model = trainer.model
    before = model.lm_head.weight.detach().numpy().copy()
    gradient = np.zeros_like(before, dtype=np.float64)
    pairs = zip(COMPLETIONS, MASKS, advantages(), strict=True)
    for ids, mask, advantage in pairs:
        with torch.no_grad():
            states = model.model(torch.tensor([[*PROMPT, *ids]])).last_hidden_state[0].numpy()
        for place, (token, own) in enumerate(zip(ids, mask, strict=True)):
            if not own:
                continue
            state = states[len(PROMPT) - 1 + place].astype(np.float64)
            logits = before @ state
            shares = np.exp(logits - logits.max())
            shares /= shares.sum()
            # The ratio of probabilities is 1 at the first step, where clipping does not bite: the
            # derivative of ratio x advantage is the advantage times the log-probability's.
            indicator = np.eye(len(shares))[token]
            weight = -advantage / sum(mask) / len(COMPLETIONS)
            gradient += weight * np.outer(indicator - shares, state)
    trainer.train()
    after = trainer.model.lm_head.weight.detach().numpy()
    assert np.abs(gradient).max() > 1e-3
    np.testing.assert_allclose(after - before, -LEARNING_RATE * gradient, atol=2e-6)


def test_ratios_are_clipped_above_and_below(trainer: Any) -> None:
    """The loss for a policy that has moved away from the one that played."""
    import torch

    moved = np.array([0.5, -0.5, 0.1, 0.3])
    ids = torch.tensor([[A], [A], [A], [B]])
    prompt = torch.tensor([PROMPT] * 4)
    ones = torch.ones_like(ids)
    with torch.no_grad():
        scores = trainer.model(torch.cat([prompt, ids], 1)).logits[:, -2].log_softmax(-1)
    known = scores.gather(1, ids)
    given = torch.tensor([1.5, -0.7, -1.2, 1.1])
    trainer.current_gradient_accumulation_steps = 1
    with torch.no_grad():
        loss = trainer._compute_loss(
            trainer.model,
            {
                "prompt_ids": prompt,
                "prompt_mask": torch.ones_like(prompt),
                "completion_ids": ids,
                "completion_mask": ones,
                "advantages": given,
                "old_per_token_logps": known - torch.tensor(moved[:, None], dtype=torch.float32),
                "num_items_in_batch": torch.tensor(4),
            },
        )
    ratio, advantage = np.exp(moved), given.numpy()
    clipped = np.clip(ratio, 1 - 0.2, 1 + 0.28)
    expected = -np.minimum(ratio * advantage, clipped * advantage).mean()
    assert float(loss) == pytest.approx(expected, abs=1e-5)
    assert ratio[0] > 1.28 > ratio[2] > 0.8 > ratio[1]
