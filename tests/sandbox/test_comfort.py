# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""Code that works under plain Python works in the sandbox, and prints the same."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandmle.sandbox import Sandbox, open_sandbox, probe

from .conftest import LIMITS, MEBIBYTE, Play, play_in

ROOM = replace(LIMITS, memory_bytes=2048 * MEBIBYTE)

DATA = """
import numpy as np
random = np.random.default_rng(0)
X = random.normal(size=(120, 5))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
"""

# What a solver's code does with libraries, and what it then prints.
LIBRARIES = {
    "forest in parallel": (
        "from sklearn.ensemble import RandomForestClassifier\n"
        "print(RandomForestClassifier(20, n_jobs=2, random_state=0).fit(X, y).score(X, y) > 0.9)",
        "True\n",
    ),
    "grid search in parallel": (
        "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "search = GridSearchCV(LogisticRegression(), {'C': [0.1, 1.0]}, n_jobs=2, cv=3).fit(X, y)\n"
        "print(search.best_params_, search.best_score_ > 0.8)",
        "{'C': 1.0} True\n",
    ),
    "boosting": (
        "from sklearn.ensemble import HistGradientBoostingClassifier\n"
        "print(HistGradientBoostingClassifier(max_iter=10).fit(X, y).score(X, y) > 0.8)",
        "True\n",
    ),
    "own function in parallel": (
        "from joblib import Parallel, delayed\n"
        "def square(x):\n    return x * x\n"
        "print(Parallel(n_jobs=2)(delayed(square)(n) for n in range(4)))",
        "[0, 1, 4, 9]\n",
    ),
    "pool with libraries": (
        "import multiprocessing\n"
        "def total(n):\n    return float((X[n] ** 0).sum())\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.Pool(2) as pool:\n        print(pool.map(total, range(3)))",
        "[5.0, 5.0, 5.0]\n",
    ),
    "executor": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "def total(n):\n    return int(y[:n].size)\n"
        "if __name__ == '__main__':\n"
        "    with ProcessPoolExecutor(2) as pool:\n        print(list(pool.map(total, range(3))))",
        "[0, 1, 2]\n",
    ),
    "warning of a library": (
        "import warnings\nfrom sklearn.linear_model import LogisticRegression\n"
        "from sklearn.exceptions import ConvergenceWarning\n"
        "with warnings.catch_warnings(record=True) as caught:\n    warnings.simplefilter('always')\n"
        "    LogisticRegression(max_iter=1).fit(X * 100, y)\n"
        "print(any(issubclass(w.category, ConvergenceWarning) for w in caught))",
        "True\n",
    ),
    "model kept in a file": (
        "import joblib\nfrom sklearn.tree import DecisionTreeClassifier\n"
        "joblib.dump(DecisionTreeClassifier().fit(X, y), 'model.joblib')\n"
        "print(joblib.load('model.joblib').score(X, y))",
        "1.0\n",
    ),
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries_work(public: Path, name: str) -> None:
    code, expected = LIBRARIES[name]
    [result] = play_in(public, probe.strongest(unsafe=True), DATA + code, limits=ROOM)
    assert result.stdout == expected, result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries_work_in_every_back_end(play: Play, name: str) -> None:
    code, expected = LIBRARIES[name]
    [result] = play(DATA + code, limits=ROOM)
    assert result.stdout == expected, result.stderr


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_a_picture_is_drawn_without_a_screen(play: Play) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.savefig('x.png'); plt.show()\nprint(plt.get_backend())"
    [result] = play(code, limits=ROOM)
    assert result.stdout.lower() == "agg\n", result.stderr


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_torch_is_there_when_asked_for(public: Path) -> None:
    code = """
        import torch
        from torch.utils.data import DataLoader, TensorDataset
        data = TensorDataset(torch.arange(8.0).reshape(8, 1))
        print(sum(float(batch.sum()) for batch, in DataLoader(data, batch_size=2, num_workers=2)))
    """
    [result] = play_in(
        public,
        probe.strongest(unsafe=True),
        dedent(code),
        limits=ROOM,
        libraries=("scikit-learn", "torch"),
    )
    assert result.stdout == "28.0\n", result.stderr


@pytest.mark.parametrize(
    ("code", "status"),
    [("-1", 255), ("256", 0), ("True", 1), ("3.5", 1), ("None", 0), ("(1, 2)", 1), ("10**30", 255)],
)
def test_exit_codes(play: Play, code: str, status: int) -> None:
    [result] = play(f"import sys\nsys.exit({code})")
    assert result.exit_code == status, result.stderr


def test_an_interrupt_can_be_caught_and_kills_otherwise(play: Play) -> None:
    interrupt = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)"
    caught = f"try:\n{indent(interrupt, '    ')}\nexcept KeyboardInterrupt:\n    print('caught')"
    first, second = play(caught, interrupt)
    assert (first.stdout, first.exit_code) == ("caught\n", 0)
    assert second.exit_code == 130
    assert second.stderr.endswith("KeyboardInterrupt\n")


# Random programs.

