"""The fixed part of the spec's schema: every key that is not a word or a word's parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandmle.spec.model import VERSION

Schema = dict[str, Any]

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
SEED_NAME: Schema = {
    "type": "string",
    "pattern": "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
    "patternErrorMessage": "expected letters and digits, words joined by '-'",
    "maxLength": 80,
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


def skeleton(modalities: Sequence[str], tasks: Sequence[str]) -> Schema:
    """The schema of a spec without the definitions of words, types and metrics that it names.

    `modalities` and `tasks` are what the DNA may name.
    """
    identifier = {"type": "string", **IDENTIFIER, "maxLength": 80}
    properties = {
        "spec": {"const": VERSION, "description": "version of the spec language"},
        "id": {"description": "The task's name; the file is called <id>.yaml.", **identifier},
        "seed": {"description": "The seed that the DNA comes from.", **SEED_NAME},
        "random_seed": {
            "description": "Every random number of the task follows from it.",
            "type": "integer",
            "minimum": 0,
            "maximum": 2**32 - 1,
        },
        "dna": _dna(modalities, tasks),
        "domain": _closed(
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
            "additionalProperties": {"$ref": "#/$defs/factors"},
            "minProperties": 1,
            "maxProperties": 60,
        },
        "observe": {
            "description": "What the solver sees of the factors.",
            "type": "array",
            "items": {"$ref": "#/$defs/observe"},
            "minItems": 1,
            "maxItems": 60,
        },
        "hidden": _hidden(),
        "noise": {
            "description": "What disturbs the columns, a factor or the labels, in this order.",
            "type": "array",
            "items": {"$ref": "#/$defs/noise"},
            "maxItems": 30,
        },
        "thresholds": _thresholds(),
        "narrative": _narrative(),
        "provenance": _provenance(),
    }
    required = ["spec", "id", "random_seed", "dna", "domain", "factors", "observe", "hidden"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SandMLE task spec",
        **_closed(
            "One machine-learning task: what is drawn, what is seen, what is to be found.",
            properties,
            [*required, "narrative"],
        ),
    }


def _provenance() -> Schema:
    dial = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    repair = {
        "type": "object",
        "required": ["because", "margin"],
        "properties": {
            "because": {
                "enum": ["too easy", "too hard", "too narrow", "not built"],
                "description": "what was wrong",
            },
            "margin": {"type": "string", "description": "the margin that was missed"},
            "by": {"type": "number", "description": "how far, in the metric's units"},
            "turned": {
                "type": "object",
                "additionalProperties": dial,
                "description": "dials that were turned, each with its value before and after",
            },
            "redrawn": {"const": True, "description": "it was drawn anew instead"},
        },
        "additionalProperties": False,
    }
    return {
        "description": "Where the spec comes from; other keys are free. Nothing here changes the "
        "task.",
        "type": "object",
        "properties": {
            "drafted_from": {"type": "string", "description": "the seed"},
            "random_seed": {"type": "integer", "description": "the number given to `draft`"},
            "repairs": {
                "type": "array",
                "items": repair,
                "description": "what was turned in the draft before it was good",
            },
            "split": {
                "enum": ["train", "validation"],
                "description": "what the task is for; `validation` shares neither seed nor rules "
                "with `train`",
            },
        },
    }


def _dna(modalities: Sequence[str], tasks: Sequence[str]) -> Schema:
    return _closed(
        "The structural DNA of the task.",
        {
            "modality": {"enum": list(modalities), "description": "what the solver mainly sees"},
            "task": {"enum": list(tasks), "description": "what kind of target it has"},
            "metric": {
                "$ref": "#/$defs/metric",
                "description": "a metric's name, or {kind: ..., parameters}",
            },
            "submission": {
                "$ref": "#/$defs/submission",
                "description": "what is submitted, where not the usual for the metric: a name, or "
                "{kind: ..., parameters}",
            },
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
            "split": _closed(
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
    rule = {"$ref": "#/$defs/rule", "description": "what the target follows from"}
    one = _closed(
        "The target and the rule that it follows.",
        {
            "target": {**name, "description": "the target column"},
            "rule": rule,
            "cut": _cuts(),
            "labels": {
                "description": "the classes' names from the lowest score up",
                "type": "array",
                "items": _line("a class's name", 60),
                "minItems": 1,
                "maxItems": 30,
                "uniqueItems": True,
            },
        },
        ["target", "rule"],
    )
    target = _closed("One of several targets.", {"rule": rule, "cut": _cut()}, ["rule"])
    several = _closed(
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


def _cut() -> Schema:
    return {
        "description": "Where the score is cut into two classes: the share of samples below.",
        "type": "object",
        "properties": {"quantile": _share("share of samples in the lower class")},
        "required": ["quantile"],
        "additionalProperties": False,
    }


def _cuts() -> Schema:
    return {
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
    }


def _thresholds() -> Schema:
    medals = {
        "median": "score above which a submission beats the median",
        "bronze": "score from which a submission wins bronze",
        "silver": "score from which a submission wins silver",
        "gold": "score from which a submission wins gold",
    }
    return _closed(
        "Scores of the medals; computed when the task is built where left out.",
        {name: {"type": "number", "description": text} for name, text in medals.items()},
        medals,
    )


def _narrative() -> Schema:
    return _closed(
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


def _share(description: str) -> Schema:
    return {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": description,
    }


def _closed(description: str, properties: Schema, required: Iterable[str]) -> Schema:
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
