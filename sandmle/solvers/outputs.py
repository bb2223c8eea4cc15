"""Which solver answers a kind of task whose output is neither a number nor a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from sandmle.solvers.boxes import box_submissions
from sandmle.solvers.labelling import labelling_submissions
from sandmle.solvers.masks import mask_submissions
from sandmle.solvers.ordering import ordering_submissions
from sandmle.solvers.pictures import picture_submissions
from sandmle.solvers.positions import predict_positions
from sandmle.solvers.reading import Competition
from sandmle.solvers.rewriting import rewriting_submissions
from sandmle.solvers.spans import span_submissions

#: Takes a competition and a rung (dummy, naive or honest), gives names and submissions, best first.
Solver = Callable[[Competition, str], Iterator[tuple[str, pd.DataFrame]]]

#: Kinds of task, as the description states them, to their solvers. All other kinds have numbers or
#: classes as targets.
OUTPUTS: Mapping[str, Solver] = {
    "detection": box_submissions,
    "extractive_qa": span_submissions,
    "image_to_image": picture_submissions,
    "ordering": ordering_submissions,
    "segmentation": mask_submissions,
    "seq2seq": rewriting_submissions,
    "sequence_labelling": labelling_submissions,
    "sequence_regression": predict_positions,
}
