"""The identity of generated files: a hash over what they are called and what they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


def content_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, whatever the order of the files."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return digest.hexdigest()
