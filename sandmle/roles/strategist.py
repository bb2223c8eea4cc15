"""The Data Strategist: mutates the seed's DNA into a new domain, and decides on the noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandmle.roles.chance import pick, shuffled
from sandmle.roles.filling import (
    UnfillableError,
    factor_slots,
    has_definition,
    plain_filler,
)
from sandmle.roles.operations import judges_calibration, severity
from sandmle.roles.role import DraftContext, Sections
from sandmle.roles.scale import classes_of, test_rows
from sandmle.roles.world import World
from sandmle.seeds.model import Seed
from sandmle.vocabulary import Word

#: Training rows: enough to find the rule in, and not so many that raw models find it too.
_TRAIN_ROWS = {"lenient": (120, 160), "strict": (160, 200), "carried": (180, 200)}

#: The share of the noise that is left where samples are pictures, sounds or texts: careful models
#: read those with errors of their own, and the ladder's reference does not.
_NOISE_CARRIED = 0.3

#: How far a metric that forgives much turns the noise up, and one that forgives little down.
_NOISE_SHIFT = 0.25

_DIFFICULTY = (0.3, 0.8)

#: The positive class is kept frequent enough to leave train some of it.
_PREVALENCE = (0.2, 0.5)

#: How often the columns of a table are disturbed beyond what the seed's gaps ask for.
_COLUMN_NOISE = 0.35

#: Missing shares below which a seed counts as complete.
_COMPLETE = 0.01


class Strategist:
    """Keeps modality, task, split, classes and their balance; draws the domain, sizes and noise.

    The factor that rows are split by is left open: who draws factors names it.

    It goes by the metric, which the MLOps Engineer has chosen: what forgives much may be noisier.
    """

    name = "Data Strategist"
    owns = ("seed", "random_seed", "dna", "domain", "noise")

    def write(self, context: DraftContext) -> Sections:
        """The sections above, but for the metric. Raises DraftError for an unknown kind of task."""
        rng = context.stream("strategist")
        world = pick(rng, _asking(context))
        dna = _dna(rng, context)
        noisy = float(np.clip(dna["difficulty"] - _NOISE_SHIFT * severity(context), 0, 1))
        if context.seed.modality != "tabular":
            noisy *= _NOISE_CARRIED
        noisy *= context.turned.get("noise", 1.0)
        return {
            "seed": context.seed.name,
            "random_seed": int(rng.integers(1, 100_000) + context.turned.get("reseeded", 0)),
            "dna": dna,
            "domain": {"name": world.name, "entity": world.one},
            "noise": _noise(rng, context, noisy),
        }


def _asking(context: DraftContext) -> list[World]:
    """The domains that have a question of their own for the kind of task; all where none has."""
    worlds = list(context.worlds.values())
    return [world for world in worlds if context.seed.task in world.targets] or worlds


def _dna(rng: np.random.Generator, context: DraftContext) -> dict[str, Any]:
    seed, task = context.seed, context.task
    dna: dict[str, Any] = {"modality": seed.modality, "task": seed.task}
    kind = "lenient" if severity(context) < 0 else "strict"
    fewest, most = _TRAIN_ROWS[kind if seed.modality == "tabular" else "carried"]
    if judges_calibration(context):
        fewest = most
    train = int(rng.integers(fewest // 10, most // 10, endpoint=True) * 10)
    dna["train"] = int(context.turned.get("train", train))
    dna["test"] = int(context.turned.get("test", test_rows(seed, task)))
    classes = classes_of(seed, task)
    if task.classes == (2, 2) and not task.several:
        rarer = min(seed.targets[0].shares or (0.5,))
        dna["prevalence"] = round(float(np.clip(rarer, *_PREVALENCE)), 2)
    elif classes is not None:
        dna["classes"] = classes
    split = task.split or (seed.split.kind if seed.split else None)
    if split is not None:
        dna["split"] = {"kind": split}
    difficulty = round(float(rng.uniform(*_DIFFICULTY)), 2)
    dna["difficulty"] = float(context.turned.get("difficulty", difficulty))
    return dna


def _noise(
    rng: np.random.Generator, context: DraftContext, difficulty: float
) -> list[dict[str, Any]]:
    """One word on the labels and, beside columns, up to two on what the columns show.

    Of noise that a repair has turned off only the gaps are left that the seed has.
    """
    seed, task = context.seed, context.task
    words = list(context.vocabulary.folder("noise").values())
    on_labels = [word for word in words if seed.task in word.traits.get("TASKS", ())]
    # Losses on probabilities see wrong labels as wrong calibration, which 200 rows don't mend.
    count = 0 if judges_calibration(context) else 1
    chosen = _some(rng, [word for word in on_labels if _is_free(word)], count)
    shown = _shown(seed)
    on_columns = [
        word
        for word in words
        if word.traits["DISTURBS"] == "columns"
        and shown & set(word.traits.get("TAKES", ()))
        and _is_free(word)
    ]
    gaps = float(np.mean([column.missing for column in seed.columns] or [0.0]))
    missing = next((word for word in on_columns if word.name == "missing"), None)
    if gaps >= _COMPLETE and missing is not None:
        chosen.append((missing, {"rate": round(min(gaps, 0.3), 2)}))
        on_columns.remove(missing)
    chosen += _some(rng, on_columns, int(rng.random() < _COLUMN_NOISE))
    if context.turned.get("noise") == 0:
        chosen = [(word, offers) for word, offers in chosen if offers]
    noise = []
    for word, offers in chosen:
        noise.append(plain_filler(rng, difficulty).fill(word, offers))
        if task.yields == ("number",) and word.traits["DISTURBS"] == "labels":
            # Numbers that are clean in the test alone would reward nothing but the true rule.
            noise[-1]["split"] = "both"
    return noise


def _shown(seed: Seed) -> set[str]:
    """The types of what the main table shows, as noise words name them in TAKES."""
    if seed.modality == "text":
        return {"text"}
    kinds = {column.kind for column in seed.columns}
    return kinds & {"number", "category"} if seed.modality in ("tabular", "mixed") else set()


def _is_free(word: Word) -> bool:
    """Whether the word can be filled in without knowing the factors and columns of the task."""
    if any(slot.required for slot in factor_slots(word)):
        return False
    try:
        plain_filler(np.random.default_rng(0), 0.5).fill(word)
    except UnfillableError:
        return False
    return not has_definition(word, "formula")


def _some(
    rng: np.random.Generator, words: list[Word], count: int
) -> list[tuple[Word, dict[str, Any]]]:
    return [(word, {}) for word in shuffled(rng, words)[:count]]
