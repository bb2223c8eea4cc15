"""The formula language: what it refuses, and that what it accepts means what numpy says."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sandmle.runtime import arithmetic
from sandmle.spec.formula import (
    FUNCTIONS,
    MAX_CHARACTERS,
    Formula,
    FormulaError,
    factor_names,
    parse_formula,
)
from sandmle.spec.formula_tree import RUNTIME

TYPES = {"a": "number", "b": "number", "c": "number", "road": "category", "note": "text"}


def values(samples: int = 40) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {
        "a": rng.normal(0, 2, samples),
        "b": rng.normal(1, 1, samples),
        "c": np.r_[0.0, rng.normal(0, 5, samples - 1)],
        "road": rng.choice(["gravel", "tar"], samples),
    }


def evaluated(formula: Formula, factors: dict[str, np.ndarray]) -> np.ndarray:
    """The formula's value as a compiled script computes it."""
    names: dict[str, Any] = {name: getattr(arithmetic, name) for name in formula.runtime_names}
    source = formula.source(lambda name: f"factors[{name!r}]")
    result: np.ndarray = eval(source, {"__builtins__": {}, "np": np, "factors": factors, **names})
    return result


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a*(1+0.5*b)", "a * (1.0 + 0.5 * b)"),
        ("-a**2", "-a ** 2"),
        ("a - (b - c)", "a - (b - c)"),
        ("a ** .5", "sqrt(a)"),
        ("a / 2", "a / 2.0"),
        ("a / b", "divide(a, b)"),
        ("a / 0.0000001", "divide(a, 1e-07)"),
        ("1 < a < 2", "np.where((1.0 < a) & (a < 2.0), 1.0, 0.0)"),
        ("where(a > 0 and not b > 0, 1, c)", "np.where((a > 0.0) & ~(b > 0.0), 1.0, c)"),
        ("where(road == 'tar' or a > 0, a, b)", "np.where((road == 'tar') | (a > 0.0), a, b)"),
        ("(a > 0) * b", "np.where(a > 0.0, 1.0, 0.0) * b"),
        ("maximum(a, log(b))", "np.maximum(a, log(b))"),
    ],
)
def test_formulas_become_numpy_source(text: str, source: str) -> None:
    assert parse_formula(text, TYPES).source(str) == source


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a * (1 + 0.5 * b)", lambda v: v["a"] * (1 + 0.5 * v["b"])),
        ("sin(3 * a) - tanh(c)", lambda v: np.sin(3 * v["a"]) - np.tanh(v["c"])),
        ("abs(a - b) ** 3", lambda v: np.abs(v["a"] - v["b"]) ** 3),
        ("where(road == 'tar', a, -a)", lambda v: np.where(v["road"] == "tar", v["a"], -v["a"])),
        ("floor(a) + sign(b)", lambda v: np.floor(v["a"]) + np.sign(v["b"])),
        ("(a > 0) == (b > 0)", lambda v: ((v["a"] > 0) == (v["b"] > 0)).astype(float)),
        ("sqrt(a ** 2 + b ** 2)", lambda v: np.hypot(v["a"], v["b"])),
        ("a / c", lambda v: v["a"] / np.where(v["c"] == 0, 1e-9, v["c"])),
        ("road != 'gravel'", lambda v: (v["road"] == "tar").astype(float)),
        ("1 - (a <= 0 or b > 1)", lambda v: 1 - ((v["a"] <= 0) | (v["b"] > 1))),
    ],
)  # fmt: skip
def test_formulas_mean_what_numpy_says(text: str, expected: Any) -> None:
    result = evaluated(parse_formula(text, TYPES), values())
    assert result.dtype == float
    np.testing.assert_allclose(result, expected(values()))


