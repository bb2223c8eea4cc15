"""Gathers the definitions that a script needs from the files where they are written.

A script carries exactly what it reaches: functions, classes and constants, followed through the
file's own names and through imports from this package. All is read as text, nothing is imported.
"""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandmle.compiler.imports import Import, read_imports, write_imports
from sandmle.compiler.layout import inside_docstring
from sandmle.errors import CompileError

PACKAGE = "sandmle"
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Wanted:
    """Names to take from a file.

    `summarize` gives a function without docstring the first line of the file's docstring.
    """

    path: Path
    names: tuple[str, ...]
    summarize: bool = False


@dataclass(frozen=True)
class Inlined:
    """Gathered source: sorted import statements, and definitions with the used before the user.

    `names` are the names that the definitions bind.
    """

    imports: str
    definitions: str
    names: frozenset[str]


def inline(
    wanted: Sequence[Wanted], *, imports: Sequence[Import] = (), reserved: Iterable[str] = ()
) -> Inlined:
    """All that `wanted` reaches, once.

    `imports` are those of the script itself, merged into the result; `reserved` are names that
    the script itself defines.
    Raises CompileError where two files bind one name to different things, where a name is
    missing, or where a file is written in a way that can't be inlined.
    """
    gathering = _Gathering(dict.fromkeys(reserved, "the script itself"))
    for entry in imports:
        gathering.add_import(entry, "the script itself")
    for request in wanted:
        for name in request.names:
            gathering.add(request.path, name, summarize=request.summarize)
    return Inlined(
        imports=write_imports(gathering.imports.values()),
        definitions=_joined(gathering.definitions.values()),
        names=frozenset(gathering.definitions),
    )


def bundle(entry: Path) -> str:
    """The script `entry` with everything that it imports from this package put inside it.

    The result runs alone: imports stand at its top, then constants, then what is put inside (only
    what is used), then the rest as it is. Raises CompileError as `inline` does.
    """
    return bundle_text(entry.read_text(encoding="utf-8"), entry)


def bundle_text(text: str, origin: Path, wanted: Sequence[Wanted] = ()) -> str:
    """Bundles a script given as text, with further definitions that it calls without importing.

    `origin` names the script in messages.
    """
    module = _parse(text, origin)
    requests: dict[Path, list[str]] = {}
    own: list[Import] = []
    used = {name for node in module.tree.body for name in _used_names(node)}
    for entry in module.imports.values():
        if entry.module.split(".")[0] == PACKAGE:
            path, name = _locate(entry, origin)
            if name in used:
                requests.setdefault(path, []).append(name)
        elif entry.module != "__future__":
            own.append(entry)
    inlined = inline(
        [*(Wanted(path, tuple(names)) for path, names in requests.items()), *wanted],
        imports=own,
        reserved=module.definitions,
    )
    docstring, constants, body = _parts(module)
    head = [docstring, "from __future__ import annotations", inlined.imports, constants]
    top = "\n\n".join(part for part in head if part)
    return "\n\n\n".join(part for part in (top, inlined.definitions, body) if part) + "\n"


@dataclass(frozen=True)
class _Module:
    """A file read as text: what its top level binds."""

    path: Path
    text: str
    tree: ast.Module
    imports: dict[str, Import]
    definitions: dict[str, ast.stmt]


@dataclass(frozen=True)
class _Definition:
    """Source of one definition; `is_block` for functions and classes."""

    path: Path
    text: str
    is_block: bool


@dataclass
class _Gathering:
    """What has been gathered so far, by name; `taken` says who binds a name."""

    taken: dict[str, str]
    imports: dict[str, Import] = field(default_factory=dict)
    definitions: dict[str, _Definition] = field(default_factory=dict)
    _visiting: set[tuple[Path, str]] = field(default_factory=set)

    def add(self, path: Path, name: str, *, summarize: bool = False) -> None:
        """Adds the definition of `name` in a file, after all that it uses."""
        if (path, name) in self._visiting:
            return
        self._visiting.add((path, name))
        module = _read(path)
        if name not in module.definitions:
            if name not in module.imports:
                raise CompileError(f"{path}: expected a definition of {name!r}")
            self._follow(module, name)
            return
        node = module.definitions[name]
        text = _source(module, node)
        if summarize and isinstance(node, ast.FunctionDef):
            text = _summarized(module, node, text)
        self._claim(name, text, path)
        for used in _used_names(node):
            if used in module.imports:
                self._follow(module, used)
            elif used in module.definitions and module.definitions[used] is not node:
                self.add(path, used)
        is_block = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        self.definitions.setdefault(name, _Definition(path, text, is_block))

    def add_import(self, entry: Import, origin: str) -> None:
        """Adds an import from outside this package."""
        known = self.imports.get(entry.bound)
        if known is None:
            self._claim(entry.bound, f"{entry.module}:{entry.name}", origin)
            self.imports[entry.bound] = entry
        elif known != entry:
            raise CompileError(f"{origin}: {entry.bound!r} is imported from elsewhere too")

    def _follow(self, module: _Module, name: str) -> None:
        entry = module.imports[name]
        if entry.module.split(".")[0] == PACKAGE:
            path, original = _locate(entry, module.path)
            self.add(path, original)
        elif entry.module != "__future__":
            self.add_import(entry, str(module.path))

    def _claim(self, name: str, text: str, origin: Path | str) -> None:
        known = self.definitions.get(name)
        if known is not None and known.text == text:
            return
        owner = str(known.path) if known is not None else self.taken.get(name)
        if owner is not None and owner != str(origin):
            raise CompileError(f"{origin}: {name!r} is bound by {owner} too; rename one of them")
        self.taken[name] = str(origin)


