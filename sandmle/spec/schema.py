"""The spec's JSON Schema (draft 2020-12), composed from the vocabulary's own fragments.

One definition a word, chosen by `kind`, so that an editor completes a word's parameters and shows
its docstring. The same definitions check a spec (see sandmle.spec.check).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sandmle.spec.formula import FUNCTIONS, MAX_CHARACTERS
from sandmle.spec.model import MODALITIES, VERSION
from sandmle.spec.tasks import TASK_KINDS
from sandmle.vocabulary import Vocabulary, Word

Schema = dict[str, Any]

#: The types that factor words YIELD; a corpus' own words may add others.
FACTOR_TYPES = ("number", "category", "text", "series")

#: The folders whose words a spec names by `kind`, and what one of them is called in messages.
WORD_NOUNS: Mapping[str, str] = {
    "factors": "factor word",
    "hidden": "rule",
    "observe": "observe word",
    "noise": "noise word",
    "metrics": "metric",
}

#: Rows: the paper's bound on training rows, and what keeps a task micro and its medals reliable.
TRAIN_ROWS = (50, 200)
TEST_ROWS = (100, 5000)

#: Patterns of texts, each with what an author should write.
NAME: Schema = {
    "pattern": "^[A-Za-z][A-Za-z0-9_]*$",
    "patternErrorMessage": "expected letters, digits and _, with a letter first",
}
FACTOR_NAME: Schema = {
    "pattern": "^[a-z][a-z0-9_]*$",
    "patternErrorMessage": "expected lower-case letters, digits and _, with a letter first",
}
IDENTIFIER: Schema = {
    "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
    "patternErrorMessage": "expected lower-case letters and digits, words joined by '-'",
}
RELATIVE_FILE: Schema = {
    "pattern": r"^([A-Za-z0-9_-]+/)*[A-Za-z0-9_{}-]+(\.[a-z0-9]+)+$",
    "patternErrorMessage": "expected a relative path of letters, digits, _ and -, with a suffix "
    "and without '..', such as images/{id}.png",
}
LINE: Schema = {
    "pattern": r"^\S([^\n\r\t]*\S)?$",
    "patternErrorMessage": "expected one line of text that is not empty, without space around it",
}


def compose_schema(vocabulary: Vocabulary) -> Schema:
    """The schema of a whole spec with one definition for each word of the vocabulary."""
    schema = _head()
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
    definitions["metric"] = {
        "description": "The metric: a word's name, or {kind: ..., parameters}.",
        "anyOf": [{"$ref": "#/$defs/metric_name"}, {"$ref": "#/$defs/metrics"}],
    }
    definitions["metric_name"] = {
        "type": "string",
        **_enumeration("metrics", vocabulary.folder("metrics")),
    }
    return {**schema, "$defs": definitions}


def head_schema(vocabulary: Vocabulary) -> Schema:
    """The same schema, with every word checked only for being a mapping with a known `kind`.

    With word_schema() for each word it says what the whole schema says, much faster.
    """
    schema = compose_schema(vocabulary)
    for folder in WORD_NOUNS:
        del schema["$defs"][folder]["allOf"]
    return schema


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


def schema_text(vocabulary: Vocabulary) -> str:
    """The schema as the text of its file."""
    return json.dumps(compose_schema(vocabulary), indent=1, ensure_ascii=False) + "\n"


def write_schema(path: Path, vocabulary: Vocabulary) -> None:
    """Writes the schema for editors, whole or not at all."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(schema_text(vocabulary), encoding="utf-8")
    temporary.replace(path)


def _contract(word: Word) -> Schema:
    """The keys that the contract of the word's folder adds to its own parameters."""
    writes, disturbs = word.traits.get("WRITES"), word.traits.get("DISTURBS")
    if writes == "files":
        return {
            "file": {
                "type": "string",
                **RELATIVE_FILE,
                "description": "path of a sample's file, such as images/{id}.png",
            }
        }
    if writes == "rows":
        return {
            "file": {
                "type": "string",
                **RELATIVE_FILE,
                "description": "the table with several rows a sample, such as readings.csv",
            }
        }
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
            {
                "if": {
                    "title": name,
                    "type": "object",
                    "properties": {"kind": {"const": name}},
                    "required": ["kind"],
                },
                "then": {"$ref": f"#/$defs/{folder}.{name}"},
            }
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
        "cut": {
            "description": "Where the score is cut into two classes: the share of samples below.",
            "type": "object",
            "properties": {"quantile": _share("share of samples in the lower class")},
            "required": ["quantile"],
            "additionalProperties": False,
        },
        "cuts": {
            "description": "Where the score is cut into classes: shares of samples, ascending.",
            "type": "object",
            "properties": {
                "quantile": _share("share of samples in the lower of two classes"),
                "quantiles": {
                    "description": "shares of samples below each cut, ascending",
                    "type": "array",
                    "items": _share("share of samples below this cut"),
                    "minItems": 1,
                    "maxItems": 29,
                },
            },
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": False,
        },
    }


def _share(description: str) -> Schema:
    return {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": description,
    }


def _object(description: str, properties: Schema, required: Iterable[str]) -> Schema:
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _line(description: str, maximum: int) -> Schema:
    """One line of text without space around it."""
    return {
        "type": "string",
        **LINE,
        "maxLength": maximum,
        "description": description,
    }


def _rows(bounds: tuple[int, int], description: str) -> Schema:
    return {
        "type": "integer",
        "minimum": bounds[0],
        "maximum": bounds[1],
        "description": description,
    }


