"""The description tells nothing that a solver is to find out: rule, factors, noise, answers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandmle.build.auditing import Examined, Finding
from sandmle.build.ladder import is_plain
from sandmle.build.prepare import Prepared
from sandmle.spec.model import WordUse

CLAIM = "the description gives nothing away"
COST = "cheap"

#: Answers of so many characters are no coincidence where they stand in a description.
TELLING = 16


def examine(task: Examined) -> Finding:
    """Looks for the spec's own words in the description."""
    path = task.prepared.public / "description.md"
    text = path.read_text("utf-8") if path.exists() else ""
    found = dict.fromkeys([*told_words(task.prepared, text), *told_answers(task, text)])
    return Finding(not found, ", ".join(found) or "neither rule nor factors, noise or answers")


def told_words(prepared: Prepared, text: str) -> Iterator[str]:
    """Rules, kinds of noise, hidden factors and formulas that the description names."""
    spec = prepared.spec
    story = " ".join([spec.narrative.title, spec.narrative.story, *spec.narrative.columns.values()])
    shown = shown_names(prepared)
    for noun, uses in (("rule", [target.rule for target in spec.targets]), ("noise", spec.noise)):
        for name in kinds(uses):
            # What is asked for, where it is more than a number or a class, is no secret.
            phrases = noun == "noise" or is_plain(prepared.dataset)
            if name not in shown and names(text, name, story if phrases else ""):
                yield f"{noun} {name}"
    for name in spec.factors:
        if name not in shown and names(text, name, ""):
            yield f"factor {name}"
    bare = without_spaces(text)
    for formula in formulas([target.rule for target in spec.targets], frozenset(spec.factors)):
        if without_spaces(formula) in bare:
            yield f"formula {formula}"


def names(text: str, name: str, story: str) -> bool:
    """Whether a text has a name as code or, where it is no ordinary word, as it is; or a story its
    words one after the other."""
    if f"`{name}`" in text:
        return True
    if "_" not in name:
        return bool(story) and beside_a_column(story, name)
    phrase = name.replace("_", "[\\s-]+")
    return bool(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        or re.search(rf"(?<!\w){phrase}(?!\w)", story, re.IGNORECASE)
    )


def beside_a_column(story: str, name: str) -> bool:
    """Whether a sentence has an ordinary word and names something that is written as code."""
    return any(
        "`" in sentence and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE)
        for sentence in re.split(r"[.!?](?:\s|$)", story)
    )


def shown_names(prepared: Prepared) -> set[str]:
    """All names that a solver sees: of columns, targets, classes and parts of files' paths."""
    found = {target.name for target in prepared.spec.targets} | set(prepared.evaluator["CLASSES"])
    for path, content in prepared.dataset.public.items():
        found.update(re.split(r"[/.]", path))
        if path.endswith(".csv"):
            found.update(content.partition(b"\n")[0].decode().split(","))
    return found


def kinds(value: Any) -> Iterator[str]:
    """The names of all words in uses of words, those nested in them too."""
    if isinstance(value, WordUse):
        yield value.kind
        yield from kinds(value.parameters)
    elif isinstance(value, Mapping):
        if isinstance(value.get("kind"), str):
            yield value["kind"]
        yield from kinds(list(value.values()))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from kinds(item)


def formulas(value: Any, factors: frozenset[str]) -> Iterator[str]:
    """The formulas in uses of words: texts that reckon with factors."""
    if isinstance(value, WordUse):
        yield from formulas(value.parameters, factors)
    elif isinstance(value, Mapping):
        yield from formulas(list(value.values()), factors)
    elif isinstance(value, str):
        if re.search(r"\w\s*[-+*/<>(]", value) and factors & set(re.findall(r"\w+", value)):
            yield value
    elif isinstance(value, Sequence):
        for item in value:
            yield from formulas(item, factors)


def without_spaces(text: str) -> str:
    """A text as formulas are compared."""
    return re.sub(r"[\s`]", "", text)


def told_answers(task: Examined, text: str) -> Iterator[str]:
    """Ids of test rows and long answers that stand in the description."""
    competition = task.competition
    words = set(re.findall(r"\w+", text))
    listed = shown_names(task.prepared)
    yield from (f"id {name}" for name in competition.ids[competition.train :] if name in words)
    rows = csv.reader(io.StringIO(task.grader.perfect.decode(), newline=""))
    for cell in {cell for row in list(rows)[1:] for cell in row[1:]}:
        if len(cell) >= TELLING and cell in text and not listed.issuperset(cell.split()):
            yield f"answer {cell[:TELLING]}..."
