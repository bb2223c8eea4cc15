"""Drafts as files: a folder of specs, and what was given up on the way."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sandmle.errors import Problem, SpecError
from sandmle.resources import find_corpus
from sandmle.roles.draft import draft
from sandmle.roles.drawing import GivenUp
from sandmle.roles.log import Line, append_line
from sandmle.roles.repair import Judge
from sandmle.roles.role import Role
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed
from sandmle.spec.load import dump_spec, load_spec
from sandmle.spec.model import Spec
from sandmle.spec.yaml_source import read_source
from sandmle.vocabulary import load_vocabulary
from sandmle.writing import write_new


def write_drafts(
    seed: Path,
    *,
    count: int,
    random_seed: int,
    folder: Path,
    corpus: Path | None = None,
    judge: Judge | None = None,
    roles: Sequence[Role] | None = None,
    cores: int = 1,
    threads: bool = False,
    told: Callable[[Path | GivenUp], None] | None = None,
) -> list[Path]:
    """Drafts from a seed file and writes the specs into `folder`; returns their paths.

    No file is overwritten: ids that `folder` holds already are not given again, and no spec there
    is nearly repeated. `judge` has drafts repaired; those given up go to the folder's
    log. `told` hears of each of both; the rest is as in draft(). Raises SpecError for a faulty seed
    or a folder that cannot be written, DraftError as draft() does.
    """
    root = corpus if corpus is not None else find_corpus(folder if folder.is_dir() else Path.cwd())
    taken = [path.stem for path in folder.glob("*.yaml")]
    known = load_seed(seed, load_vocabulary(root))
    beside = _comparable(folder, known, root)
    told = told or (lambda _: None)
    paths: list[Path] = []

    def give_up(one: GivenUp) -> None:
        append_line(folder, Line("", known.name, len(paths), None, False, (one.data,)))
        told(one)

    for spec in draft(
        known,
        count=count,
        random_seed=random_seed,
        corpus=root,
        taken=taken,
        beside=beside,
        judge=judge,
        roles=roles,
        given_up=give_up,
        cores=cores,
        threads=threads,
    ):
        paths.append(write_draft(spec, folder, root))
        told(paths[-1])
    return paths


def write_draft(spec: Spec, folder: Path, corpus: Path) -> Path:
    """Writes a draft into `folder`, as a file that must not exist yet, whole or not at all.

    Editors find the schema in the corpus where it has one. Raises SpecError.
    """
    own, path = corpus / "specs" / "schema.json", folder / f"{spec.id}.yaml"
    schema = {"schema": Path(os.path.relpath(own, folder)).as_posix()} if own.is_file() else {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new(path, dump_spec(spec, **schema))
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise SpecError([Problem(str(path), 1, 1, "", message)]) from None
    return path


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
