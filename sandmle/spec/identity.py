"""What makes two specs the same."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(data: Any) -> str:
    """JSON text that equal data always gives, so that its hash is the data's identity.

    The order of keys is kept, as it shows in the compiled task; a whole float is written as an
    integer, as 2 and 2.0 mean the same.
    """
    return json.dumps(
        _plain_numbers(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def digest(data: Any) -> str:
    """The SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


def _plain_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value
