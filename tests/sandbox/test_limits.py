from __future__ import annotations

from sandmle.sandbox.limits import MEBIBYTE, Limits, limits_for


def test_what_is_not_named_grows_along_and_never_shrinks() -> None:
    usual = Limits()
    same = limits_for(wall_seconds=usual.wall_seconds, memory_bytes=usual.memory_bytes)
    assert same == usual
    large = limits_for(
        wall_seconds=3600.5, memory_bytes=2**34, workspace_bytes=usual.workspace_bytes * 16
    )
    assert (large.wall_seconds, large.cpu_seconds, large.memory_bytes) == (3600.5, 7201, 2**34)
    assert large.file_bytes == usual.file_bytes * 16
    assert large.submission_bytes == usual.submission_bytes * 16
    small = limits_for(wall_seconds=1, memory_bytes=MEBIBYTE, workspace_bytes=MEBIBYTE)
    assert (small.cpu_seconds, small.submission_bytes) == (
        usual.cpu_seconds,
        usual.submission_bytes,
    )
