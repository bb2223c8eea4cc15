"""`sandmle draft --roles openai:...` and `profile --describe`, against a server of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sandmle.cli import app
from sandmle.resources import resource
from sandmle.seeds.load import load_seed
from sandmle.spec.load import load_spec
from sandmle.spec.yaml_source import read_source
from tests.asking.conftest import _key
from tests.asking.server import Action, Hang, Server, Status, in_turn, serving
from tests.roles.prompted.playing import RANDOM_SEED, always, fenced, well
from tests.seeds.competitions import write_competition

__all__ = ["_key"]

SEEDS = resource("specs") / "seeds"
FEW = ("aerial-cactus-identification", "breast-cancer", "wine")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus folder with few seeds."""
    folder = tmp_path / "corpus"
    (folder / "specs" / "seeds").mkdir(parents=True)
    for name in FEW:
        (folder / "specs" / "seeds" / f"{name}.yaml").write_bytes(
            (SEEDS / f"{name}.yaml").read_bytes()
        )
    return folder


def arguments(server: Server, corpus: Path, *more: str) -> list[str]:
    """Drafts of all seeds, two a seed."""
    seeds = ["--seeds", str(corpus / "specs" / "seeds"), "--validation", "0", "-n", "6"]
    how = ["--no-repair", "--mix", "even", "-S", str(RANDOM_SEED), "-C", str(corpus)]
    return ["draft", *seeds, *how, "--roles", "openai:small", "--base-url", server.url, *more]


def run(*given: str) -> Result:
    return CliRunner().invoke(app, list(given))


def texts(corpus: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (corpus / "specs" / "tasks").iterdir()}


def provenance(path: Path) -> Mapping[str, Any]:
    data: Mapping[str, Any] = read_source(path).data["provenance"]
    return data


def test_a_corpus_by_models_says_who_wrote_and_what_it_cost(corpus: Path) -> None:
    with serving(well) as server:
        done = run(*arguments(server, corpus, "--concurrency", "3", "--price", "1/2"))
        assert done.exit_code == 0, done.output
        assert server.most_at_once <= 3
        calls = len(server.answered)
    assert calls >= 24
    cost = f"{calls} calls and 0 kept replies; {100 * calls:,} tokens of prompts, "
    assert cost + f"{20 * calls:,} of answers, cost {calls * 0.00014:.4f}" in done.stderr
    specs = sorted((corpus / "specs" / "tasks").glob("*.yaml"))
    assert len(specs) == 6
    for path in specs:
        assert load_spec(path, corpus=corpus).seed in FEW
        roles = provenance(path)["roles"]
        assert {told["openai"] for told in roles.values()} == {"small"}
    with serving(well) as server:
        again = run(*arguments(server, corpus))
        assert not server.requests
    assert "6 specs, 6 of them before" in again.stdout


def test_killed_in_the_middle_no_call_is_repeated_and_nothing_lost(
    corpus: Path, tmp_path: Path
) -> None:
    """The server stops answering after nine calls; the process is killed while it waits."""
    stuck, free = threading.Event(), threading.Event()
    count, lock = 0, threading.Lock()

    def act(body: dict[str, Any]) -> Action:
        nonlocal count
        with lock:
            count += 1
            waits = count > 9 and not free.is_set()
        if waits:
            stuck.set()
            return Hang()
        return well(body)

    with serving(act) as server:
        command = arguments(server, corpus, "--concurrency", "1")
        process = subprocess.Popen(
            [sys.executable, "-m", "sandmle", *command], stderr=subprocess.PIPE, env=os.environ
        )
        assert stuck.wait(60), process.stderr
        process.kill()
        process.communicate()
        kept = texts(corpus)
        assert len(server.answered) == 9
        assert len([name for name in kept if name.endswith(".yaml")]) == 2
        free.set()
        done = run(*command)
        assert done.exit_code == 0, done.output
        assert len(set(server.answered)) == len(server.answered)  # no call was repeated
    assert {name: texts(corpus)[name] for name in kept if name.endswith(".yaml")} == {
        name: text for name, text in kept.items() if name.endswith(".yaml")
    }
    with serving(well) as server:  # what an unbroken run would have made
        other = tmp_path / "other"
        (other / "specs").mkdir(parents=True)
        (other / "specs" / "seeds").symlink_to(corpus / "specs" / "seeds")
        assert run(*arguments(server, other)).exit_code == 0
    assert texts(other) == texts(corpus)


