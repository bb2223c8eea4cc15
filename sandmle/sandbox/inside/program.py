"""Runs a program in this interpreter as ``python main.py`` would run it in a new one."""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
import threading
import types
from importlib.machinery import SourceFileLoader
from typing import Any, NoReturn


def run_as_main(path: str) -> NoReturn:
    """Runs a source file as ``__main__`` and ends this process as the interpreter would.

    Tracebacks, exit codes, exit handlers, threads and files left open are treated as at the end of
    a Python process.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        source = file.read()
    main = _prepare(path)
    code = _execute(source, path, main)
    code = _finish(main, code)
    os._exit(code & 0xFF)


def _prepare(path: str) -> types.ModuleType:
    main = types.ModuleType("__main__")
    main.__dict__.update(
        __file__=path,
        __cached__=None,
        __builtins__=sys.modules["builtins"],
        __annotations__={},
        __loader__=SourceFileLoader("__main__", path),
    )
    sys.modules["__main__"] = main
    sys.argv = [path]
    sys.orig_argv = ["python", path]
    sys.path.insert(0, os.path.dirname(path))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return main


def _execute(source: bytes, path: str, main: types.ModuleType) -> int:
    """Runs the source and returns the exit code, having printed what an interpreter prints."""
    try:
        exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as request:
        return _exit_code(request)
    except BaseException as error:
        own = error.__traceback__
        error.__traceback__ = own.tb_next if own else None
        sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, KeyboardInterrupt):
            _flush_standard_streams()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        return 1
    return 0


def _exit_code(request: SystemExit) -> int:
    if request.code is None:
        return 0
    if isinstance(request.code, int):
        return request.code if abs(request.code) < 1 << 63 else -1  # as a C long overflows
    print(request.code, file=sys.stderr)
    return 1


def _finish(main: types.ModuleType, code: int) -> int:
    """What the interpreter does between the last line of a program and the end of the process."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for thing in gc.get_objects():
        # By type: to ask a dead proxy for its class is an error.
        if issubclass(type(thing), io.TextIOWrapper | io.BufferedWriter | io.BufferedRandom):
            _flush(thing)
    if threading.active_count() == 1:  # another thread might still use what is cleared
        for name in [name for name in main.__dict__ if name != "__builtins__"]:
            main.__dict__[name] = None
        gc.collect()
    return code if _flush_standard_streams() else 120


def _flush_standard_streams() -> bool:
    flushed = [_flush(stream) for stream in (sys.stdout, sys.stderr)]
    return all(flushed)


def _flush(stream: Any) -> bool:
    if stream is None or stream.closed:
        return True
    try:
        stream.flush()
    except (OSError, ValueError):
        return False
    return True
