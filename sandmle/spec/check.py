"""Everything that must be true of a spec: its YAML, its structure, its meaning.

All problems of a file are found at once: a check looks only at the parts of the spec that are
sound in themselves, so one fault never hides another and never brings up a second message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath

from sandmle.errors import Problem
from sandmle.spec.checks.columns import check_column_references, check_columns, check_files
from sandmle.spec.checks.dna import (
    check_metric,
    check_modality,
    check_noise,
    check_split,
    check_thresholds,
)
from sandmle.spec.checks.factors import check_factors
from sandmle.spec.checks.targets import check_targets
from sandmle.spec.draft import Draft, faulty_paths
from sandmle.spec.structure import structure_problems
from sandmle.spec.yaml_source import Source
from sandmle.vocabulary import Vocabulary


def check_id(draft: Draft) -> Iterator[Problem]:
    """The id is the file's name, so that a task's folder tells its spec."""
    stem = PurePath(draft.source.file).stem
    if draft.sound("id") and PurePath(draft.source.file).suffix and draft.get("id") != stem:
        message = f"differs from the file's name; write {stem!r}, or rename the file"
        yield draft.source.at_value(("id",), message)


CHECKS: tuple[Callable[[Draft], Iterator[Problem]], ...] = (
    check_id,
    check_metric,
    check_split,
    check_modality,
    check_factors,
    check_targets,
    check_columns,
    check_column_references,
    check_files,
    check_noise,
    check_thresholds,
)


def check_source(source: Source, vocabulary: Vocabulary) -> list[Problem]:
    """All problems of a spec, sorted by place; an empty list says that it is right."""
    if source.data is None:
        return list(source.problems)
    # What the YAML check refused is missing from the data: the schema has no news about it.
    refused = set(faulty_paths(source.problems)) - {("",)}
    found = list(source.problems)
    for problem in structure_problems(source, vocabulary):
        (path,) = faulty_paths([problem])
        if not any(path[: len(place)] == place for place in refused):
            found.append(problem)
    draft = Draft(source, vocabulary, faulty_paths(found))
    for check in CHECKS:
        found.extend(check(draft))
    return sorted(set(found))
