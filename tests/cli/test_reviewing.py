"""lint and format on the command line, the hooks that call them, and how fast diff is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.resources import resource

ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).parents[1] / "spec" / "example.yaml"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A spec whose keys are out of order, in a corpus folder of its own."""
    path = tmp_path / "specs" / "tasks" / "example.yaml"
    path.parent.mkdir(parents=True)
    text = EXAMPLE.read_text(encoding="utf-8")
    path.write_text(text.replace("spec: 1\n", "") + "# version\nspec: 1\n", encoding="utf-8")
    return path


def test_format_writes_and_then_has_nothing_to_do(spec: Path) -> None:
    done = CliRunner().invoke(app, ["format", str(spec)])
    assert (done.exit_code, done.stdout) == (0, f"{spec}: formatted\n")
    assert "# version\nspec: 1\n" in spec.read_text(encoding="utf-8")
    again = CliRunner().invoke(app, ["format", str(spec.parent), "--check"])
    assert (again.exit_code, again.stdout) == (0, "")


@pytest.mark.parametrize(("option", "code"), [("--check", 1), ("--diff", 0)])
def test_format_can_look_without_writing(spec: Path, option: str, code: int) -> None:
    before = spec.read_bytes()
    done = CliRunner().invoke(app, ["format", str(spec), option])
    assert done.exit_code == code
    assert str(spec) in done.stdout
    assert spec.read_bytes() == before
    assert ("+# version" in done.stdout) == (option == "--diff")


def test_format_leaves_what_is_no_yaml_and_goes_on(spec: Path) -> None:
    broken = spec.with_name("broken.yaml")
    broken.write_text("spec: [1\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["format", str(spec.parent)])
    assert done.exit_code == 1
    assert f"{broken}:1:7: not valid YAML" in done.stderr
    assert f"{spec}: formatted" in done.stdout
    assert broken.read_text(encoding="utf-8") == "spec: [1\n"


def test_format_keeps_a_byte_order_mark(spec: Path) -> None:
    spec.write_bytes(b"\xef\xbb\xbf" + spec.read_bytes())
    CliRunner().invoke(app, ["format", str(spec)])
    assert spec.read_bytes().startswith(b"\xef\xbb\xbf")


def test_lint_tells_findings_as_lines_and_as_json(spec: Path) -> None:
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("factors:\n", "factors:\n  idle: {kind: normal}\n"), "utf-8")
    done = CliRunner().invoke(app, ["lint", str(spec)])
    assert done.exit_code == 1
    assert "factors.idle: nothing uses factor 'idle'" in done.stdout
    assert done.stdout.endswith("[unused-factor]\n")
    (found,) = json.loads(CliRunner().invoke(app, ["lint", str(spec), "--json"]).stdout)
    assert (found["code"], found["where"]) == ("unused-factor", "factors.idle")


def test_the_shipped_corpus_is_formatted() -> None:
    done = CliRunner().invoke(app, ["format", str(resource("specs") / "tasks"), "--check"])
    assert (done.exit_code, done.stdout) == (0, "")


def test_every_hook_is_a_command_and_in_the_guide() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    guide = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
    commands = {command.name for command in app.registered_commands}
    assert [hook["id"] for hook in hooks] == ["sandmle-format", "sandmle-check", "sandmle-lint"]
    for hook in hooks:
        assert hook["entry"].split() == ["sandmle", hook["id"].removeprefix("sandmle-")]
        assert hook["entry"].split()[1] in commands
        assert f"id: {hook['id']}" in guide
