"""A built task, as tests of play have it."""

from tests.play.conftest import task

__all__ = ["task"]
