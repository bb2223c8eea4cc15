"""Which solver answers a kind of task whose output is neither a number nor a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from sandmle.solvers.elements.boxes import box_submissions
from sandmle.solvers.elements.labelling import labelling_submissions
from sandmle.solvers.elements.masks import mask_submissions
from sandmle.solvers.elements.ordering import ordering_submissions
from sandmle.solvers.elements.pictures import picture_submissions
from sandmle.solvers.elements.positions import predict_positions
from sandmle.solvers.elements.rewriting import rewriting_submissions
from sandmle.solvers.elements.spans import span_submissions
from sandmle.solvers.reading import Competition

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
