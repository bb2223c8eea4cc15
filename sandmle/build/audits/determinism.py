"""A task is the same wherever it is built: processes with other hash seeds draw the same bytes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sandmle.build.auditing import Examined, Finding
from sandmle.build.content import content_hash
from sandmle.build.warm import command

CLAIM = "data are the same in fresh processes"
COST = "cheap"

#: Other hash seeds put sets and hashes into another order.
HASH_SEEDS = ("0", "1")
#: What gives other data tomorrow, or each time: clocks, the system's chance, chance without a seed.
UNSTABLE = re.compile(
    r"\btime\.(?:time|time_ns|monotonic|perf_counter|localtime|ctime)\b|\.(?:now|utcnow|today)\("
    r"|\buuid[14]\b|\burandom\b|\bsecrets\.|\bSystemRandom\b|\bdefault_rng\(\)"
)


def examine(task: Examined) -> Finding:
    """Draws the data again, in processes of their own, and looks for clocks in the script."""
    dataset = task.prepared.dataset
    expected = [content_hash(dataset.public), content_hash(dataset.private)]
    own = HASH_SEEDS[:1] if not sys.flags.hash_randomization else ()  # so Python says: it is 0
    seeds = [seed for seed in HASH_SEEDS if seed not in own]
    script = str(task.prepared.folder / "generate.py")
    started = [
        subprocess.Popen(
            [*command("sandmle.build.draw", hash_seed=seed, warm=task.warm), script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in seeds
    ]
    asked = dict.fromkeys(UNSTABLE.findall(Path(script).read_text("utf-8")))
    problems = [f"generate.py calls {', '.join(asked)}"] if asked else []
    for seed, process in zip(seeds, started, strict=True):
        printed, errors = process.communicate()
        if process.returncode:
            last = errors.strip().splitlines()[-1:]
            problems.append(f"generate.py fails under PYTHONHASHSEED={seed}: {''.join(last)}")
        elif printed.split() != expected:
            problems.append(f"other data under PYTHONHASHSEED={seed}")
    evidence = "; ".join(problems) or f"the same under PYTHONHASHSEED {' and '.join(HASH_SEEDS)}"
    return Finding(not problems, evidence)