@functools.lru_cache(maxsize=512)
def _read_version(path: Path, modified: int) -> _Module:
    return _parse(path.read_text(encoding="utf-8"), path)


def _read(path: Path) -> _Module:
    """A file's module, read anew where the file has changed."""
    return _read_version(path, path.stat().st_mtime_ns)


def _parse(text: str, path: Path) -> _Module:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise CompileError(f"{path}:{error.lineno}: not Python: {error.msg}") from None
    definitions: dict[str, ast.stmt] = {}
    for node in tree.body:
        for name in _bound_names(node):
            definitions[name] = node
    return _Module(path, text, tree, read_imports(tree, path), definitions)


def _bound_names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _used_names(node: ast.stmt) -> list[str]:
    """The names that a definition reads, in order of appearance."""
    found = {
        part.id: None
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }
    return list(found)


def _locate(entry: Import, path: Path) -> tuple[Path, str]:
    """The file and the name there of something imported from this package."""
    if entry.name is None or entry.bound != entry.name:
        raise CompileError(f"{path}: write `from {entry.module} import name`, without `as`")
    file = _ROOT.joinpath(*entry.module.split(".")[1:])
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    if not file.is_file():
        raise CompileError(f"{path}: there is no module {entry.module}")
    return file, entry.name


def _source(module: _Module, node: ast.stmt) -> str:
    """The lines of a definition, with its decorators and the comment right above it."""
    lines = module.text.splitlines()
    return "\n".join(lines[_first_line(lines, node) : node.end_lineno])


def _first_line(lines: list[str], node: ast.stmt) -> int:
    """Index of the first line that belongs to a statement."""
    first = node.lineno - 1
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        first = min([first, *(decorator.lineno - 1 for decorator in node.decorator_list)])
    while first > 0 and lines[first - 1].startswith("#"):
        first -= 1
    return first


def _summarized(module: _Module, node: ast.FunctionDef, text: str) -> str:
    """The function with the file's summary as docstring, where it has none itself."""
    docstring = ast.get_docstring(module.tree)
    if ast.get_docstring(node) or not docstring:
        return text
    summary = inside_docstring(docstring.splitlines()[0])
    lines = text.splitlines()
    last = node.end_lineno or node.lineno
    at = len(lines) - (last - node.body[0].lineno) - 1
    quoted = f'    """{summary}"""'
    if len(quoted) > 100:
        filled = textwrap.fill(summary, 90, break_long_words=False, break_on_hyphens=False)
        quoted = textwrap.indent(f'"""{filled}\n"""', "    ")
    return "\n".join([*lines[:at], quoted, *lines[at:]])


def _joined(definitions: Iterable[_Definition]) -> str:
    """Definitions with two empty lines around functions and classes."""
    text = ""
    previous: _Definition | None = None
    for definition in definitions:
        if previous is not None:
            text += "\n\n\n" if definition.is_block or previous.is_block else "\n"
        text += definition.text
        previous = definition
    return text


def _parts(module: _Module) -> tuple[str, str, str]:
    """A script's docstring, its leading constants, and what follows them; imports left out."""
    lines = module.text.splitlines()
    nodes = list(module.tree.body)
    docstring = ""
    if ast.get_docstring(module.tree) is not None:
        first = nodes.pop(0)
        docstring = "\n".join(lines[first.lineno - 1 : first.end_lineno])
    while nodes and isinstance(nodes[0], (ast.Import, ast.ImportFrom)):
        nodes.pop(0)
    late = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    if late:
        raise CompileError(f"{module.path}:{late[0].lineno}: imports stand at the top of a script")
    count = 0
    while count < len(nodes) and _is_constant(nodes[count]):
        count += 1
    starts = [_first_line(lines, node) for node in nodes]
    begin = starts[0] if nodes else len(lines)
    middle = starts[count] if count < len(nodes) else len(lines)
    constants = "\n".join(lines[begin:middle]).rstrip()
    return docstring, constants, "\n".join(lines[middle:]).rstrip()


def _is_constant(node: ast.stmt) -> bool:
    """Whether a statement assigns something that is made of literals and other names alone."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return False
    return not any(isinstance(part, ast.Call) for part in ast.walk(node.value))
