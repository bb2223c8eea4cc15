"""AIDE's own interpreter (PyPI: aideml), in a process of its own.

`python -m sandmle.bench.aide FOLDER` runs each line of stdin, code as JSON, in the folder, and
prints the milliseconds that it took. The interpreter's module is loaded without its package, which
would import a hundred others.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from pathlib import Path
from typing import Any

#: What the interpreter imports, beside the standard library.
NEEDED = ("aide", "dataclasses_json", "humanize", "shutup")

_STEP_SECONDS = 600


def reason_against() -> str | None:
    """Why AIDE cannot take part here; None where it can."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    return f"aide_ms: {', '.join(missing)} not installed; `make bench` installs AIDE's interpreter"


def load_interpreter() -> Any:
    """The class aide.interpreter.Interpreter."""
    package = importlib.util.find_spec("aide")
    assert package is not None
    assert package.origin is not None
    path = Path(package.origin).with_name("interpreter.py")
    spec = importlib.util.spec_from_file_location("aide_interpreter", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Interpreter


def main() -> None:
    """The command line. Raises RuntimeError where code fails."""
    for name in ("numpy", "pandas"):  # so does AIDE, and each step is a fork of its process
        importlib.import_module(name)
    interpreter = load_interpreter()(sys.argv[1], timeout=_STEP_SECONDS)
    for line in sys.stdin:
        start = time.perf_counter()
        result = interpreter.run(json.loads(line))
        milliseconds = 1000 * (time.perf_counter() - start)
        if result.exc_type is not None:
            raise RuntimeError("".join(result.term_out))
        print(milliseconds, flush=True)
    interpreter.cleanup_session()


if __name__ == "__main__":
    main()
