"""Reviews in a real git repository: revisions, renames, the working tree, and git's own diff."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from tests.review.test_changes import BASE

COMMAND = f"{sys.executable} -m sandmle diff"


class Repository:
    """A git repository with a corpus in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tasks = folder / "specs" / "tasks"
        self.tasks.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, **variables: str) -> str:
        author = {
            name: value
            for who in ("AUTHOR", "COMMITTER")
            for name, value in ((f"GIT_{who}_NAME", "a"), (f"GIT_{who}_EMAIL", "a@b"))
        }
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **author, **variables}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def write(self, name: str, text: str) -> None:
        (self.tasks / f"{name}.yaml").write_text(text.replace("id: spec", f"id: {name}"))

    def commit(self, message: str = "x") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def diff(self, *arguments: str, code: int = 0, folder: Path | None = None) -> str:
        """What `sandmle diff` prints, errors after it."""
        with contextlib.chdir(folder or self.folder):
            done = CliRunner().invoke(app, ["diff", *arguments])
        assert done.exit_code == code, done.output
        return done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.write("roads", BASE)
    made.write("tracks", BASE.replace("mean: 30", "mean: 20"))
    (made.folder / "README.md").write_text("one\n")
    made.commit()
    return made


def test_revisions_ranges_and_the_working_tree(repository: Repository) -> None:
    repository.write("roads", BASE.replace("rate: 0.08", "rate: 0.12"))
    repository.commit()
    repository.write("tracks", BASE.replace("mean: 30", "mean: 25"))
    noise = "specs/tasks/roads.yaml\n  label noise 0.08 -> 0.12\n"
    factor = "specs/tasks/tracks.yaml\n  factor frost: mean 20 -> 25\n"
    assert repository.diff() == factor
    assert repository.diff("HEAD") == factor
    assert repository.diff("HEAD~1") == noise + factor
    assert repository.diff("HEAD~1..HEAD") == noise
    assert repository.diff("HEAD~1", "HEAD") == noise
    assert repository.diff("main~1...main") == noise
    assert repository.diff("HEAD~1", "--", "specs/tasks/tracks.yaml") == factor
    assert repository.diff("HEAD~1", "roads.yaml", folder=repository.tasks) == noise
    assert repository.diff("HEAD", "HEAD") == ""
    assert repository.diff("HEAD~1", "--exit-code", code=1) == noise + factor


def test_what_came_went_and_got_another_name(repository: Repository) -> None:
    (repository.tasks / "roads.yaml").unlink()
    (repository.tasks / "tracks.yaml").unlink()
    repository.write(
        "lanes", BASE.replace("mean: 30", "mean: 20").replace("train: 120", "train: 90")
    )
    repository.write("votes", BASE.replace("roc_auc", "log_loss").replace("gamma", "normal"))
    repository.git("add", "-A")
    said = repository.diff("HEAD")
    assert (
        "specs/tasks/lanes.yaml: renamed, was specs/tasks/tracks.yaml\n  train rows 120 -> 90"
        in said
    )


def test_comments_and_other_files_say_nothing(repository: Repository) -> None:
    repository.write(
        "roads", "# new\n" + BASE.replace("train: 120, test: 500", "test: 500, train: 120")
    )
    (repository.folder / "README.md").write_text("two\n")
    (repository.folder / "other.yaml").write_text("a: 1\n")
    repository.git("add", "-A")
    assert repository.diff() == ""


def test_a_broken_spec_is_told_with_its_side(repository: Repository) -> None:
    repository.write("roads", BASE.replace("of: moisture}", "of: moistur}"))
    repository.commit()
    said = repository.diff("HEAD~1..HEAD")
    assert "observe[1].of moisture -> moistur" in said
    assert "HEAD:specs/tasks/roads.yaml:12:46: observe[1].of: unknown factor 'moistur'" in said
    repository.write("roads", "spec: [1\n")
    said = repository.diff()
    assert "specs/tasks/roads.yaml:1:7: not valid YAML" in said
    assert "Traceback" not in said


def test_a_name_that_git_does_not_know(repository: Repository, tmp_path: Path) -> None:
    assert "neither a revision" in repository.diff("HEAD~9", code=2)
    assert "not a git repository" in repository.diff(code=2, folder=tmp_path)


