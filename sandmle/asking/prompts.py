"""Prompts: the templates in templates/roles/, filled in."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from sandmle.asking.reply import Messages
from sandmle.errors import CompileError
from sandmle.resources import layers
from sandmle.spec.layout import dump_data

#: The line of a template that parts what holds for all drafts from what holds for one.
_PART = "\n----\n"


def write_prompt(name: str, corpus: Path | None = None, /, **facts: Any) -> Messages:
    """The messages of templates/roles/`name`.md.j2: its part above `----` is the system's.

    Servers keep the beginning of prompts that many calls share, so what differs comes last.
    Raises CompileError naming the template where it fails on the facts.
    """
    file = f"{name}.md.j2"
    try:
        text = _environment(corpus).get_template(file).render(facts)
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        place = f"templates/roles/{file}" + (f":{line}" if line else "")
        raise CompileError(f"{place}: {error}") from None
    above, parted, below = text.partition(_PART)
    if not parted:
        return [{"role": "user", "content": text.strip()}]
    return [
        {"role": "system", "content": above.strip()},
        {"role": "user", "content": below.strip()},
    ]


@functools.lru_cache(maxsize=8)
def _environment(corpus: Path | None) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([root / "roles" for root in layers("templates", corpus)]),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(yaml=_yaml, compact=_compact, quoted=quoted)
    return environment


def quoted(text: str) -> str:
    """A text of others between marks that it cannot hold, so that its end is never in doubt."""
    mark = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"<quoted {mark}>\n{text}\n</quoted {mark}>"


def _yaml(data: Mapping[str, Any]) -> str:
    return dump_data(dict(data)).rstrip()


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
