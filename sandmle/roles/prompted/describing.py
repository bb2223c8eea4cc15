"""The Data Strategist reads the description of a real competition.

Others wrote it, and it may try to talk to the model. So it is quoted, and the answer can only be
words of the vocabulary, columns that are there, and a phrase that stands in the description: that
is checked, and the phrase not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema

from sandmle.asking.prompts import write_prompt
from sandmle.asking.reply import Asker
from sandmle.errors import Problem, SpecError
from sandmle.roles.prompted.offers import Offer, kinds_in
from sandmle.roles.prompted.schemas import answer_schema, with_words
from sandmle.roles.prompted.talk import Talk, mend
from sandmle.roles.prompted.team import ROUNDS
from sandmle.seeds.competition import Outline
from sandmle.seeds.description import Told
from sandmle.seeds.model import FILE_KINDS, SPLIT_KINDS, SeedMetric
from sandmle.spec.messages import schema_problems, suggestion
from sandmle.spec.skeleton import Schema
from sandmle.spec.yaml_source import Source
from sandmle.vocabulary import Vocabulary, modalities

#: Characters of a description that are read; the longest of MLE-bench's have 25,000.
_READ = 60_000

#: Columns of a table that are told.
_COLUMNS_TOLD = 80


def read_description(
    outline: Outline,
    asker: Asker,
    *,
    vocabulary: Vocabulary,
    rounds: int = ROUNDS,
    corpus: Path | None = None,
) -> Told:
    """What a description says of its competition.

    Raises SpecError with what is still wrong after `rounds` of mending, EndpointError and
    BudgetSpent as the asker does.
    """
    talk = _begin(outline, vocabulary, corpus)
    talk.rounds = rounds
    talk.ask(asker)
    while problems := _problems(talk, outline, vocabulary):
        if not mend(talk, asker, problems, corpus=corpus):
            raise SpecError(problems)
    return _told(talk.answer)


def _begin(outline: Outline, vocabulary: Vocabulary, corpus: Path | None) -> Talk:
    offer = _all_metrics(vocabulary)
    form = _form(vocabulary, {"$ref": "#/$defs/metric"})
    schema = with_words(form, vocabulary, offer, factors=False)
    messages = write_prompt(
        "description",
        corpus,
        words=offer["metrics"],
        schema=schema,
        tables={name: list(columns[:_COLUMNS_TOLD]) for name, columns in outline.tables.items()},
        description=outline.description[:_READ],
    )
    return Talk("description", messages, schema)


def _all_metrics(vocabulary: Vocabulary) -> Offer:
    return {"metrics": tuple(vocabulary.folder("metrics").values())}


def _form(vocabulary: Vocabulary, metric: Schema) -> Schema:
    """The schema of an answer, but for what a metric may be."""
    text = {"type": "string", "minLength": 3, "maxLength": 400}
    names = {"type": "array", "items": {"type": "string", "maxLength": 200}, "minItems": 1}
    properties = {
        "task": {"enum": sorted(vocabulary.folder("tasks"))},
        "modality": {"enum": list(modalities(vocabulary))},
        "metric": metric,
        "quote": {**text, "description": "the words of the description that name the metric"},
        "targets": {**names, "maxItems": 60},
        "submission": {"enum": sorted(vocabulary.folder("submissions"))},
        "split": {
            "enum": list(SPLIT_KINDS),
            "description": "time where test rows come later, group where they are of other groups",
        },
        "files": {"type": "array", "items": {"enum": list(FILE_KINDS)}, "uniqueItems": True},
    }
    return {**answer_schema(properties, ()), "dependentRequired": {"metric": ["quote"]}}


def _problems(talk: Talk, outline: Outline, vocabulary: Vocabulary) -> list[Problem]:
    source = talk.source
    if source is None or source.problems:
        return list(source.problems if source else ())
    found = set(_schema_problems(source, _form(vocabulary, {})))
    found |= set(_metric_problems(source, vocabulary))
    if not found:
        found |= set(_unfounded(source, outline))
    return sorted(found)


def _schema_problems(source: Source, schema: Schema) -> Iterator[Problem]:
    for error in jsonschema.Draft202012Validator(schema).iter_errors(source.data):
        yield from schema_problems(source, error)


def _metric_problems(source: Source, vocabulary: Vocabulary) -> Iterator[Problem]:
    """What is wrong with the metric, by the definition of the word that it names."""
    metric = source.data.get("metric")
    if metric is None:
        return
    known = vocabulary.folder("metrics")
    use = metric if isinstance(metric, Mapping) else {"kind": metric}
    for kind in (use.get("kind"), *kinds_in({"of": use.get("of")})):
        if not isinstance(kind, str) or kind not in known:
            hint = suggestion(str(kind), known)
            yield source.at_value(("metric",), f"unknown metric {str(kind)[:60]!r}{hint}")
            return
    word = {"$ref": f"#/$defs/metrics.{use['kind']}"}
    schema = with_words(word, vocabulary, _all_metrics(vocabulary), factors=False)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(use):
        yield source.at_value(("metric", *error.absolute_path), error.message[:200])


def _unfounded(source: Source, outline: Outline) -> Iterator[Problem]:
    """What the description and the tables do not bear out."""
    columns = {name for table in outline.tables.values() for name in table}
    for place, name in enumerate(source.data.get("targets", ())):
        if name not in columns:
            message = f"no table has a column {name[:60]!r}{suggestion(name, columns)}"
            yield source.at_value(("targets", place), message)
    quote = source.data.get("quote")
    if quote is not None and _letters(quote) not in _letters(outline.description):
        message = "does not stand in the description; copy the words that name the metric"
        yield source.at_value(("quote",), message)


def _letters(text: str) -> str:
    """A text's letters and digits: line breaks and marks of Markdown make no difference."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _told(answer: Mapping[str, Any]) -> Told:
    named = answer.get("metric")
    use = dict(named) if isinstance(named, Mapping) else {"kind": named}
    metric = SeedMetric(str(use.pop("kind")), "description", use)
    return Told(
        task=answer.get("task"),
        modality=answer.get("modality"),
        metric=None if named is None else metric,
        targets=tuple(answer.get("targets", ())),
        submission=answer.get("submission"),
        split=answer.get("split"),
        files=tuple(answer.get("files", ())),
    )
