"""The syntax tree of a checked formula as that of numpy source."""

from __future__ import annotations

import ast
from collections.abc import Callable

#: Functions of sandmle.runtime.arithmetic that the source may call by their plain name.
RUNTIME = frozenset({"divide", "sqrt", "log", "log1p", "exp"})

#: Numbers above it divide without a guard.
SMALLEST_DIVISOR = 1e-6


def number_tree(node: ast.expr, name: Callable[[str], str]) -> ast.expr:
    """numpy's tree of a checked node that is used as a number.

    Numbers become floats, so that no integer array can arise and wrap around.
    """
    if isinstance(node, ast.Constant):
        return ast.Constant(_constant(node))
    if isinstance(node, ast.Name):
        return ast.parse(name(node.id), mode="eval").body
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return ast.UnaryOp(node.op, number_tree(node.operand, name))
    if isinstance(node, ast.BinOp):
        left = number_tree(node.left, name)
        if isinstance(node.op, ast.Pow):
            return _call("sqrt", left) if _is_root(node) else ast.BinOp(left, node.op, node.right)
        right = number_tree(node.right, name)
        if isinstance(node.op, ast.Div) and not _is_safe_divisor(node.right):
            return _call("divide", left, right)
        return ast.BinOp(left, node.op, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "where":
            condition, *values = node.args
            return _call("where", _truth(condition, name), *(number_tree(v, name) for v in values))
        return _call(node.func.id, *(number_tree(argument, name) for argument in node.args))
    return _call("where", _truth(node, name), ast.Constant(1.0), ast.Constant(0.0))


def _truth(node: ast.expr, name: Callable[[str], str]) -> ast.expr:
    """numpy's tree of a checked node that is used as true or false."""
    if isinstance(node, ast.BoolOp):
        operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        return _joined([_truth(value, name) for value in node.values], operator)
    if isinstance(node, ast.UnaryOp):
        return ast.UnaryOp(ast.Invert(), _truth(node.operand, name))
    if not isinstance(node, ast.Compare):
        raise TypeError(f"not a checked condition: {ast.dump(node)}")
    operands = [_operand(side, name) for side in (node.left, *node.comparators)]
    pairs = zip(operands, node.ops, operands[1:], strict=False)
    return _joined([ast.Compare(a, [operator], [b]) for a, operator, b in pairs], ast.BitAnd())


def _operand(node: ast.expr, name: Callable[[str], str]) -> ast.expr:
    return node if is_quoted(node) else number_tree(node, name)


def _joined(parts: list[ast.expr], operator: ast.operator) -> ast.expr:
    joined = parts[0]
    for part in parts[1:]:
        joined = ast.BinOp(joined, operator, part)
    return joined


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    target: ast.expr = ast.Name(function)
    if function not in RUNTIME:
        target = ast.Attribute(ast.Name("np"), function)
    return ast.Call(target, list(arguments), [])


def is_quoted(node: ast.expr) -> bool:
    """Whether a node is a quoted text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_root(node: ast.BinOp) -> bool:
    return isinstance(node.right, ast.Constant) and node.right.value == 0.5


def _is_safe_divisor(node: ast.expr) -> bool:
    """Whether dividing by the node needs no guard: a number that is not near 0."""
    return isinstance(node, ast.Constant) and _constant(node) > SMALLEST_DIVISOR


def _constant(node: ast.Constant) -> float:
    """The value of a number that was checked to be one."""
    if not isinstance(node.value, (int, float)):
        raise TypeError(f"not a number: {node.value!r}")
    return float(node.value)
