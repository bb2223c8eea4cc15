"""Filling in templates: strict about names, and exact about where one fails."""

from __future__ import annotations

import ast
import functools
import textwrap
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from sandmle.compiler.layout import call, inside_docstring, literal, parse, statement
from sandmle.errors import CompileError

#: What an expression in a template may raise.
_FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def render(folders: Sequence[Path], template: str, spec_id: str, context: Mapping[str, Any]) -> str:
    """A template, found in the first of `folders` that has it, filled in.

    Raises CompileError naming template, line and spec where it fails or uses an unknown name.
    """
    try:
        return _environment(tuple(folders)).get_template(template).render(context)
    except jinja2.TemplateNotFound as error:
        raise CompileError(f"{template}: no template {error.name!r} (spec {spec_id})") from None
    except jinja2.TemplateSyntaxError as error:
        place = f"{error.name or template}:{error.lineno}"
        raise CompileError(f"{place}: {error.message} (spec {spec_id})") from None
    except (jinja2.TemplateError, *_FAULTS) as error:
        raise CompileError(f"{_place(error, template)}: {error} (spec {spec_id})") from error


def find_template(folders: Sequence[Path], template: str) -> Path:
    """The file of a template. Raises CompileError where no folder has it."""
    for folder in folders:
        if (folder / template).is_file():
            return folder / template
    raise CompileError(f"{template}: no such template in {', '.join(map(str, folders))}")


@functools.lru_cache(maxsize=8)
def _environment(folders: tuple[Path, ...]) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["python"] = python
    environment.filters["docstring"] = docstring
    environment.filters["code"] = code
    environment.filters["prose"] = prose
    environment.filters["expression"] = parse
    environment.filters["joined"] = joined
    environment.filters["mapping"] = mapping
    return environment


def python(value: Any, prefix: str = "", indent: int = 0) -> str:
    """A template's filter: data or an expression as Python after `prefix`, at column `indent`."""
    node = value if isinstance(value, ast.expr) else literal(value)
    return statement(prefix, node, indent=indent)


def joined(arguments: Sequence[ast.expr], function: str) -> ast.expr:
    """A template's filter: expressions as the arguments of a call."""
    return call(function, *arguments)


def mapping(pairs: Sequence[tuple[str, ast.expr]]) -> ast.expr:
    """A template's filter: (text, expression) pairs as a dict."""
    return ast.Dict([literal(key) for key, _ in pairs], [value for _, value in pairs])


def docstring(text: str) -> str:
    """A template's filter: text as it may begin a docstring, wrapped, without ending it."""
    return textwrap.fill(inside_docstring(text), 90, break_on_hyphens=False)


def code(names: str | Sequence[str]) -> str:
    """A template's filter: names as code in Markdown, listed with commas."""
    names = [names] if isinstance(names, str) else names
    return ", ".join(f"`{name}`" for name in names)


def prose(docstring: str) -> str:
    """A template's filter: a word's docstring, a paragraph a line, without that on difficulty.

    What follows `Source:` in a paragraph is for whoever reads the word.
    """
    parts = (part.partition("Source:")[0] for part in docstring.split("\n\n"))
    paragraphs = (" ".join(part.split()) for part in parts if part.strip())
    return "\n\n".join(part for part in paragraphs if not part.startswith("Difficulty:"))


def _place(error: BaseException, template: str) -> str:
    """Template and line of an error, from its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if frame.filename.endswith(".j2"):
            return f"{Path(frame.filename).name}:{frame.lineno}"
    return template
