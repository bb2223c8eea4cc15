"""Stands for the command that trains: `python THIS -m sandmle train FILE --out FOLDER ...`.

It writes what a training of one step leaves, and says in calls.log that it was called. Where there
is a file `broken`, it ends in the middle.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    arguments = sys.argv[1:]
    out = Path(arguments[arguments.index("--out") + 1])
    with Path("calls.log").open("a") as log:
        print(out.name, "--resume" in arguments, file=log)
    (out / "config.json").write_text("{}")
    if Path("broken").exists():
        sys.exit("it ended in the middle")
    for split in ("train", "validation"):
        (out / split / "step-00001").mkdir(parents=True, exist_ok=True)
        (out / split / "step-00001" / "rollouts.jsonl").write_text("")
    for step in (1, 2):
        checkpoint = out / f"checkpoint-{step}"
        checkpoint.mkdir(exist_ok=True)
        for name in ("model.safetensors", "optimizer.pt", "rng_state_0.pth"):
            (checkpoint / name).write_text(f"{name} {step}")
        (checkpoint / "trainer_state.json").write_text(json.dumps({"global_step": step}))
    line = {"step": 1, "split": "train", "reward": 0.1, "seconds": {}}
    (out / "metrics.jsonl").write_text(json.dumps(line) + "\n")
    (out / "summary.json").write_text(json.dumps({"best": "checkpoint-1"}))


if __name__ == "__main__":
    main()
