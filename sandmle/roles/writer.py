"""The Technical Writer: title, story and columns, in the domain's words.

What it writes names no rule, no noise, and not which columns matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jinja2

from sandmle.errors import CompileError
from sandmle.roles.chance import pick
from sandmle.roles.role import DraftContext, Sections
from sandmle.vocabulary import Word

#: What the columns of tables with several rows a sample mean, by the parameter that names them.
_ROWS = {
    "step": "position of the reading, from 0",
    "value": "the reading",
    "when": "day, counted back from today, which is day 0",
    "amount": "the amount on that day",
}


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
            for entry in world.targets[context.seed.task]
            if names & {entry.get("name"), *entry.get("names", ())}
        )
        story = pick(rng, world.stories)
        told = {
            "one": world.one,
            "many": world.many,
            "asks": asked["asks"],
            "sees": _sees(context),
            "train": context.sections["dna"]["train"],
        }
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
        try:
            text = environment.from_string(story).render(told)
        except jinja2.TemplateError as error:
            raise CompileError(f"a story of the domain {world.name!r}: {error}") from None
        return {
            "narrative": {
                "title": asked["title"],
                "story": " ".join(text.split()),
                "columns": _columns(context),
            }
        }


def _sees(context: DraftContext) -> str:
    """What solvers get for each sample, as a phrase: its files and its row of the main table."""
    columns, parts = 0, []
    for use in context.sections["observe"]:
        word = context.vocabulary.word("observe", use["kind"])
        carrier = _carrier(word, use)
        if carrier is None:
            columns += 1
        else:
            parts.append(context.world.shows[carrier]["says"])
    if columns:
        parts.insert(0, f"a record of {columns} entries" if columns > 1 else "a single entry")
    return " and ".join(parts)


def _carrier(word: Word, use: Mapping[str, Any]) -> str | None:
    """The key of the domain's `shows` that tells of an observe word; None for plain columns."""
    if word.traits["MODALITY"] != "tabular":
        return str(word.traits["MODALITY"])
    return "rows" if "file" in use else None


def _columns(context: DraftContext) -> dict[str, str]:
    world = context.world
    says = {measure.name: measure.says for measure in world.measures()}
    found: dict[str, str] = {}
    for use in context.sections["observe"]:
        carrier = _carrier(context.vocabulary.word("observe", use["kind"]), use)
        if carrier is None:
            found[use["name"]] = says.get(use["name"], f"the {world.one}'s code in the records")
        elif "name" in use:
            found[use["name"]] = world.shows[carrier]["says"]
        else:
            found |= {use[name]: text for name, text in _ROWS.items() if name in use}
    return found
