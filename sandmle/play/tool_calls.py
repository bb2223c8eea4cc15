"""Tool calls from what models write for them: data of many shapes, JSON with slips, or code.

Whatever cannot be read becomes a call with a `fault`, which runs nothing and tells what to mend.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sandmle.play.conversation import ToolCall, encodable
from sandmle.play.lenient_json import read_json, unescape

#: Calls of a turn that run.
MAX_CALLS = 16

#: The tool that runs code, and its one argument.
PYTHON, CODE = "python", "code"

#: Keys under which models put a tool's name and its arguments, beside those of the protocol.
_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "kwargs", "input", "tool_input", "action_input")

#: Characters of a name that are kept: what is no tool's name is told back to the model.
_NAME_LENGTH = 60

_FENCE_OPENS = re.compile(r"```[ \t]*(?:[\w+-]+[ \t]*)?\n")

#: A call as JSON whose code has quotes in it that should have been escaped.
_CODE_BEGINS = re.compile(rf'\A\{{.*?"{CODE}"\s*:\s*"', re.DOTALL)

#: A call as Qwen3-Coder writes it: <function=NAME><parameter=NAME>VALUE</parameter></function>.
_FUNCTION = re.compile(r"\A<function=([^<>\s]{1,60})>")
_PARAMETER = re.compile(
    r"<parameter=([^<>\s]{1,60})>(.*?)(?:</parameter>|</function>|\Z)", re.DOTALL
)

#: A call as Python writes it: score().
_WITHOUT_ARGUMENTS = re.compile(r"\A(\w{1,60})(?: ?\( ?\))?\Z")


def native_calls(calls: Sequence[Any]) -> list[ToolCall]:
    """Tool calls as chat APIs carry them: `{"id", "function": {"name", "arguments"}}`, or flat.

    The arguments are JSON text, or already an object. A second call of the same id gets another.
    """
    read: dict[str, ToolCall] = {}
    for number, data in enumerate(calls, 1):
        one = encodable(identity(number, data))
        while one in read:
            one = f"{one}_{number}"
        read[one] = _call(data, identity=one, in_text=False)
    return list(read.values())


def identity(number: int, data: object = None) -> str:
    """The id that a call has, else one by its place in the turn, from 1."""
    given = data.get("id") if isinstance(data, Mapping) else None
    return given if isinstance(given, str) and given else f"call_{number}"


def calls_of_data(data: object) -> list[ToolCall]:
    """The calls of a value in the text: one call, or a list of them."""
    values = data[: MAX_CALLS + 1] if isinstance(data, list) else [data]
    return [_call(value) for value in values]


def call_of_block(block: str) -> ToolCall:
    """The call of a block that is no JSON as it stands."""
    block = block.strip()
    if found := _FUNCTION.match(block):
        parameters = _PARAMETER.finditer(block, found.end())
        return _call(
            {"name": found[1], "arguments": {one[1]: _trimmed(one[2]) for one in parameters}}
        )
    if block.startswith("```") and not _fenced(block).startswith("{"):
        return code_call(block)
    if found := _WITHOUT_ARGUMENTS.match(block):
        return _call({"name": found[1]})
    if found := _CODE_BEGINS.match(_fenced(block)):
        code = _fenced(block)[found.end() :].rstrip(" \n\t\r}]")
        if code.endswith('"'):
            return code_call(unescape(code[:-1]))
    try:
        read_json(_fenced(block))
    except (ValueError, RecursionError) as error:
        return faulty(f"the tool call is not valid JSON: {error}")
    return faulty("the tool call is not valid JSON: expected one object")


def code_call(code: str) -> ToolCall:
    """The call that runs code, without the Markdown fence that may stand around it."""
    return ToolCall("", PYTHON, {CODE: _trimmed(_fenced(code))}, in_text=True)


def faulty(fault: str) -> ToolCall:
    """A call in the text that could not be read."""
    return ToolCall("", "", {}, fault, in_text=True)


def _fenced(text: str) -> str:
    """What stands within the Markdown fence around a text, all of it where there is none."""
    stripped = text.strip()
    opening = _FENCE_OPENS.match(stripped)
    return stripped[opening.end() :].removesuffix("```") if opening else text


def _trimmed(text: str) -> str:
    """Without blank lines at both ends; indentation stays."""
    start = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, start) + 1 :].rstrip()


def _call(data: object, *, identity: str = "", in_text: bool = True) -> ToolCall:
    """The call of one value."""
    name, arguments = _name_and_arguments(data)
    if not name:
        return ToolCall(identity, "", {}, "the tool call has no name", in_text)
    try:
        read = _read_arguments(name, arguments)
        if name == PYTHON and isinstance(read.get(CODE), str):
            read[CODE] = _trimmed(_fenced(read[CODE]))
        return ToolCall(identity, name, read, in_text=in_text)
    except (ValueError, RecursionError) as error:
        fault = f"the arguments are not valid JSON: {error}"
        return ToolCall(identity, name, {}, fault, in_text)


def _name_and_arguments(data: object) -> tuple[str, Any]:
    """The tool's name, empty where there is none, and its arguments as they stand."""
    if not isinstance(data, Mapping):
        return "", {}
    if isinstance(data.get("function"), Mapping):
        return _name_and_arguments({**data["function"], "function": None})
    rest = {key: value for key, value in data.items() if key not in ("id", "type")}
    named = next((key for key in _NAMES if isinstance(data.get(key), str)), None)
    if named is not None:
        name = rest.pop(named).strip().removeprefix("functions.")[:_NAME_LENGTH]
        given = next((key for key in _ARGUMENTS if key in rest), None)
        return name, rest if given is None else rest[given]
    if isinstance(data.get(CODE), str):
        return PYTHON, {CODE: data[CODE]}
    if len(rest) == 1 and isinstance(arguments := next(iter(rest.values())), Mapping):
        return str(next(iter(rest)))[:_NAME_LENGTH], arguments
    return "", {}


def _read_arguments(name: str, arguments: object) -> dict[str, Any]:
    """The arguments as an object. Raises ValueError saying what was expected."""
    if isinstance(arguments, str):
        text = arguments.strip()
        if name == PYTHON and not text.startswith(("{", "[", '"')):
            return {CODE: arguments}
        arguments = _read_whole(text) if text else {}
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise ValueError("expected an object")
    return dict(arguments)


def _read_whole(text: str) -> Any:
    value, end = read_json(text)
    if text[end:].strip(" \n\t\r}]`"):
        raise ValueError(f"expected no more at character {end + 1}")
    return value
