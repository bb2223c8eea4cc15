"""What an unquoted YAML scalar means, by the core schema of YAML 1.2.

https://yaml.org/spec/1.2.2/#103-core-schema; infinite numbers and nan are refused.
"""

from __future__ import annotations

import math
import re
from typing import Any

_NULL = re.compile(r"(?:null|Null|NULL|~|)\Z")
_BOOLEAN = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")

#: Characters that YAML forbids, and the line breaks of YAML 1.1 that no editor counts as lines.
FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


def plain_value(text: str) -> Any:
    """What an unquoted scalar means: None, a bool, an int, a float or the text itself.

    Raises ValueError with a message for a number that cannot be kept: infinite, not a number, or
    an integer beyond 64 bits.
    """
    if _NULL.match(text):
        return None
    if _BOOLEAN.match(text):
        return text.lower() == "true"
    if _INTEGER.match(text) or _OCTAL.match(text) or _HEXADECIMAL.match(text):
        if len(text) > 24:
            raise ValueError(f"the integer {text[:12]}... does not fit into 64 bits")
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        value = int(text[2:] if base != 10 else text, base)
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"the integer {text} does not fit into 64 bits")
        return value
    if _NOT_FINITE.match(text) or (_FLOAT.match(text) and not math.isfinite(float(text))):
        raise ValueError(f"{text[:24]} is not a finite number")
    if _FLOAT.match(text):
        return float(text)
    return text


def is_text(text: str) -> bool:
    """Whether an unquoted scalar means just its own text."""
    try:
        return isinstance(plain_value(text), str)
    except ValueError:
        return False
