"""Import statements as data: read from files, merged, and written in the usual order."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sandmle.errors import CompileError


@dataclass(frozen=True)
class Import:
    """One name that an import binds: `from module import name as bound`.

    `name` is None for `import module as bound`; `bound` is then the module's first part where
    there is no `as`.
    """

    module: str
    name: str | None
    bound: str

    @property
    def is_plain(self) -> bool:
        """Whether the import needs no `as`."""
        return self.bound == (self.name or self.module.split(".")[0])


def read_imports(tree: ast.Module, path: Path) -> dict[str, Import]:
    """The imports at the top level of a file, by the name they bind.

    Raises CompileError for relative and star imports.
    """
    found: dict[str, Import] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.split(".")[0]
                found[bound] = Import(alias.name, None, bound)
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module is None or node.names[0].name == "*":
                raise CompileError(f"{path}:{node.lineno}: import names, from a module's full name")
            for alias in node.names:
                bound = alias.asname or alias.name
                found[bound] = Import(node.module, alias.name, bound)
    return found


def write_imports(imports: Iterable[Import]) -> str:
    """Import statements in sections: the standard library, then everything else."""
    standard: list[Import] = []
    other: list[Import] = []
    for entry in sorted(set(imports), key=lambda entry: (entry.module, entry.bound)):
        part = standard if entry.module.split(".")[0] in sys.stdlib_module_names else other
        part.append(entry)
    return "\n\n".join("\n".join(_statements(part)) for part in (standard, other) if part)


def _statements(imports: list[Import]) -> list[str]:
    """The statements of one section: whole modules first, then names."""
    whole: list[str] = []
    merged: dict[str, list[str]] = {}
    renamed: list[tuple[str, str]] = []
    for entry in imports:
        alias = "" if entry.is_plain else f" as {entry.bound}"
        if entry.name is None:
            whole.append(f"import {entry.module}{alias}")
        elif entry.is_plain:
            merged.setdefault(entry.module, []).append(entry.name)
        else:
            renamed.append((entry.module, f"from {entry.module} import {entry.name}{alias}"))
    named = [(module, _from(module, sorted(names, key=_order))) for module, names in merged.items()]
    return whole + [text for _, text in sorted(named + renamed, key=lambda pair: pair[0])]


def _order(name: str) -> tuple[int, str]:
    """Constants before classes before the rest, as isort orders the names of a statement."""
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return rank, name


def _from(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 100:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"
