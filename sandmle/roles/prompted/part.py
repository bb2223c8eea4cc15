"""A role's part in a draft, as a language model plays it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.roles.prompted.examples import Example
from sandmle.roles.prompted.offers import Offer
from sandmle.roles.role import DraftContext, Sections
from sandmle.spec.skeleton import Schema

#: The roles by key, in the order in which they write.
ORDER = ("operations", "strategist", "developer", "writer")


@dataclass(frozen=True)
class Part:
    """What makes one role different from the others.

    - `key` is its key in ORDER and the name of its template.
    - `form` is the outline of its answer as JSON Schema: its sections and their keys, and nothing
      of what is in them.
    - `facts` is what it sees of a draft; the domains' own questions too where it is `bound` to
      them, as a procedural role comes after it.
    - `example` is what it would have seen and written of another spec.
    - `offer` are the words that it may use, those that the examples use among them.
    - `schema` is its answer's, with those words.
    - `merge` makes its sections of an answer that has the form.
    """

    key: str
    form: Schema
    facts: Callable[[DraftContext, bool], Mapping[str, Any]]
    example: Callable[[Mapping[str, Any]], Example]
    offer: Callable[[DraftContext, frozenset[str]], Offer]
    schema: Callable[[DraftContext, Offer, bool], Schema]
    merge: Callable[[DraftContext, Mapping[str, Any], bool], Sections]


def mapping(*keys: str, required: tuple[str, ...] = ()) -> Schema:
    """The form of a mapping that may have these keys and must have some of them."""
    return {
        "type": "object",
        "properties": {key: {} for key in keys},
        "required": list(required),
        "additionalProperties": False,
    }


def form(sections: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """The form of an answer."""
    return {
        "type": "object",
        "properties": dict(sections),
        "required": [name for name in sections if name not in optional],
        "additionalProperties": False,
    }


def present(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that are known."""
    return {name: value for name, value in facts.items() if value not in (None, [], {}, ())}
