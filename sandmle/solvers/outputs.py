"""Which solver answers which kind of task, in this process and as a script of its own.

What a solver needs is loaded when it is asked for: a script holds nothing for other kinds.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from sandmle.compiler.inline import bundle_text

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
_SCRIPT = '''"""What a solver ({rung}) answers to {tasks}."""

from __future__ import annotations

import sys

from {module} import {function}
from sandmle.solvers.submitting import write_submission


def main() -> None:
    """`python SCRIPT [FOLDER [SUBMISSION]]`."""
    write_submission(
        {solve}, sys.argv[1:], share={share!r}, random_seed={random_seed!r}
    )


if __name__ == "__main__":
    main()
'''


def candidates(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The names and submissions of all baselines of a rung (dummy, naive or honest).

    Several submissions by one name, such as random ones, are one baseline.
    """
    if competition.task not in OUTPUTS:
        yield from _module_of(rung).candidates(competition)
        return
    name, function = OUTPUTS[competition.task]
    solver: Solver = getattr(_module_of(f"elements.{name}"), function)
    yield from solver(competition, rung)


def answer(competition: Competition, rung: str) -> pd.DataFrame:
    """What a rung submits by itself, as its script does, without knowing any test score."""
    if competition.task not in OUTPUTS:
        table: pd.DataFrame = _module_of(rung).solve(competition)
        return table
    return next(candidates(competition, rung))[1]


def honest_answers(competition: Competition, random_seeds: Iterable[int]) -> Iterator[pd.DataFrame]:
    """What honest submits under each of several random seeds."""
    if competition.task not in OUTPUTS:
        yield from _module_of("honest").solve_each(competition, random_seeds)
        return
    for random_seed in random_seeds:
        yield answer(competition.with_seed(random_seed), "honest")


def _module_of(name: str) -> ModuleType:
    return importlib.import_module(f"sandmle.solvers.{name}")


@functools.cache
def script(task: str, rung: str, *, share: float = 1.0, random_seed: int = 0) -> str:
    """A script that answers a kind of task as a rung does; it runs alone, with nothing else of
    this project: `python SCRIPT [FOLDER [SUBMISSION]]`.

    It knows a share of the training rows (see `Competition.part`), and its chance comes of
    `random_seed`.
    """
    if task in OUTPUTS:
        module, function = OUTPUTS[task]
        module = f"elements.{module}"
        solve = f'lambda competition: next({function}(competition, "{rung}"))[1]'
        tasks = f"tasks of {task}"
    else:
        module, function, solve = rung, "solve", "solve"
        tasks = "tasks of numbers or classes"
    text = _SCRIPT.format(
        rung=rung,
        tasks=tasks,
        module=f"sandmle.solvers.{module}",
        function=function,
        solve=solve,
        share=share,
        random_seed=random_seed,
    )
    return bundle_text(text, _HERE / f"{rung}, {task}")
