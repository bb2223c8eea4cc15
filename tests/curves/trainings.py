"""Runs of trainings made by hand, for the tests of what is drawn from them."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MODALITIES = ("image", "series", "tabular")


def step_line(step: int, **changes: Any) -> dict[str, Any]:
    """A line of a training step as the trainer writes it."""
    return {
        "step": step,
        "split": "train",
        "reward": 0.4,
        "reward_std": 0.2,
        "format": 0.9,
        "valid": 0.5,
        "any_medal": 0.25,
        "rollouts": 40,
        "masked": 2,
        "groups": 4,
        "dead_groups": 1,
        "turns": 2.0,
        "tokens": 4.0,
        "terminations": {"answer": 30, "turn_limit": 10},
        "reward_by_modality": {"image": 0.3, "tabular": 0.5},
        "replaced_groups": 0,
        "loss": 0.01,
        "gradient_norm": 1.5,
        "learning_rate": 0.002,
        "entropy": 2.5,
        "clipped": 0.01,
        "sampling_difference": 0.0001,
        "seconds": {
            "rollouts": 3.0,
            "generate": 0.5,
            "sandbox": 6.0,
            "score": 0.4,
            "step": 4.0,
            "update": 1.0,
        },
        **changes,
    }


def validation_line(step: int, **changes: Any) -> dict[str, Any]:
    """A line of an evaluation as the trainer writes it."""
    kept = ("reward", "reward_std", "format", "valid", "any_medal", "turns", "tokens", "masked")
    whole = step_line(step)
    return {
        "step": step,
        "split": "validation",
        **{name: whole[name] for name in kept},
        "rollouts": 12,
        "groups": 6,
        "dead_groups": 5,
        "terminations": {"answer": 12},
        "reward_by_modality": {"image": 0.2},
        "seconds": {"rollouts": 2.0, "generate": 0.2, "sandbox": 3.0, "score": 0.1},
        **changes,
    }


def configuration(**changes: Any) -> dict[str, Any]:
    """What config.json holds; changes are of the optimisation."""
    return {
        "version": "0.1",
        "training": {
            "model": {"path": "tiny", "lora": None},
            "seed": 0,
            "data": {"ids": [f"task-{number}" for number in range(9)]},
            "episode": {"reward": "release"},
            "optimisation": {"steps": 30, "tasks": 4, "rollouts": 10, **changes},
        },
        "tasks": {
            "train": {f"task-{number}": {"spec": "ab"} for number in range(7)},
            "validation": {f"task-{number}": {"spec": "ab"} for number in range(7, 9)},
        },
    }


def write_training(
    folder: Path,
    lines: Sequence[Mapping[str, Any]],
    *,
    config: Mapping[str, Any] | None = None,
    summary: Mapping[str, Any] | None = None,
) -> Path:
    """A run's folder with these lines of metrics."""
    folder.mkdir(parents=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "metrics.jsonl").write_text(text, encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(config or configuration()), encoding="utf-8")
    if summary is not None:
        (folder / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    return folder


def learning(steps: int, *, tasks: int, seed: int = 0, speed: float = 1.0) -> list[dict[str, Any]]:
    """The lines of a training that learns, with all that varies in a real one."""
    chance = random.Random(seed)
    every = max(1, steps // 20)
    skill = [chance.uniform(0.5, 1.5) for _ in range(tasks)]
    lines = [_evaluated(0, 0.0, chance)]
    for step in range(1, steps + 1):
        learned = 1 - math.exp(-3 * speed * step / steps)
        own = {
            f"synthetic-task-{number:04}": round(
                min(1.0, max(0.0, chance.gauss(0.15 + 0.55 * learned * skill[number], 0.08))), 4
            )
            for number in chance.sample(range(tasks), min(tasks, 16))
        }
        lines.append(_stepped(step, learned, own, chance))
        if step % every == 0:
            lines.append(_evaluated(step, learned, chance))
    return lines


def _stepped(
    step: int, learned: float, own: Mapping[str, float], chance: random.Random
) -> dict[str, Any]:
    answered = round(40 + 20 * learned)
    late, wrong = chance.randrange(4), chance.randrange(2)
    sandbox, generate = chance.uniform(15, 25), chance.uniform(20, 40)
    playing = generate + chance.uniform(3, 6)
    update = chance.uniform(8, 10)
    return step_line(
        step,
        reward=sum(own.values()) / len(own),
        reward_std=chance.uniform(0.15, 0.3),
        format=0.6 + 0.39 * learned,
        valid=0.4 + 0.5 * learned + chance.gauss(0, 0.03),
        any_medal=max(0.0, 0.1 + 0.45 * learned + chance.gauss(0, 0.06)),
        rollouts=64,
        groups=16,
        dead_groups=chance.randrange(1, 4) + round(4 * learned),
        replaced_groups=chance.randrange(3),
        masked=late + wrong,
        turns=14 - 5 * learned + chance.gauss(0, 0.5),
        tokens=9000 - 2500 * learned + chance.gauss(0, 400),
        terminations={
            "answer": answered,
            "turn_limit": 64 - answered - late - wrong,
            "time_limit": late,
            "sandbox_error": wrong,
        },
        reward_by_modality={
            name: min(1.0, max(0.0, 0.2 + 0.1 * place + 0.4 * learned + chance.gauss(0, 0.07)))
            for place, name in enumerate(MODALITIES)
        },
        reward_by_task=own,
        entropy=2.5 * math.exp(-learned) + chance.gauss(0, 0.05),
        gradient_norm=chance.uniform(0.2, 0.6),
        clipped=chance.uniform(0.0, 0.01),
        seconds={
            "rollouts": playing,
            "generate": generate,
            "sandbox": sandbox,
            "score": chance.uniform(1, 2),
            "update": update,
            "step": playing + update,
        },
    )


def _evaluated(step: int, learned: float, chance: random.Random) -> dict[str, Any]:
    own = {
        f"held-out-task-{number:02}": round(
            min(1.0, max(0.0, chance.gauss(0.15 + 0.5 * learned, 0.1))), 4
        )
        for number in range(30)
    }
    return validation_line(
        step,
        reward=sum(own.values()) / len(own),
        any_medal=max(0.0, 0.08 + 0.4 * learned + chance.gauss(0, 0.03)),
        valid=0.4 + 0.45 * learned,
        format=0.6 + 0.39 * learned,
        rollouts=120,
        turns=14 - 5 * learned,
        tokens=9000 - 2500 * learned,
        reward_by_modality=dict.fromkeys(MODALITIES, 0.15 + 0.5 * learned),
        reward_by_task=own,
    )
