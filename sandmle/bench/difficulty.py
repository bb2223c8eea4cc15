"""What the difficulty of a draft does: how far raw models get as it rises, rule by rule."""

from __future__ import annotations

import dataclasses
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr
from threadpoolctl import threadpool_limits

from sandmle.build.ladder import oriented, references, score
from sandmle.build.prepare import Prepared, Rejected, prepare
from sandmle.errors import CompileError
from sandmle.resources import find_corpus, layers
from sandmle.roles.developer import Developer
from sandmle.roles.draft import draft
from sandmle.roles.filling import factor_slots
from sandmle.roles.role import DraftContext, DraftError, Role, Sections
from sandmle.roles.strategist import Strategist
from sandmle.roles.writer import Writer
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed
from sandmle.solvers.outputs import candidates
from sandmle.spec.model import Spec
from sandmle.vocabulary import Vocabulary, Word, load_vocabulary

#: The difficulties that are compared.
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)

#: What the table is about.
_STORY = (
    "Written by `sandmle bench difficulty [RULE ...] --markdown docs/difficulty.md`. Each rule is "
    "drafted at five difficulties, all else the same. The columns say how much of the way from the "
    "best dummy to the reference the best raw model covers; the last one is Spearman's correlation "
    "of difficulty and what it leaves. Of {rules} rules {steady} fall steadily ({least:g} or "
    "more, and by {felt:g} of the way at least). What does not has no dial of its own, is hard at "
    "any setting, or is shown by a picture, readings or a text, which are hard enough to read that "
    "drafts leave its dials low."
)

#: From this correlation on, and from this fall in all, a rule counts as one that falls steadily.
STEADY, FELT = 0.8, 0.05

#: Seeds of small tables, which leave a rule alone with its columns.
_TABLES = ("breast-cancer", "wine", "diabetes")

#: The types of factors that columns show.
_COLUMNS = {"number", "category", "factor"}


@dataclass(frozen=True)
class Fall:
    """How the best raw model falls as the difficulty of one rule's drafts rises.

    `shares`: for each of LEVELS how much of the way from the best dummy to the reference the best
    raw model covers, over `tasks` tasks that differ in nothing else from level to level.
    `correlation`: Spearman's, of difficulty and share with its sign turned; 1 for a steady fall.
    """

    rule: str
    modality: str
    task: str
    tasks: int
    shares: tuple[float, ...]
    correlation: float

    @property
    def is_steady(self) -> bool:
        """Whether it falls steadily, and so far that one would notice."""
        return self.correlation >= STEADY and self.shares[0] - self.shares[-1] >= FELT


def bench_difficulty(
    rules: Sequence[str],
    *,
    tasks: int,
    corpus: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Fall]:
    """Measures rules by name, or all that are drafted where there are none, steadiest falls first.

    Rules that no draft can be made of, or no task, are left out. `progress` is told how many rules
    are done, and of how many. Raises KeyError for a rule that is not in the vocabulary.
    """
    root = corpus if corpus is not None else find_corpus(Path.cwd())
    vocabulary = load_vocabulary(root)
    known = vocabulary.folder("hidden")
    chosen = [known[name] for name in rules] or [
        word for word in known.values() if word.traits.get("DRAFTED", True)
    ]
    falls = []
    for place, word in enumerate(chosen):
        if progress is not None:
            progress(place, len(chosen))
        fall = measure(word, vocabulary, tasks=tasks, corpus=root)
        falls += [] if fall is None else [fall]
    return sorted(falls, key=lambda fall: (-fall.correlation, fall.rule))


def measure(word: Word, vocabulary: Vocabulary, *, tasks: int, corpus: Path) -> Fall | None:
    """One rule's fall over `tasks` tasks at each level; None where it can't be drafted or built."""
    for seed in _seeds(word, vocabulary, corpus):
        climbs = []
        for random_seed in range(tasks):
            try:
                specs = [drafted(word, seed, level, random_seed, corpus) for level in LEVELS]
                climbs.append([_climb(spec, vocabulary, corpus) for spec in specs])
            except DraftError:
                break
            except (Rejected, CompileError):
                continue
        if climbs:
            covered, whole = np.array(climbs).sum(axis=0).T
            shares = tuple(float(share) for share in np.round(covered / whole, 3))
            return Fall(
                word.name, seed.modality, seed.task, len(climbs), shares, steadiness(shares)
            )
    return None


def steadiness(shares: Sequence[float]) -> float:
    """Spearman's correlation of LEVELS and what `shares` leave: 1 for a steady fall, 0 for none."""
    if len(set(shares)) == 1:
        return 0.0
    return round(-float(spearmanr(LEVELS, shares)[0]), 2)


