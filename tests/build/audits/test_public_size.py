"""Public files that are too large together are a fault, whatever they are."""

from __future__ import annotations

import pytest

from sandmle.build.audits.public_size import MOST_BYTES
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import caught, passes, with_files


@pytest.mark.parametrize(
    ("count", "size"), [(1, MOST_BYTES), (1000, MOST_BYTES // 1000), (3, MOST_BYTES // 3)]
)
def test_too_large(count: int, size: int, prepared: Prepared) -> None:
    files = {f"scans/{number}.bin": bytes(size) for number in range(count)}
    assert "at most 2" in caught("public_size", with_files(prepared, files))


def test_as_large_as_may_be(prepared: Prepared) -> None:
    held = sum(map(len, prepared.dataset.public.values()))
    passes("public_size", with_files(prepared, {"scans/all.bin": bytes(MOST_BYTES - held)}))
