"""The Technical Writer: title, story and columns, in the domain's words.

What it writes names no rule, no noise, and not which columns matter.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import jinja2

from sandmle.errors import CompileError
from sandmle.roles.carriers import is_plain, phrases
from sandmle.roles.chance import pick
from sandmle.roles.filling import definition_of
from sandmle.roles.role import DraftContext, Sections
from sandmle.roles.world import World
from sandmle.vocabulary import Word, meant

#: The sides of what is compared, in their order.
_SIDES = ("first version", "second version")

#: What tells columns apart that mean the same, in their order.
_PARTS = ("first part", "second part", "third part", "fourth part")

#: How words describe the names of columns.
_OF_COLUMNS = re.compile("^names? of the columns? of ")


class Writer:
    """Fills in a story of the domain and explains the columns that measures stand for."""

    name = "Technical Writer"
    owns = ("narrative",)

    def write(self, context: DraftContext) -> Sections:
        """The narrative. Raises CompileError where a story of a domain file is no template."""
        rng = context.stream("writer")
        world, hidden = context.world, context.sections["hidden"]
        names = {*hidden.get("targets", (hidden.get("target"),))}
        asked = next(
            entry
            for entry in context.questions
            if names & {entry.get("name"), *entry.get("names", ())}
        )
        a_sample = f"{'an' if world.one[0] in 'aeiou' else 'a'} {world.one}"
        told = {
            "one": world.one,
            "many": world.many,
            "asks": _render(world, asked["asks"], one=a_sample, many=world.many),
            "sees": _sees(context),
            "train": _rows(context),
        }
        text = _render(world, pick(rng, world.stories), **told)
        return {
            "narrative": {
                "title": _render(world, asked["title"], one=a_sample, many=world.many),
                "story": " ".join(text.split()),
                "columns": _columns(context),
            }
        }


def _rows(context: DraftContext) -> str:
    """How many samples train, as far as it is sure: groups are not split."""
    dna = context.sections["dna"]
    is_about = dna.get("split", {}).get("kind") == "group"
    return f"about {dna['train']}" if is_about else str(dna["train"])


def _render(world: World, template: str, **told: Any) -> str:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    try:
        return environment.from_string(template).render(told)
    except jinja2.TemplateError as error:
        raise CompileError(f"a phrase of the domain {world.name!r}: {error}") from None


def _sees(context: DraftContext) -> str:
    """What solvers get for each sample, as a phrase: its files and its row of the main table.

    A word that stands beside another shows the rest of the same thing and is not spoken of.
    """
    uses = context.sections["observe"]
    words = [context.vocabulary.word("observe", use["kind"]) for use in uses]
    beside = {name for word in words for name in word.traits.get("BESIDE", ())}
    parts = [
        f"{_number_of(context, word)}{phrases(context.world, word)['says']}"
        for word in words
        if not is_plain(word) and word.name not in beside
    ]
    parts = list(dict.fromkeys(parts))
    columns = sum(map(is_plain, words))
    if columns:
        parts.insert(0, f"a record of {columns} attributes" if columns > 1 else "one attribute")
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _number_of(context: DraftContext, word: Word) -> str:
    """What goes before the phrase for a word that shows each of the sides that are compared."""
    return "two versions of " if _has_sides(context, word) else ""


def _has_sides(context: DraftContext, word: Word) -> bool:
    sides = context.vocabulary.word("tasks", context.seed.task).traits.get("SIDES", 1)
    return sides > 1 and word.traits["WRITES"] == "columns" and not is_plain(word)


def _columns(context: DraftContext) -> dict[str, str]:
    """What every column that the observe words name means."""
    world = context.world
    says = {measure.name: measure.says for measure in world.measures()}
    found: dict[str, str] = {}
    shown: list[str] = []
    seen: Counter[str] = Counter()
    for use in context.sections["observe"]:
        word = context.vocabulary.word("observe", use["kind"])
        if is_plain(word):
            found[use["name"]] = says.get(use["name"], f"the {world.one}'s code in the records")
            continue
        side = f", {_SIDES[seen[word.name]]}" if _has_sides(context, word) else ""
        seen[word.name] += 1
        for parameter, fragment in word.parameters.items():
            if definition_of(fragment.get("items", fragment)) != "name":
                continue
            given = use.get(parameter, fragment.get("default"))
            for column in [given] if isinstance(given, str) else given or ():
                found[column] = _meaning(world, word, parameter, column) + side
                shown += [column] if parameter == "name" else []
    return found | _parts({column: found[column] for column in shown})


def _parts(meanings: dict[str, str]) -> dict[str, str]:
    """The columns that mean what another one means, too, called its parts."""
    columns: dict[str, list[str]] = {}
    for column, meaning in meanings.items():
        columns.setdefault(meaning, []).append(column)
    return {
        column: f"{meaning}, {part}"
        for meaning, alike in columns.items()
        if len(alike) > 1
        for column, part in zip(alike, _PARTS, strict=False)
    }


def _meaning(world: World, word: Word, parameter: str, column: str) -> str:
    """What a column means that a word writes under the name given as `parameter`."""
    told = phrases(world, word)
    meaning = meant(told["means"], parameter, column)
    if meaning is not None:
        return meaning
    if parameter == "name":
        return str(world.shows.get(word.traits["MODALITY"], told)["says"])
    return _OF_COLUMNS.sub("", str(word.parameters[parameter].get("description", parameter)))
