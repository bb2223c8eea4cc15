"""What is wrong with a draft, and which role owns the sections where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sandmle.errors import Problem
from sandmle.roles.prompted.operations import metric_factors
from sandmle.roles.prompted.part import ORDER
from sandmle.roles.repair import TOO_EASY, TOO_HARD, TOO_NARROW, Fault, Judge
from sandmle.roles.role import DraftContext
from sandmle.spec.check import check_source
from sandmle.spec.draft import Draft
from sandmle.spec.layout import dump_data
from sandmle.spec.lints.factors import unseen_cause, unused_factor
from sandmle.spec.lints.narrative import story_names_factor, story_names_rule
from sandmle.spec.load import build_spec
from sandmle.spec.messages import suggestion
from sandmle.spec.model import VERSION
from sandmle.spec.yaml_source import Source, parse_source

#: The name of a draft in messages, and its id until it has one.
_NAME = "draft"

#: Who owns what, the longest path first.
_OWNERS: Mapping[str, str] = {
    "dna.metric": "operations",
    "dna.submission": "operations",
    "thresholds": "operations",
    "dna.split": "developer",
    "dna.modality": "developer",
    "dna": "strategist",
    "domain": "strategist",
    "noise": "strategist",
    "seed": "strategist",
    "random_seed": "strategist",
    "factors": "developer",
    "observe": "developer",
    "hidden": "developer",
    "narrative": "writer",
}

#: What the Strategist wants and the Developer has to reach.
_WANTED = ("dna.prevalence", "dna.classes")

#: Poor style in a spec that is a fault in an answer: it costs a round, and no author's patience.
_LINTS: Mapping[str, tuple[Callable[[Draft], Iterator[Problem]], ...]] = {
    "developer": (unseen_cause, unused_factor),
    "writer": (story_names_rule, story_names_factor),
}

#: What helps against a judge's fault.
_ADVICE = {
    TOO_EASY: ": models that take the columns as they come do almost as well as careful ones; turn "
    "the rule's dials up, or combine its factors in another way",
    TOO_HARD: ": careful models hardly do better than naive ones; turn the rule's dials down, let "
    "it look at fewer factors, or show them with less noise",
    TOO_NARROW: ": good and bad solutions score too much alike; let the rule explain more of the "
    "target",
}

_MISSING = re.compile(r"missing key '(\w+)'")


def own_problems(
    key: str, sections: Mapping[str, Any], context: DraftContext, *, style: bool = True
) -> list[Problem]:
    """What is wrong with a role's sections of a draft that may lack those of later roles.

    With `style`, what is poor style in them counts too.
    """
    source = _source(sections, context)
    found = check_source(source, context.vocabulary)
    problems = [problem for problem in found if owner_of(problem, context, sections) == key]
    domain = value.get("name") if isinstance(value := sections.get("domain"), Mapping) else None
    if key == "strategist" and isinstance(domain, str) and domain not in context.worlds:
        hint = suggestion(domain, context.worlds) or f"; known are {', '.join(context.worlds)}"
        message = f"unknown domain {domain[:60]!r}{hint}"
        problems.append(source.at_value(("domain", "name"), message))
    if style and not problems:
        draft = Draft(source, context.vocabulary, ())
        problems = [problem for lint in _LINTS.get(key, ()) for problem in lint(draft)]
    return problems


def whole_problems(
    sections: Mapping[str, Any],
    context: DraftContext,
    *,
    judge: Judge | None = None,
) -> list[Problem]:
    """What is wrong with a whole draft: by the checks of specs and then, if nothing, by `judge`."""
    source = _source(sections, context)
    problems = check_source(source, context.vocabulary)
    if problems or judge is None:
        return problems
    faults = judge(build_spec(source.data, context.vocabulary))
    return [source.at_value(("hidden",), _told(fault)) for fault in faults]


def _told(fault: Fault) -> str:
    """A judge's fault in words, and what helps."""
    by = "" if fault.by is None else f" is missed by {-fault.by:g}"
    advice = _ADVICE.get(fault.because, "")
    return f"the task that comes of it is {fault.because} ({fault.margin}{by}){advice}"


def problems_by_owner(
    problems: Sequence[Problem], context: DraftContext, sections: Mapping[str, Any]
) -> dict[str, list[Problem]]:
    """Problems by the role that they go back to, in the order in which roles write."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(owner_of(problem, context, sections), []).append(problem)
    return {key: found[key] for key in ORDER if key in found}


def owner_of(problem: Problem, context: DraftContext, sections: Mapping[str, Any]) -> str:
    """The role whose sections a problem is in, or those that are missing."""
    where, missing = problem.where, _MISSING.match(problem.message)
    if missing:
        where = f"{where}.{missing[1]}" if where else missing[1]
    metric = sections.get("dna", {}).get("metric")
    if any(where == f"dna.metric.{name}" for name in metric_factors(metric, context.vocabulary)):
        return "developer"
    if where in _WANTED and "hidden" in sections:
        return "developer"
    if where == "dna":  # the metric leaves open what is submitted
        return "operations"
    while where:
        if where in _OWNERS:
            return _OWNERS[where]
        where = where[: max(where.rfind("."), where.rfind("["), 0)]
    return "developer"


def _source(sections: Mapping[str, Any], context: DraftContext) -> Source:
    """A draft's data as a file, with what is the seed's own."""
    seed = context.seed
    dna = {"modality": seed.modality, "task": seed.task, **sections.get("dna", {})}
    data = {"spec": VERSION, "id": _NAME, **sections, "dna": dna}
    if not data.get("noise"):
        data.pop("noise", None)
    return parse_source(dump_data(data), file=f"{_NAME}.yaml")
