"""The job of one spec: `python -m sandmle.build.job SPEC --out FOLDER --corpus CORPUS`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

#: One thread a job: jobs share the machine, and sums come out the same on any number of cores.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> None:
    """Builds one task. A rejected task is a verdict, which exits with 0; a traceback is a bug."""
    parser = argparse.ArgumentParser(description="Builds the task of one spec.")
    parser.add_argument("spec", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the task's folder")
    parser.add_argument("--corpus", type=Path, required=True, help="the folder that holds specs/")
    arguments = parser.parse_args()
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))  # read once, when numpy is imported
    from sandmle.build.build import build_task

    build_task(arguments.spec, arguments.out, corpus=arguments.corpus)


if __name__ == "__main__":
    main()
