"""What is built again after which edit, by plain Snakemake on a copy of the package.

The copy's job is a stand-in that writes a verdict and counts: which jobs run follows from the
Snakefile alone, and is seen in a tenth of the time. Jobs that really build are in test_run.py.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import sandmle
from sandmle.resources import resource
from tests.build.processes import eventually, is_running
from tests.build.specs import spec_text, write_corpus

#: Stands for sandmle/build/job.py: a verdict as the spec's text asks for, and a line in a log.
JOB = """
import os, pathlib, sys, time
from sandmle.build.verdict import Verdict, dump_verdict
def main():
    spec, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[3])
    text = spec.read_text()
    if "# slow" in text:
        log = pathlib.Path("processes.part")
        log.write_text(f"{os.getpid()} {os.getppid()}")
        log.rename("processes.log")
    with open("built.log", "a") as log:
        print(spec.stem, file=log)
    if "# slow" in text:
        time.sleep(60)
    if "# crash" in text:
        sys.exit("the engine crashed")
    reasons = ("not good",) if "# bad" in text else ()
    folder.mkdir(parents=True, exist_ok=True)
    verdict = Verdict(spec.stem, not reasons, reasons, "1.0", "e", spec=str(len(text)))
    (folder / "verdict.json").write_text(dump_verdict(verdict))
if __name__ == "__main__":
    main()
"""

#: Stands for sandmle/build/examine_job.py: it finds what the spec's text asks for.
EXAMINE_JOB = """
import pathlib, sys
from sandmle.build.examination import Examination, dump_examination, verdict_digest
from sandmle.build.verdict import load_verdict
def main():
    spec, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with open("built.log", "a") as log:
        print("examined", spec.stem, file=log)
    verdict = load_verdict(folder)
    reasons = ("leaks",) if "# leaks" in spec.read_text() else ()
    found = Examination(verdict.id, verdict_digest(verdict), reasons)
    (folder / "examination.json").write_text(dump_examination(found))
if __name__ == "__main__":
    main()