def test_git_diff_says_the_same_as_the_command(repository: Repository) -> None:
    """The one command of the documentation, and the line in .gitattributes."""
    (repository.folder / ".gitattributes").write_text("specs/**/*.yaml diff=sandmle\n")
    repository.git("config", "diff.sandmle.command", COMMAND)
    repository.commit()
    repository.write("roads", BASE.replace("rate: 0.08", "rate: 0.12"))
    repository.write("more", BASE.replace("mean: 30", "mean: 10"))
    (repository.tasks / "tracks.yaml").unlink()
    repository.git("add", "-A")
    said = repository.git("diff", "--cached", "--no-renames")
    assert "specs/tasks/roads.yaml\n  label noise 0.08 -> 0.12\n" in said
    assert "specs/tasks/more.yaml: added\n" in said
    assert "specs/tasks/tracks.yaml: removed\n" in said
    renamed = repository.git("diff", "--cached", "-M", "--", "*more.yaml", "*tracks.yaml")
    assert "specs/tasks/more.yaml: renamed, was specs/tasks/tracks.yaml" in renamed
    repository.commit()
    assert "label noise 0.08 -> 0.12" in repository.git(
        "show", "--ext-diff", "--format=", "--", "*roads.yaml"
    )


def test_as_git_s_external_diff_other_files_differ_by_lines(repository: Repository) -> None:
    (repository.folder / "README.md").write_text("two\n")
    repository.write("roads", BASE.replace("rate: 0.08", "rate: 0.12"))
    said = repository.git("diff", GIT_EXTERNAL_DIFF=COMMAND)
    assert "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-one\n+two\n" in said
    assert "specs/tasks/roads.yaml\n  label noise 0.08 -> 0.12\n" in said


def test_files_and_folders(repository: Repository, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "roads.yaml").write_text(BASE.replace("id: spec", "id: roads"))
    (new / "roads.yaml").write_text((new / "roads.yaml").read_text().replace("0.08", "0.12"))
    assert repository.diff(str(old), str(new)) == "roads.yaml\n  label noise 0.08 -> 0.12\n"
    files = str(old / "roads.yaml"), str(new / "roads.yaml")
    assert repository.diff(*files) == "roads.yaml\n  label noise 0.08 -> 0.12\n"
    copy = tmp_path / "copy of roads.yml"
    copy.write_text((new / "roads.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    said = "copy of roads.yml\n  label noise 0.08 -> 0.12\n"
    assert repository.diff(str(old / "roads.yaml"), str(copy)) == said
    assert "two files, or two folders" in repository.diff(str(old), files[1], code=2)


def test_markdown_for_a_pull_request(repository: Repository) -> None:
    repository.write("roads", BASE.replace("label_flip, rate: 0.08", "class_flip, rate: 0.1"))
    assert repository.diff("--markdown") == (
        "### 1 spec: 1 changed\n\n"
        "#### specs/tasks/roads.yaml\n\n"
        "- label noise label\\_flip (rate 0.08) → class\\_flip (rate 0.1)\n"
    )


def test_what_stands_in_a_spec_steers_neither_terminal_nor_page(repository: Repository) -> None:
    hostile = 'title: "Look \\e[31m@all <b>\\u202e"'
    repository.write("roads", BASE.replace("title: Finding damaged road segments", hostile))
    said = repository.diff()
    assert "\\u001b[31m" in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\\<b\\>" in repository.diff("--markdown")


def test_json_for_a_script(repository: Repository) -> None:
    repository.write("roads", BASE.replace("rate: 0.08", "rate: 0.12"))
    (found,) = json.loads(repository.diff("--json"))
    assert (found["path"], found["status"]) == ("specs/tasks/roads.yaml", "changed")
    assert found["changes"] == [
        {
            "where": "noise[0].rate",
            "text": "label noise 0.08 -> 0.12",
            "before": 0.08,
            "after": 0.12,
        }
    ]
    assert found["effect"] is None


def test_a_spec_at_the_top_of_a_repository_is_called_by_its_file(repository: Repository) -> None:
    text = BASE.replace("id: spec", "id: alone")
    (repository.folder / "alone.yaml").write_text(text)
    repository.commit()
    (repository.folder / "alone.yaml").write_text(text.replace("0.08", "0.1"))
    assert repository.diff() == "alone.yaml\n  label noise 0.08 -> 0.1\n"
