"""A person at the terminal.

`human` plays as you; `human:NAME` lists results under a name. One episode at a time is played.
"""

from __future__ import annotations

import asyncio
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.scripted import digest_of
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.play.terminal import Lines, edit, editor, harmless

#: The line that ends a script that is typed in.
END = "."

_HELP = f"""\
code           run a script that you type in; a line with {END!r} alone ends it
edit           run a script that you write in your editor ($EDITOR); it opens with your last one
run FILE       run a script from a file
score          look at your submission
think TEXT     say what you think with your next turn; turns without a thought earn no format share
answer [TEXT]  end the episode (or Ctrl-D); what lies in submission.csv then counts
help           show this
Ctrl-C stops everything; this episode is then lost."""


def create(argument: str, *, settings: Settings) -> Human:
    """The policy; the argument is a name to list results under."""
    return Human(f"human:{argument}" if argument else "human", settings)


@dataclass(frozen=True)
class Human:
    """Shows a person what a model would be told, and makes turns of the commands typed in."""

    name: str
    settings: Settings
    digest: str = digest_of("human")
    _lines: Lines = field(default_factory=Lines, repr=False, compare=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False, compare=False)

    def sampling(self, task: Task, attempt: int) -> None:
        """There is no model to ask."""

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The person's next turn. Episodes that go on at once wait for each other's turn."""
        async with self._turn:
            played = [place for place, said in enumerate(messages) if said.role == "assistant"]
            for said in messages[played[-1] + 1 if played else 0 :]:
                _say(f"{_rule(said.role)}\n{_wrapped(said)}\n")
            if not played:
                _say(f"{_rule(task.id)}\nThe files of data/ lie in {task.public}\n\n{_HELP}")
            _say(_rule(f"turn {len(played) + 1} of {self.settings.turns}"))
            return await self._next_turn(_last_code(messages))

    async def _next_turn(self, last_code: str) -> Turn:
        """Reads commands until one is a turn."""
        thought = ""
        while True:
            line = await self._lines.read("> ")
            if line is None:
                _say("")
                return _answer("", thought)
            command, _, rest = line.strip().partition(" ")
            if command == "think":
                thought = f"<think>{rest.strip()}</think>" if rest.strip() else ""
            elif command == "answer":
                return _answer(rest.strip(), thought)
            elif command == "score":
                return Turn(thought, (ToolCall("call_1", "score", {}),))
            elif command in ("code", "edit", "run"):
                code = await self._code(command, rest.strip(), last_code)
                if code.strip():
                    _say("It runs; what it prints is shown when it is done.")
                    return Turn(thought, (ToolCall("call_1", "python", {"code": code}),))
                _say("No code, nothing run.")
            elif command:
                _say(_HELP if command == "help" else f"There is no command {command!r}.\n{_HELP}")

    async def _code(self, command: str, file: str, last_code: str) -> str:
        """The script that a command gives; empty, with a word on it, where there is none."""
        if command == "code":
            return await self._lines.read_until(END, "... ")
        try:
            if command == "run":
                return Path(file).expanduser().read_text(encoding="utf-8")
            if (known := editor()) is not None:
                return await edit(known, last_code)
        except (OSError, ValueError) as error:
            _say(str(error))
        else:
            _say("There is no editor: set EDITOR, as in EDITOR=nano, or type the script: code")
        return ""


def _answer(text: str, thought: str) -> Turn:
    return Turn(f"{thought}<answer>{text}</answer>", answer=text)


def _last_code(messages: Sequence[Message]) -> str:
    """The script that ran last."""
    codes = [
        str(call.arguments["code"])
        for said in messages
        for call in said.tool_calls
        if "code" in call.arguments
    ]
    return codes[-1] if codes else ""


def _wrapped(said: Message) -> str:
    """A message whose prose fits the terminal's lines; what code printed is left as it is."""
    if said.role == "tool":
        return said.content
    columns = shutil.get_terminal_size().columns
    return "\n".join(
        line if len(line) <= columns else textwrap.fill(line, columns)
        for line in said.content.splitlines()
    )


def _rule(title: str) -> str:
    return f"--- {title} ".ljust(79, "-")


def _say(text: str) -> None:
    print(harmless(text), flush=True)
