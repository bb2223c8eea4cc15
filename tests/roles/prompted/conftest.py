"""The client's own variables are set here as where it is tested itself."""

from __future__ import annotations

from tests.asking.conftest import _key

__all__ = ["_key"]
