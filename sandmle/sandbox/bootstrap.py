"""Starts this project's code in an interpreter that cannot see this project.

The modules are compiled here and sent over a socket as code objects, so the sandbox needs no file
of this project: the solver finds none.
"""

from __future__ import annotations

import marshal
from functools import cache
from importlib.util import find_spec
from pathlib import Path

COLD = "sandmle.sandbox.inside.cold"
ZYGOTE = "sandmle.sandbox.inside.zygote"
BROKER = "sandmle.sandbox.inside.broker"

# In the order in which they import each other.
_SHARED = (
    "sandmle.sandbox.limits",
    "sandmle.sandbox.inside.capping",
    "sandmle.sandbox.inside.seccomp",
    "sandmle.sandbox.inside.confine",
    "sandmle.sandbox.inside.wire",
)
_ROLLOUT = (
    "sandmle.sandbox.inside.tidy",
    "sandmle.sandbox.inside.watch",
    "sandmle.sandbox.inside.submission",
    "sandmle.sandbox.inside.supervisor",
    "sandmle.sandbox.inside.rollout",
)
_NAMESPACES = "sandmle.sandbox.inside.namespaces"
_MODULES = {
    COLD: (*_SHARED, *_ROLLOUT, COLD),
    ZYGOTE: (*_SHARED, *_ROLLOUT, _NAMESPACES, "sandmle.sandbox.inside.program", ZYGOTE),
    BROKER: (*_SHARED, _NAMESPACES, BROKER),
}

# Its arguments: the descriptor to read from, and the module whose main() takes over.
LOADER = """
import marshal, os, sys, types
connection, entry = int(sys.argv[1]), sys.argv[2]
def take(size):
    taken = bytearray()
    while len(taken) < size:
        piece = os.read(connection, size - len(taken))
        if not piece:
            sys.exit(1)
        taken += piece
    return bytes(taken)
for package in ("sandmle", "sandmle.sandbox", "sandmle.sandbox.inside"):
    sys.modules[package] = types.ModuleType(package)
for name, code in marshal.loads(take(int.from_bytes(take(8), "little"))):
    module = sys.modules[name] = types.ModuleType(name)
    parent, _, short = name.rpartition(".")
    setattr(sys.modules[parent], short, module)
    exec(code, module.__dict__)
sys.modules[entry].main(connection)
"""


@cache
def sealed_modules(entry: str, *, compiled: bool = True) -> bytes:
    """What the loader expects first: the length, then every module.

    ``compiled`` modules are for this very version of Python; else they are sent as source.
    """
    pairs = [
        (name, compile(source, f"<{name}>", "exec") if compiled else source)
        for name, source in ((name, _source(name)) for name in _MODULES[entry])
    ]
    body = marshal.dumps(pairs)
    return len(body).to_bytes(8, "little") + body


def _source(module: str) -> bytes:
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).read_bytes()
