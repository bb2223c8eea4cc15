"""A review as text for a terminal, Markdown for a pull request, and data for a script."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandmle.review.comparison import Comparison, outlined
from sandmle.spec.edit import MEDALS
from sandmle.vocabulary import Vocabulary

if TYPE_CHECKING:
    from sandmle.review.effect import Effect, Labels, Outcome

#: A pull request with more specs folds each of them.
_FOLDED = 12


@dataclass(frozen=True)
class Reviewed:
    """One spec's comparison, and its effect where that was asked for."""

    comparison: Comparison
    effect: Effect | None = None


def summary(reviews: Sequence[Reviewed]) -> str:
    """How many specs changed, and in which way."""
    counts = {
        status: sum(review.comparison.status == status for review in reviews)
        for status in ("changed", "renamed", "added", "removed")
    }
    told = [f"{count} {status}" for status, count in counts.items() if count]
    return f"{len(reviews)} spec{'s' * (len(reviews) != 1)}: {', '.join(told) or 'no change'}"


def text_lines(review: Reviewed, vocabulary: Vocabulary) -> Iterator[str]:
    """One spec: its path, then a line a change, indented, then what they do."""
    yield _printable(heading(review.comparison))
    lines = [
        *_said(review.comparison, vocabulary),
        *map(str, review.comparison.problems),
        *(() if review.effect is None else _effect_lines(review.effect)),
    ]
    yield from (f"  {_printable(line)}" for line in lines)


def heading(comparison: Comparison) -> str:
    """The path of a spec, with what became of it where it did not just change."""
    status = comparison.status
    if status == "renamed" and comparison.before is not None:
        return f"{comparison.path}: renamed, was {comparison.before.content.path}"
    return comparison.path if status in ("changed", "same") else f"{comparison.path}: {status}"


def markdown(reviews: Sequence[Reviewed], vocabulary: Vocabulary) -> str:
    """A summary of all specs for a pull request, in GitHub's flavour."""
    blocks = [f"### {summary(reviews)}"]
    folded = len(reviews) > _FOLDED
    for review in reviews:
        lines = list(_markdown(review, vocabulary))
        title = _escaped(heading(review.comparison))
        if folded:
            head = f"<details><summary>{title}</summary>"
            blocks += [head, *lines, "</details>"]
        else:
            blocks += [f"#### {title}", *lines]
    return "\n\n".join(blocks) + "\n"


def as_data(review: Reviewed) -> dict[str, Any]:
    """One spec as plain data; problems are told as in the text."""
    comparison = review.comparison
    before, after = comparison.before, comparison.after
    return {
        "path": comparison.path,
        "status": comparison.status,
        "before": before and before.content.path,
        "after": after and after.content.path,
        "changes": [dataclasses.asdict(change) for change in comparison.changes],
        "problems": {
            "before": [dataclasses.asdict(problem) for problem in before.problems]
            if before
            else [],
            "after": [dataclasses.asdict(problem) for problem in after.problems] if after else [],
        },
        "effect": None if review.effect is None else dataclasses.asdict(review.effect),
    }


def _said(comparison: Comparison, vocabulary: Vocabulary) -> Iterator[str]:
    """The changes in words; a spec that came or went in a line."""
    if comparison.before is not None and comparison.after is not None:
        yield from (change.text for change in comparison.changes)
        return
    side = comparison.after or comparison.before
    if side is not None and side.spec is not None:
        yield outlined(side.spec, vocabulary)


def _markdown(review: Reviewed, vocabulary: Vocabulary) -> Iterator[str]:
    comparison = review.comparison
    said = [f"- {_escaped(line)}" for line in _said(comparison, vocabulary)]
    if said:
        yield "\n".join(said)
    if comparison.problems:
        problems = "\n".join(f"- {_escaped(str(problem))}" for problem in comparison.problems)
        yield f"The spec is not right:\n\n{problems}"
    if review.effect is None:
        return
    if _is_idle(review.effect):
        yield _NO_EFFECT.capitalize() + "."
        return
    if review.effect.labels is not None:
        yield "\n".join(f"- {line}" for line in _label_lines(review.effect.labels))
    rows = list(_table(review.effect))
    if rows:
        head = ["| | before | after |", "|---|---:|---:|"]
        yield "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)])
    reasons = [f"- {_escaped(line)}" for line in _reasons(review.effect)]
    if reasons:
        yield "\n".join(reasons)


#: What is said where both sides give the same.
_NO_EFFECT = "no effect: labels, ladder and thresholds are the same"


def _is_idle(effect: Effect) -> bool:
    labels = effect.labels
    if labels is None or effect.before != effect.after:
        return False
    return not any(
        (labels.train_changed, labels.test_changed, labels.moved, labels.came, labels.went)
    )


def _effect_lines(effect: Effect) -> Iterator[str]:
    if _is_idle(effect):
        yield _NO_EFFECT
        return
    if effect.labels is not None:
        yield from _label_lines(effect.labels)
    rows = list(_table(effect))
    if rows:
        yield f"{'':<12}{'before':>10}{'after':>10}"
    for name, before, after in rows:
        yield f"{name:<12}{before:>10}{after:>10}"
    yield from _reasons(effect)


def _label_lines(labels: Labels) -> Iterator[str]:
    """Which rows have another label now, and which rows are others."""
    if not labels.train + labels.test:
        yield "labels: no sample is in both versions, all are drawn anew"
        return
    changed = (
        f"labels: {labels.train_changed} of {labels.train} train rows and "
        f"{labels.test_changed} of {labels.test} test rows changed"
    )
    by = f", by {labels.typical:g} standard deviations at the median" if labels.typical else ""
    yield changed + by
    if labels.came or labels.went:
        yield f"rows: {labels.came} new, {labels.went} gone"
    if labels.moved:
        yield f"rows: {labels.moved} moved between train and test"


def _table(effect: Effect) -> Iterator[tuple[str, str, str]]:
    """Rungs and thresholds, those that one side has at least, before and after."""
    from sandmle.build.verdict import RUNGS

    for part, names in (("rungs", RUNGS), ("thresholds", MEDALS)):
        for name in names:
            cells = [_score(side, part, name) for side in (effect.before, effect.after)]
            if any(cells):
                yield name, cells[0] or "-", cells[1] or "-"


def _score(side: Outcome | None, part: str, name: str) -> str:
    scores: Mapping[str, float] = {} if side is None else getattr(side, part)
    return f"{scores[name]:.4g}" if name in scores else ""


def _reasons(effect: Effect) -> Iterator[str]:
    """Why a side is no good task: said of both where it is true of both."""
    before = effect.before.reasons if effect.before else ()
    after = effect.after.reasons if effect.after else ()
    for reason in before:
        if reason not in after:
            yield f"before: {reason}"
    for reason in after:
        yield f"after: {reason}"
    if effect.before and effect.after and before and not after:
        yield "after: nothing in the ladder speaks against the task"


def _printable(text: str) -> str:
    """Text that cannot steer a terminal: a spec under review is somebody else's."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", _code, text)


def _code(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    arrows = _printable(text).replace("->", "→")
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in arrows)
