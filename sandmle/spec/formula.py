"""The formula language: a whitelist over Python's syntax tree, compiled to numpy source.

A formula is never evaluated here and never as text in a compiled script: it is parsed, checked
node by node, and written anew as numpy source. What is not listed below does not exist.
"""

from __future__ import annotations

import ast
import difflib
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sandmle.spec.formula_tree import is_quoted, number_tree

#: A quoted text or a name.
_WORD = re.compile(r"""'[^']*'|"[^"]*"|[^\W\d]\w*""")

MAX_CHARACTERS = 300
MAX_NODES = 100
MAX_CONSTANT = 1e12

#: Functions by name with the number of their arguments; those in RUNTIME are guarded.
FUNCTIONS: Mapping[str, int] = {
    "abs": 1,
    "sqrt": 1,
    "log": 1,
    "log1p": 1,
    "exp": 1,
    "sin": 1,
    "cos": 1,
    "tanh": 1,
    "sign": 1,
    "floor": 1,
    "minimum": 2,
    "maximum": 2,
    "where": 3,
}

#: What people write by habit, and how it is written here.
_MEANT = {"min": "minimum", "max": "maximum", "ln": "log", "pow": "a**2", "round": "floor"}

#: Quoted texts, and outside them every character that no formula holds.
_ODD = re.compile(
    r"""'[^'\\\n]*'|"[^"\\\n]*"|(?P<character>[^ !%&()*+,./:;<=>@\[\]^{|}~\w'"-]|[^\x00-\x7f])"""
)

_OPERATORS: tuple[type[ast.operator], ...] = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_EQUALITY = (ast.Eq, ast.NotEq)
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_POWERS = (2, 3, 0.5)


class FormulaError(Exception):
    """A formula is not in the language; `offset` counts characters to the fault."""

    def __init__(self, offset: int, message: str) -> None:
        self.offset = offset
        self.message = message
        super().__init__(message)


@dataclass(frozen=True)
class Formula:
    """A checked formula.

    `factors` are the names it uses, in order of appearance; `runtime_names` the functions of
    sandmle.runtime.arithmetic that its source calls, sorted.
    """

    text: str
    factors: tuple[str, ...]
    runtime_names: tuple[str, ...]
    _tree: ast.expr

    def source(self, name: Callable[[str], str]) -> str:
        """numpy source of the formula as one expression; `name` gives the source of a factor.

        The expression needs `np` and the functions in `runtime_names`. Its value is a float
        array of shape (samples,), finite unless the factors' magnitudes overflow it.
        """
        return ast.unparse(number_tree(self._tree, name))


