"""Two versions of a spec side by side, broken ones too, and of many which became which."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.errors import Problem, SpecError
from sandmle.review.alignment import align
from sandmle.review.changes import data_changes, spec_changes
from sandmle.review.uses import Change, described
from sandmle.spec.check import check_source
from sandmle.spec.identity import canonical_json
from sandmle.spec.load import build_spec
from sandmle.spec.model import Spec
from sandmle.spec.yaml_source import decode_source, display_path
from sandmle.vocabulary import Vocabulary

#: Two specs are one that was renamed where so large a share of their entries is the same.
RENAMED = 0.6


@dataclass(frozen=True)
class Content:
    """A file of one version: its `name` in messages, its `path` in the version, its bytes."""

    name: str
    path: str
    raw: bytes


@dataclass(frozen=True)
class Side:
    """One version of a spec: `data` as it stands in the file, and `spec` where it is sound."""

    content: Content
    data: Any
    spec: Spec | None
    problems: tuple[Problem, ...]

    @property
    def id(self) -> str | None:
        """The spec's id, None where it says none."""
        said = self.data.get("id") if isinstance(self.data, Mapping) else None
        return said if isinstance(said, str) else None


@dataclass(frozen=True)
class Comparison:
    """One spec in two versions; a side is None where the spec is not in that version.

    The changes of a spec with a fault on a side are those of its plain data.
    """

    before: Side | None
    after: Side | None
    changes: tuple[Change, ...]

    @property
    def path(self) -> str:
        """The path of the spec, the new one where there are two."""
        side = self.after or self.before
        return side.content.path if side is not None else ""

    @property
    def status(self) -> str:
        """What became of the spec: added, removed, renamed, changed or same."""
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        if _is_renamed(self.before, self.after):
            return "renamed"
        return "changed" if self.changes or self.problems else "same"

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The faults of both sides."""
        return tuple(
            problem for side in (self.before, self.after) if side for problem in side.problems
        )


def is_spec(raw: bytes) -> bool:
    """Whether a file is meant to be a spec: it says so in a key of its own."""
    return re.search(rb"^(?:\xef\xbb\xbf)?(?:\{ *)?spec *:", raw, re.MULTILINE) is not None


def read_side(content: Content, vocabulary: Vocabulary, *, any_name: bool = False) -> Side:
    """A version of a spec, checked; its faults are among what is returned.

    With `any_name` the file need not be called as the spec is.
    """
    # Read under its path in the version: that its id is the file's name is a part of the check.
    try:
        source = decode_source(content.raw, file="spec" if any_name else content.path)
        data, problems = source.data, check_source(source, vocabulary)
    except SpecError as error:
        data, problems = None, list(error.problems)
    spec = None if problems else build_spec(data, vocabulary)
    named = tuple(dataclasses.replace(problem, file=content.name) for problem in problems)
    return Side(content, data, spec, named)


def compare(before: Side | None, after: Side | None, vocabulary: Vocabulary) -> Comparison:
    """A spec in two versions, with the changes between them."""
    changes: Iterable[Change] = ()
    if before is not None and after is not None:
        if before.spec is not None and after.spec is not None:
            changes = spec_changes(before.spec, after.spec, vocabulary)
        elif isinstance(before.data, Mapping) and isinstance(after.data, Mapping):
            changes = data_changes(_without_id(before.data), _without_id(after.data))
    return Comparison(before, after, tuple(changes))


def compare_all(
    before: Iterable[Content], after: Iterable[Content], vocabulary: Vocabulary
) -> list[Comparison]:
    """The specs of two versions by path, sorted; those without any change are left out.

    What is in one version only is looked for in the other under another name. Files that are the
    same byte by byte are not read.
    """
    old = {content.path: content for content in before}
    new = {content.path: content for content in after}
    pairs: list[tuple[Content | None, Content | None]] = []
    for path in old.keys() & new.keys():
        if old[path].raw != new[path].raw:
            pairs.append((old[path], new[path]))
    went = [old[path] for path in sorted(old.keys() - new.keys())]
    came = [new[path] for path in sorted(new.keys() - old.keys())]
    pairs += _renamed(went, came)
    found = []
    for pair in pairs:
        one, other = (None if side is None else read_side(side, vocabulary) for side in pair)
        found.append(compare(one, other, vocabulary))
    return sorted(
        (entry for entry in found if entry.status != "same"), key=lambda entry: entry.path
    )


def outlined(spec: Spec, vocabulary: Vocabulary) -> str:
    """A spec that came or went, in a line."""
    dna = spec.dna
    rules = dict.fromkeys(described(t.rule, "hidden", vocabulary) for t in spec.targets)
    return (
        f"{dna.modality}, {dna.task}, {described(dna.metric, 'metrics', vocabulary)}, "
        f"{dna.train} + {dna.test} rows, rule {'; '.join(rules)}"
    )


def _is_renamed(before: Side, after: Side) -> bool:
    """Whether a spec has got another id; another file's name where one cannot be read."""
    if before.id is not None and after.id is not None:
        return before.id != after.id
    return Path(before.content.path).stem != Path(after.content.path).stem


def _without_id(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "id"}


def _renamed(
    went: list[Content], came: list[Content]
) -> list[tuple[Content | None, Content | None]]:
    """What went and what came, paired where the one became the other."""
    entries = {id(content): _entries(content) for content in (*went, *came)}

    def likeness(one: Content, other: Content) -> float:
        left, right = entries[id(one)], entries[id(other)]
        share = len(left & right) / max(1, len(left | right))
        return share if share >= RENAMED else 0.0

    pairs, new, gone = align(went, came, likeness)
    return [
        *((went[i], came[j]) for i, j in pairs),
        *((None, came[j]) for j in new),
        *((went[i], None) for i in gone),
    ]


def _entries(content: Content) -> frozenset[str]:
    """The entries of a spec with their places, its id left out; none of what cannot be read."""
    try:
        data = decode_source(content.raw, file=content.name).data
    except SpecError:
        return frozenset()
    return frozenset(_leaves(_without_id(data), "") if isinstance(data, Mapping) else ())


def _leaves(value: Any, place: str) -> list[str]:
    if isinstance(value, Mapping):
        return [leaf for key, item in value.items() for leaf in _leaves(item, f"{place}.{key}")]
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item, f"{place}[]")]
    return [f"{place}={canonical_json(value)}"]


def contents(path: Path) -> list[Content]:
    """The specs of a file or of a folder, by their path in it. Raises OSError."""
    if path.is_file():
        return [Content(display_path(path), path.name, path.read_bytes())]
    files = sorted(file for end in ("yaml", "yml") for file in path.rglob(f"*.{end}"))
    found = [
        Content(display_path(file), file.relative_to(path).as_posix(), file.read_bytes())
        for file in files
    ]
    return [content for content in found if is_spec(content.raw)]
