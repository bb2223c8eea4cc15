"""The spec's JSON Schema (draft 2020-12), composed from the vocabulary's own fragments.

One definition a word, chosen by `kind`, so that an editor completes a word's parameters and shows
its docstring. The same definitions check a spec (see sandmle.spec.check).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sandmle.errors import VocabularyError
from sandmle.spec.formula import FUNCTIONS, MAX_CHARACTERS
from sandmle.spec.skeleton import FACTOR_NAME, NAME, RELATIVE_FILE, Schema, skeleton
from sandmle.vocabulary import Vocabulary, Word, modalities
from sandmle.writing import write_whole

#: The types of JSON Schema.
TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")

#: The types that factor words YIELD; a corpus' own words may add others.
FACTOR_TYPES = ("number", "category", "text", "series")

#: The folders whose words may be named by a bare name where they need no parameter, and what the
#: definition of such a place is called.
NAMED: Mapping[str, str] = {"metrics": "metric", "submissions": "submission"}

#: The folders whose words a spec names by `kind`, and what one of them is called in messages.
WORD_NOUNS: Mapping[str, str] = {
    "factors": "factor word",
    "hidden": "rule",
    "observe": "observe word",
    "noise": "noise word",
    "metrics": "metric",
    "submissions": "submission",
}


#: What `file` means for an observe word, by what it WRITES.
FILES: Mapping[str, str] = {
    "files": "path of a sample's file, such as images/{id}.png; with {n}, a sample has several",
    "rows": "the table with several rows a sample, such as readings.csv",
    "table": "a table to be joined by one of its columns, such as stores.csv",
}


def compose_schema(vocabulary: Vocabulary) -> Schema:
    """The schema of a whole spec with one definition for each word of the vocabulary.

    Raises VocabularyError naming the first word whose PARAMETERS are not JSON Schema.
    """
    schema = skeleton(modalities(vocabulary), list(vocabulary.folder("tasks")))
    definitions: Schema = _types(vocabulary)
    for folder in WORD_NOUNS:
        words = vocabulary.folder(folder)
        for word in words.values():
            definitions[f"{folder}.{word.name}"] = word_schema(word)
        definitions[folder] = _choice(folder, words)
    definitions["rule"] = {
        "description": "A hidden rule: what a target follows from.",
        "$ref": "#/$defs/hidden",
    }
    for folder, noun in NAMED.items():
        definitions[noun] = {
            "description": f"A {noun}: a word's name, or {{kind: ..., parameters}}.",
            "anyOf": [{"$ref": f"#/$defs/{noun}_name"}, {"$ref": f"#/$defs/{folder}"}],
        }
        definitions[f"{noun}_name"] = {
            "type": "string",
            **_enumeration(folder, vocabulary.folder(folder)),
        }
    for folder in WORD_NOUNS:
        for word in vocabulary.folder(folder).values():
            for fault in _faults(definitions[f"{folder}.{word.name}"], definitions):
                raise VocabularyError(f"{word.path}: PARAMETERS are not JSON Schema: {fault}")
    return {**schema, "$defs": definitions}


def word_schema(word: Word) -> Schema:
    """The schema of one use of a word: its parameters and what the folder's contract adds."""
    added = _contract(word)
    required = [name for name, fragment in added.items() if "default" not in fragment]
    properties = {name: _plain(fragment) for name, fragment in word.parameters.items()}
    return {
        "title": word.name,
        "description": word.summary,
        "markdownDescription": word.docstring,
        "type": "object",
        "properties": {
            "kind": {"const": word.name, "description": word.summary},
            **added,
            **properties,
        },
        "required": ["kind", *required, *word.required],
        "additionalProperties": False,
    }


def is_word(name: str) -> Schema:
    """The condition by which a choice among words knows a use of one."""
    return {
        "title": name,
        "type": "object",
        "properties": {"kind": {"const": name}},
        "required": ["kind"],
    }


