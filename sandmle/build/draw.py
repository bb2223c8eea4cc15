"""Prints the hashes of the data that a script draws: `python -m sandmle.build.draw GENERATE_PY`.

That of the public files, then that of the private ones. Run in processes with other hash seeds,
it shows whether the data depend on more than the script.
"""

from __future__ import annotations

import runpy
import sys

from sandmle.build.content import content_hash


def main() -> None:
    """The command line. What the script raises goes through."""
    dataset = runpy.run_path(sys.argv[1], run_name="generate")["generate"]()
    print(content_hash(dataset.public), content_hash(dataset.private))


if __name__ == "__main__":
    main()