def factor_names(text: str) -> tuple[tuple[str, int], ...]:
    """The names in a formula that can only be factors, each with its first offset.

    Empty where the text cannot be parsed; parse_formula says why.
    """
    try:
        tree = _parse(text)
    except FormulaError:
        return ()
    found: dict[str, int] = {}
    for node in _names(tree):
        if node.id not in FUNCTIONS:
            found.setdefault(node.id, _offset(text, node))
    return tuple(found.items())


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A formula with other names in place of some, wherever they stand but in quoted texts."""
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text)


def parse_formula(text: str, types: Mapping[str, str]) -> Formula:
    """Checks a formula over factors, given the type of each (`number`, `category`, ...).

    Raises FormulaError at the first fault, with a suggestion where there is one.
    """
    tree = _parse(text)
    _Checker(text, types).number(tree)
    factors = tuple(dict.fromkeys(node.id for node in _names(tree)))
    if not factors:
        raise FormulaError(0, "uses no factor")
    return Formula(text, factors, tuple(sorted(set(_runtime_names(tree)))), tree)


def _parse(text: str) -> ast.expr:
    """The syntax tree of a text within the limits on size."""
    if len(text) > MAX_CHARACTERS:
        raise FormulaError(
            MAX_CHARACTERS, f"has {len(text)} characters; at most {MAX_CHARACTERS} are allowed"
        )
    for odd in _ODD.finditer(text):
        if odd["character"]:
            raise FormulaError(odd.start(), f"{odd[0]!r} is not allowed in a formula")
    stripped = text.lstrip()
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(stripped, mode="eval").body
    except SyntaxError as error:
        offset = (error.offset or 1) - 1 + len(text) - len(stripped)
        raise FormulaError(
            max(0, min(offset, len(text) - 1)), f"is not a formula: {error.msg}"
        ) from None
    except (ValueError, MemoryError, RecursionError):
        raise FormulaError(0, "is not a formula") from None
    count = sum(isinstance(node, ast.expr) for node in ast.walk(tree))
    if count > MAX_NODES:
        raise FormulaError(0, f"has {count} parts; at most {MAX_NODES} are allowed")
    return tree


def _offset(text: str, node: ast.expr) -> int:
    """The character at which the node starts in the text as the author wrote it."""
    stripped = text.lstrip()
    before = stripped.encode()[: node.col_offset].decode(errors="ignore")
    return len(text) - len(stripped) + len(before)


def _names(tree: ast.expr) -> Iterator[ast.Name]:
    """The names in the tree that are not the names of called functions, in reading order."""
    if isinstance(tree, ast.Name):
        yield tree
    for child in ast.iter_child_nodes(tree):
        if isinstance(tree, ast.Call) and child is tree.func:
            continue
        if isinstance(child, ast.expr):
            yield from _names(child)


def _runtime_names(tree: ast.expr) -> Iterator[str]:
    """The guarded functions that the numpy source of a tree calls."""
    for node in ast.walk(number_tree(tree, str)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


class _Checker:
    """Checks that a tree stays within the language and that types fit."""

    def __init__(self, text: str, types: Mapping[str, str]) -> None:
        self.text = text
        self.types = types

    def fault(self, node: ast.expr, message: str) -> FormulaError:
        return FormulaError(_offset(self.text, node), message)

    def number(self, node: ast.expr) -> None:
        """Checks a node whose value is used as a number; truth counts as 1 and 0."""
        if isinstance(node, ast.Constant):
            self.constant(node)
        elif isinstance(node, ast.Name):
            if self.factor(node) != "number":
                raise self.fault(
                    node,
                    f"factor {node.id!r} is a {self.types[node.id]}, not a number"
                    + ("; compare it with a text, as in " if self.is_category(node) else "")
                    + (f"{node.id} == 'a'" if self.is_category(node) else ""),
                )
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            self.number(node.operand)
        elif isinstance(node, ast.BinOp):
            self.arithmetic(node)
        elif isinstance(node, ast.Call):
            self.call(node)
        else:
            self.truth(node)

    def constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            raise self.fault(node, "a text can only be compared with a category factor")
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            raise self.fault(node, f"{node.value!r} is not a number")
        if not math.isfinite(node.value) or abs(node.value) > MAX_CONSTANT:
            raise self.fault(node, f"numbers go up to {MAX_CONSTANT:g}")

    def factor(self, node: ast.Name) -> str:
        """The type of the factor that a name stands for."""
        if node.id in self.types:
            return self.types[node.id]
        if node.id in FUNCTIONS:
            raise self.fault(node, f"{node.id!r} is a function; write {node.id}(...)")
        raise self.fault(node, f"unknown factor {node.id!r}{_suggestion(node.id, self.types)}")

    def arithmetic(self, node: ast.BinOp) -> None:
        if not isinstance(node.op, _OPERATORS):
            raise self.fault(node, f"{_symbol(node.op)} is not an operator here; use + - * / **")
        self.number(node.left)
        if isinstance(node.op, ast.Pow):
            if not any(_names(node.left)):
                raise self.fault(node, "a power needs a factor; write the number itself")
            power = node.right.value if isinstance(node.right, ast.Constant) else None
            if isinstance(power, bool) or power not in _POWERS:
                raise self.fault(node.right, "only the powers 2, 3 and .5 are allowed")
        else:
            self.number(node.right)

    def call(self, node: ast.Call) -> None:
        if not isinstance(node.func, ast.Name):
            raise self.fault(node, "only the functions of the formula language can be called")
        name = node.func.id
        if name not in FUNCTIONS:
            meant = f"; write {_MEANT[name]}" if name in _MEANT else _suggestion(name, FUNCTIONS)
            known = "" if meant else f"; known are {', '.join(FUNCTIONS)}"
            raise self.fault(node, f"unknown function {name!r}{meant}{known}")
        wanted = FUNCTIONS[name]
        if node.keywords or len(node.args) != wanted:
            given = len(node.args) + len(node.keywords)
            raise self.fault(
                node, f"{name}() takes {wanted} argument{'s' * (wanted > 1)}, not {given}"
            )
        arguments = node.args
        if name == "where":
            self.truth(arguments[0])
            arguments = arguments[1:]
        for argument in arguments:
            self.number(argument)

    def truth(self, node: ast.expr) -> None:
        """Checks a node whose value is used as true or false."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.truth(value)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.truth(node.operand)
        elif isinstance(node, ast.Compare):
            self.comparison(node)
        elif isinstance(node, ast.IfExp):
            raise self.fault(node, "write where(condition, a, b) in place of 'a if condition'")
        elif isinstance(node, (ast.Name, ast.Constant, ast.BinOp, ast.Call, ast.UnaryOp)):
            raise self.fault(node, "expected a comparison, such as a > 0")
        else:
            raise self.fault(node, f"{type(node).__name__.lower()} is not allowed in a formula")

    def comparison(self, node: ast.Compare) -> None:
        if not any(_names(node)):
            raise self.fault(node, "compares nothing but numbers; write what it comes to")
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if not isinstance(operator, (*_ORDER, *_EQUALITY)):
                raise self.fault(node, "compare with < <= > >= == or !=")
            category = next((side for side in (left, right) if self.is_category(side)), None)
            if category is None:
                self.number(left)
                self.number(right)
                continue
            other = right if category is left else left
            if not isinstance(operator, _EQUALITY):
                raise self.fault(category, "a category can only be compared with == or !=")
            if not (is_quoted(other) or self.is_category(other)):
                raise self.fault(other, "a category can only be compared with a text")

    def is_category(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.types.get(node.id) == "category"


def _symbol(operator: ast.operator) -> str:
    written = ast.unparse(ast.BinOp(ast.Constant(1), operator, ast.Constant(1)))
    return repr(written.strip("1 "))


def _suggestion(name: str, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
