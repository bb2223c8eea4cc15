"""Which solver answers which kind of task, in this process and as a script of its own.

What a solver needs is loaded when it is asked for: a script holds nothing for other kinds.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sandmle.compiler.inline import bundle, bundle_text

if TYPE_CHECKING:
    import pandas as pd

    from sandmle.solvers.reading import Competition

    #: Takes a competition and a rung, gives names and submissions, best first.
    Solver = Callable[[Competition, str], Iterator[tuple[str, pd.DataFrame]]]

#: Kinds of task whose output is neither a number nor a class, with the module in elements/ and the
#: function that answer them.
OUTPUTS: Mapping[str, tuple[str, str]] = {
    "detection": ("boxes", "box_submissions"),
    "extractive_qa": ("spans", "span_submissions"),
    "image_to_image": ("pictures", "picture_submissions"),
    "ordering": ("ordering", "ordering_submissions"),
    "segmentation": ("masks", "mask_submissions"),
    "seq2seq": ("rewriting", "rewriting_submissions"),
    "sequence_labelling": ("labelling", "labelling_submissions"),
    "sequence_regression": ("positions", "predict_positions"),
}

_HERE = Path(__file__).parent

#: A script that answers one kind of task.
_SCRIPT = '''"""A {rung} answer to a task of {task}."""

from __future__ import annotations

import sys

from sandmle.solvers.elements.{module} import {function}
from sandmle.solvers.submitting import write_first


def main() -> None:
    """`python SCRIPT [FOLDER [SUBMISSION]]`."""
    write_first({function}, "{rung}", sys.argv[1:])


if __name__ == "__main__":
    main()
'''


def candidates(folder: Path, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The names and submissions of all baselines of a rung (dummy, naive or honest).

    Several submissions by one name, such as random ones, are one baseline.
    """
    from sandmle.solvers.reading import read_competition

    competition = read_competition(folder)
    if competition.task not in OUTPUTS:
        module = importlib.import_module(f"sandmle.solvers.{rung}")
        yield from module.candidates(competition)
        return
    name, function = OUTPUTS[competition.task]
    solver: Solver = getattr(importlib.import_module(f"sandmle.solvers.elements.{name}"), function)
    yield from solver(competition, rung)


@functools.cache
def script(task: str, rung: str) -> str:
    """A script that answers a kind of task as a rung does; it runs alone, with nothing else of
    this project: `python SCRIPT [FOLDER [SUBMISSION]]`.
    """
    if task not in OUTPUTS:
        return bundle(_HERE / f"{rung}.py")
    module, function = OUTPUTS[task]
    text = _SCRIPT.format(task=task, rung=rung, module=module, function=function)
    return bundle_text(text, _HERE / f"{rung}, {task}")
