"""The Technical Writer: title, story and columns, in the domain's words.

What it writes names no rule, no noise, and not which columns matter.
"""

from __future__ import annotations

import re
from typing import Any

import jinja2

from sandmle.errors import CompileError
from sandmle.roles.carriers import is_plain, phrases
from sandmle.roles.chance import pick
from sandmle.roles.filling import definition_of
from sandmle.roles.role import DraftContext, Sections
from sandmle.roles.world import World

#: What the columns of tables with several rows a sample mean, by the parameter that names them.
_ROWS = {
    "step": "position of the reading, from 0",
    "value": "the reading",
    "when": "day, counted back from today, which is day 0",
    "amount": "the amount on that day",
}


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
        names = {hidden.get("target"), *hidden.get("targets", ())}
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
            "train": context.sections["dna"]["train"],
        }
        text = _render(world, pick(rng, world.stories), **told)
        return {
            "narrative": {
                "title": _render(world, asked["title"], one=a_sample, many=world.many),
                "story": " ".join(text.split()),
                "columns": _columns(context),
            }
        }


def _render(world: World, template: str, **told: Any) -> str:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    try:
        return environment.from_string(template).render(told)
    except jinja2.TemplateError as error:
        raise CompileError(f"a phrase of the domain {world.name!r}: {error}") from None


def _sees(context: DraftContext) -> str:
    """What solvers get for each sample, as a phrase: its files and its row of the main table."""
    columns, parts = 0, []
    for use in context.sections["observe"]:
        word = context.vocabulary.word("observe", use["kind"])
        if is_plain(word):
            columns += 1
        else:
            parts.append(str(phrases(context.world, word)["says"]))
    parts = list(dict.fromkeys(parts))
    if columns:
        parts.insert(0, f"a record of {columns} entries" if columns > 1 else "a single entry")
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _columns(context: DraftContext) -> dict[str, str]:
    """What every column that the observe words name means."""
    world = context.world
    says = {measure.name: measure.says for measure in world.measures()}
    found: dict[str, str] = {}
    for use in context.sections["observe"]:
        word = context.vocabulary.word("observe", use["kind"])
        if is_plain(word):
            found[use["name"]] = says.get(use["name"], f"the {world.one}'s code in the records")
            continue
        for parameter, fragment in word.parameters.items():
            if definition_of(fragment.get("items", fragment)) != "name":
                continue
            given = use.get(parameter, fragment.get("default"))
            for column in [given] if isinstance(given, str) else given or ():
                if parameter in _ROWS:
                    found[column] = _ROWS[parameter]
                elif parameter == "name":
                    found[column] = str(phrases(world, word)["says"])
                else:
                    told = str(fragment.get("description", parameter))
                    found[column] = _OF_COLUMNS.sub("", told)
    return found
