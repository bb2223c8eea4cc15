"""Options of the whole suite."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

#: A machine that does other work beside the tests must not fail them.
settings.register_profile("sandmle", deadline=None)
settings.load_profile("sandmle")


def pytest_configure() -> None:
    """Lets what the tests start be interrupted: a suite in the background ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that are marked slow, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]
