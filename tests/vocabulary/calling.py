"""Calls words directly, with references resolved as the compiler resolves them in its scripts."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import yaml

from sandmle.runtime import arithmetic
from sandmle.spec.formula import parse_formula
from sandmle.spec.model import WordUse
from sandmle.spec.references import nested_use, slots
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
CONTRACT = {"file", "factor", "split"}


@functools.cache
def function(folder: str, name: str) -> Callable[..., Any]:
    """The word's function, imported from its file."""
    path = VOCABULARY.word(folder, name).path
    specification = importlib.util.spec_from_file_location(f"{folder}_{name}", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    found: Callable[..., Any] = getattr(module, name)
    return found


def stream(name: str, seed: int) -> np.random.Generator:
    """The random stream of one use of a word."""
    return np.random.default_rng([seed, crc32(name.encode())])


def call(
    folder: str,
    use: Mapping[str, Any],
    *arguments: Any,
    factors: Mapping[str, np.ndarray],
    seed: int = 0,
) -> Any:
    """What the word `use["kind"]` gives: its parameters over `factors`, after `arguments`."""
    word = VOCABULARY.word(folder, use["kind"])
    given = {name: value for name, value in use.items() if name not in ("kind", *CONTRACT)}
    found = {slot.path: slot for slot in slots(WordUse(word.name, given, ()), word)}

    def resolved(value: Any, path: tuple[str | int, ...]) -> Any:
        slot = found.get(path)
        if slot is None:
            if isinstance(value, Mapping):
                return {key: resolved(item, (*path, key)) for key, item in value.items()}
            if isinstance(value, list):
                return [resolved(item, (*path, index)) for index, item in enumerate(value)]
            return value
        if slot.definitions in (("name",), ("column",)):
            return value
        if slot.definitions == ("formula",):
            return _formula(value, factors)
        nested = nested_use(slot) if slot.definitions == ("rule",) else None
        if nested is None:
            return factors[value]
        return call(
            "hidden", {"kind": nested.kind, **nested.parameters}, factors=factors, seed=seed
        )

    rng = stream(f"{folder}.{word.name}", seed)
    parameters = {name: resolved(value, (name,)) for name, value in given.items()}
    return function(folder, word.name)(rng, *arguments, **parameters)


def draw_factors(
    uses: Mapping[str, Mapping[str, Any]], samples: int, seed: int = 0
) -> dict[str, np.ndarray]:
    """Factors by name; each may refer to those before it."""
    factors: dict[str, np.ndarray] = {}
    for name, use in uses.items():
        factors[name] = call(
            "factors", use, samples, factors=factors, seed=crc32(name.encode()) + seed
        )
    return factors


def _formula(text: str, factors: Mapping[str, np.ndarray]) -> np.ndarray:
    types = {
        name: "number" if values.dtype.kind == "f" else "category"
        for name, values in factors.items()
    }
    source = parse_formula(text, types).source(lambda name: f"factors[{name!r}]")
    scope = {name: getattr(arithmetic, name) for name in ("divide", "sqrt", "log", "log1p", "exp")}
    score: np.ndarray = eval(source, {"np": np, "factors": factors, **scope})
    return score


def load_examples() -> dict[str, Any]:
    """tests/vocabulary/examples.yaml."""
    loaded: dict[str, Any] = yaml.safe_load(
        (Path(__file__).parent / "examples.yaml").read_text(encoding="utf-8")
    )
    return loaded
