"""Warm processes run jobs as cold ones would, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandmle.build import client, warm
from tests.build.processes import eventually, is_running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere jobs run cold")

#: A module to be served. It notes in a file when it is imported, and keeps what it has done.
ERRAND = """
import os, pathlib, subprocess, sys, time
with open(pathlib.Path(__file__).with_name("imported.log"), "a") as log:
    print(os.getpid(), file=log)
done = []
def main():
    done.append(sys.argv[1])
    if sys.argv[1] == "tell":
        print(os.getcwd(), sys.argv[1:], done, repr(sys.stdin.read()))
        print("to stderr", file=sys.stderr)
        os.write(2, os.environ["OMP_NUM_THREADS"].encode())
    elif sys.argv[1] == "hash":
        print(hash("a word"))
    elif sys.argv[1] == "exit":
        sys.exit(eval(sys.argv[2]))
    elif sys.argv[1] == "fail":
        raise ValueError("no good")
    elif sys.argv[1] == "die":
        os.kill(os.getpid(), int(sys.argv[2]))
    elif sys.argv[1] == "sleep":
        nap = [sys.executable, "-c", "import time; time.sleep(60)"]
        helper = subprocess.Popen(nap, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        partial = pathlib.Path("sleeping.part")
        partial.write_text(f"{os.getpid()} {helper.pid} {os.getppid()}")
        partial.rename("sleeping")
        time.sleep(60)
if __name__ == "__main__":
    main()
"""

#: A process that starts warm ones, as Snakemake does.
HOST = """
import sys, time
from sandmle.build import warm
warm.SERVED = [("errand", seed, ()) for seed in ("0", "1")]
warm.start(sys.argv[1])
print("started", flush=True)
time.sleep(60)
"""


class Host:
    """A process that holds warm processes by a name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warm = warm.new_name()
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOST, self.warm], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "started\n"

    def ask(
        self, *arguments: str, hash_seed: str = "0", cold: bool = False
    ) -> subprocess.Popen[str]:
        """Starts a client, which runs its errand cold where it is told to."""
        name = "" if cold else self.warm
        return subprocess.Popen(
            [*warm.command("errand", hash_seed=hash_seed, warm=name), *arguments],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def result(
        self, *arguments: str, hash_seed: str = "0", cold: bool = False
    ) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of an errand; of a traceback the last line."""
        process = self.ask(*arguments, hash_seed=hash_seed, cold=cold)
        stdout, stderr = process.communicate(timeout=60)
        if stderr.startswith("Traceback"):
            stderr = stderr.splitlines()[-1]
        return process.returncode, stdout, stderr

    def sleep(self) -> tuple[subprocess.Popen[str], list[int]]:
        """A client whose errand sleeps; the errand's process, its child, and the warm process."""
        process = self.ask("sleep")
        eventually((self.folder / "sleeping").exists)
        return process, [int(number) for number in (self.folder / "sleeping").read_text().split()]

    def imports(self) -> int:
        """How often the errand's module was imported."""
        log = self.folder / "imported.log"
        return len(log.read_text().split()) if log.exists() else 0

    def end(self) -> None:
        """Kills this host, without a chance to tidy up."""
        self.process.kill()
        self.process.wait()


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    (tmp_path / "errand.py").write_text(ERRAND)
    paths = [str(tmp_path), str(Path(client.__file__).parents[2])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    found = Host(tmp_path)
    yield found
    found.end()


def test_nothing_is_imported_before_the_first_request(host: Host) -> None:
    time.sleep(0.2)
    assert host.imports() == 0
    assert host.result("tell")[0] == 0
    assert host.result("tell")[0] == 0
    assert host.imports() == 1


@pytest.mark.parametrize(
    "errand",
    [
        ("tell", "one", "with space", "ü", ""),
        ("exit", "3"),
        ("exit", "None"),
        ("exit", "'a reason'"),
        ("exit", "-1"),
        ("fail",),
    ],
)
def test_a_warm_errand_is_as_a_cold_one(host: Host, errand: tuple[str, ...]) -> None:
    assert host.result(*errand) == host.result(*errand, cold=True)


def test_each_errand_is_run_in_a_copy_of_its_own(host: Host) -> None:
    first, second = host.result("tell"), host.result("tell")
    assert "['tell'] ['tell'] ''" in first[1]
    assert first == second


def test_a_signal_is_told_as_a_shell_tells_it(host: Host) -> None:
    assert host.result("die", str(int(signal.SIGSEGV)))[0] == 128 + signal.SIGSEGV
    assert host.result("tell")[0] == 0


def test_hash_seeds_are_really_set(host: Host) -> None:
    hashes = [host.result("hash", hash_seed=seed) for seed in ("0", "1")]
    assert hashes == [host.result("hash", hash_seed=seed, cold=True) for seed in ("0", "1")]
    assert hashes[0] != hashes[1]


def test_errands_run_side_by_side(host: Host) -> None:
    sleeper, processes = host.sleep()
    assert host.result("tell")[0] == 0
    assert all(map(is_running, processes))
    sleeper.kill()
    sleeper.communicate()


def test_an_errand_ends_with_its_client(host: Host) -> None:
    sleeper, (errand, its_child, server) = host.sleep()
    sleeper.send_signal(signal.SIGINT)
    _, errors = sleeper.communicate()
    assert errors == ""
    eventually(lambda: not is_running(errand) and not is_running(its_child))
    assert is_running(server)
    assert host.result("tell")[0] == 0


def test_a_killed_host_leaves_nothing(host: Host) -> None:
    sleeper, processes = host.sleep()
    host.end()
    sleeper.communicate(timeout=30)
    assert sleeper.returncode == 128 + signal.SIGKILL
    eventually(lambda: not any(map(is_running, processes)))
    assert client.connect(host.warm, "0", "errand") is None
    assert client.connect(host.warm, "1", "errand") is None


def test_after_a_killed_warm_process_errands_run_cold(host: Host) -> None:
    sleeper, (errand, its_child, server) = host.sleep()
    os.kill(server, signal.SIGKILL)
    _, errors = sleeper.communicate(timeout=30)
    assert (sleeper.returncode, errors) == (1, "the build's warm process has ended\n")
    eventually(lambda: not is_running(errand))
    os.kill(its_child, signal.SIGKILL)
    assert host.result("tell") == host.result("tell", cold=True)


def test_what_has_threads_is_not_copied(host: Host) -> None:
    with (host.folder / "errand.py").open("a") as file:
        file.write("import threading\nthreading.Thread(target=time.sleep, args=(60,)).start()\n")
        file.write("os.execv = lambda path, command: os._exit(77)\n")
    assert host.result("tell")[0] == 77, "it would have been run cold"


def test_no_build_runs_the_code_of_an_earlier_one(host: Host) -> None:
    assert "to stderr" in host.result("tell")[2]
    (host.folder / "errand.py").write_text(ERRAND.replace("to stderr", "in other words"))
    assert "to stderr" in host.result("tell")[2]
    later = Host(host.folder)
    assert "in other words" in later.result("tell")[2]
    later.end()
