"""What each of several processes does: the training that lies pickled in a folder.

The first one is killed at the step that the file `kill` names, which is taken away before.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandmle.train.run import train_on


def main(folder: Path) -> None:
    """Trains in the folder `run`, or goes on with what is there."""
    training, tasks = pickle.loads((folder / "training.pickle").read_bytes())
    kill, out = folder / "kill", folder / "run"

    def progress(line: Mapping[str, Any]) -> None:
        if kill.is_file() and line["step"] == int(kill.read_text()):
            kill.unlink()
            os.kill(os.getpid(), signal.SIGKILL)

    resume = (out / "config.json").is_file()
    train_on(training, tasks, corpus=folder, out=out, resume=resume, progress=progress)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
