"""Takes the README's pictures anew: `python docs/images/take.py`, with Chromium installed.

Runs the demo from nothing in a temporary folder, so its times are those of this machine.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from sandmle.demo import run_demo
from sandmle.report.overview import read_overview
from sandmle.report.show import show
from sandmle.resources import resource

IMAGES = Path(__file__).resolve().parent
DEMO = Path("build/demo")
SHOWN = "road-cracks"


def main() -> None:
    """Writes demo.png, report.png and show.png."""
    with tempfile.TemporaryDirectory(prefix="sandmle-") as folder:
        os.chdir(folder)
        sys.argv[0] = ".venv/bin/sandmle"  # what the demo tells the reader to type
        # Colours are recorded though nobody sees them.
        console = Console(
            record=True,
            width=118,
            file=io.StringIO(),
            force_terminal=True,
            color_system="truecolor",
        )
        run_demo(DEMO, console)
        photograph_text(console, "demo", "make demo")
        spec = shutil.copy(resource("specs") / "tasks" / f"{SHOWN}.yaml", DEMO / "specs" / "tasks")
        command = [sys.executable, "-m", "sandmle", "build", "-C", str(DEMO), spec]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        console.width = 108
        show(read_overview(DEMO / "build" / "tasks" / SHOWN, corpus=DEMO), console)
        photograph_text(console, "show", f"sandmle show {SHOWN}")
        page = (DEMO / "build" / "report.html").resolve()
        photograph(page, IMAGES / "report.png", width=1440, height=980)


def photograph_text(console: Console, name: str, title: str) -> None:
    """What a console has printed since the last time, as a window of a terminal."""
    drawing = re.sub(r"@font-face {[^}]*}", "", console.export_svg(title=title))
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert size is not None
    page = Path(f"{name}.html").resolve()
    page.write_text(f'<body style="margin: 0">{drawing}</body>', encoding="utf-8")
    width, height = (int(float(side)) + 1 for side in size.groups())
    photograph(page, IMAGES / f"{name}.png", width=width, height=height)


def photograph(page: Path, picture: Path, *, width: int, height: int) -> None:
    """A screenshot of a page in a window of that size."""
    chromium = shutil.which("chromium")
    assert chromium is not None, "Chromium is not installed"
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
    command += [f"--user-data-dir={page.parent / 'browser'}", f"--window-size={width},{height}"]
    command += ["--virtual-time-budget=4000", f"--screenshot={picture}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
