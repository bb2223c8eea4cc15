"""Imports are merged and sorted as isort does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sandmle.compiler.imports import Import, read_imports, write_imports
from sandmle.errors import CompileError
from tests.compiler.formatter import faults, formatted

TEXT = """
import os
import zlib
import concurrent.futures as futures
from dataclasses import dataclass, field
from collections.abc import Mapping
from PIL import Image
import numpy as np
import pandas as pd
from sklearn.linear_model import Ridge, LogisticRegression
from sklearn.metrics import roc_auc_score, f1_score, SCORERS
from scipy.special import ndtri as inverse
from scipy.special import expit
"""


def test_they_are_written_as_ruff_sorts_them() -> None:
    imports = read_imports(ast.parse(TEXT), Path("a.py"))
    text = write_imports(imports.values()) + "\n"
    used = "\n".join(f"print({name})" for name in imports)

    assert faults(f"{text}\n{used}\n") == ""
    assert text == formatted(text)
    assert read_imports(ast.parse(text), Path("a.py")) == imports


def test_names_of_one_module_are_merged() -> None:
    imports = [Import("math", "pi", "pi"), Import("math", "e", "e"), Import("math", "pi", "pi")]

    assert write_imports(imports) == "from math import e, pi"


def test_a_long_statement_is_broken() -> None:
    names = [f"a_function_with_a_long_name_{index}" for index in range(5)]
    text = write_imports([Import("numpy", name, name) for name in names])

    assert f"{text}\n" == formatted(f"{text}\n")
    assert len(text.splitlines()) == 7


@pytest.mark.parametrize("line", ["from . import a", "from .a import b", "from math import *"])
def test_imports_without_a_full_name_are_refused(line: str) -> None:
    with pytest.raises(CompileError, match=r"a\.py:1"):
        read_imports(ast.parse(line), Path("a.py"))
