"""What is installed from a wheel is all that a user needs, and nothing of a checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = ("rules", "templates", "specs", "training", "profiles")


def tracked(*paths: str) -> set[str]:
    """Files of the checkout under some paths that git knows."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *paths]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in done.stdout.splitlines() if (ROOT / line).is_file()}


def build(hook: str, folder: Path) -> Path:
    """A wheel built from the checkout by one of hatchling's hooks."""
    folder.mkdir()
    code = f"import sys; from hatchling.build import {hook}; print({hook}(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_wheel", tmp_path_factory.mktemp("wheel") / "dist")


def test_a_wheel_carries_the_package_and_all_shipped_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = tracked("sandmle")
    expected |= {f"sandmle/shipped/{name}" for name in tracked(*SHIPPED, "Snakefile")}
    assert expected <= names
    assert {name for name in names - expected if ".dist-info/" not in name} == set()


def test_a_wheel_names_its_licence_and_its_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "sandmle = sandmle.cli:main" in archive.read(entry).decode()
        assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())


def test_an_editable_install_carries_no_copy_that_could_shadow_the_checkout(
    tmp_path: Path,
) -> None:
    names = zipfile.ZipFile(build("build_editable", tmp_path / "dist")).namelist()
    assert [name for name in names if ".dist-info/" not in name] == ["_editable_impl_sandmle.pth"]


@pytest.mark.slow
def test_an_installed_wheel_makes_and_builds_a_corpus(wheel: Path, tmp_path: Path) -> None:
    """In an empty environment, elsewhere, with nothing of the checkout on its path."""
    python = tmp_path / "environment" / "bin" / "python"

    def run(*command: str, cwd: Path = tmp_path) -> str:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", str(tmp_path / "environment"))
    run(str(python), "-m", "pip", "install", "--quiet", str(wheel))
    sandmle = str(python.with_name("sandmle"))
    where = run(str(python), "-P", "-c", "import sandmle; print(sandmle.__file__)")
    assert where.startswith(str(tmp_path))
    run(sandmle, "init", "d")
    assert "1 tasks accepted, 0 rejected" in run(sandmle, "build", cwd=tmp_path / "d")
    assert "accepted" in run(sandmle, "show", "hotel-cancellation-weekday", cwd=tmp_path / "d")
