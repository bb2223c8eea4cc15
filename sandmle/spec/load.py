"""Spec files in and out: YAML text to a checked, frozen Spec, and back."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandmle.errors import Problem, SpecError
from sandmle.resources import find_corpus
from sandmle.spec.check import check_source
from sandmle.spec.checks.targets import quantiles
from sandmle.spec.identity import digest
from sandmle.spec.layout import dump_data
from sandmle.spec.model import (
    VERSION,
    Dna,
    Domain,
    Narrative,
    Spec,
    Split,
    Target,
    Thresholds,
    WordUse,
)
from sandmle.spec.references import NESTED, Slot, slots
from sandmle.spec.yaml_source import DataPath, parse_source, read_source
from sandmle.vocabulary import Vocabulary, load_vocabulary

SCHEMA_LINE = "# yaml-language-server: $schema={schema}\n"


def load_spec(path: Path, *, corpus: Path | None = None) -> Spec:
    """Reads and checks a spec file with the vocabulary of its corpus folder.

    `corpus` defaults to the folder that the file lies in (see find_corpus). Raises SpecError with
    all problems, and VocabularyError where the corpus' rules/ are broken.
    """
    source = read_source(path)
    vocabulary = load_vocabulary(corpus if corpus is not None else find_corpus(path))
    problems = check_source(source, vocabulary)
    if problems:
        raise SpecError(problems)
    return build_spec(source.data, vocabulary)


def parse_spec(text: str, *, file: str, vocabulary: Vocabulary) -> Spec:
    """A spec from its text; `file` is the name in messages. Raises SpecError with all problems."""
    source = parse_source(text, file=file)
    problems = check_source(source, vocabulary)
    if problems:
        raise SpecError(problems)
    return build_spec(source.data, vocabulary)


def check_file(path: Path, *, corpus: Path | None = None) -> list[Problem]:
    """All problems of a spec file, sorted by place; an empty list says that it is right."""
    try:
        source = read_source(path)
    except SpecError as error:
        return list(error.problems)
    vocabulary = load_vocabulary(corpus if corpus is not None else find_corpus(path))
    return check_source(source, vocabulary)


def build_spec(data: Mapping[str, Any], vocabulary: Vocabulary) -> Spec:
    """The Spec of data in which check_source found no problem.

    Parameters are put into the order in which their words declare them, so that neither the
    compiled task nor the digest depends on the author's order.
    """

    def use(folder: str, value: Any, *path: str | int) -> WordUse:
        return _word_use(folder, value, path, vocabulary)

    dna, domain, narrative = data["dna"], data["domain"], data["narrative"]
    spec = Spec(
        id=data["id"],
        seed=data.get("seed"),
        random_seed=data["random_seed"],
        dna=Dna(
            modality=dna["modality"],
            task=dna["task"],
            metric=use("metrics", dna["metric"], "dna", "metric"),
            train=dna["train"],
            test=dna["test"],
            submission=use("submissions", dna["submission"], "dna", "submission")
            if "submission" in dna
            else None,
            prevalence=dna.get("prevalence"),
            classes=dna.get("classes"),
            difficulty=dna.get("difficulty"),
            split=Split(**dna.get("split", {})),
        ),
        domain=Domain(name=domain["name"], entity=domain["entity"]),
        factors={
            name: use("factors", value, "factors", name) for name, value in data["factors"].items()
        },
        observe=tuple(
            use("observe", value, "observe", index) for index, value in enumerate(data["observe"])
        ),
        targets=_targets(data["hidden"], vocabulary),
        noise=tuple(
            use("noise", value, "noise", index) for index, value in enumerate(data.get("noise", []))
        ),
        thresholds=Thresholds(**data["thresholds"]) if "thresholds" in data else None,
        narrative=Narrative(
            title=narrative["title"],
            story=narrative["story"],
            columns=dict(narrative.get("columns", {})),
        ),
        provenance=copy.deepcopy(data.get("provenance", {})),
        digest="",
    )
    return dataclasses.replace(spec, digest=digest(spec_data(spec)))


def spec_data(spec: Spec) -> dict[str, Any]:
    """The spec as plain data in the order of its file; what was left out stays left out."""
    dna = spec.dna
    data: dict[str, Any] = {
        "spec": VERSION,
        "id": spec.id,
        "seed": spec.seed,
        "random_seed": spec.random_seed,
        "dna": _present(
            {
                "modality": dna.modality,
                "task": dna.task,
                "metric": _named_data(dna.metric),
                "submission": None if dna.submission is None else _named_data(dna.submission),
                "train": dna.train,
                "test": dna.test,
                "prevalence": dna.prevalence,
                "classes": dna.classes,
                "difficulty": dna.difficulty,
                "split": None if dna.split == Split() else _present(vars(dna.split)),
            }
        ),
        "domain": {"name": spec.domain.name, "entity": spec.domain.entity},
        "factors": {name: _use_data(use) for name, use in spec.factors.items()},
        "observe": [_use_data(use) for use in spec.observe],
        "hidden": _hidden_data(spec.targets),
        "noise": [_use_data(use) for use in spec.noise] or None,
        "thresholds": dict(vars(spec.thresholds)) if spec.thresholds else None,
        "narrative": _present(
            {
                "title": spec.narrative.title,
                "story": spec.narrative.story,
                "columns": dict(spec.narrative.columns) or None,
            }
        ),
        "provenance": copy.deepcopy(dict(spec.provenance)) or None,
    }
    return _present(data)


def dump_spec(spec: Spec, *, schema: str = "../../sandmle/spec/schema.json") -> str:
    """The spec as the text of its file, laid out for reading; parse_spec gives it back.

    `schema` is the path or address that editors find the JSON Schema at.
    """
    return SCHEMA_LINE.format(schema=schema) + dump_data(spec_data(spec))


def _word_use(folder: str, value: Any, path: DataPath, vocabulary: Vocabulary) -> WordUse:
    """A word use with its parameters, and those of nested words, in their words' order."""
    data = {"kind": value} if isinstance(value, str) else value
    word = vocabulary.word(folder, data["kind"])
    given = {name: item for name, item in data.items() if name != "kind"}
    order = {"file": 0, "factor": 0, **{name: 1 + n for n, name in enumerate(word.parameters)}}
    last = len(order)
    ordered = copy.deepcopy(dict(sorted(given.items(), key=lambda item: order.get(item[0], last))))
    use = WordUse(data["kind"], ordered, path)
    for slot in list(slots(use, word)):
        if slot.definitions in (("rule",), ("metric",)) and isinstance(slot.value, dict):
            _order_nested(slot, vocabulary)
    return use


