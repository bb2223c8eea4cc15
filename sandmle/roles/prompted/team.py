"""The roles at one draft: each writes, and what is wrong goes back to the role that owns it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.asking.reply import Asker
from sandmle.errors import Problem
from sandmle.roles.prompted.checking import own_problems, problems_by_owner, whole_problems
from sandmle.roles.prompted.developer import DEVELOPER
from sandmle.roles.prompted.operations import OPERATIONS
from sandmle.roles.prompted.part import ORDER, Part
from sandmle.roles.prompted.strategist import STRATEGIST
from sandmle.roles.prompted.talk import Talk, begin, faults_of, mend
from sandmle.roles.prompted.writer import WRITER
from sandmle.roles.repair import Judge
from sandmle.roles.role import DraftContext, DraftError, DroppedError, Role, Sections

PARTS: Mapping[str, Part] = {part.key: part for part in (OPERATIONS, STRATEGIST, DEVELOPER, WRITER)}

#: How often a role may mend its sections of a draft.
ROUNDS = 3

#: What is done about sections that stay faulty: the procedural role writes them, or the draft is
#: dropped.
PROCEDURAL, DROP = "procedural", "drop"


@dataclass(frozen=True, eq=False)
class Team:
    """All four roles as one that writes whole drafts. Safe for threads.

    `procedural` are the roles that write by rule, by key; `askers` are the models that play some of
    the parts instead. A role's own answers go back to it at once where they are faulty; once all
    have written, the faults of the whole go to the roles that own the sections, then what `judge`
    finds to the Developer; each role mends `rounds` times at the most. A role writes again where
    what it sees has changed.
    """

    procedural: Mapping[str, Role]
    askers: Mapping[str, Asker]
    rounds: int = ROUNDS
    fall_back: str = PROCEDURAL
    judge: Judge | None = None
    corpus: Path | None = None
    name: str = "Team"

    @property
    def owns(self) -> tuple[str, ...]:
        """The sections of all four."""
        return tuple(section for key in ORDER for section in self.procedural[key].owns)

    def write(self, context: DraftContext) -> Sections:
        """All sections of a draft, right in every way that can be checked, and its `provenance`.

        Raises DroppedError where nobody can mend what is wrong, DraftError where the procedural
        roles find nothing that fits, EndpointError and BudgetSpent as askers do.
        """
        return _Draft(self, context).written()


class _Draft:
    """One draft in the making."""

    def __init__(self, team: Team, context: DraftContext) -> None:
        self.team, self.context = team, context
        self.talks: dict[str, Talk] = {}
        self.fallen: set[str] = set()

    def written(self) -> dict[str, Any]:
        """The sections, once nothing is wrong with them."""
        while True:
            sections = self._all_parts()
            problems = whole_problems(sections, self.context, judge=self.team.judge)
            if not problems:
                return {**sections, "provenance": {"roles": self._provenance()}}
            for owner, found in problems_by_owner(problems, self.context, sections).items():
                self._send_back(owner, found)

    def _all_parts(self) -> dict[str, Any]:
        """What all roles write, one after the other; those that have no reason to, not again."""
        sections: dict[str, Any] = {}
        for key in ORDER:
            given = dataclasses.replace(self.context, sections=sections)
            part = self._asked(key, given) if self._is_asked(key) else self._by_rule(key, given)
            if part is None:
                return self._all_parts()
            sections = joined(sections, part)
            if key == "strategist" and {"developer", "writer"} & self.fallen:
                world = given.worlds[sections["domain"]["name"]]
                sections["domain"] = {**sections["domain"], "entity": world.one}
        return sections

    def _by_rule(self, key: str, given: DraftContext) -> Sections | None:
        """A procedural role's part, None where the Developer's stand-in must write before.

        The procedural Writer can tell of the questions of its world alone.
        """
        if key == "writer" and self._is_asked("developer") and not _is_known(given):
            self.fallen.add("developer")
            return None
        found = self.team.procedural[key].write(given)
        if problems := own_problems(key, joined(given.sections, found), given, style=False):
            raise DraftError("; ".join(problem.message for problem in problems))
        return found

    def _asked(self, key: str, given: DraftContext) -> Sections | None:
        """A model's part, mended until nothing that it owns is wrong, None where it can't be."""
        part, asker = PARTS[key], self.team.askers[key]
        talk = self.talks.get(key)
        new = begin(part, given, bound=self._bound, corpus=self.team.corpus)
        if talk is None or talk.messages != new.messages:
            new.rounds = self.team.rounds if talk is None else talk.rounds
            new.keys = [] if talk is None else talk.keys
            talk = self.talks[key] = new
            talk.ask(asker)
        while True:
            problems = faults_of(talk, part)
            if not problems:
                found = part.merge(given, talk.answer, self._bound)
                problems = own_problems(key, joined(given.sections, found), given)
                if not problems:
                    return found
            if not mend(talk, asker, problems, corpus=self.team.corpus):
                self._fall(key, problems)
                return None

    def _send_back(self, owner: str, problems: Sequence[Problem]) -> None:
        """Lets whoever owns the sections mend them, or else who can work around the fault."""
        asked = [key for key in (owner, "developer", *reversed(ORDER)) if self._is_asked(key)]
        if not asked:
            raise DroppedError("; ".join(problem.message for problem in problems))
        key = asked[0]
        if not mend(self.talks[key], self.team.askers[key], problems, corpus=self.team.corpus):
            self._fall(key, problems)

    def _fall(self, key: str, problems: Sequence[Problem]) -> None:
        """A stand-in takes over, or the draft is dropped."""
        if self.team.fall_back == DROP:
            title, rounds = self.team.procedural[key].name, self.team.rounds
            why = "; ".join(f"{problem.where}: {problem.message}" for problem in problems[:3])
            raise DroppedError(f"{title}: not mended in {rounds} rounds: {why}")
        self.fallen.add(key)

    def _is_asked(self, key: str) -> bool:
        return key in self.team.askers and key not in self.fallen

    @property
    def _bound(self) -> bool:
        """Whether the models must keep to what the domains ask, as a procedural role goes by it."""
        return not {"developer", "writer"} <= set(self.team.askers)

    def _provenance(self) -> dict[str, Any]:
        """Who wrote: the back end of each role and, of models, the requests that led there."""
        told: dict[str, Any] = {}
        for key in ORDER:
            if self._is_asked(key):
                keys = [request[:16] for request in self.talks[key].keys]
                told[key] = {"openai": self.team.askers[key].model, "prompts": keys}
            else:
                told[key] = PROCEDURAL
        return told


def _is_known(given: DraftContext) -> bool:
    """Whether a draft's target is one that its domain asks for."""
    hidden = given.sections["hidden"]
    names = {hidden.get("target"), *hidden.get("targets", ())}
    return any(names & {one.get("name"), *one.get("names", ())} for one in given.questions)


def joined(sections: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """Sections with a role's part, which adds to the mappings that are there."""
    found = dict(sections)
    for name, value in part.items():
        before = found.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            found[name] = {**before, **value}
        else:
            found[name] = value
    return found