"""


@dataclass(frozen=True)
class Workplace:
    """A corpus folder and the copy of the package that builds it."""

    corpus: Path
    package: Path

    def start(self, *targets: str) -> subprocess.Popen[str]:
        """Starts Snakemake in the corpus folder."""
        command = [sys.executable, "-P", "-m", "snakemake", "-s", str(self.package / "Snakefile")]
        command += ["--profile", str(self.package / "profiles/default"), "--cores", "2"]
        command += targets
        return subprocess.Popen(
            command,
            cwd=self.corpus,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def environment(self) -> dict[str, str]:
        """The environment in which Python finds the copy of the package."""
        return {**os.environ, "PYTHONPATH": str(self.package)}

    def processes_of_slow_job(self, build: subprocess.Popen[Any]) -> tuple[int, int]:
        """The process of a job that takes a minute, once it is there, and the warm process."""
        log = self.corpus / "processes.log"
        eventually(lambda: log.exists() or build.poll() is not None)
        assert build.poll() is None
        job, warm = log.read_text().split()
        return int(job), int(warm)

    def built(self, *targets: str, fails: str = "") -> list[str]:
        """Runs Snakemake; the tasks that were built. It must fail with `fails` in its output."""
        log = self.corpus / "built.log"
        log.write_text("")
        process = self.start(*targets)
        output, _ = process.communicate(timeout=120)
        assert (process.returncode != 0) == bool(fails), output
        assert fails in output
        return sorted(log.read_text().splitlines())

    def edit(self, path: str, *, append: str) -> None:
        """Adds a line to a file of the corpus or the package."""
        base = self.corpus if (self.corpus / path).exists() else self.package
        with (base / path).open("a") as file:
            file.write(f"{append}\n")

    def take_back(self, path: str, text: str) -> None:
        """Removes a text from a file of the corpus."""
        file = self.corpus / path
        file.write_text(file.read_text().replace(text, ""))

    def index(self) -> list[str]:
        """The tasks in the index."""
        lines = (self.corpus / "build/index.jsonl").read_text().splitlines()
        return [json.loads(line)["id"] for line in lines]


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    package = tmp_path / "package"
    shutil.copytree(
        Path(str(sandmle.__file__)).parent,
        package / "sandmle",
        ignore=shutil.ignore_patterns("shipped", "__pycache__"),
    )
    (package / "sandmle/build/job.py").write_text(JOB)
    (package / "sandmle/build/examine_job.py").write_text(EXAMINE_JOB)
    shutil.copy(resource("Snakefile"), package / "Snakefile")
    for name in ("rules", "templates", "profiles"):
        shutil.copytree(resource(name), package / name)
    sign, ratio = (
        spec_text("sign"),
        spec_text("parity").replace(
            "{kind: sign_product, left: crack, right: load}", "{kind: parity, of: [crack, load]}"
        ),
    )
    return Workplace(write_corpus(tmp_path / "corpus", {"sign": sign, "parity": ratio}), package)


def touch_everything(place: Workplace) -> None:
    time.sleep(0.01)
    for path in (place.corpus / "specs", place.package):
        for file in path.rglob("*.*"):
            file.touch()


def test_touching_builds_nothing_and_an_edit_what_depends_on_it(place: Workplace) -> None:
    assert place.built() == ["parity", "sign"]
    touch_everything(place)
    assert place.built() == []
    place.edit("specs/tasks/sign.yaml", append="# edited")
    assert place.built() == ["sign"]
    place.edit("rules/hidden/parity.py", append="# edited")
    assert place.built() == ["parity"]


def test_an_examination_holds_until_the_task_is_built_again(place: Workplace) -> None:
    everything = ["examined parity", "examined sign", "parity", "sign"]
    assert place.built("examined") == everything
    assert place.built("examined") == []
    place.edit("specs/tasks/sign.yaml", append="# leaks")
    assert place.built() == ["sign"]
    assert place.built("examined") == ["examined sign"]
    assert place.built(fails="rejected: sign: leaks") == []


@pytest.mark.slow
def test_the_rest_of_the_edit_matrix(place: Workplace) -> None:
    everything = ["parity", "sign"]
    assert place.built() == everything
    assert place.built() == []

    spec = place.corpus / "specs/tasks/sign.yaml"
    text = spec.read_text()
    spec.write_text(text + "# edited\n")
    spec.write_text(text)
    assert place.built() == [], "an edit that was taken back"

    place.edit("rules/hidden/ratio.py", append="# edited")
    assert place.built() == [], "a word that no spec uses"

    for template in ("generate.py.j2", "evaluate.py.j2", "description.md.j2"):
        place.edit(f"templates/{template}", append="")
    assert place.built() == everything

    own = place.corpus / "rules/hidden"
    own.mkdir(parents=True)
    shutil.copy(place.package / "rules/hidden/parity.py", own)
    assert place.built() == ["parity"], "the corpus' own word"

    for part in ("spec", "compiler", "runtime", "build", "solvers"):
        place.edit(f"sandmle/{part}/__init__.py", append="# edited")
        assert place.built() == everything, f"the engine's {part}"
    place.edit("sandmle/report/__init__.py", append="# edited")
    assert place.built() == [], "code that builds nothing"

    (place.corpus / "specs/tasks/third.yaml").write_text(spec_text("third"))
    assert place.built() == ["third"]
    assert place.index() == ["parity", "sign", "third"]

    (place.corpus / "specs/tasks/parity.yaml").unlink()
    assert place.built() == []
    assert place.index() == ["sign", "third"]
    assert not (place.corpus / "build/tasks/parity").exists()


@pytest.mark.slow
def test_the_gate_fails_the_run_until_nothing_is_rejected(place: Workplace) -> None:
    place.edit("specs/tasks/sign.yaml", append="# bad")
    assert place.built(fails="rejected: sign: not good") == ["parity", "sign"]
    assert place.index() == ["parity", "sign"]
    assert place.built(fails="rejected: sign: not good") == []
    place.edit("specs/tasks/sign.yaml", append="")
    place.take_back("specs/tasks/sign.yaml", "# bad")
    assert place.built() == ["sign"]
    place.edit("specs/tasks/parity.yaml", append="# bad")
    assert place.built(fails="rejected: parity: not good") == ["parity"]


@pytest.mark.slow
def test_a_spec_with_errors_and_a_crash_stop_no_other_task(place: Workplace) -> None:
    (place.corpus / "specs/tasks/wrong.yaml").write_text("id: [")
    place.edit("specs/tasks/sign.yaml", append="# crash")
    assert place.built(fails="the engine crashed") == ["parity", "sign", "wrong"]
    assert (place.corpus / "build/tasks/parity/verdict.json").exists()
    place.take_back("specs/tasks/sign.yaml", "# crash")
    assert place.built() == ["sign"]


#: Ways to end a build before its time: to all processes of the terminal, or to Snakemake alone.
ENDINGS: dict[str, Callable[[subprocess.Popen[str]], None]] = {
    "kill all": lambda process: os.killpg(process.pid, signal.SIGKILL),
    "kill": lambda process: process.kill(),
    "interrupt": lambda process: os.killpg(process.pid, signal.SIGINT),
}


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_build_that_is_ended_leaves_nothing_and_heals(place: Workplace, ending: str) -> None:
    place.edit("specs/tasks/sign.yaml", append="# slow")
    process = place.start()
    processes = place.processes_of_slow_job(process)
    ENDINGS[ending](process)
    process.communicate(timeout=60)
    eventually(lambda: not any(map(is_running, processes)))
    place.take_back("specs/tasks/sign.yaml", "# slow")
    assert "sign" in place.built()
    assert place.index() == ["parity", "sign"]
    assert place.built() == []


#: A process that builds as `sandmle build` does.
BUILDER = """
import os, sys
from pathlib import Path
from sandmle.build.run import build_corpus
build_corpus(None, corpus=Path(sys.argv[1]), progress=lambda done, total: None)
"""


@pytest.mark.slow
def test_snakemake_ends_with_the_build_that_started_it(place: Workplace) -> None:
    place.edit("specs/tasks/sign.yaml", append="# slow")
    builder = subprocess.Popen(
        [sys.executable, "-P", "-c", BUILDER, str(place.corpus)], env=place.environment()
    )
    job, server = place.processes_of_slow_job(builder)
    snakemake = int(Path(f"/proc/{server}/stat").read_text().rsplit(")")[1].split()[1])
    builder.kill()
    builder.wait()
    eventually(lambda: not any(map(is_running, (job, server, snakemake))))


@pytest.mark.slow
def test_a_broken_word_stops_the_run_and_names_the_file(place: Workplace) -> None:
    folder = place.corpus / "rules/hidden"
    folder.mkdir(parents=True)
    (folder / "odd.py").write_text("def odd(): pass\n")
    place.built(fails="odd.py:1: a word starts with a docstring")
