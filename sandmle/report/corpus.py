"""What became of a corpus: how many specs reached each stage, why others did not, and the mix."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from sandmle.build.examination import load_judged
from sandmle.build.index import INDEX_FILE
from sandmle.build.plan import corpus_specs
from sandmle.build.verdict import DEAD, MODEL_SEED, TEST_DRAW, VERDICT_FILE
from sandmle.errors import SpecError
from sandmle.paper import COUNTED_AS, PAPER_MIX
from sandmle.roles.log import read_log
from sandmle.spec.likeness import NearPair, near_pairs
from sandmle.spec.load import load_spec
from sandmle.spec.model import Spec
from sandmle.spec.outline import outline
from sandmle.vocabulary import Vocabulary, load_vocabulary

#: The stages of a spec: there is a file, it is right, its scripts made data and a grader that
#: takes the answers, and the task passed all checks of the build.
STAGES = ("drafted", "valid", "compiled", "accepted")

#: Difficulties are counted in steps of this.
_STEP = 0.2


@dataclass(frozen=True)
class Outcome:
    """What the build found of a spec, whose digest was `spec` then.

    `flip_rates` are the shares of reruns in which honest work wins another medal, by what was
    drawn anew.
    """

    spec: str
    compiled: bool
    accepted: bool
    reasons: tuple[str, ...]
    flip_rates: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """One spec file: its spec or its problems, and what the build found if it was built."""

    id: str
    spec: Spec | None
    problems: tuple[str, ...] = ()
    outcome: Outcome | None = None

    @property
    def stale(self) -> bool:
        """Whether the spec was edited since it was built."""
        return bool(self.spec and self.outcome and self.spec.digest != self.outcome.spec)

    @property
    def stage(self) -> str:
        """The last of STAGES that it reached."""
        if self.spec is None:
            return "drafted"
        if self.outcome is None or self.stale or not self.outcome.compiled:
            return "valid"
        return "accepted" if self.outcome.accepted else "compiled"

    @property
    def losses(self) -> tuple[str, ...]:
        """Why it got no farther, in words that hold for other specs too."""
        if self.spec is None:
            return _grouped(self.problems)
        if self.outcome is None:
            return ("not built yet",)
        if self.stale:
            return ("changed since it was built",)
        return _grouped(self.outcome.reasons)


@dataclass(frozen=True)
class Share:
    """One entry of a mix: so many valid specs and accepted tasks, and its share in percent.

    The share is of the accepted tasks, of the valid specs where none is accepted yet. `paper` is
    the paper's, `points` are how far it lies above that. `parts` count the valid specs of each
    modality that the entry stands for, where they are several.
    """

    valid: int
    accepted: int
    share: float
    paper: int | None = None
    points: float | None = None
    parts: Mapping[str, int] | None = None


@dataclass(frozen=True)
class CorpusReport:
    """All of it. `reasons` count specs by the stage that they did not reach and the reason.

    `mix` is by property and its values, most frequent first. A spec may have several reasons, and
    several rules. `flip_rate` is the median over the accepted tasks by what was drawn anew, None
    where it was not measured (`sandmle audit --deep` measures that of the model seed); `dead` are
    the tasks on which solvers of different skill earn the same.
    """

    drafted: int
    valid: int
    compiled: int
    accepted: int
    reasons: Mapping[str, Mapping[str, int]]
    mix: Mapping[str, Mapping[str, Share]]
    flip_rate: Mapping[str, float | None]
    dead: tuple[str, ...]
    near_duplicates: tuple[NearPair, ...]


def report_corpus(corpus: Path) -> CorpusReport:
    """The report of a corpus folder.

    Raises ValueError naming a verdict or a line of the index that is broken, and VocabularyError
    where the corpus' rules/ are.
    """
    return summarize(read_entries(corpus), load_vocabulary(corpus))


def read_entries(corpus: Path) -> list[Entry]:
    """The specs of a corpus folder with what its last build found, sorted, and drafts given up.

    Errors as above.
    """
    outcomes = _read_outcomes(corpus / "build")
    found = []
    for path in corpus_specs(corpus):
        outcome = outcomes.get(path.stem)
        try:
            found.append(Entry(path.stem, load_spec(path, corpus=corpus), (), outcome))
        except SpecError as error:
            problems = tuple(problem.message for problem in error.problems)
            found.append(Entry(path.stem, None, problems, outcome))
    return found + _given_up(corpus / "specs" / "tasks")


def _given_up(folder: Path) -> list[Entry]:
    """Drafts that were not worth a file, each with the reason."""
    return [
        Entry(one["id"], None, (f"given up by draft: {one['because']}: {one['margin']}",))
        for line in read_log(folder)
        for one in line.given_up
    ]


def summarize(entries: Sequence[Entry], vocabulary: Vocabulary) -> CorpusReport:
    """The report of specs that are right by `vocabulary`, or have problems."""
    reached = {
        stage: [entry for entry in entries if STAGES.index(entry.stage) >= index]
        for index, stage in enumerate(STAGES)
    }
    valid = {entry.id: entry.spec for entry in reached["valid"] if entry.spec is not None}
    accepted = {entry.id for entry in reached["accepted"]}
    return CorpusReport(
        **{stage: len(reached[stage]) for stage in STAGES},
        reasons={
            missed: _counted(entry.losses for entry in entries if entry.stage == stage)
            for stage, missed in pairwise(STAGES)
        },
        mix={
            name: _shares(
                name, {key: of(spec, vocabulary) for key, spec in valid.items()}, accepted
            )
            for name, of in PROPERTIES.items()
        },
        flip_rate={
            name: _median_flips(reached["accepted"], name) for name in (MODEL_SEED, TEST_DRAW)
        },
        dead=tuple(
            entry.id
            for entry in reached["compiled"]
            if entry.outcome and any(reason.startswith(DEAD) for reason in entry.outcome.reasons)
        ),
        near_duplicates=tuple(
            near_pairs({key: outline(spec, vocabulary) for key, spec in valid.items()})
        ),
    )


def _median_flips(entries: Iterable[Entry], name: str) -> float | None:
    """The median flip rate of one name, None where no task has it."""
    outcomes = [entry.outcome for entry in entries if entry.outcome is not None]
    rates = [found.flip_rates[name] for found in outcomes if name in found.flip_rates]
    return median(rates) if rates else None


def _difficulty(spec: Spec, _vocabulary: Vocabulary) -> tuple[str, ...]:
    if spec.dna.difficulty is None:
        return ("not given",)
    step = min(int(spec.dna.difficulty / _STEP + 1e-9), round(1 / _STEP) - 1)
    return (f"{step * _STEP:.1f} to {(step + 1) * _STEP:.1f}",)


#: What a mix is counted by: the values that a spec has of a property.
PROPERTIES: Mapping[str, Callable[[Spec, Vocabulary], tuple[str, ...]]] = {
    "modality": lambda spec, _: (spec.dna.modality,),
    "family": lambda spec, words: (str(words.word("tasks", spec.dna.task).traits["FAMILY"]),),
    "task": lambda spec, _: (spec.dna.task,),
    "metric": lambda spec, _: (spec.dna.metric.kind,),
    "domain": lambda spec, _: (spec.domain.name,),
    "rule": lambda spec, _: tuple(dict.fromkeys(target.rule.kind for target in spec.targets)),
    "difficulty": _difficulty,
}


def _shares(
    name: str, values: Mapping[str, tuple[str, ...]], accepted: set[str]
) -> dict[str, Share]:
    """The mix by one property, given its values of each valid spec, most frequent first."""
    paper = PAPER_MIX.get(name, {})
    counts = {key: [Counter[str](), Counter[str]()] for key in paper}
    for key, own in values.items():
        for value in own:
            valid, passed = counts.setdefault(
                COUNTED_AS.get(value, value), [Counter[str](), Counter[str]()]
            )
            valid[value] += 1
            passed[value] += key in accepted
    whole = len(accepted) or len(values)
    found = {}
    for entry, (valid, passed) in counts.items():
        count = (passed if accepted else valid).total()
        share = 100 * count / whole if whole else 0.0
        told = paper.get(entry)
        found[entry] = Share(
            valid=valid.total(),
            accepted=passed.total(),
            share=round(share, 1),
            paper=told,
            points=None if told is None else round(share - told, 1),
            parts=dict(valid.most_common()) if set(valid) - {entry} else None,
        )
    return dict(sorted(found.items(), key=lambda item: (-item[1].share, -item[1].valid, item[0])))


def _counted(losses: Iterable[tuple[str, ...]]) -> dict[str, int]:
    counts = Counter(reason for reasons in losses for reason in reasons)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _grouped(reasons: Iterable[str]) -> tuple[str, ...]:
    """Reasons without what they say of one task alone: details, advice, names and numbers."""
    found: dict[str, None] = {}
    for reason in reasons:
        told = re.split(r" \(|; |\n", reason, maxsplit=1)[0]
        told = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", told)
        told = re.sub(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)", "#", told)
        found[told] = None
    return tuple(found)


def _read_outcomes(build: Path) -> dict[str, Outcome]:
    """What the build found by id, from its verdicts; the index tells of tasks without a folder."""
    found: dict[str, Outcome] = {}
    index = build / INDEX_FILE
    lines = index.read_text(encoding="utf-8").splitlines() if index.is_file() else []
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            found[data["id"]] = _outcome(data)
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(
                f"{index}:{number}: not a verdict: {error!r}; build the task again"
            ) from None
    for path in sorted((build / "tasks").glob(f"*/{VERDICT_FILE}")):
        found[path.parent.name] = _outcome(vars(load_judged(path.parent)))
    return found


def _outcome(data: Mapping[str, Any]) -> Outcome:
    """The outcome that a verdict tells, or a line of the index.

    It has hashes from where its scripts have made data and a grader that takes the answers.
    """
    return Outcome(
        spec=data["spec"],
        compiled=bool(data["hashes"]),
        accepted=data["accepted"],
        reasons=tuple(data["reasons"]),
        flip_rates=data["flip_rates"],
    )
