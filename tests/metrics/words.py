"""The metrics, each taken from its file as the compiler takes it into a script."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from sandmle.compiler.inline import Wanted, inline
from sandmle.vocabulary import Word, load_vocabulary

METRICS = load_vocabulary().folder("metrics")


@functools.cache
def metric(name: str) -> Callable[..., float]:
    """A metric's function."""
    taken = inline([Wanted(METRICS[name].path, (name,))])
    scope: dict[str, Any] = {}
    exec(f"from __future__ import annotations\n{taken.imports}\n{taken.definitions}", scope)
    found: Callable[..., float] = scope[name]
    return found


def word(name: str) -> Word:
    """A metric's word."""
    return METRICS[name]
