"""Builds specs in a plain pool of processes: `python -m sandmle.bench.pool CORPUS FOLDER CORES`.

The least that building them can cost: imports once, no bookkeeping. It asks the same warm process
as a build does for what another hash seed draws.
"""

from __future__ import annotations

import multiprocessing
import sys
from functools import partial
from pathlib import Path

from sandmle.build import warm
from sandmle.build.build import build_task
from sandmle.build.plan import corpus_specs


def build_one(spec: Path, *, folder: Path, corpus: Path, name: str) -> None:
    """Builds the task of one spec below the folder."""
    build_task(spec, folder / spec.stem, corpus=corpus, warm=name)


def main() -> None:
    """The command line."""
    corpus, folder, cores = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    name = warm.new_name()
    warm.start(name)
    build = partial(build_one, folder=folder, corpus=corpus, name=name)
    with multiprocessing.Pool(cores) as pool:
        for _ in pool.imap_unordered(build, corpus_specs(corpus)):
            pass
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
