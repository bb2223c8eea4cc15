"""What the roles write, one after the other, put together to a spec."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sandmle.roles.role import DraftContext, Role
from sandmle.spec.layout import dump_data
from sandmle.spec.load import build_spec, parse_spec, spec_data
from sandmle.spec.model import VERSION, Spec
from sandmle.vocabulary import Vocabulary

_ORDER = ("spec", "id", "seed", "random_seed", "dna", "domain", "factors", "observe", "hidden")


def write_sections(context: DraftContext, roles: Sequence[Role]) -> dict[str, Any]:
    """What the roles write, each seeing what was written before. Raises what they do."""
    sections: dict[str, Any] = {}
    for role in roles:
        given = dataclasses.replace(context, sections=sections)
        for name, value in role.write(given).items():
            if isinstance(value, Mapping) and isinstance(sections.get(name), Mapping):
                sections[name] = {**sections[name], **value}
            else:
                sections[name] = value
    return sections


def assemble(
    sections: Mapping[str, Any], vocabulary: Vocabulary, *, provenance: Mapping[str, Any]
) -> Spec:
    """The spec of sections, checked; what they say of their provenance comes with it.

    Raises SpecError where they make none.
    """
    data: dict[str, Any] = {**sections, "spec": VERSION, "id": base_id(sections)}
    data["provenance"] = {**provenance, **sections.get("provenance", {})}
    if not data.get("noise"):
        data.pop("noise", None)
    dna = data["dna"]
    data["dna"] = {name: dna[name] for name in ("modality", "task", "metric")} | dna
    ordered = {name: data[name] for name in (*_ORDER, *(n for n in data if n not in _ORDER))}
    return parse_spec(dump_data(ordered), file=f"{data['id']}.yaml", vocabulary=vocabulary)


def changed(spec: Spec, vocabulary: Vocabulary, **values: Any) -> Spec:
    """The spec with other values of its file's keys, such as `id`."""
    return build_spec(spec_data(spec) | values, vocabulary)


def base_id(sections: Mapping[str, Any]) -> str:
    """What a draft is called where nothing else is: healthcare-readmitted."""
    hidden = sections["hidden"]
    target = hidden.get("target") or next(iter(hidden["targets"]))
    words = f"{sections['domain']['name']} {target}".lower()
    return "-".join(re.findall(r"[a-z0-9]+", words))


def free_id(base: str, taken: Collection[str]) -> str:
    """The name itself, or with the first number from 2 up that is not taken."""
    number = 1
    while (identifier := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return identifier


def rules_domain_metric(sections: Mapping[str, Any]) -> tuple[Any, ...]:
    """What two drafts of a seed must not share: rules, domain and metric."""
    hidden, metric = sections["hidden"], sections["dna"]["metric"]
    targets = hidden.get("targets", {"": hidden})
    rules = tuple(_kinds(target["rule"]) for target in targets.values())
    kind = metric if isinstance(metric, str) else metric["kind"]
    return (rules, sections["domain"]["name"], kind)


def _kinds(value: Any) -> tuple[Any, ...]:
    """The kinds of a rule and of those nested in it."""
    if isinstance(value, Mapping):
        inner = tuple(kind for item in value.values() for kind in _kinds(item))
        return (value["kind"], *inner) if "kind" in value else inner
    if isinstance(value, list):
        return tuple(kind for item in value for kind in _kinds(item))
    return ()
