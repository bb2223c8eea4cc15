# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""The container back ends, over an engine that is a script: it runs the command in bubblewrap.

No test here needs Docker or Podman. What the script does not do is what an engine does by itself:
cgroups, its seccomp profile, images.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.errors import SandboxError
from sandmle.sandbox import StepResult, bwrap, container, open_sandbox, probe

from .conftest import LIMITS, play_in

ENGINE = """#!{python} -IS
import json, os, sys
words = sys.argv[1:]
open({log!r}, "a").write(json.dumps(words) + "\\n")
if os.path.exists({broken!r}):
    sys.exit(open({broken!r}).read())
assert words.pop(0) == "run"
flags = {{"--rm", "--interactive", "--read-only"}}
mounts, user = [], None
while words[0].startswith("--"):
    option = words.pop(0)
    if option in flags:
        continue
    value = words.pop(0)
    if option == "--user":
        user = value.split(":")[0]
    elif option == "--tmpfs":
        place, settings = value.split(":")
        size = dict(s.split("=") for s in settings.split(",") if "=" in s)["size"]
        mounts += ["--perms", "1777", "--size", size, "--tmpfs", place]
    elif option == "--mount":
        parts = dict(part.split("=") for part in value.split(",") if "=" in part)
        mounts += ["--ro-bind", parts["source"], parts["target"]]
assert words.pop(0) == "sandmle-sandbox"
system = []
for name in os.listdir("/"):
    path = "/" + name
    if os.path.islink(path):
        system += ["--symlink", os.readlink(path), path]
    elif name not in ("work", "data", "tmp", "proc", "dev"):
        system += ["--ro-bind", path, path]
os.execv({bubblewrap!r}, ["bwrap", *system, *mounts, "--dev", "/dev", "--tmpfs", "/dev/shm",
    "--proc", "/proc", "--unshare-all", "--unshare-user", "--uid", user, "--gid", user,
    "--clearenv", "--die-with-parent", "--as-pid-1", "--", {python!r}, *words])
"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a script ``docker`` that works, and its log of command lines."""
    if not probe.probe("bwrap").works:
        pytest.skip("the script needs bubblewrap")
    script = tmp_path / "docker"
    script.write_text(
        ENGINE.format(
            # Not a virtual environment's: that may lie where the container has its own folders.
            python=os.path.realpath(sys.executable),
            log=str(tmp_path / "log"),
            broken=str(tmp_path / "broken"),
            bubblewrap=bwrap.bubblewrap_path(),
        )
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def play(public: Path, *codes: str, limits: object = LIMITS) -> list[StepResult]:
    return play_in(public, "docker", *codes, limits=limits)  # type: ignore[arg-type]


def test_a_rollout_in_a_container(public: Path, engine: Path) -> None:
    first, second, third = play(
        public,
        "print(open('data/train.csv').readline().strip())\nopen('kept', 'w').write('kept')",
        "import os, sys\nprint(open('kept').read(), os.getcwd(), file=sys.stderr)\nsys.exit(3)",
        "open('submission.csv', 'w').write('id')\nopen('/tmp/lost', 'w')",
    )
    assert (first.stdout, first.exit_code, first.backend) == ("id,x,target\n", 0, "docker")
    assert (second.stderr, second.exit_code) == ("kept /work\n", 3)
    assert third.submission == b"id"


def test_the_limits_hold_in_a_container(public: Path, engine: Path) -> None:
    crowd = "import os, time\nfor _ in range(3):\n    if os.fork() == 0: time.sleep(60)\nwhile True: pass"
    first, second, third = play(
        public,
        crowd,
        "import os\nprint(len([p for p in os.listdir('/proc') if p.isdigit()]) < 3, os.listdir('/tmp'))",
        "held = [b'x' * (1 << 20) * n for n in range(1, 50)]\nimport time\ntime.sleep(30)",
        limits=replace(LIMITS, wall_seconds=2),
    )
    assert first.timed_out
    assert second.stdout == "True []\n"
    assert third.out_of_memory


def test_a_container_gets_nothing_of_the_callers_environment(
    public: Path, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    [result] = play(public, "import os\nprint(os.environ)\nprint(os.listdir('/proc/self/fd'))")
    assert "secret" not in result.stdout
    assert result.stdout.endswith("['0', '1', '2', '3']\n")  # 3 lists the folder


def test_a_closed_sandbox_leaves_no_container(public: Path, engine: Path) -> None:
    async def run() -> None:
        sandbox = await open_sandbox(public, backend="docker")
        step = asyncio.create_task(sandbox.run("import time\ntime.sleep(60)", LIMITS))
        await asyncio.sleep(1)
        await sandbox.close()
        with pytest.raises(SandboxError):
            await step

    asyncio.run(run())


def test_the_command_line_locks_everything(public: Path, engine: Path) -> None:
    play(public, "")
    [line] = (engine / "log").read_text().splitlines()
    words = json.loads(line)
    pairs = list(itertools.pairwise(words))
    assert words[0] == "run"
    assert {"--rm", "--interactive", "--read-only"} < set(words)
    for pair in (
        ("--pull", "never"),
        ("--network", "none"),
        ("--ipc", "private"),
        ("--cap-drop", "ALL"),
        ("--security-opt", "no-new-privileges"),
        ("--pids-limit", "40"),
        ("--mount", f"type=bind,source={public.resolve()},target=/data,readonly"),
        ("--entrypoint", "python3"),
    ):
        assert pair in pairs
    assert "/work:rw,exec,nosuid,nodev,size=33554432,nr_inodes=500,mode=1777" in words
    memory = dict(pairs)["--memory"]
    assert int(memory) >= LIMITS.memory_bytes
    assert dict(pairs)["--memory-swap"] == memory
    assert not {"--privileged", "--volume", "-v", "--env", "-e", "--pid"} & set(words)
    assert str(public.parent / "private") not in " ".join(words)


def test_rollouts_have_different_users() -> None:
    users = {container._USERS[n] for n in (0, -1)}
    assert all(60_000 < user < 65_534 for user in users)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("Cannot connect to the Docker daemon at unix:///x", "start the Docker daemon"),
        ("Unable to find image 'sandmle-sandbox:latest' locally", "docker build"),
    ],
)
def test_an_engine_that_fails_is_explained(engine: Path, words: str, advice: str) -> None:
    (engine / "broken").write_text(words)
    found = probe.probe.__wrapped__("docker")
    assert not found.works
    assert words in found.why_not
    assert advice in found.advice


def test_a_missing_engine_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = probe.probe.__wrapped__("podman")
    assert found.why_not == "no podman: there is no such program on the PATH"
    assert "install Podman" in found.advice
