"""Python expressions laid out as `ruff format` would, so that compiled scripts need no formatter.

Expressions are `ast` trees. What fits on the line stays on it; otherwise the outermost brackets
are exploded: a call's arguments onto one indented line where they fit, else one a line.
"""

from __future__ import annotations

import ast
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

#: Longest line of a compiled script.
WIDTH = 100

_BINARY: Mapping[type[ast.operator], tuple[str, int]] = {
    ast.BitOr: ("|", 1),
    ast.BitXor: ("^", 2),
    ast.BitAnd: ("&", 3),
    ast.Add: ("+", 5),
    ast.Sub: ("-", 5),
    ast.Mult: ("*", 6),
    ast.Div: ("/", 6),
    ast.FloorDiv: ("//", 6),
    ast.Mod: ("%", 6),
    ast.Pow: ("**", 8),
}
_COMPARE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_COMPARISON, _SIGN, _ATOM = 0, 7, 9


def parse(source: str) -> ast.expr:
    """The tree of one expression."""
    return ast.parse(source, mode="eval").body


def literal(value: Any) -> ast.expr:
    """The tree of plain data: None, booleans, numbers, text, sequences (as lists), mappings."""
    if isinstance(value, Mapping):
        return ast.Dict([literal(key) for key in value], [literal(item) for item in value.values()])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ast.List([literal(item) for item in value])
    if type(value) in (int, float) and math.copysign(1, value) < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def call(function: str, *arguments: ast.expr, **keywords: ast.expr) -> ast.expr:
    """The tree of `function(*arguments, **keywords)`."""
    named = [ast.keyword(name, value) for name, value in keywords.items()]
    return ast.Call(ast.Name(function), list(arguments), named)


def item(mapping: str, key: str) -> ast.expr:
    """The tree of `mapping["key"]`."""
    return ast.Subscript(ast.Name(mapping), ast.Constant(key))


def statement(prefix: str, node: ast.expr, *, indent: int = 0) -> str:
    """`prefix` (such as "return " or "x = ") and the expression, from column `indent` on.

    The first line is not indented itself: the template has done that.
    """
    return prefix + layout(node, indent, indent + _width(prefix), 0)


def layout(node: ast.expr, indent: int, start: int, after: int) -> str:
    """The expression as text, its first line from column `start` on.

    Its further lines are indented by `indent` or more; `after` characters follow the last.
    """
    text = flat(node)
    if start + _width(text) + after <= WIDTH:
        return text
    if isinstance(node, ast.Call):
        return _exploded_call(node, indent)
    if isinstance(node, ast.List) and node.elts:
        return _exploded("[", [("", element) for element in node.elts], "]", indent)
    if isinstance(node, ast.Dict) and node.keys:
        pairs = zip(node.keys, node.values, strict=True)
        entries = [(f"{flat(key)}: ", value) for key, value in pairs if key is not None]
        return _exploded("{", entries, "}", indent)
    if isinstance(node, (ast.BinOp, ast.Compare)):
        return _split_operators(node, indent, start, after)
    if isinstance(node, ast.UnaryOp):
        sign = _UNARY[type(node.op)]
        return sign + _operand(node.operand, _SIGN, indent, start + 1, after)
    return text


def _exploded_call(node: ast.Call, indent: int) -> str:
    entries = [("", argument) for argument in node.args]
    entries += [(f"{keyword.arg}=", keyword.value) for keyword in node.keywords]
    function = flat(node.func)
    if not entries:
        return f"{function}()"
    inner = indent + 4
    together = ", ".join(prefix + flat(value) for prefix, value in entries)
    if inner + _width(together) <= WIDTH:
        return f"{function}(\n{' ' * inner}{together}\n{' ' * indent})"
    return function + _exploded("(", entries, ")", indent)


def _exploded(opening: str, entries: list[tuple[str, ast.expr]], closing: str, indent: int) -> str:
    """Brackets with one entry a line; each entry is a prefix and an expression."""
    inner = indent + 4
    lines = [
        f"{' ' * inner}{prefix}{layout(value, inner, inner + _width(prefix), 1)},\n"
        for prefix, value in entries
    ]
    return f"{opening}\n{''.join(lines)}{' ' * indent}{closing}"


def _split_operators(node: ast.BinOp | ast.Compare, indent: int, start: int, after: int) -> str:
    """An operator chain of one precedence, each operand on its own line."""
    first, *others = _chain(node)
    lines = [_operand(first.node, first.level, indent, start, 0)]
    for link in others:
        last = after if link is others[-1] else 0
        column = indent + len(link.operator) + 1
        lines.append(f"{link.operator} {_operand(link.node, link.level, indent, column, last)}")
    return f"\n{' ' * indent}".join(lines)


