"""Style: what is right in a spec and yet misleads, wastes a column, or gives the task away.

A lint is a function from a draft to problems; its code is its name with hyphens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sandmle.errors import Problem, SpecError
from sandmle.spec.check import check_source
from sandmle.spec.draft import Draft
from sandmle.spec.lints.columns import duplicate_column, idle_noise, unreachable_columns
from sandmle.spec.lints.factors import snake_case, unseen_cause, unused_factor, whole_words
from sandmle.spec.lints.narrative import story_names_factor, story_names_rule
from sandmle.spec.yaml_source import Source, read_source
from sandmle.vocabulary import Vocabulary

LINTS: tuple[Callable[[Draft], Iterator[Problem]], ...] = (
    snake_case,
    whole_words,
    unused_factor,
    unseen_cause,
    duplicate_column,
    unreachable_columns,
    idle_noise,
    story_names_rule,
    story_names_factor,
)

#: The code of what `sandmle check` finds: a spec that is not right has no style yet.
CHECK = "check"


@dataclass(frozen=True, order=True)
class Finding:
    """A problem with the code of the lint that found it."""

    problem: Problem
    code: str

    def __str__(self) -> str:
        return f"{self.problem} [{self.code}]"


def lint_file(path: Path, vocabulary: Vocabulary) -> list[Finding]:
    """What the lints find in a file, sorted by place; where it is not right, its problems."""
    try:
        source = read_source(path)
    except SpecError as error:
        return [Finding(problem, CHECK) for problem in error.problems]
    return lint_source(source, vocabulary)


def lint_source(source: Source, vocabulary: Vocabulary) -> list[Finding]:
    """As lint_file, of a source that is read already."""
    problems = check_source(source, vocabulary)
    if problems:
        return [Finding(problem, CHECK) for problem in problems]
    draft = Draft(source, vocabulary, ())
    return sorted(
        Finding(problem, code_of(lint)) for lint in LINTS for problem in dict.fromkeys(lint(draft))
    )


def code_of(lint: Callable[[Draft], Iterator[Problem]]) -> str:
    """A lint's code."""
    return lint.__name__.replace("_", "-")
