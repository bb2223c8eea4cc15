"""Trains in a folder that lasts, goes on there after a kill, and hands on what users want.

`python -m sandmle.train.job TRAINING RUN --playing FOLDER [--corpus CORPUS] [--launch COMMAND]`,
which the Snakefile's target `train` runs.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from sandmle.build.lock import hold_lock
from sandmle.errors import SpecError
from sandmle.train.configuration import load_training, training_file
from sandmle.train.dataset import choose_tasks
from sandmle.train.files import BEST, CONFIG_FILE, FILES, LAST, ROLLOUTS, SUMMARY_FILE
from sandmle.train.folder import last_checkpoint
from sandmle.train.target import name_of

#: What a checkpoint holds beside the policy: what its trainer goes on from.
TRAINERS = (
    *("optimizer*", "scheduler.pt", "scaler.pt", "rng_state*"),
    *("trainer_state.json", "training_args.bin"),
)


def train_here(file: Path, folder: Path, *, corpus: Path, launch: str | None = None) -> int:
    """Trains in `folder` to the end, from where it was left; the command's exit code.

    Nothing is done where it was done already. Raises BlockingIOError where another process trains
    there; the lock is the command's as well, and so lasts as long as either of the two.
    """
    try:
        lock = hold_lock(folder)
    except BlockingIOError:
        raise BlockingIOError(f"{folder}: another process trains here; wait for it") from None
    with lock:
        if (folder / SUMMARY_FILE).is_file():
            return 0
        command = shlex.split(launch) if launch else [sys.executable, "-P"]
        command += ["-m", "sandmle", "train", str(file), "--out", str(folder)]
        command += ["--corpus", str(corpus)]
        command += ["--resume"] if (folder / CONFIG_FILE).is_file() else []
        return subprocess.run(command, pass_fds=[lock.fileno()]).returncode


def hand_on(folder: Path, run: Path) -> None:
    """Gives a run's results to another folder: its files, rollouts, and best and last policy.

    Where that is possible files are linked: policies are large. Whatever was there is replaced.
    """
    run.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(folder / name, run / name)
    for name in ROLLOUTS:
        _copy(folder / name, run / name)
    last = last_checkpoint(folder)
    best = json.loads((folder / SUMMARY_FILE).read_text(encoding="utf-8"))["best"]
    for name, checkpoint in ((BEST, folder / best if best else last), (LAST, last)):
        if checkpoint is None:
            raise ValueError(f"{folder}: holds no whole checkpoint")
        _copy(checkpoint, run / name, *TRAINERS)


def _copy(source: Path, target: Path, *left_out: str) -> None:
    """A folder's copy, whose files are linked where both lie in one file system."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(
        source, target, ignore=shutil.ignore_patterns(*left_out), copy_function=_link_or_copy
    )


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Trains once, and hands on the results.")
    parser.add_argument("training", type=Path, help="a training file, or a shipped one's name")
    parser.add_argument("run", type=Path, help="the folder for the results")
    parser.add_argument("--playing", type=Path, required=True, help="a folder that lasts")
    parser.add_argument("--corpus", type=Path, default=Path(), help="the folder that holds build/")
    parser.add_argument("--launch", help="the command that starts processes, before -m sandmle")
    arguments = parser.parse_args()
    file = training_file(arguments.training)
    try:
        training = load_training(file)
        tasks = choose_tasks(arguments.corpus, training.data, seed=training.seed)
        folder = arguments.playing / name_of(training, tasks)
        code = train_here(file, folder, corpus=arguments.corpus, launch=arguments.launch)
        if code:
            sys.exit(code)
        hand_on(folder, arguments.run)
    except (SpecError, OSError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
