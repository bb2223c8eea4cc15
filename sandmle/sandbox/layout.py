"""Which folders of this machine the solver sees, and under which names.

Only the interpreter, its libraries and the system's are shown, part by part: a checkout, a home or
a task that lies beside them stays out of sight.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sandmle
from sandmle.errors import SandboxError

WORK = "/work"
DATA = "/data"
TEMPORARY = ("/tmp", "/dev/shm")

_ENVIRONMENT = "/opt/venv"  # where a virtual environment appears, wherever it lies on this machine
_PREFIX_PARTS = ("bin", "lib", "lib32", "lib64", "libexec", "share", "include", "pyvenv.cfg")
_LOCAL_PARTS = ("local/bin", "local/lib", "local/lib64", "local/share", "local/cuda")
_SYSTEM_PARTS = (*_PREFIX_PARTS, "sbin", "libx32", *_LOCAL_PARTS)
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts")
_ROOT_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_TAKEN = (WORK, DATA, _ENVIRONMENT, "/dev", "/proc", "/tmp", "/usr", "/etc")


@dataclass(frozen=True, slots=True)
class Layout:
    """The read-only part of the solver's file system.

    Attributes:
        shown: Pairs of a path on this machine and the path inside.
        links: Pairs of a link's path inside and its target.
        hidden: Folders inside that are covered with an empty one.
        python: The interpreter, as a path inside.
    """

    shown: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...]
    python: str

    def shows(self, path: Path) -> bool:
        """Whether something on this machine can be seen from inside."""
        real = path.resolve()
        return any(real.is_relative_to(Path(outside).resolve()) for outside, _ in self.shown)


@cache
def solver_layout() -> Layout:
    """The layout for the interpreter that runs this.

    Raises:
        SandboxError: the interpreter lies where the solver's own folders are to be.
    """
    shown = [(path, path) for path in _existing("/usr", _SYSTEM_PARTS)]
    shown += [(path, path) for path in _SYSTEM_FILES if os.path.exists(path)]
    links = []
    for name in _ROOT_LINKS:
        if os.path.islink(f"/{name}"):
            links.append((f"/{name}", os.readlink(f"/{name}")))
        elif os.path.isdir(f"/{name}"):
            shown.append((f"/{name}", f"/{name}"))

    virtual = sys.prefix != sys.base_prefix
    for base in _base_prefixes():
        if not _within(base, ("/usr",)):
            if _within(base, _TAKEN) or base == "/":
                raise SandboxError(
                    f"the interpreter under {base} cannot be shown to a solver there"
                )
            shown += [(path, path) for path in _existing(base, _PREFIX_PARTS)]
    if virtual:
        for path in _existing(sys.prefix, _PREFIX_PARTS):
            shown.append((path, _ENVIRONMENT + path.removeprefix(sys.prefix)))
    prefix = _ENVIRONMENT if virtual else sys.base_prefix
    executable = os.path.join(prefix, os.path.relpath(sys.executable, sys.prefix))
    return Layout(tuple(shown), tuple(links), _own_package(shown), executable)


def solver_environment(python: str, work: str, temporary: str) -> dict[str, str]:
    """The solver's environment variables: nothing of this process's own environment is in it."""
    folders = (os.path.dirname(python), "/usr/local/bin", "/usr/bin", "/bin")
    return {
        "PATH": ":".join(folders),
        "HOME": work,
        "USER": "solver",
        "LANG": "C.UTF-8",
        "TMPDIR": temporary,
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": f"{temporary}/.matplotlib",
        "XDG_CACHE_HOME": f"{temporary}/.cache",
        "JOBLIB_TEMP_FOLDER": temporary,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",  # what was printed before a kill is seen
        "PYTHONHASHSEED": "0",
        # Many sandboxes share a machine, and micro-scale data gains nothing from threads.
        "OMP_NUM_THREADS": "1",
        "OMP_THREAD_LIMIT": "1",
        "OMP_WAIT_POLICY": "passive",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        # pandas imports Arrow where it is installed; its thread would be missing in warm copies.
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }


def _existing(folder: str, parts: tuple[str, ...]) -> list[str]:
    return [path for part in parts if os.path.exists(path := os.path.join(folder, part))]


def _base_prefixes() -> list[str]:
    """Every name under which the interpreter without its virtual environment is reached."""
    executable = Path(os.path.realpath(sys.executable))
    names = (sys.base_prefix, os.path.realpath(sys.base_prefix), str(executable.parent.parent))
    return list(dict.fromkeys(names))


def _within(path: str, folders: tuple[str, ...]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def _own_package(shown: list[tuple[str, str]]) -> tuple[str, ...]:
    """Where this project could be seen from inside: it ships specs, which give answers away."""
    package = Path(str(sandmle.__file__)).resolve().parent
    places = [(Path(outside).resolve(), Path(inside)) for outside, inside in shown]
    return tuple(
        str(inside / package.relative_to(outside))
        for outside, inside in places
        if package.is_relative_to(outside)
    )
