"""Expressions are laid out as ruff would, and still mean the same."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.compiler.layout import call, item, layout, literal, parse, statement
from tests.compiler.formatter import formatted

NAMES = st.sampled_from(
    ["a", "crack_length", "moisture", "x" * 45, "a_rather_long_name_of_a_factor"]
)
NUMBERS = st.one_of(
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1e16, 1e-5, -0.5, 1e300]),
)
TEXT = st.text("aZ 0_.,{}äß路面'\"\\\n\t\x00", max_size=30)
DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=20,
)


@st.composite
def formulas(draw: st.DrawFn, depth: int = 4) -> ast.expr:
    """A number: what the formula language compiles to."""
    kind = draw(st.integers(0, 6 if depth else 1))
    if kind == 0:
        return ast.Constant(abs(draw(st.floats(0, 100))))
    if kind == 1:
        return item("factors", draw(NAMES))
    inner = draw(formulas(depth - 1))
    if kind == 2:
        return ast.BinOp(inner, ast.Pow(), ast.Constant(2))
    if kind == 3:
        return ast.UnaryOp(ast.USub(), inner)
    if kind == 4:
        return call("divide", inner, draw(formulas(depth - 1)))
    if kind == 5:
        condition, other = draw(conditions(depth - 1)), draw(formulas(depth - 1))
        return ast.Call(parse("np.where"), [condition, inner, other], [])
    operator = draw(st.sampled_from([ast.Add(), ast.Sub(), ast.Mult(), ast.Div()]))
    return ast.BinOp(inner, operator, draw(formulas(depth - 1)))


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> ast.expr:
    """A truth value, of comparisons."""
    kind = draw(st.integers(0, 2 if depth else 0))
    if kind == 1:
        operator = draw(st.sampled_from([ast.BitAnd(), ast.BitOr()]))
        return ast.BinOp(draw(conditions(depth - 1)), operator, draw(conditions(depth - 1)))
    if kind == 2:
        return ast.UnaryOp(ast.Invert(), draw(conditions(depth - 1)))
    comparison = draw(st.sampled_from([ast.Lt(), ast.GtE(), ast.Eq()]))
    left, right = draw(formulas(max(0, depth - 1))), draw(formulas(max(0, depth - 1)))
    return ast.Compare(left, [comparison], [right])


@st.composite
def calls(draw: st.DrawFn) -> ast.expr:
    """A word's call, as the compiler writes it."""
    stream = draw(st.sampled_from(["hidden.target", "observe.0." + "deeply." * 8]))
    return call(
        "word",
        call("stream", literal(stream)),
        score=draw(formulas()),
        parameters=literal(draw(DATA)),
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(calls(), min_size=5, max_size=10))
def test_calls_are_laid_out_as_ruff_would(nodes: list[ast.expr]) -> None:
    body = "\n".join(f"    {statement('value = ', node, indent=4)}" for node in nodes)
    source = f"def function():\n{body}\n"

    assert source == formatted(source)


@settings(max_examples=200, deadline=None)
@given(DATA)
def test_a_literal_reads_back_as_the_same_data(data: object) -> None:
    assert ast.literal_eval(layout(literal(data), 0, 0, 0)) == data


@settings(max_examples=200, deadline=None)
@given(formulas())
def test_a_formula_means_the_same_after_layout(formula: ast.expr) -> None:
    text = f"({layout(formula, 0, 0, 0)})"

    assert ast.dump(parse(text)) == ast.dump(parse(ast.unparse(formula)))


def test_numbers_keep_every_bit() -> None:
    assert ast.literal_eval(layout(literal(0.1 + 0.2), 0, 0, 0)) == 0.1 + 0.2
    assert math.copysign(1, ast.literal_eval(layout(literal(-0.0), 0, 0, 0))) == -1


def test_what_fits_stays_on_one_line() -> None:
    node = call("normal", ast.Name("rng"), mean=literal(6.0), names=literal(["a", "b"]))

    assert statement("x = ", node) == 'x = normal(rng, mean=6.0, names=["a", "b"])'


def test_unknown_syntax_is_refused() -> None:
    with pytest.raises(TypeError, match="Lambda"):
        layout(parse("lambda: 1"), 0, 0, 0)
