"""Finds prepared competitions in MLE-bench's own layout, and what grades each of them here.

    DIR/<competition>/prepared/public/    shown to policies
    DIR/<competition>/prepared/private/   never
    DIR/<competition>/leaderboard.csv     where the package mlebench is not installed
    DIR/<competition>/config.yaml, grade.py   for a competition that the benchmark does not have

Nothing of the package is imported here: its files are read.
"""

from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import yaml

from sandmle.mlebench.known import Rule, known_competitions

#: How one installs the package; it is on no registry.
INSTALL = (
    "install the package mlebench (git clone https://github.com/openai/mle-bench, "
    "git lfs pull, pip install -e .)"
)

#: What a competition that MLE-bench does not have is sorted under, unless its config.yaml says.
UNKNOWN = "unknown"

#: Who grades a competition: its own grade.py, the package mlebench, or one of our metrics.
Judge = Literal["own", "package", "metric"]


@dataclass(frozen=True)
class Competition:
    """One prepared competition.

    `judge` says who grades it; `config` is its config.yaml for the first two, and `rule` its rule
    for the third. `gold` are the answers as a submission. `is_lower_better` is None where only the
    leaderboard tells.
    """

    id: str
    folder: Path
    answers: Path
    gold: Path
    leaderboard: Path
    judge: Judge
    config: Path | None
    rule: Rule | None
    modality: str
    task: str
    metric: str
    is_lower_better: bool | None

    @property
    def public(self) -> Path:
        """What a policy is shown."""
        return self.folder / "prepared" / "public"


def prepared_folders(folder: Path, ids: Collection[str] = ()) -> list[Path]:
    """The folders of the prepared competitions in a data folder, or that folder, if it is one.

    Competitions that were downloaded but not prepared are left out unless `ids` name them. Raises
    FileNotFoundError where there is none, or not one that is asked for.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no such folder; expected MLE-bench's data folder")
    if (folder / "prepared").is_dir():
        found = {folder.name: folder}
    else:
        parts = sorted(path for path in folder.iterdir() if (path / "prepared").is_dir())
        found = {path.name: path for path in parts}
    for name in ids:
        if name not in found:
            raise FileNotFoundError(_not_prepared(folder, name, found))
    if not found:
        raise FileNotFoundError(
            f"{folder}: no prepared competition; expected <competition>/prepared/public and "
            f"private, as `mlebench prepare --data-dir {folder}` makes them"
        )
    return [path for name, path in found.items() if not ids or name in ids]


def find_competition(folder: Path) -> Competition:
    """The competition of a folder that holds prepared/, and who grades it.

    Raises FileNotFoundError naming the file that is missing, ValueError where a file is broken or
    nothing here can grade it.
    """
    name = folder.name
    config, judge = _config(folder, name)
    known = known_competitions().get(name)
    if config is not None:
        settings = _read_config(config)
        answers = folder / settings["answers"]
        gold = folder / settings.get("gold", settings["answers"])
    elif known is not None and known.answers is not None and known.gold is not None:
        settings = {}
        private = folder / "prepared" / "private"
        answers, gold = private / known.answers, private / known.gold
    else:
        raise ValueError(_not_graded(folder, name))
    _check_prepared(folder, name, answers)
    return Competition(
        id=name,
        folder=folder,
        answers=answers,
        gold=gold if gold.is_file() else answers,
        leaderboard=_leaderboard(folder, name),
        judge=judge,
        config=config,
        rule=None if known is None else known.rule,
        modality=settings.get("modality", UNKNOWN) if known is None else known.modality,
        task=settings.get("task", UNKNOWN) if known is None else known.task,
        metric=settings.get("metric", UNKNOWN) if known is None else known.metric,
        is_lower_better=None if known is None else known.is_lower_better,
    )


def package_folder() -> Path | None:
    """Where the package mlebench is installed, without importing it; None where it is not."""
    found = importlib.util.find_spec("mlebench")
    places = [] if found is None else list(found.submodule_search_locations or ())
    return Path(places[0]) if places else None


def _config(folder: Path, name: str) -> tuple[Path | None, Judge]:
    """The config.yaml that names a competition's grader: its own, or the package's; and whose."""
    own = folder / "config.yaml"
    if (folder / "grade.py").is_file() or own.is_file():
        if not own.is_file():
            raise FileNotFoundError(f"{own}: missing beside grade.py; it names the answers")
        return own, "own"
    package = package_folder()
    if package is not None:
        path = package / "competitions" / name / "config.yaml"
        if path.is_file():
            return path, "package"
    return None, "metric"


def _read_config(path: Path) -> Mapping[str, str]:
    """What a config.yaml says: `answers` and `gold` by their place in the competition's folder,
    the `metric` by its grader's name, and `modality` and `task` where it tells them.

    Raises ValueError naming the file and the key that is not as MLE-bench has it.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise ValueError(f"{path}:{mark.line + 1 if mark else 1}: not YAML") from None
    dataset, grader = (_section(path, data, key) for key in ("dataset", "grader"))
    for section, key, value in (
        ("dataset", "answers", dataset.get("answers")),
        ("grader", "grade_fn", grader.get("grade_fn")),
        ("grader", "name", grader.get("name")),
    ):
        if not isinstance(value, str) or not value:
            raise ValueError(f"{path}: {section}.{key}: expected a text, found {value!r}")
    found = {"answers": _inside(dataset["answers"]), "metric": grader["name"]}
    if isinstance(dataset.get("gold_submission"), str):
        found["gold"] = _inside(dataset["gold_submission"])
    told = {key: data[key] for key in ("modality", "task") if isinstance(data.get(key), str)}
    return found | told


