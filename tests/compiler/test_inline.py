"""Definitions are gathered from the files where they are written: all that is needed, once."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sandmle.compiler.inline import Wanted, bundle, bundle_text, inline
from sandmle.errors import CompileError
from tests.compiler.formatter import faults, formatted


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


WORD = '''"""Doubles a number, "twice".

Difficulty: none.
"""

import math
import os

import numpy as np
from sklearn.metrics import (
    roc_auc_score,
    accuracy_score,
)

from sandmle.errors import InvalidSubmission

PARAMETERS = {}

#: How many times.
TIMES = 2  # twice
UNUSED = 3


def word(rng: np.random.Generator) -> float:
    # The helper does it.
    return _helper(3) * roc_auc_score([0, 1], [0, 1])


def _helper(value: int) -> int:
    """Multiplies."""
    if value < 0:
        raise InvalidSubmission("negative")
    return TIMES * value if value else word(None)


def unused() -> float:
    return math.pi
'''


def test_only_what_is_reached_is_taken(tmp_path: Path) -> None:
    inlined = inline([Wanted(write(tmp_path, "word.py", WORD), ("word",))])

    assert inlined.names == {"word", "_helper", "TIMES", "InvalidSubmission"}
    assert inlined.imports == "import numpy as np\nfrom sklearn.metrics import roc_auc_score"


def test_comments_and_docstrings_come_along(tmp_path: Path) -> None:
    text = inline([Wanted(write(tmp_path, "word.py", WORD), ("word",))]).definitions

    assert "#: How many times.\nTIMES = 2  # twice" in text
    assert "    # The helper does it." in text
    assert '    """Multiplies."""' in text
    assert "A solver's submission cannot be graded" in text


def test_what_is_used_stands_before_its_user(tmp_path: Path) -> None:
    text = inline([Wanted(write(tmp_path, "word.py", WORD), ("word",))]).definitions
    order = [text.index(f"\ndef {name}(") for name in ("_helper", "word")]

    assert text.index("class InvalidSubmission") < text.index("TIMES = 2") < order[0] < order[1]


def test_the_files_summary_becomes_the_docstring_that_a_word_lacks(tmp_path: Path) -> None:
    path = write(tmp_path, "word.py", WORD)
    text = inline([Wanted(path, ("word",), summarize=True)]).definitions
    word = ast.parse(text).body[-1]

    assert isinstance(word, ast.FunctionDef)
    assert ast.get_docstring(word) == 'Doubles a number, "twice".'


@pytest.mark.parametrize("length", range(84, 100))
def test_a_long_summary_is_wrapped_as_the_formatter_likes_it(tmp_path: Path, length: int) -> None:
    summary = ("number " * 20)[: length - 1].strip() + "."
    path = write(tmp_path, "word.py", f'"""{summary}"""\n\n\ndef word() -> int:\n    return 1\n')
    text = inline([Wanted(path, ("word",), summarize=True)]).definitions + "\n"

    assert text == formatted(text)
    assert faults(text) == ""


def test_the_same_definition_in_two_files_is_taken_once(tmp_path: Path) -> None:
    first = write(
        tmp_path, "a.py", "def one():\n    return helper()\n\n\ndef helper():\n    return 1\n"
    )
    second = write(
        tmp_path, "b.py", "def two():\n    return helper()\n\n\ndef helper():\n    return 1\n"
    )
    text = inline([Wanted(first, ("one",)), Wanted(second, ("two",))]).definitions

    assert text.count("def helper") == 1


@pytest.mark.parametrize(
    "second",
    [
        "def two():\n    return helper()\n\n\ndef helper():\n    return 2\n",
        "helper = 1\n\n\ndef two():\n    return helper\n",
        "from math import pi as helper\n\n\ndef two():\n    return helper\n",
    ],
)
def test_one_name_for_two_things_is_refused(tmp_path: Path, second: str) -> None:
    first = write(
        tmp_path, "a.py", "def one():\n    return helper()\n\n\ndef helper():\n    return 1\n"
    )
    other = write(tmp_path, "b.py", second)
    with pytest.raises(CompileError, match=r"'helper'.*a\.py.*b\.py|b\.py.*'helper'.*a\.py"):
        inline([Wanted(first, ("one",)), Wanted(other, ("two",))])


def test_two_imports_of_one_name_are_refused(tmp_path: Path) -> None:
    first = write(tmp_path, "a.py", "from math import log\n\n\ndef one():\n    return log(1)\n")
    other = write(tmp_path, "b.py", "from numpy import log\n\n\ndef two():\n    return log(1)\n")
    with pytest.raises(CompileError, match="'log' is imported from elsewhere"):
        inline([Wanted(first, ("one",)), Wanted(other, ("two",))])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("from sandmle.errors import InvalidSubmission as Bad", "without `as`"),
        ("import sandmle.errors as Bad", "write `from sandmle.errors import name`"),
        ("from sandmle.nowhere import Bad", "no module sandmle.nowhere"),
        ("from sandmle.errors import Bad", "expected a definition of 'Bad'"),
        ("from . import Bad", "a.py:1: import names"),
        ("from math import *", "a.py:1: import names"),
        ("def broken(:", "a.py:1: not Python"),
    ],
)
def test_what_cannot_be_inlined_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, "a.py", f"{line}\n\n\ndef one():\n    return Bad\n")
    with pytest.raises(CompileError, match=message):
        inline([Wanted(path, ("one",))])


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path, "a.py", "def one():\n    return 1\n")
    inline([Wanted(path, ("one",))])
    path.write_text("def one():\n    return 22\n", encoding="utf-8")

    assert "return 22" in inline([Wanted(path, ("one",))]).definitions


SCRIPT = '''"""A script."""

from __future__ import annotations

import sys
from pathlib import Path

from sandmle.runtime.agreement import correlation, rank_auc
from sandmle.runtime.scaling import fractions

LIMIT = 3
# Left alone.
NAMES = ["a", "b"]


def main() -> None:
    print(Path(sys.argv[0]).name, LIMIT, rank_auc(*[__import__("numpy").array([0, 1])] * 2))


if __name__ == "__main__":
    main()
'''


def test_a_bundle_runs_alone(tmp_path: Path) -> None:
    text = bundle(write(tmp_path, "script.py", SCRIPT))
    run = write(tmp_path, "bundled.py", text)
    done = subprocess.run(
        [sys.executable, "-I", run], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    assert done.stdout == "bundled.py 3 1.0\n"
    assert "sandmle" not in text
    assert "def correlation" not in text, "imported, but never used"
    assert text.index("NAMES") < text.index("def fractions") < text.index("def main")
    assert text == formatted(text)
    assert faults(text) == ""


def test_a_bundle_without_anything_to_put_inside_is_the_script(tmp_path: Path) -> None:
    text = '"""Alone."""\n\nfrom __future__ import annotations\n\nimport sys\n\nsys.exit(0)\n'

    assert (
        bundle_text(text, tmp_path)
        == '"""Alone."""\n\nfrom __future__ import annotations\n\nimport sys\n\n\nsys.exit(0)\n'
    )


def test_a_late_import_in_a_script_is_refused() -> None:
    with pytest.raises(CompileError, match="script:3: imports stand at the top"):
        bundle_text("import sys\nLIMIT = 1\nimport os\n", Path("script"))


def test_a_script_that_defines_what_it_imports_is_refused() -> None:
    text = "from sandmle.runtime.scaling import stretch\n\n\ndef fractions():\n    pass\n\n\n"
    text += "def main():\n    stretch(fractions())\n"
    assert "def stretch" in bundle_text(text, Path("script"))

    text = text.replace("stretch", "rank_auc").replace("runtime.scaling", "runtime.agreement")
    with pytest.raises(CompileError, match="'fractions'"):
        bundle_text(text, Path("script"))
