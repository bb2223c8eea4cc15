"""Makes one run of the shards that were played apart.

`python -m sandmle.evaluation.merge RUN SHARD ...`, as the Snakefile's target `eval` does.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sandmle.errors import RolloutError
from sandmle.evaluation.config import Config, differences, dump_config
from sandmle.evaluation.files import CONFIG_FILE, ROLLOUTS_FILE
from sandmle.evaluation.run import ConflictError, Run, read_config, read_run, write_summary
from sandmle.writing import write_whole


def merge(shards: Sequence[Path], folder: Path) -> Run:
    """Writes a run's folder of its shards' folders, or writes it anew; returns the run.

    Shards may be half done, and so is the run then. Raises ConflictError where they are not all
    the shards of one run, or where the folder holds another run; RolloutError where one is no run.
    """
    config = _whole([(path, read_config(path)) for path in shards])
    if (folder / CONFIG_FILE).is_file():
        found = differences(read_config(folder), config)
        if found:
            raise ConflictError("\n  ".join([f"{folder} holds another run. It differs:", *found]))
    folder.mkdir(parents=True, exist_ok=True)
    _join([path / ROLLOUTS_FILE for path in shards], folder / ROLLOUTS_FILE)
    write_whole(folder / CONFIG_FILE, dump_config(config))
    run = read_run(folder)
    write_summary(run)
    return run


def _whole(shards: Sequence[tuple[Path, Config]]) -> Config:
    """The config of the run that the shards are of."""
    path, first = shards[0]
    whole = replace(first, shard=None)
    for other, config in shards[1:]:
        found = differences(whole, replace(config, shard=None))
        if found:
            raise ConflictError("\n  ".join([f"{path} and {other} differ:", *found]))
    have = sorted(str(config.shard) for _, config in shards)
    expected = sorted(f"{number}/{len(shards)}" for number in range(1, len(shards) + 1))
    if have != expected:
        raise ConflictError(f"expected the shards {', '.join(expected)}, got {', '.join(have)}")
    return whole


def _join(parts: Sequence[Path], whole: Path) -> None:
    """Puts files one behind the other, whole or not at all; lines cut short are left out."""
    partial = whole.with_name(f".{whole.name}.{os.getpid()}")
    try:
        with partial.open("wb") as file:
            for part in parts:
                if part.is_file():
                    with part.open("rb") as lines:
                        file.writelines(line for line in lines if line.endswith(b"\n"))
        partial.replace(whole)
    finally:
        partial.unlink(missing_ok=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Makes one run of its shards.")
    parser.add_argument("run", type=Path, help="the folder of the whole run")
    parser.add_argument("shards", type=Path, nargs="+", help="the folders of all its shards")
    arguments = parser.parse_args()
    try:
        run = merge(arguments.shards, arguments.run)
    except (ConflictError, RolloutError, OSError) as error:
        sys.exit(str(error))
    print(f"{run.path}: {run.rollouts} of {run.expected} rollouts")


if __name__ == "__main__":
    main()
