"""`sandmle draft`: one seed or a folder of them, repaired, interrupted, continued."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sandmle.cli import app
from sandmle.resources import resource
from sandmle.spec.load import load_spec

SEEDS = resource("specs") / "seeds"
FEW = ("breast-cancer", "diabetes", "digits", "sunspots", "wine")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["draft", *arguments])


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A folder of few seeds."""
    folder = tmp_path / "seeds"
    folder.mkdir()
    for name in FEW:
        (folder / f"{name}.yaml").write_bytes((SEEDS / f"{name}.yaml").read_bytes())
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_a_seed_s_drafts_are_judged_by_the_gate(tmp_path: Path) -> None:
    seed = str(SEEDS / "wine.yaml")
    done = run("--seed", seed, "-S", "5", "-o", str(tmp_path / "out"), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    (path,) = map(Path, told["specs"])
    assert load_spec(path).seed == "wine"
    assert told["given_up"] == []


def test_a_folder_of_seeds_becomes_a_corpus(tmp_path: Path, seeds: Path) -> None:
    out = tmp_path / "corpus"
    arguments = ("--seeds", str(seeds), "--no-repair", "--cores", "1", "--out", str(out))
    done = run(*arguments, "-n", "10", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["count"], told["found"], sum(told["splits"].values())) == (10, 0, 10)
    more = run(*arguments, "-n", "12")
    assert more.exit_code == 0, more.output
    assert more.stdout.startswith(f"{out}: 12 specs, 10 of them before; 0 repaired\n")
    specs = [load_spec(path) for path in out.glob("*.yaml")]
    assert len(specs) == 12
    told = specs[0].provenance
    assert set(told) == {"drafted_from", "random_seed", "roles", "plan", "split"}
    assert set(told["roles"].values()) == {"procedural"}


def test_drafting_that_is_killed_is_continued(tmp_path: Path, seeds: Path) -> None:
    arguments = ["--seeds", str(seeds), "--no-repair", "--validation", "0", "-n", "40"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    command = [sys.executable, "-m", "sandmle", "draft", *arguments, "--out", str(killed)]
    process = subprocess.Popen([*command, "--cores", "2"], start_new_session=True)
    deadline = time.monotonic() + 120
    while len(list(killed.glob("*.yaml"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    kept = texts(killed)
    assert 5 <= len(list(killed.glob("*.yaml"))) < 40
    _wait_for_the_group_to_end(process.pid)
    # What is left where it is killed in the middle of a file.
    (killed / f".transport-delays.yaml.{process.pid}").write_text("spec: 1\nid: tra", "utf-8")
    for folder in (killed, whole):
        assert run(*arguments, "--cores", "1", "--out", str(folder)).exit_code == 0
    assert texts(killed) == texts(whole)
    drafts = {name: text for name, text in kept.items() if name.endswith(".yaml")}
    assert len(drafts) >= 5
    assert drafts.items() <= texts(killed).items()


def _wait_for_the_group_to_end(group: int) -> None:
    """No process of a killed run is left behind."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("workers outlive the process that was killed")


@pytest.mark.parametrize("arguments", [(), ("--seed", "x", "--seeds", "y")])
def test_seed_or_seeds(arguments: tuple[str, ...], seeds: Path) -> None:
    known = {"x": str(seeds / "wine.yaml"), "y": str(seeds)}
    done = run(*(known.get(one, one) for one in arguments))
    assert done.exit_code == 2
    assert "give one of --seed FILE and --seeds DIR" in done.stderr


def test_a_folder_without_seeds_says_so(tmp_path: Path) -> None:
    done = run("--seeds", str(tmp_path), "-o", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert "no seed here" in done.stderr