def test_an_interrupt_ends_long_waits(corpus: Path) -> None:
    paused = threading.Event()

    def act(_body: dict[str, Any]) -> Action:
        paused.set()
        return Status(429, {"retry-after": "60"})

    with serving(act) as server:
        command = [sys.executable, "-m", "sandmle", *arguments(server, corpus)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        assert paused.wait(60)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 130


def test_a_spent_budget_stops_cleanly_and_more_goes_on(corpus: Path) -> None:
    with serving(well) as server:
        command = arguments(server, corpus, "--concurrency", "2")
        poor = run(*command, "--budget", "25k")
        assert poor.exit_code == 1
        assert "the budget leaves no room for another call" in poor.stderr
        done = len(server.answered)
        assert 0 < 120 * done <= 25_000
        before = texts(corpus) if (corpus / "specs" / "tasks").is_dir() else {}
        assert len([name for name in before if name.endswith(".yaml")]) < 6
        assert run(*command).exit_code == 0
        assert len(set(server.answered)) == len(server.answered)
    assert all(texts(corpus)[name] == before[name] for name in before if name.endswith(".yaml"))


def test_roles_that_stay_faulty_fall_back_or_drop_their_drafts(corpus: Path) -> None:
    seed = ("draft", "--seed", str(SEEDS / "wine.yaml"), "-S", "1", "--no-repair")
    how = ("-C", str(corpus), "--role", "writer=openai:small", "--rounds", "1", "-n", "2")
    with serving(always(writer=fenced({"poem": "O wine"}))) as server:
        done = run(*seed, *how, "--base-url", server.url)
        assert done.exit_code == 0, done.output
        paths = [Path(line) for line in done.stdout.splitlines()]
        assert [provenance(path)["roles"]["writer"] for path in paths] == ["procedural"] * 2
        dropped = run(*seed, *how, "--base-url", server.url, "--fall-back", "drop")
        assert dropped.exit_code == 1
        assert "given up: wine.0: not mended: Technical Writer" in dropped.stderr
        assert "unknown key 'poem'" in dropped.stderr


def test_an_endpoint_that_refuses_ends_the_command(corpus: Path) -> None:
    with serving(in_turn(Status(401, error={"message": "who are you?"}))) as server:
        done = run(*arguments(server, corpus))
    assert done.exit_code == 2
    assert "who are you?" in done.stderr
    assert "not-a-key" not in done.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--roles", "gpt"), "is no model; expected openai:MODEL"),
        (("--role", "poet=openai:x"), "no role is called 'poet'"),
        (("--roles", "openai:x", "--budget", "much"), "'much' is no budget"),
        (("--roles", "openai:x", "--budget", "$5"), "needs the price of tokens"),
        (("--roles", "openai:x", "--price", "cheap"), "'cheap' is no price"),
    ],
)
def test_options_that_mean_nothing(options: tuple[str, ...], told: str, corpus: Path) -> None:
    done = run("draft", "--seed", str(SEEDS / "wine.yaml"), "-C", str(corpus), *options)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())


def test_a_profile_takes_from_the_description_what_the_data_cannot_tell(
    tmp_path: Path, corpus: Path
) -> None:
    folder = write_competition("wine", tmp_path / "wine")
    description = (folder / "prepared" / "public" / "description.md").read_text("utf-8")
    quote = next(line for line in description.splitlines() if "loss" in line.lower())
    answer = {"modality": "text", "split": "group", "metric": "accuracy", "quote": quote}
    output = tmp_path / "wine.yaml"
    command = ("profile", str(folder), "-o", str(output), "-C", str(corpus))
    with serving(in_turn(fenced(answer))) as server:
        done = run(*command, "--describe", "openai:small", "--base-url", server.url)
        assert done.exit_code == 0, done.output
        seed = load_seed(output)
        assert (seed.modality, seed.split and seed.split.kind) == ("tabular", "group")
        assert seed.metric.name == "log_loss"
        assert "metric: the description says accuracy, the data say log_loss" in done.stderr
        assert "modality: the description says text, the data say tabular" in done.stderr
        trusted = ("--describe", "openai:small", "--trust", "description")
        assert run(*command, *trusted, "--base-url", server.url).exit_code == 0
        assert load_seed(output).metric.name == "accuracy"
        assert len(server.requests) == 1  # the reply was kept
    assert "1 calls and 0 kept replies" in done.stderr
    assert quote not in output.read_text("utf-8")