def _order_nested(slot: Slot, vocabulary: Vocabulary) -> None:
    """Puts the parameters of the word in a slot into that word's order, in place."""
    ordered = _word_use(NESTED[slot.definitions[0]], slot.value, slot.path, vocabulary)
    slot.value.clear()
    slot.value.update(_use_data(ordered))


def _targets(hidden: Mapping[str, Any], vocabulary: Vocabulary) -> tuple[Target, ...]:
    named: list[tuple[str, Mapping[str, Any], DataPath]] = [
        (name, target, ("hidden", "targets", name))
        for name, target in hidden.get("targets", {}).items()
    ]
    if not named:
        named = [(hidden["target"], hidden, ("hidden",))]
    found = []
    for name, target, path in named:
        shares, labels = quantiles(target.get("cut")), target.get("labels")
        found.append(
            Target(
                name=name,
                rule=_word_use("hidden", target["rule"], (*path, "rule"), vocabulary),
                quantiles=None if shares is None else tuple(float(share) for share in shares),
                labels=None if labels is None else tuple(labels),
                path=path,
            )
        )
    return tuple(found)


def _use_data(use: WordUse) -> dict[str, Any]:
    return {"kind": use.kind, **copy.deepcopy(dict(use.parameters))}


def _named_data(use: WordUse) -> dict[str, Any] | str:
    """A use of a word that needs no more than its name where it has no parameters."""
    return _use_data(use) if use.parameters else use.kind


def _hidden_data(targets: tuple[Target, ...]) -> dict[str, Any]:
    if targets[0].path[:2] == ("hidden", "targets"):
        return {"targets": {target.name: _target_data(target) for target in targets}}
    return {"target": targets[0].name, **_target_data(targets[0])}


def _target_data(target: Target) -> dict[str, Any]:
    shares = target.quantiles
    cut = None
    if shares is not None:
        cut = {"quantile": shares[0]} if len(shares) == 1 else {"quantiles": list(shares)}
    return _present(
        {
            "rule": _use_data(target.rule),
            "cut": cut,
            "labels": None if target.labels is None else list(target.labels),
        }
    )


def _present(data: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that are given, which None says they are not."""
    return {key: value for key, value in data.items() if value is not None}
