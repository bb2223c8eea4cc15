"""Runs become a file to train on: all rollouts are seen once, those chosen are read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from sandmle.play.rollout import parse_rollout, read_rollouts
from sandmle.sft.example import example
from sandmle.sft.files import check_format, write_rows
from sandmle.sft.selection import Candidate, Wanted, candidate, choose, why_not
from sandmle.sft.splits import SplitOf
from sandmle.sft.tokens import Count, estimate


@dataclass(frozen=True)
class Source:
    """A file of rollouts, and what tells the splits of their tasks."""

    path: Path
    split_of: SplitOf


@dataclass(frozen=True)
class Summary:
    """What came of it: rollouts `read`, examples `taken` of how many `tasks`, with `tokens` in all.

    `left_out` counts the others by reason, the most frequent first.
    """

    read: int
    taken: int
    tasks: int
    tokens: int
    left_out: Mapping[str, int]


def write_examples(
    sources: Sequence[Source],
    out: Path,
    wanted: Wanted,
    *,
    count: Count = estimate,
    progress: Callable[[], None] = lambda: None,
) -> Summary:
    """Writes the wanted rollouts of several files to `out`, unless there are none.

    `progress` is told of each rollout that was read. Memory is flat: of a rollout that may be
    taken some hundred bytes are kept.

    Raises what `check_format` raises, before any work, RolloutError where a file cannot be read.
    """
    check_format(out)
    candidates: list[Candidate] = []
    left_out: Counter[str] = Counter()
    read = 0
    for run, source in enumerate(sources):
        for line, rollout in enumerate(read_rollouts(source.path)):
            read += 1
            progress()
            reason = why_not(rollout, wanted, source.split_of(rollout))
            tokens = 0 if reason else count(example(rollout))
            if reason is None and wanted.tokens is not None and tokens > wanted.tokens:
                reason = f"longer than {wanted.tokens:,} tokens"
            if reason is not None:
                left_out[reason] += 1
            else:
                candidates.append(candidate(rollout, run=run, line=line, tokens=tokens))
    chosen, repeated = choose(candidates, wanted)
    left_out.update(repeated)
    if chosen:
        write_rows(out, _rows(sources, chosen))
    return Summary(
        read=read,
        taken=len(chosen),
        tasks=len({found.task for found in chosen}),
        tokens=sum(found.tokens for found in chosen),
        left_out=dict(left_out.most_common()),
    )


def _rows(sources: Sequence[Source], chosen: Sequence[Candidate]) -> Iterator[dict[str, Any]]:
    """The rows of the chosen rollouts, read again from their lines."""
    for run, group in groupby(chosen, key=attrgetter("run")):
        source, wanted = sources[run], {found.line: found for found in group}
        with source.path.open("rb") as file:
            for number, line in enumerate(file):
                if (found := wanted.pop(number, None)) is None:
                    continue
                rollout = parse_rollout(line)
                yield {
                    **example(rollout),
                    "tokens": found.tokens,
                    "split": source.split_of(rollout),
                    "source": f"{source.path}:{number + 1}",
                }
                if not wanted:
                    break
