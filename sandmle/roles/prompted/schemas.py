"""The JSON Schema of what a role answers: its own sections of the spec's, with the words offered.

Servers that hold a model to a schema know a part of JSON Schema, so a choice among words is an
`anyOf` here, where the spec's own schema chooses by `if`, and what only editors need is left out.
It is what a model is asked for; what it answers is checked by the spec's own schema.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from sandmle.roles.filling import factor_slots, has_definition
from sandmle.roles.prompted.offers import Offer
from sandmle.spec.schema import compose_schema
from sandmle.spec.skeleton import Schema
from sandmle.vocabulary import Vocabulary, Word

_PREFIX = "#/$defs/"

#: Keywords that say nothing of what fits.
_FOR_EDITORS = (
    *("title", "markdownDescription", "markdownEnumDescriptions", "patternErrorMessage"),
    *("examples", "default"),
)

#: What stands for a word, and the folder of such words; a nested one nests no other.
_CHOICES = {"hidden": "hidden", "factors": "factors", "observe": "observe", "noise": "noise"}
_NESTED = {"rule": "hidden", "metric": "metrics", "submission": "submissions"}


def answer_schema(sections: Mapping[str, Any], required: tuple[str, ...]) -> Schema:
    """The schema of an answer with these sections."""
    return {
        "type": "object",
        "properties": dict(sections),
        "required": list(required),
        "additionalProperties": False,
    }


def section(vocabulary: Vocabulary, *path: str) -> Schema:
    """The schema of a part of the spec, such as ("dna", "train")."""
    found: Any = _whole(vocabulary)
    for step in path:
        found = found["properties"][step]
    return dict(found)


def hidden_section(vocabulary: Vocabulary, *, several: bool) -> Schema:
    """The schema of `hidden` for tasks with one target, or several."""
    return dict(section(vocabulary, "hidden")["then" if several else "else"])


def with_words(
    schema: Schema, vocabulary: Vocabulary, offer: Offer, *, factors: bool = True
) -> Schema:
    """The schema with the definitions that it refers to, of words only those offered.

    Without `factors`, words lack the parameters that name factors.
    """
    known = _whole(vocabulary)["$defs"]
    found: Schema = {}
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        folder, _, word = name.partition(".")
        if word:
            found[name] = known[name]
            if not factors:
                found[name] = _without_factors(known[name], vocabulary.word(folder, word))
        elif name in _CHOICES or name in _NESTED:
            found[name] = _choice(name, offer)
        else:
            found[name] = known[name]
        waiting += _references(found[name])
    definitions = {name: found[name] for name in sorted(found)}
    return {**_plain(schema), "$defs": _plain(definitions)} if found else dict(_plain(schema))


def factor_parameters(word: Word) -> set[str]:
    """The parameters of a word that name factors."""
    return {str(slot.path[0]) for slot in factor_slots(word)}


@functools.lru_cache(maxsize=8)
def _whole(vocabulary: Vocabulary) -> Schema:
    return compose_schema(vocabulary)


def _choice(name: str, offer: Offer) -> Schema:
    """Any of the offered words; the name alone of those that need no parameters."""
    folder = _NESTED.get(name) or _CHOICES[name]
    words = offer.get(folder, ())
    if name == "rule":
        words = tuple(word for word in words if not has_definition(word, "rule")) or words
    options: list[Schema] = [{"$ref": f"{_PREFIX}{folder}.{word.name}"} for word in words]
    if name in ("metric", "submission"):
        bare = [word.name for word in words if not word.required]
        options = [
            *([{"enum": bare}] if bare else []),
            *({"$ref": f"{_PREFIX}{folder}.{word.name}"} for word in words if word.parameters),
        ]
    return {"anyOf": options} if options else {"enum": []}


def _without_factors(schema: Schema, word: Word) -> Schema:
    left_out = factor_parameters(word)
    properties = {k: v for k, v in schema["properties"].items() if k not in left_out}
    required = [name for name in schema["required"] if name not in left_out]
    return {**schema, "properties": properties, "required": required}


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].removeprefix(_PREFIX)
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _plain(schema: Any) -> Any:
    """A schema without what is only for editors; properties may have such names."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            found[key] = {name: _plain(inner) for name, inner in value.items()}
        elif key not in _FOR_EDITORS:
            found[key] = _plain(value)
    return found
