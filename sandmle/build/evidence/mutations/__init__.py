"""Submissions with something wrong: one mutation each of a file's bytes, its table or its cells.

Nothing here knows a shape of submissions. What a cell can suffer follows from what it holds: any
cell may get a text that readers stumble over, and one that lists several things may lose, repeat,
reorder or change one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice

import numpy as np

from sandmle.build.evidence.answers import read, written
from sandmle.build.evidence.mutations.cells import of_cells
from sandmle.build.evidence.mutations.files import of_file
from sandmle.build.evidence.mutations.mutation import Mutation
from sandmle.build.evidence.mutations.tables import HARMLESS, of_table

__all__ = ["Mutation", "mutations"]

#: Share of the mutations that are of the file's bytes; as many are of its table.
SHARE = 0.25


def mutations(
    content: bytes,
    rng: np.random.Generator,
    count: int,
    *,
    private: Mapping[str, Sequence[str]],
    numbers: Set[str],
) -> Iterator[Mutation]:
    """`count` mutations of a submission, of all kinds, drawn at random.

    `private` are the columns that the answers hold and a solver has not, `numbers` names the
    columns that hold nothing but numbers.
    """
    records = read(content)
    few = int(SHARE * count)
    files = list(of_file(content, rng))
    for place in rng.permutation(len(files))[:few]:
        yield Mutation(*files[place])
    tables = list(of_table(records, rng, private))
    for place in rng.permutation(len(tables))[:few]:
        name, rows = tables[place]
        yield Mutation(name, written(rows), is_wrong=name not in HARMLESS)
    rest = count - min(few, len(files)) - min(few, len(tables))
    yield from islice(of_cells(records, rng, numbers), rest)
