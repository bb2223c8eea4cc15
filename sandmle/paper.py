"""The corpus of the SandMLE paper (arXiv 2604.04872): what others are measured against."""

from __future__ import annotations

from collections.abc import Mapping

#: Its specs at each stage: drafted, valid, compiled, accepted.
PAPER_STAGES = (1200, 1119, 1106, 912)

#: How it parts the accepted ones.
PAPER_TRAIN, PAPER_VALIDATION = 848, 64

#: The shares of its modalities and kinds of task in percent. It tells forecasting and
#: reconstruction as one.
PAPER_MIX: Mapping[str, Mapping[str, int]] = {
    "modality": {"image": 49, "tabular": 25, "text": 10, "mixed": 10, "graph": 4, "audio": 2},
    "family": {"classification": 56, "regression": 15, "ranking": 3, "reconstruction": 26},
}

#: Its names where they are not ours.
PAPER_NAMES: Mapping[str, str] = {
    "mixed": "multi-modal",
    "reconstruction": "forecasting + reconstruction",
}

#: Modalities that it counts among another one.
COUNTED_AS: Mapping[str, str] = {"series": "tabular", "signal": "tabular"}