HOSTILE = [
    "__import__('os').system('id')",
    "().__class__.__bases__[0].__subclasses__()",
    "a.tofile('x')",
    "a.__class__",
    "open('x')",
    "eval('1')",
    "9**9**9%7",
    "9**9**9",
    "(1e12**3)**3 * a",
    "lambda: a",
    "[a for a in b]",
    "{'a': a}",
    "{a}",
    "f'{a}'",
    "a if a > 0 else b",
    "(x := a)",
    "a; b",
    "a = 1",
    "a[0]",
    "*a",
    "print(a)",
    "getattr(a, 'tofile')('x')",
    "where.__globals__",
    "np.load('x')",
    "factors",
    "b'x' * a",
    "1j * a",
    "... + a",
    "True + a",
    "None",
    "a @ b",
    "a // b",
    "a % b",
    "a << 3",
    "~a",
    "a is b",
    "a in b",
    "yield a",
    "await a",
    "a\n+ b",
    "a # b",
    "a \\\n + b",
    "a\x00",
    "ａ + b",
    "a + 'x' * 9",
    "road == 'a' + 'b'",
    "sin(a, out=b)",
    "sin(*a)",
    "(" * 150 + "a" + ")" * 149,
    "-" * 250 + "a",
    "a" + "+a" * 140,
    "1" * 290 + " + a",
    "1e400 * a",
    "",
    " ",
    "1 + 1",
    "where(not 1 > 2, a, b)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_formulas_are_refused(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text, TYPES)
    assert 0 <= caught.value.offset <= len(text)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("a + moistrue", 4, "unknown factor 'moistrue'"),
        ("aa + rode", 0, "unknown factor 'aa'; did you mean 'a'?"),
        ("a + sqt(b)", 4, "unknown function 'sqt'; did you mean 'sqrt'?"),
        ("min(a, b)", 0, "unknown function 'min'; write minimum"),
        ("a + sin", 4, "'sin' is a function; write sin(...)"),
        ("a ** b", 5, "only the powers 2, 3 and .5 are allowed"),
        ("a + road", 4, "is a category, not a number; compare it with a text"),
        ("a + note", 4, "factor 'note' is a text, not a number"),
        ("road > 'x'", 0, "only be compared with == or !="),
        ("road == 1", 8, "only be compared with a text"),
        ("a == 'x'", 5, "can only be compared with a category factor"),
        ("where(a, b, c)", 6, "expected a comparison"),
        ("a and b", 0, "expected a comparison"),
        ("sin(a, b)", 0, "sin() takes 1 argument, not 2"),
        ("where(a > 0, b)", 0, "where() takes 3 arguments, not 2"),
        ("a if b > 0 else c", 0, "write where(condition, a, b)"),
        ("  a % 2", 2, "'%' is not an operator here"),
        ("a * (b", 4, "'(' was never closed"),
        ("road == 'ä' and x > 0", 16, "unknown factor 'x'"),
        ("a" * 301, MAX_CHARACTERS, "has 301 characters; at most 300"),
    ],
)
def test_faults_are_placed_and_told_with_a_remedy(text: str, offset: int, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text, TYPES)
    assert message in caught.value.message
    assert caught.value.offset == offset


def test_factors_and_runtime_names_are_told() -> None:
    formula = parse_formula("b / a + log(b) + where(road == 'tar', a ** 0.5, 0)", TYPES)
    assert formula.factors == ("b", "a", "road")
    assert formula.runtime_names == ("divide", "log", "sqrt")


def test_factor_names_are_found_without_their_types() -> None:
    assert factor_names("sin(x) + 2 * y / x") == (("x", 4), ("y", 13))
    assert factor_names("x +") == ()


_NAMES = st.sampled_from(["a", "b", "c"])
_CONSTANTS = st.floats(0, 1e6, allow_nan=False).map(lambda value: repr(round(value, 3)))


def _extended(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    one = st.sampled_from([name for name, count in FUNCTIONS.items() if count == 1])
    compared = st.builds("({} {} {})".format, _NAMES, st.sampled_from(["<", ">=", "=="]), inner)
    return (
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner)
        | st.builds("({})**{}".format, _NAMES, st.sampled_from(["2", "3", "0.5", ".5"]))
        | st.builds("{}({})".format, one, inner)
        | st.builds("minimum({}, {})".format, inner, inner)
        | st.builds("where({}, {}, {})".format, compared, inner, inner)
        | st.builds("where({} and not {}, {}, 0)".format, compared, compared, inner)
        | st.builds("-{}".format, inner)
        | compared
    )


_FORMULAS = st.recursive(_NAMES | _CONSTANTS, _extended, max_leaves=10)


@given(_FORMULAS)
def test_any_formula_within_the_limits_is_finite(text: str) -> None:
    if not any(
        isinstance(node, ast.Name) and node.id in TYPES for node in ast.walk(ast.parse(text))
    ):
        text = f"a + {text}"
    assume(len(text) <= MAX_CHARACTERS)
    formula = parse_formula(text, TYPES)
    factors = values(10)
    with np.errstate(over="ignore", invalid="ignore"):
        result = evaluated(formula, factors)
    assert result.shape == (10,)
    assert result.dtype == float
    # exp and large constants multiplied can still overflow; that is for the compiler to refuse.
    assert np.isfinite(result).all() or "exp" in text or "**3" in text
    called = {
        node.func.id
        for node in ast.walk(ast.parse(formula.source(str)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called == set(formula.runtime_names)
    assert called <= RUNTIME


@given(
    st.text("ab+-*/().,'\"<>=!&|~%@:;[]{}_0123456789 \t\nwhernosid", max_size=40)
    | st.text(max_size=40)
)
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    try:
        formula = parse_formula(text, TYPES)
    except FormulaError as error:
        offset = error.offset
    else:
        offset = 0
        with np.errstate(all="ignore"):
            assert evaluated(formula, values(5)).shape == (5,)
    assert 0 <= offset <= len(text)


def test_limits_are_those_that_were_measured() -> None:
    assert MAX_CHARACTERS == 300
    assert parse_formula("a" + " + a" * 49, TYPES).factors == ("a",)
    assert math.isclose(arithmetic.SMALLEST, 1e-9)
