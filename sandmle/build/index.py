"""The corpus as one file: a line for every task of the current specs.

`python -m sandmle.build.index BUILD [SPEC_FOLDER]` writes the index, `--gate` checks it.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import sys
from collections.abc import Collection
from pathlib import Path

from sandmle.build.examination import load_judged
from sandmle.build.plan import corpus_specs
from sandmle.build.verdict import VERDICT_FILE, Verdict, load_verdict
from sandmle.writing import write_whole

INDEX_FILE = "index.jsonl"

#: What an index line does not hold of the verdict: it is long, or differs from run to run.
LEFT_OUT = ("ladder", "margins", "audits", "timings", "pinned", "standard_error", "engine")


def write_index(build: Path, ids: Collection[str]) -> list[Verdict]:
    """Writes index.jsonl for the built tasks among `ids`, sorted, whole or not at all.

    Returns their verdicts, with their examinations where they have some. Raises ValueError naming
    a verdict or an examination that is broken.
    """
    built = [name for name in sorted(ids) if (build / "tasks" / name / VERDICT_FILE).is_file()]
    verdicts = [load_judged(build / "tasks" / name) for name in built]
    build.mkdir(parents=True, exist_ok=True)
    write_whole(build / INDEX_FILE, "".join(index_line(verdict) for verdict in verdicts))
    return verdicts


def index_line(verdict: Verdict) -> str:
    """One line of the index: what a consumer sorts tasks by, and hashes to tell them apart."""
    data = dataclasses.asdict(verdict)
    kept = {name: value for name, value in data.items() if name not in LEFT_OUT}
    return json.dumps(kept, ensure_ascii=False) + "\n"


def remove_orphans(build: Path, ids: Collection[str]) -> list[str]:
    """Removes the folders of tasks whose spec is gone; returns their names.

    Only a folder directly under build/tasks that holds a verdict of its own name is ours.
    """
    removed = []
    for path in sorted((build / "tasks").glob(f"*/{VERDICT_FILE}")):
        folder = path.parent
        if folder.name in ids or folder.is_symlink():
            continue
        try:
            is_ours = load_verdict(folder).id == folder.name
        except ValueError:
            is_ours = False
        if is_ours:
            shutil.rmtree(folder)
            removed.append(folder.name)
    return removed


def rejections(index: Path) -> list[str]:
    """What the gate says: a line for each reason of each rejected task of an index."""
    lines = []
    for line in index.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if not entry["accepted"]:
            lines += [f"rejected: {entry['id']}: {reason}" for reason in entry["reasons"]]
    return lines


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Writes or checks the index of a corpus.")
    parser.add_argument("build", type=Path, help="the build folder")
    parser.add_argument("--corpus", type=Path, default=Path(), help="the folder that holds specs/")
    parser.add_argument("--gate", action="store_true", help="fail where a task was rejected")
    arguments = parser.parse_args()
    if arguments.gate:
        found = rejections(arguments.build / INDEX_FILE)
        sys.exit("\n".join(found) if found else 0)
    ids = {path.stem for path in corpus_specs(arguments.corpus)}
    for name in remove_orphans(arguments.build, ids):
        print(f"removed: {name}: its spec is gone")
    write_index(arguments.build, ids)


if __name__ == "__main__":
    main()
