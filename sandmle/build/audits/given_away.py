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
#: Names of rules that are words of every day.
EVERYDAY = frozenset(
    {"ascending", "bearing", "between", "both", "dip", "either", "gate", "positive"}
)
#: How reckoning is told in words.
RECKONING = re.compile(
    r"\b(?:times|multiplied|divided|product of|ratio of|quotient|sum of|difference (?:of|between)"
    r"|minus|plus|squared|square root|to the power|per unit of|added to|subtracted)\b",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"[.!?](?:\s|$)")


def examine(task: Examined) -> Finding:
    """Looks for the spec's own words in the description."""
    path = task.prepared.public / "description.md"
    text = path.read_text("utf-8") if path.exists() else ""
    found = dict.fromkeys([*told_words(task.prepared, text), *told_answers(task, text)])
    return Finding(not found, ", ".join(found) or "neither rule nor factors, noise or answers")


def told_words(prepared: Prepared, text: str) -> Iterator[str]:
    """Rules, kinds of noise, hidden factors and formulas that the description names."""
    spec = prepared.spec
    story = ". ".join(
        [spec.narrative.title, spec.narrative.story, *spec.narrative.columns.values()]
    )
    shown = shown_names(prepared)
    for noun, uses in (("rule", [target.rule for target in spec.targets]), ("noise", spec.noise)):
        for name in kinds(uses):
            # What is asked for, where it is more than a number or a class, is no secret.
            phrases = noun == "noise" or is_plain(prepared.dataset)
            if name not in shown and names(text, name, story if phrases else ""):
                yield f"{noun} {name}"
    yield from (f"what it reckons: {told}" for told in reckonings(prepared, story))
    yield from (f"where it cuts: {told}" for told in cuts(prepared, story))
    for name in spec.factors:
        if name not in shown and names(text, name, ""):
            yield f"factor {name}"
    bare = without_spaces(text)
    for formula in formulas([target.rule for target in spec.targets], frozenset(spec.factors)):
        if without_spaces(formula) in bare:
            yield f"formula {formula}"


def names(text: str, name: str, story: str) -> bool:
    """Whether a text has a name as code or, where it is no ordinary word, as it is; or a story its
    words one after the other, everyday ones only in a sentence that names something as code."""
    if f"`{name}`" in text:
        return True
    if "_" not in name:
        return stands_in(story, name) if name not in EVERYDAY else beside_a_column(story, name)
    phrase = name.replace("_", "[\\s-]+")
    return bool(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        or re.search(rf"(?<!\w){phrase}(?!\w)", story, re.IGNORECASE)
    )


def beside_a_column(story: str, name: str) -> bool:
    """Whether a sentence has an ordinary word and names something that is written as code."""
    return any("`" in sentence and stands_in(sentence, name) for sentence in SENTENCE.split(story))


def stands_in(text: str, name: str) -> bool:
    """Whether a word stands in a text, in upper or lower case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def reckonings(prepared: Prepared, story: str) -> Iterator[str]:
    """Sentences that say how two of a rule's factors are reckoned together."""
    spec = prepared.spec
    shown: dict[str, set[str]] = {name: set() for name in spec.factors}
    for use in spec.observe:
        factor, column = use.parameters.get("of"), use.parameters.get("name")
        if isinstance(factor, str) and isinstance(column, str):
            shown.setdefault(factor, set()).add(column)
    used = {name for target in spec.targets for name in texts_in(target.rule.parameters)}
    used = {word for text in used for word in re.findall(r"\w+", text)} & shown.keys()
    for sentence in SENTENCE.split(story):
        plain = sentence.replace("_", " ")
        said = [
            factor
            for factor in used
            if any(stands_in(plain, name.replace("_", " ")) for name in shown[factor])
            or f"`{factor}`" in sentence
        ]
        if len(said) > 1 and RECKONING.search(sentence):
            yield sentence.strip()[:60]


def cuts(prepared: Prepared, story: str) -> Iterator[str]:
    """Quantiles at which targets are cut, as numbers or in percent, and any that are called so."""
    yield from re.findall(r"(?i)\bquantiles?\b|\bpercentiles?\b", story)
    for target in prepared.spec.targets:
        for quantile in target.quantiles or ():
            number = f"{quantile:g}"
            percent = (
                rf"{100 * quantile:g} ?(?:%|per ?cent)|{100 - 100 * quantile:g} ?(?:%|per ?cent)"
            )
            if re.search(
                rf"(?<![\w.]){re.escape(number)}(?![\w.]*\d)|(?<![\w.])(?:{percent})", story
            ):
                yield number


def texts_in(value: Any) -> Iterator[str]:
    """All texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from texts_in(list(value.values()))
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts_in(item)


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