class _Link(NamedTuple):
    """An operand of a chain, the operator before it, and the precedence that it stands at."""

    operator: str
    node: ast.expr
    level: int


def _chain(node: ast.BinOp | ast.Compare) -> list[_Link]:
    """The links of a chain such as `a + b - c`."""
    if isinstance(node, ast.Compare):
        operators = ["", *(_COMPARE[type(operator)] for operator in node.ops)]
        operands = [node.left, *node.comparators]
        return [_Link(*pair, _COMPARISON) for pair in zip(operators, operands, strict=True)]
    operator, level = _BINARY[type(node.op)]
    if isinstance(node.op, ast.Pow):
        return [_Link("", node.left, _ATOM), _Link(operator, node.right, _SIGN)]
    left = node.left
    if isinstance(left, ast.BinOp) and _precedence(left) == level:
        before = _chain(left)
    else:
        before = [_Link("", left, level)]
    return [*before, _Link(operator, node.right, level + 1)]


def _operand(node: ast.expr, level: int, indent: int, start: int, after: int) -> str:
    """An operand of an operator of precedence `level`, in parentheses where it binds less."""
    if not _needs_parentheses(node, level):
        return layout(node, indent, start, after)
    text = f"({flat(node)})"
    if start + _width(text) + after <= WIDTH:
        return text
    inner = indent + 4
    return f"(\n{' ' * inner}{layout(node, inner, inner, 0)}\n{' ' * indent})"


def flat(node: ast.expr) -> str:
    """The expression on one line. Raises TypeError for what compiled scripts never hold."""
    match node:
        case ast.Constant(value=str() as text):
            return _quoted(text)
        case ast.Constant(value=float() as number):
            return repr(number).replace("e+", "e")
        case ast.Constant(value=value):
            return repr(value)
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{flat(value)}.{name}"
        case ast.Subscript(value=value, slice=key):
            return f"{flat(value)}[{flat(key)}]"
        case ast.List(elts=elements):
            return f"[{', '.join(map(flat, elements))}]"
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return f"{{{', '.join(f'{flat(key)}: {flat(item)}' for key, item in pairs if key)}}}"
        case ast.Call(func=function, args=arguments, keywords=keywords):
            parts = [flat(argument) for argument in arguments]
            parts += [f"{keyword.arg}={flat(keyword.value)}" for keyword in keywords]
            return f"{flat(function)}({', '.join(parts)})"
        case ast.UnaryOp(op=operator, operand=operand):
            return _UNARY[type(operator)] + _flat_operand(operand, _SIGN)
        case ast.BinOp(left=base, op=ast.Pow(), right=power):
            hugs = _is_simple(base) and _is_simple(power) and not isinstance(base, ast.UnaryOp)
            space = "" if hugs else " "
            return f"{_flat_operand(base, _ATOM)}{space}**{space}{_flat_operand(power, _SIGN)}"
        case ast.BinOp() | ast.Compare():
            return _flat_chain(node)
    raise TypeError(f"can't lay out {ast.dump(node)}")


def _flat_chain(node: ast.BinOp | ast.Compare) -> str:
    first, *others = _chain(node)
    rest = (f" {link.operator} {_flat_operand(link.node, link.level)}" for link in others)
    return _flat_operand(first.node, first.level) + "".join(rest)


def _flat_operand(node: ast.expr, level: int) -> str:
    return f"({flat(node)})" if _needs_parentheses(node, level) else flat(node)


def _needs_parentheses(node: ast.expr, level: int) -> bool:
    if isinstance(node, ast.Compare):
        return True
    if level == _SIGN and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return True
    return _precedence(node) < level


def _precedence(node: ast.expr) -> int:
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)][1]
    if isinstance(node, ast.UnaryOp):
        return _SIGN
    return _COMPARISON if isinstance(node, ast.Compare) else _ATOM


def _is_simple(node: ast.expr) -> bool:
    """Whether the formatter writes the node against `**` without spaces."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
        return isinstance(node, ast.Name) or _is_number(node)
    if isinstance(node, ast.Attribute):
        return _is_simple(node.value)
    return isinstance(node, ast.Name) or _is_number(node)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _width(text: str) -> int:
    """How many columns the text takes: wide characters (Chinese, Japanese, Korean) take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _quoted(text: str) -> str:
    """A string literal in double quotes, or in single ones where that saves escapes."""
    body = "".join(
        "\\\\" if character == "\\" else character if character in "'\"" else repr(character)[1:-1]
        for character in text
    )
    quote = "'" if body.count('"') > body.count("'") else '"'
    return quote + body.replace(quote, f"\\{quote}") + quote


def inside_docstring(text: str) -> str:
    """Text as it may stand inside three double quotes, which it can't end."""
    return re.sub(r'"(?="|$)', r'\\"', text.replace("\\", "\\\\"))
