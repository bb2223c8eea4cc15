"""A page in a real browser: what stands in it after its script has run, and how it looks."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="CHROMIUM IS NOT INSTALLED: nobody looked at the page"
)


def _run(tmp_path: Path, url: str, *flags: str) -> str:
    assert CHROMIUM is not None
    command = [
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
        *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
        *("--disable-sync", f"--user-data-dir={tmp_path / 'browser'}", "--hide-scrollbars"),
        *("--virtual-time-budget=4000", *flags, url),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    return done.stdout


def evaluate(page: Path, script: str, *, at: str = "", flags: tuple[str, ...] = ()) -> Any:
    """What `script` (the body of a function) returns in the page at `at`, as JSON carries it.

    Fails where the page's own scripts raise an error.
    """
    probe = page.with_name("probe.html")
    watch = "<script>window.faults = []; onerror = (fault) => { faults.push(fault); };</script>"
    after = (
        "<script>{ const result = (() => {" + script + "})();"
        " document.body.dataset.result = JSON.stringify([faults, result]); }</script>"
    )
    text = page.read_text(encoding="utf-8")
    probe.write_text(text.replace("<head>", "<head>" + watch, 1) + after, encoding="utf-8")
    printed = _run(page.parent, probe.as_uri() + at, "--dump-dom", *flags)
    found = re.search(r'data-result="([^"]*)"', printed)
    assert found, "the page did not run to its end"
    faults, result = json.loads(html.unescape(found[1]))
    assert faults == []
    return result


def screenshot(
    page: Path, *, width: int, height: int, at: str = "", flags: tuple[str, ...] = ()
) -> Path:
    """A PNG of the page's window."""
    picture = page.with_suffix(".png")
    size = f"--window-size={width},{height}"
    _run(page.parent, page.as_uri() + at, f"--screenshot={picture}", size, *flags)
    return picture
