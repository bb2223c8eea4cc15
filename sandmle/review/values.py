"""Values of two versions of a spec: whether they are the same, and how a line shows them."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from sandmle.spec.layout import inline

#: Longest value that a line shows whole, in characters.
_LONGEST = 80

#: A text with more changed places, or more changed words, counts as rewritten.
_MOST_PLACES, _MOST_WORDS = 3, 24


def same(one: Any, other: Any) -> bool:
    """Whether two plain values mean the same: numbers by value, a truth value is no number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def same_formula(one: str, other: str) -> bool:
    """Whether two formulas differ in spaces and needless brackets at most."""
    try:
        trees = [ast.dump(ast.parse(text.strip(), mode="eval")) for text in (one, other)]
    except SyntaxError:
        return one == other
    return trees[0] == trees[1]


def shown(value: Any) -> str:
    """A value in a line: as the spec writes it, a whole number without its point, not too long."""
    written = inline(_plain(value))
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 3]}..."


def quoted(text: str) -> str:
    """A text in quotes, not too long."""
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[: _LONGEST - 3]}..."'


def list_change(old: list[Any], new: list[Any]) -> str:
    """How a list of plain values changed: whole where it is short, else what came and went."""
    both = inline(_plain(old)), inline(_plain(new))
    if max(map(len, both)) <= _LONGEST // 2:
        return f"{both[0]} -> {both[1]}"
    came = [item for item in new if not any(same(item, other) for other in old)]
    went = [item for item in old if not any(same(item, other) for other in new)]
    told = [f"{_listed(came)} added"] if came else []
    told += [f"{_listed(went)} removed"] if went else []
    return ", ".join(told) or "in another order"


def text_changes(old: str, new: str) -> Iterator[str]:
    """How a longer text changed: the places where words differ, or that it was rewritten."""
    before, after = old.split(), new.split()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    places = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    words = sum(max(a2 - a1, b2 - b1) for _, a1, a2, b1, b2 in places)
    if len(places) > _MOST_PLACES or words > _MOST_WORDS:
        yield f"rewritten ({len(before)} -> {len(after)} words)"
        return
    for _, a1, a2, b1, b2 in places:
        left, right = quoted(" ".join(before[a1:a2])), quoted(" ".join(after[b1:b2]))
        if a1 == a2:
            yield f"{right} added"
        elif b1 == b2:
            yield f"{left} removed"
        else:
            yield f"{left} -> {right}"
    if not places:
        yield "other spaces"


def _listed(items: list[Any]) -> str:
    few = ", ".join(shown(item) for item in items[:4])
    return few if len(items) <= 4 else f"{few} and {len(items) - 4} more"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value
