# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""Runs thousands of steps, some of them hostile, and looks for what they leave behind.

    python benchmarks/soak.py --steps 20000

Prints what this process and its sandboxes hold after a twentieth of the steps and at the end, and
exits with 1 where something grew: memory, descriptors, mounts, processes, or files in /tmp.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from sandmle.sandbox import Limits, StepResult, open_sandbox
from sandmle.sandbox.pool import Pool
from sandmle.sandbox.probe import strongest

MEBIBYTE = 1024 * 1024
LIMITS = Limits(
    wall_seconds=0.5,
    memory_bytes=256 * MEBIBYTE,
    workspace_bytes=16 * MEBIBYTE,
    workspace_files=200,
    processes=32,
)
MOST_GROWTH = 24 * MEBIBYTE  # bytes of memory that may come and go by chance

HARMLESS = (
    "print(1)",
    "import numpy as np\nprint(np.arange(10).sum())",
    "import pandas as pd\npd.DataFrame({'id': [1], 'y': [0]}).to_csv('submission.csv', index=False)",
    "open('notes.txt', 'a').write('x')\nraise ValueError('no')",
    "import subprocess\nsubprocess.run(['true'])",
)
HOSTILE = (
    "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "while True: pass",
    "x = [bytearray(b'x' * (1 << 20)) for _ in range(1000)]",
    "import os\nfor i in range(100): open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))",
    "for i in range(1000): open(f'f{i}', 'w')",
    "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\nos._exit(0)",
    "import os\nfor n in (-1, 1):\n    for s in (2, 15, 9, 19):\n        try: os.kill(n, s)\n        except OSError: pass",
    "import os\nwhile True: os.write(1, bytes(1 << 16))",
    "import os\nos.mkfifo('submission.csv')",
    "import signal\nfor n in (2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: signal.pause()",
    "import os\nkept = [os.pipe() for _ in range(10_000)]",
    "import os\nos.chmod('.', 0)\nos.abort()",
    "from multiprocessing import shared_memory as s\nkept = s.SharedMemory(create=True, size=9 << 20)",
    "import os\nfor _ in range(100):\n    os.mkdir('d' * 99)\n    os.chdir('d' * 99)",
)


@dataclass(frozen=True)
class Holdings:
    """What this process and all below it hold.

    Attributes:
        memory: Bytes that are theirs alone, a share of what they share.
        descriptors: Open file descriptors.
        mounts: Mounts in this process's view.
        processes: How many they are.
        files: Entries in the temporary folder.
    """

    memory: int
    descriptors: int
    mounts: int
    processes: int
    files: int


def read_holdings() -> Holdings:
    """What is held now."""
    family = [os.getpid(), *_descendants(os.getpid())]
    rollups = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in family]
    lines = [line.split() for text in rollups for line in text.splitlines()]
    return Holdings(
        memory=sum(int(words[1]) * 1024 for words in lines if words[0] == "Pss:"),
        descriptors=sum(len(os.listdir(f"/proc/{process}/fd")) for process in family),
        mounts=len(Path("/proc/self/mounts").read_text().splitlines()),
        processes=len(family),
        files=len(os.listdir(tempfile.gettempdir())),
    )


async def settled_holdings() -> Holdings:
    """What is held once the last processes are gone: three looks in a row find as many.

    On a busy machine a sandbox takes seconds to end after it was closed.
    """
    looks = [read_holdings()]
    while len(looks) < 3 or len({look.processes for look in looks[-3:]}) > 1:
        await asyncio.sleep(2)
        looks.append(read_holdings())
    return looks[-1]


def _descendants(process: int) -> list[int]:
    found: list[int] = []
    for thread in os.listdir(f"/proc/{process}/task"):
        text = Path(f"/proc/{process}/task/{thread}/children").read_text()
        for child in map(int, text.split()):
            found += [child, *_descendants(child)]
    return found


async def play(
    pool: Pool, public: Path, steps: int, rollouts: int, hostile: float, seed: int
) -> Counter[str]:
    """Plays `steps` steps in rollouts of one to twenty, `rollouts` of them at a time."""
    left = iter(range(steps))
    ends: Counter[str] = Counter()

    async def work(number: int) -> None:
        draw = random.Random(seed + number)
        while True:
            sandbox = await pool.open(public)
            try:
                for _ in range(draw.randint(1, 20)):
                    if next(left, None) is None:
                        return
                    code = draw.choice(HOSTILE if draw.random() < hostile else HARMLESS)
                    ends[_end(await sandbox.run(code, LIMITS))] += 1
            finally:
                await sandbox.close()

    await asyncio.gather(*(work(number) for number in range(rollouts)))
    return ends


def _end(result: StepResult) -> str:
    if result.timed_out:
        return "timed out"
    return "out of memory" if result.out_of_memory else f"exit {result.exit_code}"


async def soak(arguments: argparse.Namespace) -> bool:
    """Runs everything; returns whether nothing has grown."""
    backend = await asyncio.to_thread(strongest)
    with tempfile.TemporaryDirectory(prefix="sandmle-soak-") as folder:
        os.chmod(folder, 0o755)
        public = Path(folder, "public")
        public.mkdir(mode=0o755)
        tempfile.tempdir = folder  # so that nobody else's files are counted
        (public / "train.csv").write_text("id,x\n0,1\n")
        (public / "train.csv").chmod(0o644)
        started = time.monotonic()
        before = None
        ends: Counter[str] = Counter()
        first = arguments.steps // 20
        for part, steps in enumerate((first, arguments.steps - first)):
            async with Pool(arguments.workers, partial(open_sandbox, backend=backend)) as pool:
                ends += await play(
                    pool, public, steps, arguments.workers + 1, arguments.hostile, 100 * part
                )
            after = await settled_holdings()
            before = before or after
    seconds = time.monotonic() - started
    assert before is not None
    report = {
        "steps": arguments.steps,
        "seconds": round(seconds, 1),
        "backend": backend,
        "before": asdict(before),
        "after": asdict(after),
        "ends": dict(ends),
    }
    print(json.dumps(report, indent=2))
    none_grew = all(
        getattr(after, name) <= getattr(before, name)
        for name in ("descriptors", "mounts", "processes", "files")
    )
    return none_grew and after.memory - before.memory < MOST_GROWTH


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--hostile", type=float, default=0.05, help="share of hostile steps")
    raise SystemExit(0 if asyncio.run(soak(parser.parse_args())) else 1)
