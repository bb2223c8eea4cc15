"""The files of a new corpus folder, in which `sandmle build` works at once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from sandmle.resources import resource
from sandmle.spec.schema import schema_text
from sandmle.vocabulary import load_vocabulary

#: The shipped spec that a new corpus starts from: short, and one of each notion is in it.
EXAMPLE = "hotel-cancellation-weekday"

_SCHEMA = "specs/schema.json"

_RULES = """\
# Your own words

A file here adds a word to the spec language, or replaces the shipped word of the same name:
`hidden/my_rule.py` becomes `rule: {kind: my_rule}`. The folders are `factors`, `hidden`,
`observe`, `noise`, `metrics` and `submissions`. After adding one, refresh what your editor
completes with `sandmle schema -o specs/schema.json`.
"""

_TEMPLATES = """\
# Your own templates

A file here replaces the shipped template of the same name, such as `description.md.j2`.
"""

_SNAKEFILE = """\
# Plain `snakemake` does here what `sandmle build` does.

from sandmle.resources import resource


include: resource("Snakefile")


rule corpus:
    localrule: True
    input:
        rules.all.input,
"""

_README = """\
# {name}

A corpus of micro machine-learning tasks, each compiled from one YAML file in `specs/tasks/`.

    sandmle check           # every problem of every spec, with file, line and column
    sandmle build           # compile, generate, validate; only what changed is built again
    sandmle show {example}
    sandmle play --policy honest
    sandmle report          # build/report.html: one page to look at it all

After adding or changing a word under `rules/`: `sandmle schema -o specs/schema.json`.
"""


def corpus_files(name: str, shipped: Sequence[Path]) -> Mapping[str, str]:
    """The text of every file of a new corpus called `name`, by path within it.

    `shipped` are the shipped specs and seeds that it starts with.
    """
    files = {
        "README.md": _README.format(name=name, example=EXAMPLE),
        "Snakefile": _SNAKEFILE,
        "profiles/default/config.yaml": (
            resource("profiles") / "default" / "config.yaml"
        ).read_text(encoding="utf-8"),
        ".gitignore": "/build/\n/runs/\n.snakemake/\n",
        ".vscode/extensions.json": json.dumps({"recommendations": ["redhat.vscode-yaml"]}) + "\n",
        "rules/README.md": _RULES,
        "templates/README.md": _TEMPLATES,
        _SCHEMA: schema_text(load_vocabulary()),
    }
    specs = resource("specs")
    for path in sorted(shipped):
        files[f"specs/{path.relative_to(specs).as_posix()}"] = _with_schema_beside(path)
    return files


def write_corpus(folder: Path, files: Mapping[str, str]) -> None:
    """Writes those of `files` that are not in `folder` yet."""
    for name, text in files.items():
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _with_schema_beside(path: Path) -> str:
    """The text of a shipped spec, its editor line pointing at the corpus's own schema."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"(?m)^(# yaml-language-server: \$schema=).*$", r"\1../schema.json", text)
