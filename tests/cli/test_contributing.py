"""The worked examples of CONTRIBUTING.md, taken at their word."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.grading import load_script

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def examples() -> dict[str, str]:
    """The code blocks that name their file in a first comment, by that name."""
    blocks = re.findall(r"```\w+\n# (\S+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return dict(blocks)


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new corpus folder, entered, that holds the word and the spec of the page."""
    folder = tmp_path / "corpus"
    assert CliRunner().invoke(app, ["init", str(folder)]).exit_code == 0
    for name, text in examples().items():
        if name.startswith(("rules/", "specs/")):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_the_new_word_is_checked_and_compiled(corpus: Path, tmp_path: Path) -> None:
    spec = "specs/tasks/weighbridge-drift-0001.yaml"
    checked = CliRunner().invoke(app, ["check", spec])
    assert checked.exit_code == 0, checked.output
    compiled = CliRunner().invoke(app, ["compile", spec, "-o", str(tmp_path / "out")])
    assert compiled.exit_code == 0, compiled.output
    script = (tmp_path / "out" / "generate.py").read_text("utf-8")
    assert "def spread(" in script
    data = load_script(script, "generate.py")["generate"]()
    assert len(data.ids) == 650
    assert data.labels["needs_service"].mean() == pytest.approx(0.4, abs=0.06)


def test_an_editor_completes_the_new_word(corpus: Path) -> None:
    done = CliRunner().invoke(app, ["schema", "-o", "specs/schema.json"])
    assert done.exit_code == 0, done.output
    assert '"hidden.spread"' in Path("specs/schema.json").read_text("utf-8")


def test_a_misspelt_parameter_of_the_new_word_is_refused_at_its_place(corpus: Path) -> None:
    spec = Path("specs/tasks/weighbridge-drift-0001.yaml")
    text = spec.read_text("utf-8").replace("of: [north, east", "off: [north, east")
    spec.write_text(text, encoding="utf-8")
    checked = CliRunner().invoke(app, ["check", str(spec)])
    line = next(n for n, line in enumerate(text.splitlines(), 1) if "off:" in line)
    assert checked.exit_code == 1
    assert f"{spec}:{line}:" in checked.output
    assert "off" in checked.output


def test_the_policy_answers(tmp_path: Path) -> None:
    path = tmp_path / "silent.py"
    path.write_text(examples()["sandmle/play/policies/silent.py"], encoding="utf-8")
    loaded = importlib.util.spec_from_file_location("silent", path)
    assert loaded is not None
    assert loaded.loader is not None
    module = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(module)
    turn = asyncio.run(module.create("I pass.").respond((), None))
    assert turn.answer == "I pass."


@pytest.mark.slow
def test_the_new_task_is_built_and_accepted(corpus: Path) -> None:
    done = CliRunner().invoke(app, ["build", "specs/tasks/weighbridge-drift-0001.yaml"])
    assert done.exit_code == 0, done.output
    assert "1 tasks accepted" in done.output
