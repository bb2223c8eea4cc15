"""The narrative: it tells of the world, never of what the spec hides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandmle.errors import Problem
from sandmle.spec.checks.columns import named_columns
from sandmle.spec.draft import Draft
from sandmle.spec.references import all_slots, nested_use
from sandmle.spec.yaml_source import DataPath


def story_names_rule(draft: Draft) -> Iterator[Problem]:
    """Neither rules nor noise are named in what a solver reads."""
    kinds: dict[str, str] = {}
    for use, word in draft.uses:
        if word.folder not in ("hidden", "noise"):
            continue
        kinds[use.kind] = "rule" if word.folder == "hidden" else "noise"
        for slot in all_slots(use, word, draft.vocabulary):
            nested = nested_use(slot)
            if nested is not None:
                kinds[nested.kind] = "rule"
    for kind, what in kinds.items():
        yield from _told(draft, kind, f"names the {what} {kind!r}")


def story_names_factor(draft: Draft) -> Iterator[Problem]:
    """Factors are not named in what a solver reads, but where a column has that name too.

    A name of one word is a word of the language; only those of several are looked for.
    """
    public = set(draft.targets)
    for use, word in draft.uses:
        if word.folder in ("observe", "noise"):
            public |= {name for _, name in named_columns(use, word)}
    for name in draft.factor_types:
        if "_" in name and name not in public:
            yield from _told(draft, name, f"names the factor {name!r}, which solvers don't see")


def _told(draft: Draft, name: str, message: str) -> Iterator[Problem]:
    """Where a narrative has a name, as it is written or as words."""
    pattern = re.compile(rf"(?i)\b{'[ _-]'.join(map(re.escape, name.split('_')))}\b")
    for path, text in _texts(draft):
        match = pattern.search(text)
        if match:
            yield draft.source.at_value(path, f"{message}: {match[0]!r}", offset=match.start())


def _texts(draft: Draft) -> Iterator[tuple[DataPath, str]]:
    yield ("narrative", "title"), str(draft.get("narrative", "title"))
    yield ("narrative", "story"), str(draft.get("narrative", "story"))
    columns = draft.get("narrative", "columns") or {}
    for name, text in columns.items():
        yield ("narrative", "columns", name), str(text)
