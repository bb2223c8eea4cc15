"""A checked Spec to the three texts of a task: generate.py, evaluate.py, description.md."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

from sandmle import __version__
from sandmle.compiler.calls import Calls
from sandmle.compiler.description import description_context
from sandmle.compiler.evaluate import evaluate_context
from sandmle.compiler.generate import generate_context
from sandmle.compiler.inline import Wanted, bundle_text
from sandmle.compiler.judging import class_names, submission_use
from sandmle.compiler.layout import flat
from sandmle.compiler.render import find_template, render
from sandmle.errors import CompileError
from sandmle.resources import layers
from sandmle.spec.model import Spec, Thresholds
from sandmle.vocabulary import FOLDERS, load_vocabulary
from sandmle.writing import write_whole

_RUNTIME = Path(__file__).resolve().parent.parent / "runtime"

GENERATE, EVALUATE, DESCRIPTION = "generate.py.j2", "evaluate.py.j2", "description.md.j2"


@dataclass(frozen=True)
class CompiledTask:
    """The compiled texts of one task."""

    generate: str
    evaluate: str
    description: str


def compile_spec(
    spec: Spec, *, corpus: Path | None = None, thresholds: Thresholds | None = None
) -> CompiledTask:
    """Compiles a spec with the vocabulary and templates of `corpus`.

    `thresholds` default to the spec's own; where neither gives them, evaluate.py reports none
    and awards no medal. The same spec gives the same texts, to the byte.
    Raises CompileError where a template fails or words don't go together in one script.
    """
    if thresholds is None:
        thresholds = spec.thresholds
    vocabulary = load_vocabulary(corpus)
    folders = layers("templates", corpus)
    generate, evaluate = Calls(spec, vocabulary), Calls(spec, vocabulary)
    submission, settings = submission_use(spec, vocabulary)
    keywords = generate.keywords(submission, settings, "")
    common = {
        "spec": spec,
        "version": __version__,
        "targets": [target.name for target in spec.targets],
        "classes": class_names(spec, vocabulary),
        "submission": submission,
        "settings": "".join(f", {name}={flat(value)}" for name, value in keywords.items()),
    }
    texts = {
        GENERATE: render(folders, GENERATE, spec.id, {**common, **generate_context(generate)}),
        EVALUATE: render(
            folders, EVALUATE, spec.id, {**common, **evaluate_context(evaluate, thresholds)}
        ),
        DESCRIPTION: render(
            folders,
            DESCRIPTION,
            spec.id,
            {**common, **description_context(Calls(spec, vocabulary))},
        ),
    }
    writing = (
        "encode",
        "sample",
        *(["files"] if submission.traits.get("TRAIN") == "files" else []),
    )
    return CompiledTask(
        generate=_script(GENERATE, texts, generate, Wanted(submission.path, writing)),
        evaluate=_script(EVALUATE, texts, evaluate, Wanted(submission.path, ("parse",))),
        description=texts[DESCRIPTION],
    )


def write_compiled(compiled: CompiledTask, folder: Path) -> None:
    """Writes the three texts into `folder` under their names, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("generate.py", compiled.generate),
        ("evaluate.py", compiled.evaluate),
        ("description.md", compiled.description),
    ):
        write_whole(folder / name, text)


def compile_inputs(spec: Spec, corpus: Path | None = None) -> tuple[Path, ...]:
    """The files of the vocabulary and templates, sorted, that the compiled task depends on."""
    vocabulary = load_vocabulary(corpus)
    calls = Calls(spec, vocabulary)
    generate_context(calls)
    evaluate_context(calls, None)
    words = [*calls.words.values(), submission_use(spec, vocabulary)[0]]
    words.append(vocabulary.word("tasks", spec.dna.task))
    folders = layers("templates", corpus)
    templates = [find_template(folders, name) for name in (GENERATE, EVALUATE, DESCRIPTION)]
    return tuple(sorted({word.path for word in words} | set(templates)))


def _script(template: str, texts: Mapping[str, str], calls: Calls, submission: Wanted) -> str:
    """A filled-in script with everything that it calls put inside it, checked to be Python."""
    words = [
        Wanted(word.path, (word.name,), summarize=True)
        for word in sorted(calls.words.values(), key=lambda word: list(FOLDERS).index(word.folder))
    ]
    arithmetic = Wanted(_RUNTIME / "arithmetic.py", tuple(calls.arithmetic))
    origin = Path(f"{template} (spec {calls.spec.id})")
    script = bundle_text(texts[template], origin, [arithmetic, *words, submission])
    _check_names(script, {word.name for word in calls.words.values()}, origin)
    return script


def _check_names(script: str, words: Set[str], origin: Path) -> None:
    """Raises CompileError where a variable of a function hides a word that it calls."""
    for function in ast.parse(script).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        called = {
            node.func.id
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        variables = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        } | {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
        clash = sorted(words & called & variables)
        if clash:
            raise CompileError(f"{origin}: a word can't be called {clash[0]!r}; rename it")