def _section(path: Path, data: Any, key: str) -> Mapping[str, Any]:
    section = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(section, Mapping):
        raise ValueError(f"{path}: {key}: expected a mapping, as in MLE-bench's config.yaml")
    return section


def _inside(place: str) -> str:
    """A path below the data folder as one below the competition's own."""
    return str(PurePosixPath(*PurePosixPath(place).parts[1:]))


def _check_prepared(folder: Path, name: str, answers: Path) -> None:
    """Raises FileNotFoundError naming what is missing of a prepared competition."""
    public, private = folder / "prepared" / "public", folder / "prepared" / "private"
    again = f"prepare it again: mlebench prepare -c {name} --data-dir {folder.parent}"
    for half in (public, private):
        if not half.is_dir() or next(half.iterdir(), None) is None:
            raise FileNotFoundError(
                f"{half}: missing or empty, the competition is half prepared; {again}"
            )
    for file, what in ((public / "description.md", "its description"), (answers, "its answers")):
        if not file.is_file():
            raise FileNotFoundError(f"{file}: missing; expected {what}; {again}")


def _leaderboard(folder: Path, name: str) -> Path:
    """The leaderboard beside the prepared data, or in the package."""
    own = folder / "leaderboard.csv"
    package = package_folder()
    if own.is_file() or package is None:
        found = own
    else:
        found = package / "competitions" / name / "leaderboard.csv"
    if not found.is_file():
        raise FileNotFoundError(
            f"{found}: missing; medals are read from MLE-bench's leaderboard.csv: put "
            f"mlebench/competitions/{name}/leaderboard.csv of its repository beside prepared/, or "
            f"{INSTALL}"
        )
    return found


def _not_prepared(folder: Path, name: str, found: Collection[str]) -> str:
    if name in known_competitions():
        return (
            f"{folder / name / 'prepared'}: missing, the competition is not prepared; run "
            f"mlebench prepare -c {name} --data-dir {folder}"
        )
    close = difflib.get_close_matches(name, [*found, *known_competitions()], n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{folder}: no competition {name!r}{hint}"


def _not_graded(folder: Path, name: str) -> str:
    known = known_competitions().get(name)
    if known is None:
        close = difflib.get_close_matches(name, known_competitions(), n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        return (
            f"{folder}: {name!r} is not one of MLE-bench's competitions{hint}; give it a "
            f"config.yaml and a grade.py as MLE-bench has them, or {INSTALL} that has it"
        )
    return (
        f"{folder}: {name} is graded by {known.metric} in a form that only MLE-bench's own grader "
        f"reads; {INSTALL}"
    )
