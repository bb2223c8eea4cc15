"""A seed in, valid and different specs out: the roles write, the spec language checks."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sandmle.errors import Problem, SpecError
from sandmle.resources import find_corpus
from sandmle.roles.developer import Developer
from sandmle.roles.operations import Operations
from sandmle.roles.role import DraftContext, DraftError, Role
from sandmle.roles.strategist import Strategist
from sandmle.roles.world import load_worlds
from sandmle.roles.writer import Writer
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed
from sandmle.spec.layout import dump_data
from sandmle.spec.likeness import first_near
from sandmle.spec.load import dump_spec, load_spec, parse_spec
from sandmle.spec.model import VERSION, Spec
from sandmle.spec.outline import outline
from sandmle.spec.yaml_source import read_source
from sandmle.vocabulary import load_vocabulary

#: Attempts at one draft before the seed counts as one that cannot be drafted from.
_ATTEMPTS = 60

_ORDER = ("spec", "id", "seed", "random_seed", "dna", "domain", "factors", "observe", "hidden")


def procedural_roles() -> tuple[Role, ...]:
    """The four roles that write by chance and rule, in the order in which they write."""
    return (Operations(), Strategist(), Developer(), Writer())


def draft(
    seed: Seed,
    *,
    count: int,
    random_seed: int,
    corpus: Path | None = None,
    roles: Sequence[Role] | None = None,
    taken: Sequence[str] = (),
    beside: Sequence[Spec] = (),
) -> Iterator[Spec]:
    """`count` specs that keep the seed's DNA, no two alike in rule, domain and metric at once.

    None of them nearly repeats another or one of the specs that they come `beside`, see
    sandmle.spec.likeness. `corpus` is the folder whose rules/ and templates/ join the shipped ones;
    `taken` are ids not to use. The same arguments give the same specs. Raises DraftError where the
    vocabulary holds nothing for the seed's modality and task, or nothing that is new.
    """
    vocabulary, worlds = load_vocabulary(corpus), load_worlds(corpus)
    alike: set[tuple[Any, ...]] = set()
    outlines = {spec.id: outline(spec, vocabulary) for spec in beside}
    ids = set(taken)
    for number in range(count):
        failure: Exception = DraftError("they have the rules, domain and metric of earlier ones")
        for attempt in range(_ATTEMPTS):
            name = f"{seed.name}.{number}.{attempt}"
            context = DraftContext(seed, vocabulary, worlds, {}, random_seed, number, name)
            try:
                sections = _write(context, roles or procedural_roles())
                key = _likeness(sections)
                if key in alike:
                    continue
                identifier = _free_id(sections, ids)
                data = _spec_data(sections, identifier, random_seed)
                spec = parse_spec(dump_data(data), file=f"{identifier}.yaml", vocabulary=vocabulary)
            except (DraftError, SpecError) as error:
                failure = error
                continue
            drawn = outline(spec, vocabulary)
            if repeated := first_near(drawn, outlines):
                failure = DraftError(f"they nearly repeat others, such as {repeated}")
                continue
            outlines[spec.id] = drawn
            alike.add(key)
            ids.add(identifier)
            yield spec
            break
        else:
            made = f"{number} of {count} drafts, then none in {_ATTEMPTS} attempts"
            raise DraftError(f"{seed.name}: {made}: {failure}")


def write_drafts(
    seed: Path,
    *,
    count: int,
    random_seed: int,
    folder: Path,
    corpus: Path | None = None,
) -> list[Path]:
    """Drafts from a seed file and writes the specs into `folder`; returns their paths.

    No file is overwritten: ids that `folder` holds already are not given again, and no spec there
    is nearly repeated. Raises SpecError for a faulty seed or a folder that cannot be written,
    DraftError as draft() does.
    """
    root = corpus if corpus is not None else find_corpus(folder if folder.is_dir() else Path.cwd())
    taken = [path.stem for path in folder.glob("*.yaml")]
    known = load_seed(seed, load_vocabulary(root))
    beside = _comparable(folder, known, root)
    paths = []
    for spec in draft(
        known, count=count, random_seed=random_seed, corpus=root, taken=taken, beside=beside
    ):
        path = folder / f"{spec.id}.yaml"
        _write_new(path, _text(spec, root, folder))
        paths.append(path)
    return paths


def _comparable(folder: Path, seed: Seed, corpus: Path) -> list[Spec]:
    """The specs of a folder that drafts from a seed could repeat; faulty ones are left out."""
    found = []
    for path in sorted(folder.glob("*.yaml")):
        with contextlib.suppress(SpecError):
            data = read_source(path).data
            dna = data.get("dna") if isinstance(data, Mapping) else None
            parts = (seed.modality, seed.task)
            if isinstance(dna, Mapping) and (dna.get("modality"), dna.get("task")) == parts:
                found.append(load_spec(path, corpus=corpus))
    return found


def _write(context: DraftContext, roles: Sequence[Role]) -> dict[str, Any]:
    """What the roles write, one after the other, each seeing what was written before."""
    sections: dict[str, Any] = {}
    for role in roles:
        given = DraftContext(**{**vars(context), "sections": sections})
        for name, value in role.write(given).items():
            if isinstance(value, Mapping) and isinstance(sections.get(name), Mapping):
                sections[name] = {**sections[name], **value}
            else:
                sections[name] = value
    return sections


def _likeness(sections: Mapping[str, Any]) -> tuple[Any, ...]:
    """What two drafts of one call must not share: rules, domain and metric."""
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


def _free_id(sections: Mapping[str, Any], taken: set[str]) -> str:
    """healthcare-readmitted, and healthcare-readmitted-2 where that is taken."""
    hidden = sections["hidden"]
    target = hidden.get("target") or next(iter(hidden["targets"]))
    words = f"{sections['domain']['name']} {target}".lower()
    base = "-".join(re.findall(r"[a-z0-9]+", words))
    number = 1
    while (identifier := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return identifier


def _spec_data(sections: Mapping[str, Any], identifier: str, random_seed: int) -> dict[str, Any]:
    """A spec's data in the order of its file."""
    data = {**sections, "spec": VERSION, "id": identifier}
    data["provenance"] = {"drafted_from": sections["seed"], "random_seed": random_seed}
    if not data.get("noise"):
        data.pop("noise", None)
    dna = data["dna"]
    data["dna"] = {name: dna[name] for name in ("modality", "task", "metric")} | dna
    return {name: data[name] for name in (*_ORDER, *(n for n in data if n not in _ORDER))}


def _text(spec: Spec, corpus: Path, folder: Path) -> str:
    """The text of a draft in `folder`; editors find the schema in the corpus where it has one."""
    own = corpus / "specs" / "schema.json"
    if not own.is_file():
        return dump_spec(spec)
    return dump_spec(spec, schema=Path(os.path.relpath(own, folder)).as_posix())


def _write_new(path: Path, text: str) -> None:
    """Writes a file that must not exist yet, whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.chmod(temporary, 0o644)
            os.link(temporary, path)
        finally:
            os.unlink(temporary)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise SpecError([Problem(str(path), 1, 1, "", message)]) from None
