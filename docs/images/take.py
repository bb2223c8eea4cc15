"""Takes the README's pictures anew: `python docs/images/take.py`, with Chromium installed.

Runs the demo and the episode of episode.py from nothing in a temporary folder, so their times are
those of this machine.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from episode import episode_policy
from rich.console import Console

from sandmle.demo.run import run_demo
from sandmle.play.play import play
from sandmle.play.settings import Settings
from sandmle.play.task import load_tasks
from sandmle.report.overview import read_overview
from sandmle.report.show import show
from sandmle.resources import resource
from sandmle.viewer.runs import find_runs
from sandmle.viewer.write import PAGE, write_view

IMAGES = Path(__file__).resolve().parent
DEMO = Path("build/demo")
SHOWN = "road-cracks"


def main() -> None:
    """Writes demo.png, report.png, show.png and view.png."""
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
        photograph(page.as_uri(), IMAGES / "report.png", width=1440, height=980)
        photograph_episode(DEMO)


def photograph_episode(corpus: Path) -> None:
    """An episode on SHOWN as `sandmle view` shows it, among those of the demo."""
    rollouts = corpus / "runs" / "episode.jsonl"
    tasks = load_tasks(corpus, ids=[SHOWN])
    asyncio.run(
        play(tasks, [episode_policy("engineer")], settings=Settings(score="validity"), out=rollouts)
    )
    others = [path for path in (corpus / "runs").glob("*.jsonl") if path != rollouts]
    write_view(find_runs([rollouts, *others]), corpus / "view")
    page = (corpus / "view" / PAGE).resolve()
    opened = f"{page.as_uri()}#rollout/episode/{SHOWN}/engineer/0"
    photograph(opened, IMAGES / "view.png", width=1440, height=1180)


def photograph_text(console: Console, name: str, title: str) -> None:
    """What a console has printed since the last time, as a window of a terminal."""
    drawing = re.sub(r"@font-face {[^}]*}", "", console.export_svg(title=title))
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert size is not None
    page = Path(f"{name}.html").resolve()
    page.write_text(f'<body style="margin: 0">{drawing}</body>', encoding="utf-8")
    width, height = (int(float(side)) + 1 for side in size.groups())
    photograph(page.as_uri(), IMAGES / f"{name}.png", width=width, height=height)


def photograph(address: str, picture: Path, *, width: int, height: int) -> None:
    """A screenshot of a page in a window of that size."""
    chromium = shutil.which("chromium")
    assert chromium is not None, "Chromium is not installed"
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
    command += [f"--user-data-dir={Path('browser').resolve()}", f"--window-size={width},{height}"]
    command += ["--virtual-time-budget=4000", f"--screenshot={picture}", address]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
