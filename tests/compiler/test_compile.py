"""Compiled scripts: readable, alone, the same every time; and what happens when they can't be."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sandmle.compiler.compile import compile_inputs, compile_spec, write_compiled
from sandmle.errors import CompileError
from sandmle.resources import resource
from sandmle.runtime.table import submitted
from sandmle.spec.model import Spec, WordUse
from tests.compiler.conftest import SPECS, THRESHOLDS, Task
from tests.compiler.formatter import faults, formatted

#: Runs a script with this project out of reach, and prints which packages it has loaded.
ALONE = """
import runpy, sys
sys.modules["sandmle"] = None
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def run_alone(
    script: Path, *arguments: str, hash_seed: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a compiled script as a user would who does not have this project.

    In isolated mode Python ignores PYTHONHASHSEED, so it is left out where a seed is given.
    """
    isolated = ["-I"] if hash_seed is None else ["-s", "-P"]
    seeded = {} if hash_seed is None else {"PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run(
        [sys.executable, *isolated, "-c", ALONE, str(script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **seeded},
    )


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["generate", "evaluate"])
def test_scripts_are_formatted_and_clean(task: Task, name: str) -> None:
    script = getattr(task.compiled, name)

    assert script == formatted(script)
    assert faults(script) == ""


@pytest.mark.parametrize("name", ["generate", "evaluate"])
def test_scripts_say_where_they_come_from(task: Task, name: str) -> None:
    docstring = ast.get_docstring(ast.parse(getattr(task.compiled, name)))

    assert docstring is not None
    assert docstring.startswith(task.spec.narrative.title)
    for fact in (task.spec.id, task.spec.digest, "sandmle 0", f"python -I {name}.py"):
        assert fact in docstring


def test_scripts_carry_the_words_that_they_use_and_no_others(tasks: Mapping[str, Task]) -> None:
    functions = {
        node.name
        for node in ast.parse(tasks["plot-yield"].compiled.generate).body
        if isinstance(node, ast.FunctionDef)
    }

    assert {"gamma", "count", "column", "remainder", "encode", "sample"} <= functions
    assert not {"cut", "group_split", "normal", "label_flip", "parse", "observe_files"} & functions


def test_scripts_run_alone_and_write_the_same_bytes_each_time(task: Task, tmp_path: Path) -> None:
    write_compiled(task.compiled, tmp_path)
    for seed in (None, 0, 1):
        out = tmp_path / f"out{seed}"
        done = run_alone(tmp_path / "generate.py", "--out", str(out), hash_seed=seed)
        assert done.returncode == 0, done.stderr
        loaded = set(done.stderr.split())
        assert not {"pandas", "sklearn", "jinja2", "yaml"} & loaded, "a script loads what it uses"
    written = files(tmp_path / "out0")

    assert written == files(tmp_path / "out1") == files(tmp_path / "outNone")
    assert written == {
        **{f"public/{name}": content for name, content in task.dataset.public.items()},
        **{f"private/{name}": content for name, content in task.dataset.private.items()},
    }

    answers = tmp_path / "out0" / "private" / "answers.csv"
    perfect = tmp_path / "perfect.csv"
    perfect.write_bytes(submitted(answers.read_bytes()))
    done = run_alone(
        tmp_path / "evaluate.py", "--submission_path", str(perfect), "--answers", str(answers)
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["valid"] is True


def test_the_same_spec_gives_the_same_texts(task: Task) -> None:
    assert compile_spec(task.spec) == task.compiled


COMPILE_ALL = """
import hashlib, sys
from pathlib import Path
from sandmle.compiler.compile import compile_spec
from sandmle.spec.load import load_spec
for path in sys.argv[1:]:
    print(hashlib.sha256(repr(compile_spec(load_spec(Path(path)))).encode()).hexdigest())
"""


def test_texts_do_not_depend_on_the_process(tasks: Mapping[str, Task]) -> None:
    expected = [hashlib.sha256(repr(task.compiled).encode()).hexdigest() for task in tasks.values()]
    done = subprocess.run(
        [sys.executable, "-c", COMPILE_ALL, *map(str, SPECS)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
    )

    assert done.stdout.split() == expected


def test_thresholds_come_from_the_argument_or_the_spec_or_are_none(
    tasks: Mapping[str, Task],
) -> None:
    spec = tasks["plot-yield"].spec
    own = dataclasses.replace(spec, thresholds=THRESHOLDS)
    other = dataclasses.replace(THRESHOLDS, gold=0.9)

    assert "THRESHOLDS: dict[str, float] | None = None" in compile_spec(spec).evaluate
    assert '"gold": 0.8' in compile_spec(own).evaluate
    assert '"gold": 0.9' in compile_spec(own, thresholds=other).evaluate
    assert compile_spec(own).generate == compile_spec(spec).generate


@pytest.mark.parametrize(
    "title",
    [
        '""" + __import__("os").system("x") + """',
        'ends with a "quote"',
        "ends with a backslash \\",
        "{{ 7 * 7 }} {% raw %}",
        "a " * 60,
        "Straße, 路面 and $HOME",
    ],
)
def test_a_title_is_text_whatever_it_holds(tasks: Mapping[str, Task], title: str) -> None:
    spec = tasks["plot-yield"].spec
    title = title.strip()
    hostile = dataclasses.replace(spec, narrative=dataclasses.replace(spec.narrative, title=title))
    compiled = compile_spec(hostile)
    for script in (compiled.generate, compiled.evaluate):
        docstring = ast.get_docstring(ast.parse(script)) or ""
        assert " ".join(docstring.split("\n\n")[0].split()) == title
        assert script == formatted(script)
        assert faults(script) == ""
    assert compiled.description.startswith(f"# {title}\n")


def test_labels_are_text_whatever_they_hold(tasks: Mapping[str, Task]) -> None:
    spec = tasks["plot-yield"].spec
    labels = ('"); import os #', 'it\'s "so"\\')
    odd = dataclasses.replace(spec, targets=(dataclasses.replace(spec.targets[0], labels=labels),))
    script = compile_spec(odd).generate
    constant = next(
        node.value
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CLASSES"
    )

    assert ast.literal_eval(constant) == list(labels)
    assert script == formatted(script)


def test_inputs_are_the_words_and_templates(tasks: Mapping[str, Task]) -> None:
    rules, templates = resource("rules"), resource("templates")
    found = compile_inputs(tasks["plot-yield"].spec)

    assert set(found) == {
        rules / "factors" / "gamma.py",
        rules / "factors" / "count.py",
        rules / "observe" / "column.py",
        rules / "hidden" / "remainder.py",
        rules / "metrics" / "f_beta.py",
        rules / "submissions" / "label.py",
        rules / "tasks" / "binary.py",
        templates / "generate.py.j2",
        templates / "evaluate.py.j2",
        templates / "description.md.j2",
    }


def test_a_nested_rule_is_an_input(tasks: Mapping[str, Task]) -> None:
    names = {path.name for path in compile_inputs(tasks["ticket-urgency"].spec)}

    assert {"gate.py", "xor.py", "interval_band.py", "blend.py", "formula.py"} <= names


def make_corpus(folder: Path, name: str, text: str) -> Path:
    """A corpus folder with one file over the shipped ones."""
    (folder / "specs").mkdir()
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return folder


def test_the_corpus_own_words_and_templates_win(tasks: Mapping[str, Task], tmp_path: Path) -> None:
    spec = tasks["plot-yield"].spec
    word = (resource("rules") / "factors" / "gamma.py").read_text(encoding="utf-8")
    corpus = make_corpus(
        tmp_path, "rules/factors/gamma.py", word.replace("return ", "return 1.0 + ")
    )
    compiled = compile_spec(spec, corpus=corpus)

    assert "return 1.0 + rng.gamma" in compiled.generate
    assert corpus / "rules" / "factors" / "gamma.py" in compile_inputs(spec, corpus)

    (corpus / "templates").mkdir()
    (corpus / "templates" / "description.md.j2").write_text("Only {{ spec.id }}\n")
    assert compile_spec(spec, corpus=corpus).description == "Only plot-yield\n"
    assert corpus / "templates" / "description.md.j2" in compile_inputs(spec, corpus)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("one\ntwo\n{{ spec.nothing }}\n", r"description\.md\.j2:3: .*no attribute 'nothing'"),
        ("one\n{{ unknown }}\n", r"description\.md\.j2:2: 'unknown' is undefined"),
        ("one\n{% if %}\n", r"description\.md\.j2:2: "),
        ("{{ spec.id | shout }}", r"description\.md\.j2:1: No filter named 'shout'"),
        ("\n{{ 5 | docstring }}", r"description\.md\.j2:2: "),
        ("\n{{ 1 / 0 }}", r"description\.md\.j2:2: division by zero"),
        ("\n{% include 'gone.j2' %}", r"no template 'gone\.j2'"),
    ],
)
def test_a_template_that_fails_is_named_with_line_and_spec(
    tasks: Mapping[str, Task], tmp_path: Path, template: str, message: str
) -> None:
    corpus = make_corpus(tmp_path, "templates/description.md.j2", template)
    with pytest.raises(CompileError, match=message) as caught:
        compile_spec(tasks["plot-yield"].spec, corpus=corpus)
    assert "plot-yield" in str(caught.value)


def test_a_template_that_gives_no_python_is_named(
    tasks: Mapping[str, Task], tmp_path: Path
) -> None:
    corpus = make_corpus(tmp_path, "templates/generate.py.j2", "x = 1\ndef broken(:\n")
    with pytest.raises(CompileError, match=r"generate\.py\.j2.*plot-yield.*2: not Python"):
        compile_spec(tasks["plot-yield"].spec, corpus=corpus)


@pytest.mark.parametrize("name", ["factors", "generate", "np", "stream"])
def test_a_word_that_a_script_cannot_call_is_refused(
    tasks: Mapping[str, Task], tmp_path: Path, name: str
) -> None:
    word = (resource("rules") / "factors" / "gamma.py").read_text(encoding="utf-8")
    corpus = make_corpus(
        tmp_path, f"rules/factors/{name}.py", word.replace("def gamma", f"def {name}")
    )
    spec = tasks["plot-yield"].spec
    rain = dataclasses.replace(spec.factors["rain"], kind=name)
    with pytest.raises(CompileError, match=f"'{name}'"):
        compile_spec(
            dataclasses.replace(spec, factors={**spec.factors, "rain": rain}), corpus=corpus
        )


def with_factors(spec: Spec, **uses: dict[str, object]) -> Spec:
    """The spec with further factors."""
    further = {
        name: WordUse(
            str(use["kind"]),
            {key: value for key, value in use.items() if key != "kind"},
            ("factors", name),
        )
        for name, use in uses.items()
    }
    return dataclasses.replace(spec, factors={**further, **spec.factors})


def test_factors_are_drawn_after_those_that_they_need(tasks: Mapping[str, Task]) -> None:
    spec = with_factors(
        tasks["plot-yield"].spec,
        wind={"kind": "correlated", "to": "cloud", "correlation": 0.5},
        cloud={"kind": "correlated", "to": "rain", "correlation": 0.5},
    )
    script = compile_spec(spec).generate
    order = [script.index(f'factors["{name}"] = ') for name in ("rain", "cloud", "wind")]

    assert order == sorted(order)


def test_factors_that_need_each_other_are_refused(tasks: Mapping[str, Task]) -> None:
    spec = with_factors(
        tasks["plot-yield"].spec,
        wind={"kind": "correlated", "to": "cloud", "correlation": 0.5},
        cloud={"kind": "correlated", "to": "wind", "correlation": 0.5},
    )
    with pytest.raises(CompileError, match="plot-yield: factors need each other: "):
        compile_spec(spec)


def test_compiled_files_are_written_whole(tasks: Mapping[str, Task], tmp_path: Path) -> None:
    compiled = tasks["plot-yield"].compiled
    for _ in range(2):
        write_compiled(compiled, tmp_path / "task")
        assert files(tmp_path / "task") == {
            "generate.py": compiled.generate.encode(),
            "evaluate.py": compiled.evaluate.encode(),
            "description.md": compiled.description.encode(),
        }
