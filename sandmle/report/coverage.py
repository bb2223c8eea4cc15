"""Which competitions of a benchmark the corpus covers: a task for each that keeps its structure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandmle.compiler.judging import submission_use
from sandmle.seeds.model import Seed
from sandmle.spec.model import Spec, WordUse
from sandmle.vocabulary import Vocabulary, Word

_HEAD = "| competition | modality | task | metric | submission | accepted tasks | simplified |"


@dataclass(frozen=True)
class Coverage:
    """One seed, and the ids of the accepted tasks that keep its modality, kind of task, metric and
    submission.
    """

    seed: Seed
    tasks: tuple[str, ...]


def cover(
    seeds: Iterable[Seed],
    specs: Iterable[Spec],
    *,
    accepted: Collection[str],
    vocabulary: Vocabulary,
) -> list[Coverage]:
    """What covers each seed that is a benchmark's, sorted by its name.

    `accepted` are the ids of tasks that passed the build.
    """
    found: dict[str, list[Spec]] = {}
    for spec in specs:
        if spec.seed is not None and spec.id in accepted:
            found.setdefault(spec.seed, []).append(spec)
    return [
        Coverage(
            seed,
            tuple(
                sorted(
                    spec.id for spec in found.get(seed.name, ()) if _keeps(spec, seed, vocabulary)
                )
            ),
        )
        for seed in sorted(seeds, key=lambda seed: seed.name.lower())
        if seed.benchmark is not None
    ]


def coverage_text(rows: Sequence[Coverage]) -> str:
    """The table as Markdown."""
    covered = sum(bool(row.tasks) for row in rows)
    benchmarks = ", ".join(sorted({row.seed.benchmark or "" for row in rows}))
    lines = [
        "# Coverage",
        "",
        f"The competitions of {benchmarks}, by what of their structure a task keeps: modality, "
        "kind of task, metric and shape of the submission. All tasks are small, of at most 200 "
        "training samples, and made up; the last column says what else of a competition they leave "
        "out. `sandmle coverage` writes this page from `specs/` and `build/index.jsonl`.",
        "",
        f"{covered} of {len(rows)} competitions have an accepted task that keeps all four.",
        "",
        _HEAD,
        "|" + "---|" * (_HEAD.count("|") - 1),
    ]
    lines += [_line(row) for row in rows]
    return "\n".join(lines) + "\n"


def _line(row: Coverage) -> str:
    seed = row.seed
    cells = (
        seed.name,
        seed.modality,
        _words(seed.task),
        _used(seed.metric.name, seed.metric.parameters),
        _used(seed.submission.shape, seed.submission.parameters),
        ", ".join(f"`{name}`" for name in row.tasks) or "**none**",
        seed.simplified or "",
    )
    return "| " + " | ".join(cells) + " |"


def _keeps(spec: Spec, seed: Seed, vocabulary: Vocabulary) -> bool:
    """Whether a spec keeps a seed's modality, kind of task, metric and submission."""
    metric = spec.dna.metric
    shape, submission = submission_use(spec, vocabulary)
    return (
        (spec.dna.modality, spec.dna.task) == (seed.modality, seed.task)
        and (metric.kind, submission.kind) == (seed.metric.name, seed.submission.shape)
        and _holds(vocabulary.word("metrics", metric.kind), metric, seed.metric.parameters)
        and _holds(shape, submission, seed.submission.parameters)
    )


def _holds(word: Word, use: WordUse, wanted: Mapping[str, Any]) -> bool:
    """Whether a use has the parameters of the seed; a number of guesses may be smaller."""
    usual = {name: fragment.get("default") for name, fragment in word.parameters.items()}
    given = {**usual, **use.parameters}
    return all(
        given.get(name) == value or (name == "k" and 0 < given.get(name, 0) < value)
        for name, value in wanted.items()
    )


def _used(name: str, parameters: Mapping[str, Any]) -> str:
    """A word with its parameters: `per column of rmsle`, `top k, k 5`."""
    told = [_words(name)]
    for key, value in parameters.items():
        if key == "of":
            told[0] += f" of {_words(str(value))}"
        else:
            told.append(f"{_words(key)} {_plain(value)}")
    return ", ".join(told)


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        few = value if len(value) < 4 else [value[0], "...", value[-1]]
        return " ".join(map(str, few))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _words(name: str) -> str:
    return name.replace("_", " ")
