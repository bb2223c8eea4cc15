"""What the description states is so: files, columns, numbers, metric, classes, the example."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import cycle

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.answers import number_columns, read, written
from sandmle.build.evidence.described import CODE, Described, example_rows
from sandmle.build.evidence.floors import hidden_floors
from sandmle.build.evidence.meanings import (
    same_meanings,
    wrong_meanings,
    wrong_pictures,
    wrong_places,
    wrong_splits,
)
from sandmle.build.evidence.stories import wrong_counts, wrong_degrees, wrong_sides
from sandmle.build.evidence.wording import give_aways, slips, unknown_settings
from sandmle.compiler.description import stated, stated_metric
from sandmle.compiler.judging import submission_use
from sandmle.grading import Grader
from sandmle.vocabulary import load_vocabulary

CLAIM = "the description agrees with data, evaluator and metric"
COST = "cheap"

#: "About 160 rows" may be off by this share.
ABOUT = 0.2
#: What a metric says that constants score may be off by so much: scores are measured on few rows.
ROUGHLY = 0.02

NUMBER = r"(-?\d+(?:\.\d+)?)"


def examine(task: Examined) -> Finding:
    """Compares each statement with what is there."""
    path = task.prepared.public / "description.md"
    described = Described(task, path.read_text("utf-8") if path.exists() else "")
    checks = (
        wrong_files,
        wrong_rows,
        wrong_counts,
        wrong_sides,
        wrong_degrees,
        wrong_columns,
        wrong_places,
        wrong_meanings,
        same_meanings,
        wrong_splits,
        wrong_pictures,
        wrong_judging,
        unknown_settings,
        wrong_classes,
        wrong_limits,
        wrong_example,
        give_aways,
        slips,
    )
    problems = [problem for check in checks for problem in check(described)]
    return Finding(not problems, "; ".join(problems) or "files, columns, numbers, metric, example")


def wrong_files(described: Described) -> Iterator[str]:
    """Files that are stated but not there, or for some rows only; those that are not stated."""
    ids = described.task.competition.ids
    unstated = dict.fromkeys(name for name in described.public if name != "description.md")
    for path, says in described.files.items():
        found = list(described.matching(path))
        for match in found:
            unstated.pop(match[0], None)
        if not found:
            yield f"there is no {path}"
        elif "{id}" in path and {match["id"] for match in found} != set(_meant(described, says)):
            yield f"{path} is not there for every row"
        elif "several rows for every `id`" in says:
            column = csv.reader(io.StringIO(described.public[path].decode()))
            if not {row[0] for row in column} >= set(ids):
                yield f"{path} has no row for some id"
    if unstated:
        yield f"nothing is said of {', '.join(list(unstated)[:3])}"


def _meant(described: Described, says: str) -> Sequence[str]:
    """The samples that a file is there for: all, or those of train.csv alone."""
    competition = described.task.competition
    is_clean = "every row of `train.csv`" in says and "test.csv" not in says
    return competition.ids[: competition.train] if is_clean else competition.ids


def wrong_rows(described: Described) -> Iterator[str]:
    """Numbers of rows that are others."""
    competition = described.task.competition
    rows = {"train.csv": competition.train, "test.csv": len(competition.ids) - competition.train}
    for path, count in rows.items():
        stated = re.search(r"(about )?(\d+) rows", described.files.get(path, ""))
        if stated is None:
            yield f"how many rows {path} has is not said"
        elif abs(int(stated[2]) - count) > (ABOUT * count if stated[1] else 0):
            yield f"{path} has {count} rows, not {stated[2]}"


def wrong_columns(described: Described) -> Iterator[str]:
    """Columns that are named but not there, that are there but not named; where targets stand."""
    headers = described.tables
    present = {name for header in headers.values() for name in header}
    named = set(CODE.findall(described.text)) | set(example_rows(described)[0])
    for name in sorted(present - named):
        yield f"the column {name} is not named"
    for column in described.columns:
        if column.name not in present:
            yield f"there is no column {column.name}"
    said = described.files.get("train.csv", "")
    _, _, targets = said.partition(" the target")
    names = CODE.findall(targets)
    if "as in a submission" in targets:
        names = headers["sample_submission.csv"][1:]
    elif "a column for each class" in targets:
        names = described.task.prepared.evaluator["CLASSES"]
    for name in names:
        if name not in headers["train.csv"] or name in headers["test.csv"]:
            yield f"the target {name} does not stand in train.csv alone"


def wrong_judging(described: Described) -> Iterator[str]:
    """A metric, a direction or scores that are not the evaluator's."""
    prepared, grader = described.task.prepared, described.task.grader
    spec, judging = prepared.spec, described.section("Evaluation")
    task = re.search(r"^Task: (\S+)$", described.section("Target"), re.MULTILINE)
    if task is None or task[1] != spec.dna.task:
        yield f"the line `Task:` does not say {spec.dna.task}"
    called = prepared.evaluator["score_of"].__code__.co_names
    metric = re.search(r"^Metric: ((\w+).*)$", judging, re.MULTILINE)
    if metric is None:
        yield "the line `Metric:` is missing"
    else:
        for name in (metric[2], *re.findall(r"of = (\w+)", metric[1])):
            if name not in called:
                yield f"evaluate.py does not call {name}"
        yield from wrong_settings(described, metric[1])
    direction = re.findall(r"^(Lower|Higher) is better\.$", judging, re.MULTILINE)
    if direction != ["Lower" if grader.is_lower_better else "Higher"]:
        yield f"the direction is not said, or not evaluate.py's: {' '.join(direction)}"
    yield from wrong_scores(judging, grader, described.public["sample_submission.csv"])


