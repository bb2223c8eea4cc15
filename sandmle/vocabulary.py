"""The vocabulary: every file under rules/ is a word, found by listing the folders.

A word is read as text and parsed, never imported: reading the whole vocabulary costs
milliseconds, needs no numpy, and runs nothing that a corpus folder may hold.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sandmle.errors import VocabularyError
from sandmle.resources import layers

#: The folders of rules/, and what each word in them must declare beside its function.
FOLDERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "factors": ("PARAMETERS", "YIELDS"),
        "hidden": ("PARAMETERS", "YIELDS"),
        "observe": ("PARAMETERS", "WRITES", "MODALITY"),
        "noise": ("PARAMETERS", "DISTURBS"),
        "tasks": ("YIELDS", "SEVERAL", "CLASSES", "FAMILY", "ASKS"),
        "metrics": ("PARAMETERS", "PREDICTS", "TASKS", "GREATER_IS_BETTER"),
        "submissions": ("PREDICTS", "TASKS"),
    }
)

#: The functions that a word of a folder defines; elsewhere it is one function named as the file.
FUNCTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"tasks": ("describe",), "submissions": ("encode", "sample", "parse")}
)

#: A metric that FOLLOWS the one nested in it takes these from there; its TASKS are all kinds.
FOLLOWED = ("PREDICTS", "GREATER_IS_BETTER", "TASKS")


#: Fragments that many words share. A word writes {"$ref": "#/$defs/size"}, and beside it what is
#: different in its case; they are filled in as a word is read, so that all else sees them whole.
SHARED: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "size": {
            "type": "array",
            "items": {"type": "integer", "minimum": 16, "maximum": 64},
            "minItems": 2,
            "maxItems": 2,
            "description": "width and height in pixels",
        },
        "grain": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "standard deviation of the grain, where full light is 1",
        },
        "seconds": {
            "type": "number",
            "minimum": 0.2,
            "maximum": 1,
            "description": "length of each sound",
        },
        "bits": {"enum": [8, 16], "description": "bits of a sample in the file"},
        "hiss": {
            "type": "number",
            "minimum": 0,
            "maximum": 3,
            "description": "standard deviation of the noise, where a full tone has height 1",
        },
        "mains": {
            "type": "number",
            "minimum": 0,
            "maximum": 2,
            "description": "height of the hum of the mains",
        },
        "history": {
            "$ref": "#/$defs/category_factor",
            "description": "each group has a history of its own; all share one when left out",
        },
        "columns": {
            "type": "array",
            "items": {"$ref": "#/$defs/column"},
            "minItems": 1,
            "description": "which columns; all number columns when left out",
        },
    }
)


@dataclass(frozen=True)
class Word:
    """One word of the vocabulary.

    `parameters` maps each parameter to its JSON Schema fragment, with `default` filled in from
    the function's signature; `required` are those without one. `traits` holds the word's other
    capitals (YIELDS, WRITES, TASKS, ...). `digest` is the SHA-256 of the file's text.
    """

    folder: str
    name: str
    path: Path
    summary: str
    docstring: str
    parameters: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]
    traits: Mapping[str, Any]
    digest: str


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All words of one corpus: `words["hidden"]["sign_product"]`.

    Compared and hashed by identity, so that what is derived from one can be cached.
    """

    words: Mapping[str, Mapping[str, Word]]

    def folder(self, folder: str) -> Mapping[str, Word]:
        """The words of one folder by name."""
        return self.words[folder]

    def word(self, folder: str, name: str) -> Word:
        """One word. Raises KeyError where it is not in the vocabulary."""
        return self.words[folder][name]


@functools.lru_cache(maxsize=8)
def load_vocabulary(corpus: Path | None = None) -> Vocabulary:
    """Reads the shipped rules/ and, over them, `corpus`/rules: a file of the same name wins.

    Raises VocabularyError naming the first file that is not a word.
    """
    words: dict[str, dict[str, Word]] = {folder: {} for folder in FOLDERS}
    for root in reversed(layers("rules", corpus)):
        for folder in FOLDERS:
            for path in sorted((root / folder).glob("*.py")):
                words[folder][path.stem] = read_word(folder, path)
    for name, word in words["metrics"].items():
        if "TASKS" not in word.traits:
            every = MappingProxyType({**word.traits, "TASKS": list(words["tasks"])})
            words["metrics"][name] = dataclasses.replace(word, traits=every)
    return Vocabulary(
        MappingProxyType({name: MappingProxyType(found) for name, found in words.items()})
    )


