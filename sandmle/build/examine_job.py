"""The job of one examination: `python -m sandmle.build.examine_job SPEC TASK --corpus CORPUS`."""

from __future__ import annotations

import argparse
from pathlib import Path

from sandmle.build.examine import examine_task


def main() -> None:
    """Examines one built task. One that is not fit is a finding, which exits with 0."""
    parser = argparse.ArgumentParser(description="Examines the built task of one spec thoroughly.")
    parser.add_argument("spec", type=Path)
    parser.add_argument("task", type=Path, help="the task's folder")
    parser.add_argument("--corpus", type=Path, required=True, help="the folder that holds specs/")
    arguments = parser.parse_args()
    examine_task(arguments.spec, arguments.task, corpus=arguments.corpus)


if __name__ == "__main__":
    main()
