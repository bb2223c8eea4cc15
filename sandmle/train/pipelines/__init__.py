"""The pipelines that the embedded policy chooses from: one file, one turn.

The docstring is what it thinks, the code is what it runs. They are what a language model writes on
its first day: some are good for one kind of data, some for none, some crash. `turn_texts` makes
turns of them, as text, that the parser of model replies reads.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path

from sandmle.compiler.inline import bundle

#: The turns that run no code, by name.
_OTHERS: Mapping[str, str] = {
    "answer": "<think>I have done what I can.</think>\n<answer>It is submitted.</answer>",
    "score": "<think>How good is it?</think>\n"
    '<tool_call>\n{"name": "score", "arguments": {}}\n</tool_call>',
    "babble": "I am sure that it will turn out well.",
}


def pipeline_names() -> tuple[str, ...]:
    """The names of all pipelines, sorted."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


def turn_texts() -> dict[str, str]:
    """Every turn that the embedded policy can say, by name.

    A pipeline's turn reasons inside the tags, then calls the tool `python` with a script that runs
    alone.
    """
    return {name: _turn(name) for name in pipeline_names()} | dict(_OTHERS)


def _turn(name: str) -> str:
    path = Path(__file__).parent / f"{name}.py"
    thought = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    call = json.dumps({"name": "python", "arguments": {"code": bundle(path)}})
    return f"<think>{thought}</think>\n<tool_call>\n{call}\n</tool_call>"