def wrong_settings(described: Described, metric: str) -> Iterator[str]:
    """A metric's settings or a form of submissions that are not the spec's."""
    prepared = described.task.prepared
    vocabulary = load_vocabulary(prepared.corpus)
    expected = stated_metric(prepared.spec, vocabulary)
    if metric != expected:
        yield f"the metric is {expected}"
    word, form = submission_use(prepared.spec, vocabulary)
    expected = stated(form, word)
    if f"\nFormat: {expected}\n" not in described.section("Submission"):
        yield f"the line `Format:` does not say {expected}"


def wrong_scores(judging: str, grader: Grader, sample: bytes) -> Iterator[str]:
    """What the metric says of perfect and constant submissions, where they score otherwise."""
    perfect, constant = grader.grade(grader.perfect).score, grader.grade(sample).score
    if perfect is None or constant is None:
        yield "the answers or the sample submission can't be graded"
        return
    if (perfect > constant) == grader.is_lower_better:
        yield "the sample submission is better than the answers"
    stated = [
        *((value, perfect) for value in re.findall(f"{NUMBER} for a perfect submission", judging)),
        *(
            (value, constant)
            for value in re.findall(f"{NUMBER} for (?:a constant|an empty) one", judging)
        ),
    ]
    for value, score in stated:
        if abs(float(value) - score) > ROUGHLY:
            yield f"a submission said to score {value} scores {score}"


def wrong_classes(described: Described) -> Iterator[str]:
    """Classes that are not named, or counted otherwise."""
    classes: Sequence[str] = described.task.prepared.evaluator["CLASSES"]
    target = described.section("Target")
    missing = [
        name for name in classes if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", target)
    ]
    if missing:
        yield f"the class {missing[0]} is not named"
    counted = re.search(r"one of (\d+) classes", target)
    if counted and int(counted[1]) != len(classes):
        yield f"there are {len(classes)} classes, not {counted[1]}"


def wrong_limits(described: Described) -> Iterator[str]:
    """A range of numbers that is not the reader's, a least probability that is not the metric's."""
    grader = described.task.grader
    numbers = number_columns(described.public["sample_submission.csv"], grader.perfect)
    header, *rows = read(grader.perfect)
    if not numbers:
        return
    place = next(place for place, name in enumerate(header) if name in numbers)
    said = re.search(f"from {NUMBER} to {NUMBER}", described.section("Submission"))
    if said:
        huge = [*rows[0][:place], "1e300", *rows[0][place + 1 :]]
        reason = grader.grade(written([header, huge, *rows[1:]])).reason or ""
        if not reason.endswith(f"expected {said[1]} to {said[2]}"):
            yield f"numbers from {said[1]} to {said[2]} are not what is taken: {reason or 'any is'}"
    yield from hidden_floors(described.section("Evaluation"), grader)


def wrong_example(described: Described) -> Iterator[str]:
    """An example that would be refused if it held all rows, or that shows a row of the test set."""
    header, *rows = example_rows(described)
    if not rows:
        yield "there is no example of a submission"
        return
    perfect = csv.reader(io.StringIO(described.task.grader.perfect.decode(), newline=""))
    _, *answers = perfect
    keys = [row[0] for row in answers]
    if {row[0] for row in rows} & set(keys):
        yield "the example shows a row of the test set"
    shown = [_ending(row[0]) for row in rows]
    first = keys[0].removesuffix(_ending(keys[0]))
    endings = [_ending(key) for key in keys if key.startswith(first)]
    if shown != [ending for ending, _ in zip(cycle(endings), shown)]:
        yield f"the example's keys end in {', '.join(shown)}, and those of the answers do not"
    text = io.StringIO(newline="")
    full = ([key, *row[1:]] for key, row in zip(keys, cycle(rows)))
    csv.writer(text, lineterminator="\n").writerows([header, *full])
    reason = described.task.grader.grade(text.getvalue().encode()).reason
    if reason:
        yield f"the example of a submission is refused: {reason}"


def _ending(key: str) -> str:
    """What a key of several rows of one sample says beside the sample's id, which has no `_`."""
    return "".join(key.partition("_")[1:])