_words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_files = st.sampled_from(["a.txt", "b.csv", "größe", "folder/c", "submission.csv", "folder"])
_values = st.recursive(
    st.one_of(st.integers(-(10**6), 10**6), st.floats(allow_nan=False), _words, st.booleans()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(_words, inner, max_size=3),
    ),
    max_leaves=5,
).map(repr)
_numbers = st.recursive(
    st.integers(-20, 20).map(str),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "/"]), inner).map(
        lambda parts: f"({' '.join(parts)})"
    ),
    max_leaves=6,
)
_errors = st.sampled_from(["ValueError", "KeyError", "RuntimeError", "OSError", "SystemExit"])


def _filled(template: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda values: template.format(*values))


_quoted = _words.map(repr)
_paths = _files.map(repr)
_statements = st.one_of(
    _filled("print({}, {})", _values, _numbers),
    _filled("print({}, file=sys.stderr)", _values),
    _filled("sys.stdout.write({})", _quoted),
    _filled("open({}, 'w').write({})", _paths, _quoted),
    _filled("open({}, 'a').write({})", _paths, _quoted),
    _filled("left = open({}, 'w'); left.write({})", _paths, _quoted),
    _filled("print(open({}).read())", _paths),
    _filled("os.makedirs({}, exist_ok=True)", _paths),
    _filled("os.remove({})", _paths),
    _filled("os.rename({}, {})", _paths, _paths),
    _filled("print(sorted(os.listdir('.')))"),
    _filled("raise {}({})", _errors, _quoted),
    _filled("sys.exit({})", _values),
    _filled("os._exit({})", st.integers(0, 255).map(str)),
    _filled("assert {}, {}", _numbers, _quoted),
    _filled("atexit.register(print, {})", _quoted),
    _filled("warnings.warn({})", _quoted),
    _filled("print(repr(input({})))", _quoted),
    _filled(
        "thread = threading.Thread(target=print, args=({},)); thread.start(); thread.join()",
        _quoted,
    ),
    _filled("print(subprocess.run(['printf', '%s', 'x'], capture_output=True))"),
    _filled("print(json.dumps({}), pickle.loads(pickle.dumps({})))", _values, _values),
)


def _block(statements: list[str]) -> str:
    return indent("\n".join(statements), "    ")


_blocks = st.recursive(
    _statements,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(
            lambda body: f"try:\n{_block(body)}\nexcept Exception as error:\n    print(type(error))"
        ),
        st.lists(inner, min_size=1, max_size=2).map(
            lambda body: f"try:\n{_block(body)}\nfinally:\n    print('finally')"
        ),
        st.lists(inner, min_size=1, max_size=2).map(
            lambda body: f"for i in range(2):\n{_block(body)}"
        ),
        st.lists(inner, min_size=1, max_size=2).map(
            lambda body: f"def function():\n{_block(body)}\n    return 1\nprint(function())"
        ),
    ),
    max_leaves=4,
)
_HEAD = "import atexit, json, os, pickle, subprocess, sys, threading, warnings\n"
_programs = st.lists(_blocks, min_size=1, max_size=6).map(lambda blocks: _HEAD + "\n".join(blocks))

_COLLECT = """
import json, os, shutil
found = {}
for folder, folders, files in os.walk('.'):
    for name in folders + files:
        path = os.path.join(folder, name)
        if path not in ('./data', './main.py'):
            found[path] = None if os.path.isdir(path) else open(path, 'rb').read().hex()
for name in os.listdir('.'):
    shutil.rmtree(name) if os.path.isdir(name) and name != 'data' else os.remove(name)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def loop_and_sandbox(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[asyncio.AbstractEventLoop, Sandbox]]:
    if not probe.probe("warm").works:
        pytest.skip("the warm back end does not work here")
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        os.chmod(folder, 0o755)
        sandbox = runner.run(open_sandbox(Path(folder), backend="warm"))
        yield runner.get_loop(), sandbox
        runner.run(sandbox.close())


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(program=_programs)
def test_random_programs_do_the_same(
    loop_and_sandbox: tuple[asyncio.AbstractEventLoop, Sandbox], program: str
) -> None:
    loop, sandbox = loop_and_sandbox
    warm = loop.run_until_complete(sandbox.run(program, LIMITS))
    collected = loop.run_until_complete(sandbox.run(_COLLECT, LIMITS))
    assert collected.exit_code == 0, collected.stderr
    stdout, stderr, code, files = run_plain(program)
    assert warm.stdout == stdout
    assert warm.stderr == stderr
    assert warm.exit_code == code
    assert json.loads(collected.stdout) == files


def run_plain(program: str) -> tuple[str, str, int, dict[str, str | None]]:
    """What plain Python makes of a program: stdout, stderr, exit status, and files."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "work")
        work.mkdir()
        Path(work, "data").symlink_to(folder)
        Path(work, "main.py").write_bytes(program.encode())
        environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        done = subprocess.run(
            [sys.executable, "main.py"],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        files = {
            f"./{path.relative_to(work)}": None if path.is_dir() else path.read_bytes().hex()
            for path in work.rglob("*")
            if path.name not in ("main.py", "data")
        }
    printed = [text.decode(errors="replace") for text in (done.stdout, done.stderr)]
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return printed[0], printed[1].replace(f"{work}/", "/work/"), code, files