def drafted(word: Word, seed: Seed, level: float, random_seed: int, corpus: Path) -> Spec:
    """A draft whose rule is `word` at difficulty `level`; all else follows from `random_seed`.

    Raises DraftError where the rule does not fit the seed.
    """
    roles: tuple[Role, ...] = (
        _SeedMetric(),
        _Fixed(Strategist(), level),
        _Narrowed(Developer(), word.name),
        Writer(),
    )
    return next(draft(seed, count=1, random_seed=random_seed, corpus=corpus, roles=roles))


def _seeds(word: Word, vocabulary: Vocabulary, corpus: Path) -> list[Seed]:
    """The seeds whose kind of task takes what the rule yields, those that name it first before.

    Small tables where the rule looks at numbers and categories alone, else one seed of each other
    modality and kind of task.
    """
    paths = {
        path.stem: path
        for root in reversed(layers("specs", corpus))
        for path in sorted((root / "seeds").glob("*.yaml"))
    }
    is_plain = {slot.type for slot in factor_slots(word)} <= _COLUMNS
    found: dict[tuple[str, str], tuple[int, Seed]] = {}
    for name in _TABLES if is_plain else sorted(paths):
        seed = load_seed(paths[name], vocabulary)
        takes = vocabulary.word("tasks", seed.task).traits["YIELDS"]
        if word.traits["YIELDS"] in takes and (is_plain or seed.modality != "tabular"):
            place = takes.index(word.traits["YIELDS"])
            found.setdefault((seed.modality, seed.task), (place, seed))
    return [seed for _, seed in sorted(found.values(), key=lambda entry: entry[0])]


def table(falls: Sequence[Fall]) -> str:
    """The falls as Markdown: what docs/difficulty.md holds."""
    steady = sum(fall.is_steady for fall in falls)
    story = _STORY.format(rules=len(falls), steady=steady, least=STEADY, felt=FELT)
    head = " | ".join(f"{level:g}" for level in LEVELS)
    rows = [
        f"| {fall.rule} | {fall.modality} {fall.task} | {fall.tasks} | "
        + " | ".join(f"{share:.2f}" for share in fall.shares)
        + f" | {fall.correlation:.2f} |"
        for fall in falls
    ]
    return "\n".join(
        [
            "# What difficulty does",
            "",
            *textwrap.wrap(story, 100, break_on_hyphens=False),
            "",
            f"| rule | task | tasks | {head} | steadiness |",
            "|---|---|---:|" + "---:|" * (len(LEVELS) + 1),
            *rows,
            "",
        ]
    )


def _climb(spec: Spec, vocabulary: Vocabulary, corpus: Path) -> tuple[float, float]:
    """How far the best raw model, and the reference, get beyond the best dummy."""
    with tempfile.TemporaryDirectory(prefix="sandmle-") as name, threadpool_limits(1):
        prepared = prepare(spec, Path(name), corpus=corpus)
        start = _best(prepared, candidates(prepared.competition, "dummy"))
        raw = _best(prepared, candidates(prepared.competition, "naive"))
        top = _best(prepared, references(prepared, vocabulary))
    if top <= start:
        raise Rejected("the reference is no better than a dummy")
    return raw - start, top - start


def _best(prepared: Prepared, offered: Iterator[tuple[str, pd.DataFrame]]) -> float:
    """The best mean score of several submissions a name, turned so that more is better."""
    scores: dict[str, list[float]] = {}
    for name, table in offered:
        scores.setdefault(name, []).append(score(prepared, table))
    lower = prepared.grader.is_lower_better
    return max(oriented(float(np.mean(found)), lower) for found in scores.values())


class _SeedMetric:
    """Keeps the seed's own metric."""

    name, owns = "MLOps Engineer", ("dna.metric",)

    def write(self, context: DraftContext) -> Sections:
        return {"dna": {"metric": context.seed.metric.name}}


@dataclass(frozen=True)
class _Fixed:
    """A strategist whose difficulty is set; its other decisions stay what they would be."""

    inner: Role
    level: float
    name: str = "Data Strategist"
    owns: tuple[str, ...] = Strategist.owns

    def write(self, context: DraftContext) -> Sections:
        sections = self.inner.write(context)
        dna: Mapping[str, Any] = sections["dna"]
        return {**sections, "dna": {**dna, "difficulty": self.level}}


@dataclass(frozen=True)
class _Narrowed:
    """A developer who knows one rule by which to set a task, though others may be nested in it."""

    inner: Role
    rule: str
    name: str = "MLE Developer"
    owns: tuple[str, ...] = Developer.owns

    def write(self, context: DraftContext) -> Sections:
        words = {
            word.name: dataclasses.replace(
                word, traits={**word.traits, "DRAFTED": word.name == self.rule}
            )
            for word in context.vocabulary.folder("hidden").values()
        }
        folders = {**context.vocabulary.words, "hidden": MappingProxyType(words)}
        narrowed = dataclasses.replace(context, vocabulary=Vocabulary(MappingProxyType(folders)))
        return self.inner.write(narrowed)
