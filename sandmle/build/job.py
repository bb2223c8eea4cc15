"""The job of one spec: `python -m sandmle.build.job SPEC --out FOLDER --corpus CORPUS`."""

from __future__ import annotations

import argparse
from pathlib import Path

from sandmle.build.build import build_task


def main() -> None:
    """Builds one task. A rejected task is a verdict, which exits with 0; a traceback is a bug."""
    parser = argparse.ArgumentParser(description="Builds the task of one spec.")
    parser.add_argument("spec", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the task's folder")
    parser.add_argument("--corpus", type=Path, required=True, help="the folder that holds specs/")
    parser.add_argument("--warm", default="", help="the name of the build's warm processes")
    arguments = parser.parse_args()
    build_task(arguments.spec, arguments.out, corpus=arguments.corpus, warm=arguments.warm)


if __name__ == "__main__":
    main()
