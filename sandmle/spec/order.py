"""The order in which a spec's keys stand: the sections' own, and that of a word's parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sandmle.spec.draft import word_uses
from sandmle.spec.edit import MEDALS
from sandmle.spec.model import WordUse
from sandmle.spec.references import NESTED, nested_use, slots
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Vocabulary

SECTIONS = (
    *("spec", "id", "seed", "random_seed", "dna", "domain", "factors", "observe", "hidden"),
    *("noise", "thresholds", "narrative", "provenance"),
)

#: The keys of the sections, and of the parts in them, that are the same in every spec.
FIXED: Mapping[DataPath, tuple[str, ...]] = {
    (): SECTIONS,
    ("dna",): (
        *("modality", "task", "metric", "submission", "train", "test", "prevalence", "classes"),
        *("difficulty", "split"),
    ),
    ("dna", "split"): ("kind", "by"),
    ("domain",): ("name", "entity"),
    ("hidden",): ("target", "targets", "rule", "cut", "labels"),
    ("thresholds",): MEDALS,
    ("narrative",): ("title", "story", "columns"),
}

#: The keys of one of several targets.
TARGET = ("rule", "cut")


def in_order(data: Any, vocabulary: Vocabulary) -> Any:
    """A spec's data with its keys in order; unknown ones stand last, as they stood.

    The order of factors, of targets, of columns and of what a word takes as a mapping is the
    author's: it shows in the task.
    """
    orders: dict[DataPath, tuple[str, ...]] = dict(FIXED)
    hidden = data.get("hidden") if isinstance(data, Mapping) else None
    targets = hidden.get("targets") if isinstance(hidden, Mapping) else None
    for name in targets if isinstance(targets, Mapping) else ():
        orders["hidden", "targets", name] = TARGET
    for folder, use in word_uses(data):
        _order_use(orders, folder, use, vocabulary)
    return _ordered(data, (), orders)


def _order_use(
    orders: dict[DataPath, tuple[str, ...]], folder: str, use: WordUse, vocabulary: Vocabulary
) -> None:
    """Notes the order of a word's keys, and of those of the words nested in it."""
    word = vocabulary.folder(folder).get(use.kind)
    if word is None:
        return
    orders[use.path] = ("kind", "file", "factor", *word.parameters)
    for slot in slots(use, word):
        nested = nested_use(slot)
        if nested is not None:
            _order_use(orders, NESTED[slot.definitions[0]], nested, vocabulary)


def _ordered(value: Any, path: DataPath, orders: Mapping[DataPath, Iterable[str]]) -> Any:
    if isinstance(value, list):
        return [_ordered(item, (*path, index), orders) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    places = {key: place for place, key in enumerate(orders.get(path, ()))}
    keys = sorted(value, key=lambda key: places.get(key, len(places))) if places else list(value)
    return {key: _ordered(value[key], (*path, key), orders) for key in keys}
