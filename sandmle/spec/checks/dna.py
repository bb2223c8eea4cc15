"""The DNA against the words used: metric, modality, noise, thresholds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.messages import a_task, shown
from sandmle.spec.references import Slot, all_slots, nested_use, slots
from sandmle.spec.scoring import default_submission, fitting_submissions
from sandmle.vocabulary import Word

MEDALS = ("median", "bronze", "silver", "gold")


def check_metric(draft: Draft) -> Iterator[Problem]:
    """The metric fits the task, needs no parameter that was not given, and can be submitted to."""
    metric, task = draft.metric, draft.task
    if metric is None or not draft.sound("dna", "metric"):
        return
    path = ("dna", "metric")
    if isinstance(draft.get(*path), str) and metric.required:
        yield draft.source.at_value(path, _needs_parameters(metric))
    yield from _nested(draft)
    if task is None:
        return
    traits = draft.metric_traits
    if task not in metric.traits["TASKS"]:
        fitting = [
            name
            for name, word in draft.vocabulary.folder("metrics").items()
            if task in word.traits["TASKS"]
        ]
        few = ", ".join(sorted(fitting)[:4])
        message = f"{metric.name} does not fit {a_task(task)}" + (f"; try {few}" if few else "")
        yield draft.source.at_value(path, message)
    elif traits is not None:
        yield from _submission(draft, task, traits.predicts)


def _needs_parameters(metric: Word) -> str:
    needed = ", ".join(f"{name}: ..." for name in metric.required)
    return f"{metric.name} needs parameters; write {{kind: {metric.name}, {needed}}}"


def _nested(draft: Draft) -> Iterator[Problem]:
    """A metric inside another has what it needs and looks at no factor.

    It is given some of the rows only, and a factor has values for all of them.
    """
    for use, word in draft.sound_uses("metrics"):
        for slot in all_slots(use, word, draft.vocabulary):
            nested = nested_use(slot)
            inner = draft.vocabulary.folder("metrics").get(nested.kind) if nested else None
            if slot.is_factor:
                yield from _positions(draft, slot)
            if nested is None or inner is None:
                continue
            if isinstance(slot.value, str) and inner.required:
                yield draft.source.at_value(slot.path, _needs_parameters(inner))
            elif any(part.is_factor for part in slots(nested, inner)):
                message = f"{inner.name} looks at a factor, so it cannot stand inside {word.name}"
                yield draft.source.at_value(slot.path, message)


def _positions(draft: Draft, slot: Slot) -> Iterator[Problem]:
    """A factor with values along a series goes with targets that have a value for each of them."""
    kind, task = draft.factor_types.get(slot.value), draft.task_kind
    if kind in ("series", "numbers") and task is not None and "numbers" not in task.yields:
        message = f"factor {slot.value!r} is a series; {a_task(str(draft.task))} has no positions"
        yield draft.source.at_value(slot.path, message)


def _submission(draft: Draft, task: str, predicts: str) -> Iterator[Problem]:
    """The submission holds what the metric predicts."""
    fitting = [word.name for word in fitting_submissions(predicts, task, draft.vocabulary)]
    path = ("dna", "submission")
    known = ", ".join(fitting)
    if not fitting:
        message = f"no word in rules/submissions/ predicts {predicts!r} for {a_task(task)}"
        yield draft.source.at_value(("dna", "metric"), message)
    elif draft.get(*path) is None:
        if default_submission(predicts, task, draft.vocabulary) is None:
            message = f"the metric leaves open what is submitted; add `submission`, one of {known}"
            yield draft.source.at_value(("dna",), message)
    elif draft.submission is not None and draft.submission.name not in fitting:
        name = draft.submission.name
        message = f"{name} does not hold a {predicts} for {a_task(task)}; expected {known}"
        yield draft.source.at_value(path, message)


def check_split(draft: Draft) -> Iterator[Problem]:
    """Some kinds of task need a kind of split."""
    task = draft.task_kind
    if task is None or task.split is None or draft.get("dna", "split", "kind") == task.split:
        return
    message = f"{a_task(draft.task)} needs `split: {{kind: {task.split}, by: FACTOR}}`"
    yield draft.source.at_value(("dna",), message)


def check_modality(draft: Draft) -> Iterator[Problem]:
    """The modality is what the observe words show; columns may stand beside anything."""
    if not draft.sound("dna", "modality") or not draft.knows_observers:
        return
    shown_modalities = {
        str(word.traits["MODALITY"]) for _, word in draft.uses if word.folder == "observe"
    }
    main = sorted(shown_modalities - {"tabular"})
    fitting = main if len(main) == 1 else ["mixed"] if main else ["tabular"]
    if len(shown_modalities) > 1 and "mixed" not in fitting:
        fitting.append("mixed")
    modality = draft.get("dna", "modality")
    if modality not in fitting:
        message = (
            f"says {modality}, but the observe words show {', '.join(sorted(shown_modalities))}; "
            f"write {' or '.join(fitting)}"
        )
        yield draft.source.at_value(("dna", "modality"), message)


def check_noise(draft: Draft) -> Iterator[Problem]:
    """Every noise word has something to disturb."""
    writes_columns = any(word.traits.get("WRITES") == "columns" for _, word in draft.uses)
    for use, word in draft.sound_uses("noise"):
        tasks = word.traits.get("TASKS")
        if tasks is not None and draft.task is not None and draft.task not in tasks:
            message = f"{use.kind} does not fit {a_task(draft.task)}, only {', '.join(tasks)}"
            yield draft.source.at_value((*use.path, "kind"), message)
        elif word.traits["DISTURBS"] == "columns" and draft.knows_observers and not writes_columns:
            message = f"{use.kind} disturbs columns, but no observe word writes any"
            yield draft.source.at_value((*use.path, "kind"), message)


def check_thresholds(draft: Draft) -> Iterator[Problem]:
    """The thresholds ascend in the metric's direction, within what the metric can reach."""
    thresholds, metric, traits = draft.get("thresholds"), draft.metric, draft.metric_traits
    if (
        metric is None
        or traits is None
        or not draft.sound("thresholds")
        or not isinstance(thresholds, Mapping)
    ):
        return
    greater = traits.greater_is_better
    for easier, harder in itertools.pairwise(MEDALS):
        low, high = thresholds[easier], thresholds[harder]
        if not (high > low if greater else high < low):
            order = "above" if greater else "below"
            message = f"must lie {order} {easier} ({low}), as {_direction(metric.name, greater)}"
            yield draft.source.at_value(("thresholds", harder), message)
    yield from _bounds(draft, thresholds, metric.name, traits.bounds)


def _bounds(
    draft: Draft, thresholds: Mapping[str, Any], metric: str, bounds: Any
) -> Iterator[Problem]:
    if bounds is None:
        return
    low, high = bounds
    for medal in MEDALS:
        value = thresholds[medal]
        if (low is not None and value < low) or (high is not None and value > high):
            ends = (
                f"from {shown(low)} to {shown(high)}"
                if None not in (low, high)
                else f"{low} or more"
                if high is None
                else f"{high} or less"
            )
            message = f"{value} cannot be reached; {metric} is {ends}"
            yield draft.source.at_value(("thresholds", medal), message)


def _direction(metric: str, greater: bool) -> str:
    return f"{'more' if greater else 'less'} is better for {metric}"