def read_word(folder: str, path: Path) -> Word:
    """Parses one file of rules/`folder`. Raises VocabularyError with what was expected."""
    text = path.read_text(encoding="utf-8")
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise VocabularyError(f"{path}:{error.lineno}: not Python: {error.msg}") from None
    docstring = ast.get_docstring(module)
    if not docstring:
        raise VocabularyError(f"{path}:1: a word starts with a docstring that says what it does")
    capitals = _capitals(path, module)
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    expected = FUNCTIONS.get(folder, (path.stem,))
    for name in expected:
        if name not in functions:
            raise VocabularyError(f"{path}:1: expected a function {name!r} in rules/{folder}/")
    for name in FOLDERS[folder]:
        if name not in capitals and not (name in FOLLOWED and "FOLLOWS" in capitals):
            raise VocabularyError(f"{path}:1: expected {name} = ... in rules/{folder}/")
    declared = _whole(capitals.pop("PARAMETERS", {}))
    for name in expected:  # all of them take the same parameters
        defaults = _defaults(path, functions[name], declared)
    return Word(
        folder=folder,
        name=path.stem,
        path=path,
        summary=docstring.splitlines()[0],
        docstring=docstring,
        parameters=MappingProxyType(
            {
                name: MappingProxyType(
                    {**schema, **({"default": defaults[name]} if name in defaults else {})}
                )
                for name, schema in declared.items()
            }
        ),
        required=tuple(name for name in declared if name not in defaults),
        traits=MappingProxyType(capitals),
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


def modalities(vocabulary: Vocabulary) -> tuple[str, ...]:
    """What observe words show, and `mixed` for tasks that show several such."""
    words = vocabulary.folder("observe").values()
    return (*dict.fromkeys(sorted(str(word.traits["MODALITY"]) for word in words)), "mixed")


def _whole(fragment: Any) -> Any:
    """A fragment with what it refers to in SHARED filled in, at any depth."""
    if isinstance(fragment, list):
        return [_whole(item) for item in fragment]
    if not isinstance(fragment, dict):
        return fragment
    own = {name: _whole(value) for name, value in fragment.items()}
    shared = SHARED.get(str(own.get("$ref", "")).removeprefix("#/$defs/"))
    if shared is None:
        return own
    return {**shared, **{name: value for name, value in own.items() if name != "$ref"}}


def meant(means: Mapping[str, str], parameter: str, column: str) -> str | None:
    """What MEANS says of a column whose name was given as `parameter`, None where it says nothing.

    `{column}` in it stands for the column's own name.
    """
    told = means.get(parameter)
    return None if told is None else told.replace("{column}", column.replace("_", " "))


def _capitals(path: Path, module: ast.Module) -> dict[str, Any]:
    """The literal values of the module's CAPITAL names."""
    found: dict[str, Any] = {}
    for node in module.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name = node.targets[0].id
        if name.isupper() and not name.startswith("_"):
            try:
                found[name] = ast.literal_eval(node.value)
            except ValueError:
                raise VocabularyError(f"{path}:{node.lineno}: {name} must be a literal") from None
    return found


def _defaults(path: Path, function: ast.FunctionDef, declared: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults of the keyword-only arguments, which must be the declared parameters."""
    names = [argument.arg for argument in function.args.kwonlyargs]
    if sorted(names) != sorted(declared):
        raise VocabularyError(
            f"{path}:{function.lineno}: keyword-only arguments {sorted(names)} differ from "
            f"PARAMETERS {sorted(declared)}"
        )
    return {
        name: ast.literal_eval(default)
        for name, default in zip(names, function.args.kw_defaults, strict=True)
        if default is not None
    }
