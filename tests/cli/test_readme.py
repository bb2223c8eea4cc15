"""What README.md shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The spec of the page, in a corpus folder that is entered."""
    found = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert found
    path = tmp_path / "specs" / "tasks" / "road-cracks.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(found[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path.relative_to(tmp_path)


def test_the_spec_is_right(spec: Path) -> None:
    done = CliRunner().invoke(app, ["check", str(spec)])
    assert done.exit_code == 0, done.output


def test_the_message_is_what_check_says(spec: Path) -> None:
    spec.write_text(spec.read_text("utf-8").replace("left: direction", "left: directon"), "utf-8")
    done = CliRunner().invoke(app, ["check", str(spec)])
    assert f"\n    {done.stdout}" in README


def test_every_command_is_in_the_table_and_no_other() -> None:
    shown = re.findall(r"^\| `sandmle ([\w-]+)", README, re.MULTILINE)
    registered = [*app.registered_commands, *app.registered_groups]
    assert shown == [command.name for command in registered]


def test_every_link_and_picture_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target
