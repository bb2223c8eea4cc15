"""What training needs beyond the base installation."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from sandmle.train.configuration import Training

_TRAIN = ("torch", "trl", "transformers", "accelerate", "datasets", "peft")


def missing(training: Training) -> str | None:
    """What to install before this training can run, None where all is there."""
    engine = training.generation.engine
    lacking = missing_packages(training.report)
    if lacking is None and engine != "transformers" and find_spec("vllm") is None:
        return (
            f"generation.engine: {engine} needs vllm: pip install 'sandmle[vllm]' on a machine "
            "with a GPU, or set the engine to transformers, which is much slower"
        )
    return lacking


def missing_packages(report: Sequence[str]) -> str | None:
    """The same for what every training needs, and where its metrics go."""
    lacking = [name for name in _TRAIN if find_spec(name) is None]
    if lacking:
        return (
            f"training needs {', '.join(lacking)}: pip install torch==2.13.0, then "
            "'sandmle[train]' (in this order: torch alone may choose a build for another machine)"
        )
    for name in report:
        found = find_spec(name)
        if found is None or found.origin is None:  # W&B leaves a folder of its name where it ran
            return f"report: {name} is not installed: pip install {name}"
    return None
