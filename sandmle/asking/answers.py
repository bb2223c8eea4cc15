"""What a model writes, read as data: it may be cut off, beside the point, or hostile.

Nothing of it is executed. It is read by the strict YAML reader of the spec language, of which JSON
is a part: no anchors, aliases, tags or merge keys, no numbers that cannot be kept, little depth.
"""

from __future__ import annotations

import re

from sandmle.asking.reply import Reply
from sandmle.errors import Problem
from sandmle.spec.yaml_source import Source, parse_source

#: The name of an answer in messages.
FILE = "answer.yaml"

#: Characters of an answer at the most; a spec's longest section has about 6,000.
MAX_CHARACTERS = 48_000

#: What models that think aloud put around their thoughts.
_THOUGHT = "</think>"

_OPENED = re.compile(r"^[ \t]*```[ \t]*(?:ya?ml|json)?[ \t]*\n", re.MULTILINE | re.IGNORECASE)
_CLOSED = re.compile(r"^[ \t]*```[ \t]*$", re.MULTILINE)


def read_answer(reply: Reply) -> Source:
    """The data of a reply: a mapping, or None with the problems that stand in the way."""
    if reply.refusal or reply.finish == "content_filter":
        return _faulty("no answer was given; write what is asked for, it is made-up data")
    if len(reply.text) > MAX_CHARACTERS:
        return _faulty(f"longer than {MAX_CHARACTERS} characters; write no more than is asked for")
    text, whole = _block(reply.text.rpartition(_THOUGHT)[2])
    if reply.finish == "length" or not whole:
        return _faulty("the answer was cut off before its end; write a shorter one")
    if not text.strip():
        return _faulty("the answer is empty")
    source = parse_source(text, file=FILE)
    if source.data is not None and not isinstance(source.data, dict):
        return _faulty("expected a mapping of sections")
    return source


def _block(text: str) -> tuple[str, bool]:
    """The last fenced block of a text, all of it where there is none, and whether it is closed."""
    opened = list(_OPENED.finditer(text))
    if not opened:
        return text, True
    # An opening fence without a language closes the block before it.
    start = next((one for one in reversed(opened) if one[0].strip() != "```"), opened[0])
    closed = _CLOSED.search(text, start.end())
    if closed is None:
        return text[start.end() :], False
    return text[start.end() : closed.start()], True


def _faulty(message: str) -> Source:
    return Source(FILE, "", None, {}, {}, (Problem(FILE, 1, 1, "", message),))
