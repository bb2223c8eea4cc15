# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""What every back end does alike."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from sandmle.errors import SandboxError
from sandmle.sandbox import Limits, open_sandbox

from .conftest import LIMITS, MEBIBYTE, Play

# Seconds to sleep in a process that must not be found later: a number that nobody else has.
NAP = 10_000_000 + os.getpid()

# Each prints the same here as under plain Python in an empty folder.
PROGRAMS = {
    "main guard": "if __name__ == '__main__':\n    print('main', __name__)",
    "exit code": "import sys\nprint('before')\nsys.exit(7)",
    "exit with text": "import sys\nsys.exit('it went wrong')",
    "exit without code": "import sys\nsys.exit()",
    "exit in a thread": "import threading\nthreading.Thread(target=exit, args=(3,)).start()",
    "end of input": "try:\n    input('? ')\nexcept EOFError as error:\n    print(repr(error))",
    "uncaught end of input": "input()",
    "traceback": "def inner():\n    return 1 / 0\n\ndef outer():\n    inner()\n\nouter()",
    "chained traceback": "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('no') from e",
    "syntax error": "print('never'\nx = = 2",
    "indentation error": "if True:\nprint(1)",
    "destructor": "class Own:\n    def __del__(self):\n        print('gone')\nkept = Own()",
    "error at exit": "import atexit\natexit.register(lambda: 1 / 0)",
    "error in a thread": "import threading\nthreading.Thread(target=lambda: 1 / 0, name='own').start()",
    "error in a destructor": "class Own:\n    def __del__(self):\n        1 / 0\nOwn()",
    "dead proxy": "import weakref\nclass Own:\n    pass\nproxy = weakref.proxy(Own())\nprint('made')",
    "own hook": "import sys\nsys.excepthook = lambda *a: print('hook', a[1])\n1 / 0",
    "daemon thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
    "own module": "open('own.py', 'w').write('x = 1')\nimport own\nprint(own.x, own.__file__)",
    "data class": "import dataclasses, enum, typing\nclass E(enum.Enum):\n    A = 1\nprint(E.A, repr(E))",
    "flags": "import sys\nprint(sys.flags.safe_path, sys.flags.isolated, sys.flags.no_site, sys.dont_write_bytecode)",
    "user": "import getpass, os, pwd\nprint(os.path.expanduser('~') == os.getcwd())",
    "warning": "import warnings\nwarnings.warn('careful')",
    "own exception": "class Own(Exception):\n    pass\nraise Own('x')",
    "keyboard interrupt": "raise KeyboardInterrupt",
    "arguments": "import sys, os\nprint(len(sys.argv), os.path.basename(sys.argv[0]), __file__ == sys.argv[0])",
    "import path": "import sys, os\nprint(sys.path[0] == os.getcwd())",
    "at exit": "import atexit\natexit.register(print, 'last')\nprint('first')",
    "thread outlives main": (
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()\nprint('main')"
    ),
    "unflushed": "import sys\nsys.stdout.write('no newline')",
    "unicode": "print('größer ≥ 数')",
    "binary output": "import sys\nsys.stdout.buffer.write(b'bytes\\n')",
    "closed stdout": "import sys\nsys.stdout.close()",
    "pickle of own class": (
        "import pickle\nclass Own:\n    x = 1\nprint(pickle.loads(pickle.dumps(Own())).x, Own.__module__)"
    ),
    "annotations": "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\nprint(A())",
    "future": "from __future__ import annotations\ndef f(x: undefined): pass\nprint(f.__annotations__)",
    "docstring": "'''Doc.'''\nprint(__doc__)",
    "globals": "x = 1\nprint(sorted(name for name in globals()))",
    "source of itself": "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))",
    "import of main": "import __main__\nx = 5\nprint(__main__.x)",
    "temporary file": (
        "import tempfile\nwith tempfile.NamedTemporaryFile() as f:\n    f.write(b'x')\n    print('written')"
    ),
    "subprocess": "import subprocess\nprint(subprocess.run(['echo', 'hi'], capture_output=True).stdout)",
    "abort": "import os\nos.abort()",
    "killed": "import os\nos.kill(os.getpid(), 9)",
    "hard exit": "import os\nprint('x', flush=True)\nos._exit(5)",
    "recursion": "def f():\n    f()\ntry:\n    f()\nexcept RecursionError as e:\n    print(e)",
    "logging": "import logging\nlogging.warning('logged')",
    "asyncio": "import asyncio\nasync def f():\n    print('async')\nasyncio.run(f())",
    "generator": "print(sum(x for x in range(10)))",
    "latin comment": "# -*- coding: utf-8 -*-\nprint('ok')",
}  # fmt: skip