def schema_text(vocabulary: Vocabulary) -> str:
    """The schema as the text of its file."""
    return json.dumps(compose_schema(vocabulary), indent=1, ensure_ascii=False) + "\n"


def write_schema(path: Path, vocabulary: Vocabulary) -> None:
    """Writes the schema for editors, whole or not at all."""
    write_whole(path, schema_text(vocabulary))


def _contract(word: Word) -> Schema:
    """The keys that the contract of the word's folder adds to its own parameters."""
    writes, disturbs = word.traits.get("WRITES"), word.traits.get("DISTURBS")
    if isinstance(writes, str) and writes in FILES:
        return {"file": {"type": "string", **RELATIVE_FILE, "description": FILES[writes]}}
    if disturbs == "factor":
        return {
            "factor": {"$ref": "#/$defs/factor", "description": "what the observers see disturbed"}
        }
    if disturbs == "labels":
        return {
            "split": {
                "enum": ["train", "both"],
                "default": "train",
                "description": "whose labels are disturbed; test labels stay clean by default",
            }
        }
    return {}


def _faults(schema: Any, definitions: Schema) -> Iterator[str]:
    """What would make a validator fail on a fragment: unknown types or references, bad patterns."""
    if isinstance(schema, list):
        for item in schema:
            yield from _faults(item, definitions)
    if not isinstance(schema, dict):
        return
    target, kinds, pattern = schema.get("$ref"), schema.get("type"), schema.get("pattern")
    if isinstance(target, str) and target.removeprefix("#/$defs/") not in definitions:
        yield f"unknown reference {target!r}"
    for kind in [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []:
        if kind not in TYPES:
            yield f"unknown type {kind!r}"
    if isinstance(pattern, str):
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"bad pattern {pattern!r}: {error}"
    for key, value in schema.items():
        if key not in ("default", "examples", "enum", "const"):
            yield from _faults(value, definitions)


def _plain(value: Any) -> Any:
    """A word's fragment as JSON holds it: mappings become dicts and tuples lists."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _enumeration(folder: str, words: Mapping[str, Word]) -> Schema:
    """A choice among words by name, with what each does beside it in an editor."""
    return {
        "title": WORD_NOUNS[folder],
        "description": f"which {WORD_NOUNS[folder]}",
        "enum": sorted(words),
        "markdownEnumDescriptions": [words[name].docstring for name in sorted(words)],
    }


def _choice(folder: str, words: Mapping[str, Word]) -> Schema:
    """A use of any word of a folder, checked by the definition that its `kind` names."""
    return {
        "title": WORD_NOUNS[folder],
        "description": f"A {WORD_NOUNS[folder]} with its parameters.",
        "type": "object",
        "properties": {"kind": _enumeration(folder, words)},
        "required": ["kind"],
        "allOf": [
            {"if": is_word(name), "then": {"$ref": f"#/$defs/{folder}.{name}"}}
            for name in sorted(words)
        ],
    }


def _types(vocabulary: Vocabulary) -> Schema:
    """The definitions that words' fragments refer to, `rule` excepted."""
    yields = [str(word.traits["YIELDS"]) for word in vocabulary.folder("factors").values()]
    factor = {"type": "string", **FACTOR_NAME}
    return {
        "name": {
            "description": "A column's name.",
            "type": "string",
            **NAME,
            "maxLength": 60,
        },
        "column": {
            "description": "The name of a column that an observe word writes.",
            "type": "string",
        },
        "factor": {"description": "The name of a factor.", **factor},
        **{
            f"{kind}_factor": {"description": f"The name of a {kind} factor.", **factor}
            for kind in dict.fromkeys([*FACTOR_TYPES, *yields])
        },
        "formula": {
            "description": "A formula over number factors; a category factor may be compared "
            "with a text. Operators + - * / **, comparisons, and, or, not; functions "
            + ", ".join(FUNCTIONS)
            + ".",
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_CHARACTERS,
        },
    }
