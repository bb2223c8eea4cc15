"""What a kind of task asks of its targets, from its word in rules/tasks/."""

from __future__ import annotations

from dataclasses import dataclass

from sandmle.vocabulary import Vocabulary


@dataclass(frozen=True)
class TaskKind:
    """A kind of task.

    `several` says whether it has several targets, `classes` how many classes each may have (the
    least and the most; None where it has none), `yields` what its rules may YIELD: with classes a
    `number` is cut into them. `split` is the kind of split that it needs, None for any.
    """

    several: bool
    classes: tuple[int, int] | None
    yields: tuple[str, ...]
    split: str | None


def task_kind(vocabulary: Vocabulary, name: str) -> TaskKind:
    """The kind of task of that name. Raises KeyError where the vocabulary has none."""
    traits = vocabulary.word("tasks", name).traits
    classes = traits["CLASSES"]
    return TaskKind(
        several=traits["SEVERAL"],
        classes=None if classes is None else (classes[0], classes[1]),
        yields=tuple(traits["YIELDS"]),
        split=traits.get("SPLIT"),
    )
