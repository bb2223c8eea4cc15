"""The talk with a model about one part of one draft: the prompt, its answers, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from sandmle.asking.answers import FILE, read_answer
from sandmle.asking.prompts import write_prompt
from sandmle.asking.reply import Asker, Messages, Reply
from sandmle.errors import Problem
from sandmle.roles.prompted.examples import similar_specs
from sandmle.roles.prompted.offers import kinds_in
from sandmle.roles.prompted.part import Part
from sandmle.roles.role import DraftContext
from sandmle.spec.messages import schema_problems
from sandmle.spec.schema import WORD_NOUNS
from sandmle.spec.skeleton import Schema
from sandmle.spec.yaml_source import Source, dotted

#: Problems told at a time; those that follow from others go with them.
_PROBLEMS_TOLD = 12

#: Characters of a problem told: it may quote what was written.
_PROBLEM_LENGTH = 400

#: Characters of an answer that a model is shown again, beyond what any good one has.
_SHOWN_AGAIN = 16_000


@dataclass
class Talk:
    """What was said so far. `rounds` are those that are left to mend in, `keys` the requests."""

    title: str
    messages: Messages
    schema: Schema
    rounds: int = 0
    keys: list[str] = field(default_factory=list)
    reply: Reply | None = None
    source: Source | None = None

    @property
    def answer(self) -> Mapping[str, Any]:
        """The data of the last answer."""
        data: Mapping[str, Any] = self.source.data if self.source else {}
        return data

    def ask(self, asker: Asker, more: Messages = ()) -> None:
        """Asks, with what was said after the prompt."""
        messages = [*self.messages, *more]
        self.reply = asker.ask(messages, schema=self.schema, title=self.title)
        self.keys.append(self.reply.key)
        self.source = read_answer(self.reply)


def begin(part: Part, context: DraftContext, *, bound: bool, corpus: Path | None) -> Talk:
    """A talk with its prompt written, and nothing said yet."""
    examples = [part.example(data) for data in similar_specs(context)]
    used = frozenset(kind for example in examples for kind in kinds_in(example.wrote))
    offer = part.offer(context, used)
    schema = part.schema(context, offer, bound)
    messages = write_prompt(
        part.key,
        corpus,
        words={folder: words for folder, words in offer.items() if words},
        nouns=WORD_NOUNS,
        schema=schema,
        examples=examples,
        facts=part.facts(context, bound),
        name=context.name,
    )
    return Talk(part.key, messages, schema)


def faults_of(talk: Talk, part: Part) -> list[Problem]:
    """What is wrong with an answer's YAML and outline; the spec's checks have not seen it yet."""
    source = talk.source
    if source is None or source.problems:
        return list(source.problems if source else ())
    return sorted(set(_outline_problems(source, part.form)))


def mend(talk: Talk, asker: Asker, problems: Sequence[Problem], *, corpus: Path | None) -> bool:
    """Lets the model mend its answer. False where no round is left."""
    if talk.rounds <= 0:
        return False
    talk.rounds -= 1
    told = [_placed(problem, talk.source) for problem in problems[:_PROBLEMS_TOLD]]
    (back,) = write_prompt(
        "mend",
        corpus,
        problems=[str(problem)[:_PROBLEM_LENGTH] for problem in told],
        left_out=max(0, len(problems) - _PROBLEMS_TOLD),
        rounds=talk.rounds,  # without it a repeated answer would be replied to from disk, for ever
    )
    said = talk.reply.text if talk.reply else ""
    if not said or len(said) > _SHOWN_AGAIN:
        said = "(nothing that can be shown again)"
    talk.ask(asker, [{"role": "assistant", "content": said}, back])
    return True


def _outline_problems(source: Source, form: Schema) -> Iterator[Problem]:
    for error in jsonschema.Draft202012Validator(form).iter_errors(source.data):
        yield from schema_problems(source, error)


def _placed(problem: Problem, source: Source | None) -> Problem:
    """A problem at its place in the answer, as the author of the answer counts lines."""
    if problem.file == FILE or source is None:
        return problem
    places = {dotted(path): place for path, place in source.values.items()}
    where = problem.where
    while where and where not in places:
        where = where[: max(where.rfind("."), where.rfind("["), 0)]
    line, column = (places[where].line, places[where].column) if where in places else (1, 1)
    return Problem(FILE, line, column, problem.where, problem.message)