def _head() -> Schema:
    """Everything but the definitions."""
    identifier = {"type": "string", **IDENTIFIER, "maxLength": 80}
    word = {folder: {"$ref": f"#/$defs/{folder}"} for folder in WORD_NOUNS}
    properties = {
        "spec": {"const": VERSION, "description": "version of the spec language"},
        "id": {"description": "The task's name; the file is called <id>.yaml.", **identifier},
        "seed": {"description": "The seed that the DNA comes from.", **identifier},
        "random_seed": {
            "description": "Every random number of the task follows from it.",
            "type": "integer",
            "minimum": 0,
            "maximum": 2**32 - 1,
        },
        "dna": _dna(),
        "domain": _object(
            "The world that the task pretends to come from.",
            {
                "name": _line("the field, such as transport", 60),
                "entity": _line("what one sample is, such as road segment", 60),
            },
            ["name", "entity"],
        ),
        "factors": {
            "description": "Hidden factors by name: one value a sample, drawn in this order.",
            "type": "object",
            "propertyNames": {**FACTOR_NAME, "maxLength": 40},
            "additionalProperties": word["factors"],
            "minProperties": 1,
            "maxProperties": 60,
        },
        "observe": {
            "description": "What the solver sees of the factors.",
            "type": "array",
            "items": word["observe"],
            "minItems": 1,
            "maxItems": 60,
        },
        "hidden": _hidden(),
        "noise": {
            "description": "What disturbs the columns, a factor or the labels, in this order.",
            "type": "array",
            "items": word["noise"],
            "maxItems": 30,
        },
        "thresholds": _thresholds(),
        "narrative": _narrative(),
        "provenance": {
            "description": "Where the spec comes from; free, changes nothing in the task.",
            "type": "object",
        },
    }
    required = ["spec", "id", "random_seed", "dna", "domain", "factors", "observe", "hidden"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SandMLE task spec",
        **_object(
            "One machine-learning task: what is drawn, what is seen, what is to be found.",
            properties,
            [*required, "narrative"],
        ),
    }


def _dna() -> Schema:
    return _object(
        "The structural DNA of the task.",
        {
            "modality": {"enum": list(MODALITIES), "description": "what the solver mainly sees"},
            "task": {"enum": list(TASK_KINDS), "description": "what kind of target it has"},
            "metric": {"$ref": "#/$defs/metric"},
            "train": _rows(TRAIN_ROWS, "training rows"),
            "test": _rows(TEST_ROWS, "test rows; 500 and more make medals reliable"),
            "prevalence": _share("share of the positive class; the mean over several targets"),
            "classes": {
                "type": "integer",
                "minimum": 2,
                "maximum": 30,
                "description": "how many classes the target has",
            },
            "difficulty": {
                "type": "number",
                "minimum": 0,
                "maximum": 1,
                "description": "wanted difficulty, 0 the easiest",
            },
            "split": _object(
                "How rows are divided into train and test.",
                {
                    "kind": {
                        "enum": ["random", "group", "time"],
                        "description": "random (stratified), whole groups, or the past and the "
                        "future",
                    },
                    "by": {
                        "$ref": "#/$defs/factor",
                        "description": "the factor that holds the group or the time",
                    },
                },
                ["kind"],
            ),
        },
        ["modality", "task", "metric", "train", "test"],
    )


def _hidden() -> Schema:
    name = {"$ref": "#/$defs/name"}
    rule = {"$ref": "#/$defs/rule"}
    one = _object(
        "The target and the rule that it follows.",
        {
            "target": {**name, "description": "the target column"},
            "rule": rule,
            "cut": {"$ref": "#/$defs/cuts"},
            "labels": {
                "description": "the classes' names from the lowest score up",
                "type": "array",
                "items": _line("a class's name", 60),
                "minItems": 2,
                "maxItems": 30,
                "uniqueItems": True,
            },
        },
        ["target", "rule"],
    )
    target = _object(
        "One of several targets.", {"rule": rule, "cut": {"$ref": "#/$defs/cut"}}, ["rule"]
    )
    several = _object(
        "Several targets and the rule that each follows.",
        {
            "targets": {
                "description": "target columns by name",
                "type": "object",
                "propertyNames": {**NAME, "maxLength": 60},
                "additionalProperties": target,
                "minProperties": 2,
                "maxProperties": 20,
            }
        },
        ["targets"],
    )
    return {
        "description": "What is to be found: the targets and the rules that they follow.",
        "type": "object",
        "if": {"type": "object", "required": ["targets"]},
        "then": several,
        "else": one,
    }


def _thresholds() -> Schema:
    medals = {
        "median": "score above which a submission beats the median",
        "bronze": "score from which a submission wins bronze",
        "silver": "score from which a submission wins silver",
        "gold": "score from which a submission wins gold",
    }
    return _object(
        "Scores of the medals; computed when the task is built where left out.",
        {name: {"type": "number", "description": text} for name, text in medals.items()},
        medals,
    )


def _narrative() -> Schema:
    return _object(
        "What the solver reads.",
        {
            "title": _line("the competition's title", 120),
            "story": {
                "type": "string",
                "minLength": 1,
                "maxLength": 4000,
                "description": "the situation, the data and the question, for a reader who knows "
                "nothing of factors and rules",
            },
            "columns": {
                "description": "what each column means, by its name",
                "type": "object",
                "propertyNames": {**NAME, "maxLength": 60},
                "additionalProperties": _line("what the column means", 300),
            },
        },
        ["title", "story"],
    )
