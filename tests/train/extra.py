"""What tests need that speak to torch, transformers or TRL."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

#: Skips, loudly, where the extra `train` is not installed.
needs_train = pytest.mark.skipif(
    find_spec("trl") is None,
    reason="needs the extra 'train': pip install torch==2.13.0, then -e '.[train]'",
)
