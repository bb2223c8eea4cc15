"""Models that play roles well, as a server: what they answer is what the procedural roles write."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from sandmle.roles.developer import Developer
from sandmle.roles.operations import Operations
from sandmle.roles.prompted.part import ORDER
from sandmle.roles.prompted.team import joined
from sandmle.roles.role import DraftContext, Role
from sandmle.roles.strategist import Strategist
from sandmle.roles.world import load_worlds
from sandmle.roles.writer import Writer
from sandmle.spec.layout import dump_data
from sandmle.vocabulary import load_vocabulary
from tests.asking.server import Action, Answer
from tests.roles.contexts import seed_of

RANDOM_SEED = 1
PROCEDURAL: Mapping[str, Role] = {
    "operations": Operations(),
    "strategist": Strategist(),
    "developer": Developer(),
    "writer": Writer(),
}


def context(seed: str = "breast-cancer", number: int = 0, attempt: int = 0) -> DraftContext:
    """The context of a draft that nobody has written to."""
    name = f"{seed}.{number}.{attempt}"
    vocabulary, worlds = load_vocabulary(), load_worlds()
    return DraftContext(seed_of(seed), vocabulary, worlds, {}, RANDOM_SEED, number, name)


@functools.lru_cache(maxsize=64)
def written(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Good answers for the draft of that name, by role."""
    seed, number, attempt = name.rsplit(".", 2)
    blank = context(seed, int(number), int(attempt))
    sections: dict[str, Any] = {}
    found = {}
    for key in ORDER:
        part = PROCEDURAL[key].write(dataclasses.replace(blank, sections=sections))
        found[key] = _answer(key, part, sections)
        sections = joined(sections, part)
    return found


def asked(body: Mapping[str, Any]) -> tuple[str, str]:
    """The role that a request is for, and the name of the draft."""
    system, user = (message["content"] for message in body["messages"][:2])
    title = re.search(r"You are the (.*)\.\n", system)
    name = re.search(r"This is draft (\S+);", user)
    assert title
    assert name
    key = next(key for key, role in PROCEDURAL.items() if role.name == title[1])
    return key, name[1]


def rounds(body: Mapping[str, Any]) -> int:
    """How often the role was asked to mend: 0 for its first answer, or else 1 or more."""
    return sum(message["role"] == "assistant" for message in body["messages"])


def fenced(data: Mapping[str, Any]) -> Answer:
    """Data as models write it."""
    return Answer(f"Here it is.\n\n```yaml\n{dump_data(dict(data))}```\n")


def well(body: Mapping[str, Any]) -> Action:
    """A good answer: JSON where the request asks for it."""
    key, name = asked(body)
    data = written(name)[key]
    return Answer(json.dumps(data)) if "response_format" in body else fenced(data)


def but(**first: Callable[[dict[str, Any]], Action]) -> Callable[[dict[str, Any]], Action]:
    """Good answers, but for what some roles answer at first: a function of the good one's data."""

    def act(body: dict[str, Any]) -> Action:
        key, name = asked(body)
        if key in first and not rounds(body):
            return first[key](json.loads(json.dumps(written(name)[key])))
        return well(body)

    return act


def always(**actions: Action) -> Callable[[dict[str, Any]], Action]:
    """Good answers, but for the roles that always do something else."""

    def act(body: dict[str, Any]) -> Action:
        return actions.get(asked(body)[0]) or well(body)

    return act


def _answer(key: str, part: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """What of a procedural role's sections a model is asked for."""
    if key == "strategist":
        chosen = ("train", "difficulty", "prevalence")
        dna = {name: part["dna"][name] for name in chosen if name in part["dna"]}
        return {"dna": dna, "domain": part["domain"], "noise": part["noise"]}
    if key != "developer":
        return {name: part[name] for name in part}
    found = {name: part[name] for name in ("factors", "observe", "hidden")}
    dna = part.get("dna", {})
    named: dict[str, Any] = {}
    if "by" in dna.get("split", {}):
        named["split"] = {"by": dna["split"]["by"]}
    if isinstance(dna.get("metric"), dict):
        metric = before["dna"]["metric"]
        known = metric if isinstance(metric, dict) else {"kind": metric}
        added = {name: value for name, value in dna["metric"].items() if name not in known}
        named |= {"metric": added} if added else {}
    return found | ({"dna": named} if named else {})
