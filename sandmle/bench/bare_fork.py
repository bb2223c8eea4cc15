"""A process that forks whenever a line comes: the least that a copy of it can cost.

`python -m sandmle.bench.bare_fork MODULE ...` imports the modules. For each line of stdin it
prints the milliseconds in which a copy was made, ended at once and was waited for.
"""

from __future__ import annotations

import importlib
import os
import sys
import time


def main() -> None:
    """The command line."""
    for name in sys.argv[1:]:
        importlib.import_module(name)
    for _ in sys.stdin:
        start = time.perf_counter()
        process = os.fork()
        if process == 0:
            os._exit(0)
        os.waitpid(process, 0)
        print(1000 * (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main()