MULTIPROCESSING = """
import multiprocessing, sys

def square(x):
    return x * x

if __name__ == '__main__':
    for method in ('fork', 'spawn', 'forkserver'):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(method, pool.map(square, [1, 2, 3]))
    queue = multiprocessing.Queue()
    value = multiprocessing.Value('i', 5)
    queue.put(value.value)
    print(queue.get())
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_what_plain_python_prints(play: Play, name: str) -> None:
    [result] = play(PROGRAMS[name])
    texts = [result.stdout, result.stderr]
    printed = [re.sub("/tmp/sandmle-[^/]*/work", "/work", text) for text in texts]
    expected, code = run_plain(name)
    assert [without_addresses(text) for text in printed] == expected
    assert result.exit_code == code


@cache
def run_plain(name: str) -> tuple[list[str], int]:
    """What plain Python prints for a program, as if it had run in /work, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.py").write_text(PROGRAMS[name])
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        plain = subprocess.run(
            [sys.executable, f"{folder}/main.py"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    texts = [text.replace(folder, "/work") for text in (plain.stdout, plain.stderr)]
    code = plain.returncode if plain.returncode >= 0 else 128 - plain.returncode
    return [without_addresses(text) for text in texts], code


def without_addresses(text: str) -> str:
    return re.sub("0x[0-9a-f]+", "0x", text)


def test_null_bytes_are_a_syntax_error(play: Play) -> None:
    [result] = play("x = 1\x00")
    assert "null bytes" in result.stderr
    assert result.exit_code == 1


def test_a_file_left_open_is_written(play: Play) -> None:
    code = "f = open('submission.csv', 'w')\nf.write('id,target')\nkept = {'f': [f]}\nkept['self'] = kept"
    [result] = play(code)
    assert result.submission == b"id,target"


def test_a_traceback_names_the_solvers_own_file(play: Play) -> None:
    [result] = play("x = 1\nraise ValueError('wrong')")
    assert 'main.py", line 2' in result.stderr
    assert "raise ValueError('wrong')" in result.stderr
    if result.backend != "subprocess":
        assert 'File "/work/main.py"' in result.stderr


def test_the_public_data_is_in_place(play: Play) -> None:
    [result] = play("print(open('data/train.csv').readline().strip())")
    assert result.stdout == "id,x,target\n"
    if result.backend != "subprocess":
        [result] = play("print(open('/data/train.csv').readline().strip())")
        assert result.stdout == "id,x,target\n"


def test_the_submission_is_returned(play: Play) -> None:
    first, second, third = play(
        "print('nothing yet')",
        "open('submission.csv', 'w').write('id,target\\n0,1\\n')",
        "print('it stays')",
    )
    assert first.submission is None
    assert first.submission_refused is None
    assert second.submission == b"id,target\n0,1\n"
    assert third.submission == second.submission


def test_a_submission_that_is_too_large_is_refused(play: Play) -> None:
    [result] = play("open('submission.csv', 'wb').write(bytes(2_000_000))")
    assert result.submission is None
    assert result.submission_refused == "too large: 2000000 bytes, at most 1048576 are read"


def test_the_working_folder_persists_and_nothing_else(play: Play) -> None:
    leave = f"""
        import os, subprocess, tempfile, time
        import module
        module.value = 2
        open('kept.txt', 'w').write('kept')
        open(os.path.join(tempfile.gettempdir(), 'lost.txt'), 'w').write('lost')
        os.environ['LOST'] = '1'
        subprocess.Popen(['sleep', '{NAP}'])
    """
    look = """
        import os, tempfile
        import module
        print(open('kept.txt').read(), module.value, os.listdir(tempfile.gettempdir()), 'LOST' in os.environ)
    """
    _, _, result = play("open('module.py', 'w').write('value = 1')", dedent(leave), dedent(look))
    assert result.stdout == "kept 1 [] False\n"
    assert not _running(f"sleep\x00{NAP}")


def test_output_before_a_time_out_is_kept(play: Play) -> None:
    code = "import time\nprint('before')\nopen('submission.csv', 'w').write('x')\ntime.sleep(100)"
    [result] = play(code, limits=replace(LIMITS, wall_seconds=1))
    assert result.timed_out
    assert not result.out_of_memory
    assert result.exit_code == 137
    assert result.stdout == "before\n"
    assert result.stderr.endswith("[sandbox] killed: still running after 1 seconds\n")
    assert result.submission == b"x"
    assert 0.9 < result.wall_seconds < 10


def test_a_sandbox_goes_on_after_a_time_out(play: Play) -> None:
    limits = replace(LIMITS, wall_seconds=1)
    first, second = play("while True: pass", "print('on')", limits=limits)
    assert (first.timed_out, second.stdout) == (True, "on\n")
    assert first.cpu_seconds > 0.02  # of a second: how much depends on what else runs here


def test_processor_time_is_limited(play: Play) -> None:
    [result] = play("while True: pass", limits=replace(LIMITS, cpu_seconds=1))
    assert result.exit_code in (128 + 24, 137)  # SIGXCPU, or SIGKILL where that was missed
    assert not result.timed_out


def test_long_output_keeps_its_head_and_tail(play: Play) -> None:
    code = "import sys\nfor f in (sys.stdout, sys.stderr):\n    f.write('head' + 'x' * 100_000 + 'tail')"
    [result] = play(code, limits=replace(LIMITS, output_bytes=300))
    for text in (result.stdout, result.stderr):
        assert text == "head" + "x" * 96 + "\n[... 99708 bytes cut ...]\n" + "x" * 196 + "tail"


def test_too_much_memory_is_the_steps_end(play: Play) -> None:
    code = """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                break
        held = [bytearray(os.urandom(1 << 20)) for _ in range(100)]
        time.sleep(60)
    """
    limits = replace(LIMITS, memory_bytes=200 * MEBIBYTE)
    first, second = play(dedent(code), "print('on')", limits=limits)
    assert first.out_of_memory
    assert not first.timed_out
    assert first.exit_code == 137
    assert "[sandbox] killed: more than 209715200 bytes of memory in use" in first.stderr
    assert second.stdout == "on\n"


def test_one_allocation_too_large_is_a_memory_error(play: Play) -> None:
    [result] = play("x = bytearray(1 << 40)")
    assert "MemoryError" in result.stderr
    assert result.exit_code == 1


def test_a_large_file_is_an_error_of_the_code(play: Play) -> None:
    [result] = play("open('large', 'wb').write(bytes(20_000_000))")
    assert "File too large" in result.stderr


def test_whatever_lies_at_main_py_is_replaced(play: Play) -> None:
    results = play(
        "import os\nos.remove('main.py')\nos.makedirs('main.py/below')",
        "print('after a folder')\nimport os\nos.remove('main.py')\nos.symlink('/etc/passwd', 'main.py')",
        "print('after a link')\nimport os\nos.remove('main.py')\nos.mkfifo('main.py')",
        "print('after a pipe')",
    )
    texts = [result.stdout for result in results[1:]]
    assert texts == ["after a folder\n", "after a link\n", "after a pipe\n"]


def test_multiprocessing_works(play: Play) -> None:
    [result] = play(MULTIPROCESSING)
    assert result.stderr == ""
    assert result.stdout == "fork [1, 4, 9]\nspawn [1, 4, 9]\nforkserver [1, 4, 9]\n5\n"


def test_nothing_of_the_callers_environment_is_seen(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    [result] = play("import os\nprint(dict(os.environ))")
    assert "secret" not in result.stdout
    assert "OPENAI" not in result.stdout


def test_odd_text_is_no_failure(play: Play) -> None:
    [result] = play("print('\ud800')")
    assert result.stdout.strip() in ("\\ud800", "")
    [result] = play("import sys\nsys.stdout.buffer.write(b'\\xff\\xfe')")
    assert result.stdout == "\ufffd\ufffd"


def test_sandboxes_run_side_by_side(public: Path, backend: str) -> None:
    async def rollout(number: int) -> str:
        sandbox = await open_sandbox(public, backend=backend, unsafe=True)
        try:
            await sandbox.run(f"open('mine', 'w').write('{number}')", LIMITS)
            result = await sandbox.run(
                "import time\ntime.sleep(0.5)\nprint(open('mine').read())", LIMITS
            )
            return result.stdout.strip()
        finally:
            await sandbox.close()

    async def everything() -> list[str]:
        return await asyncio.gather(*(rollout(number) for number in range(4)))

    started = time.monotonic()
    assert asyncio.run(everything()) == ["0", "1", "2", "3"]
    assert time.monotonic() - started < 8


def test_steps_of_one_sandbox_take_turns(public: Path, backend: str) -> None:
    async def both() -> list[str]:
        sandbox = await open_sandbox(public, backend=backend, unsafe=True)
        code = "n = len(open('log').read()) if __import__('os').path.exists('log') else 0\nimport time\ntime.sleep(0.2)\nopen('log', 'a').write('x')\nprint(n)"
        results = await asyncio.gather(sandbox.run(code, LIMITS), sandbox.run(code, LIMITS))
        await sandbox.close()
        return sorted(result.stdout.strip() for result in results)

    assert asyncio.run(both()) == ["0", "1"]


def test_a_closed_sandbox_runs_nothing(public: Path, backend: str) -> None:
    async def late() -> None:
        sandbox = await open_sandbox(public, backend=backend, unsafe=True)
        await sandbox.run("print(1)", LIMITS)
        await sandbox.close()
        await sandbox.close()
        await sandbox.run("print(2)", LIMITS)

    with pytest.raises(SandboxError, match="closed"):
        asyncio.run(late())


def test_a_cancelled_step_leaves_no_process(public: Path, backend: str) -> None:
    async def cancelled() -> None:
        sandbox = await open_sandbox(public, backend=backend, unsafe=True)
        code = f"import subprocess\nsubprocess.run(['sleep', '{NAP}'])"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(sandbox.run(code, LIMITS), 1)
        await sandbox.close()

    asyncio.run(cancelled())
    deadline = time.monotonic() + 5
    while _running(f"sleep\x00{NAP}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(f"sleep\x00{NAP}")


def test_libraries_are_there(play: Play) -> None:
    code = """
        import numpy as np, pandas as pd
        frame = pd.read_csv('data/train.csv')
        print(frame.shape, float(np.mean(frame['x'])))
        frame[['id', 'target']].to_csv('submission.csv', index=False)
    """
    [result] = play(dedent(code))
    assert result.stdout == "(3, 3) 2.5\n", result.stderr
    assert result.submission == b"id,target\n0,0\n1,1\n2,1\n"


def test_steps_draw_different_random_numbers(play: Play) -> None:
    code = """
        import random, uuid, multiprocessing
        import numpy as np
        print(random.random(), np.random.rand(), np.random.default_rng().random(), uuid.uuid4(),
              multiprocessing.current_process().authkey.hex(), sep='\\n')
        np.random.seed(0); print(np.random.rand())
    """
    [first, second], [third] = play(dedent(code), dedent(code)), play(dedent(code))
    for one, other in ((first, second), (first, third)):
        assert one.stderr == ""
        pairs = list(zip(one.stdout.split(), other.stdout.split(), strict=True))
        assert all(a != b for a, b in pairs[:-1])
        assert pairs[-1] == ("0.5488135039273248", "0.5488135039273248")


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_limits_are_positive_and_finite(value: float) -> None:
    with pytest.raises(ValueError, match="wall_seconds"):
        Limits(wall_seconds=value)


def _running(command: str) -> bool:
    for process in os.listdir("/proc"):
        if process.isdigit():
            try:
                if command in Path(f"/proc/{process}/cmdline").read_text():
                    return True
            except OSError:
                continue
    return False
