"""Five real competitions, built from data that scikit-learn and statsmodels ship."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.datasets import sunspots

from sandmle.seeds.examples import EXAMPLES, write_example_competition, write_tables

NAMES = (*EXAMPLES, "sunspots")

#: Years that a sample shows before the year to be predicted: about two solar cycles.
_WINDOW = 24


def write_competition(name: str, folder: Path) -> Path:
    """Writes one of NAMES below `folder` and returns `folder`."""
    if name in EXAMPLES:
        return write_example_competition(name, folder)
    public = folder / "prepared" / "public"
    public.mkdir(parents=True)
    activity = sunspots.load_pandas().data["SUNACTIVITY"].to_numpy()
    windows = np.lib.stride_tricks.sliding_window_view(activity, _WINDOW + 1)
    identifiers = np.arange(len(windows))
    readings = pd.DataFrame(
        {
            "id": np.repeat(identifiers, _WINDOW),
            "year": np.tile(np.arange(_WINDOW), len(windows)),
            "activity": windows[:, :_WINDOW].ravel(),
        }
    )
    readings.to_csv(public / "readings.csv", index=False)
    write_tables(
        public,
        pd.DataFrame({"id": identifiers, "next_year": windows[:, -1]}),
        target="next_year",
        constant={"next_year": 50.0},
        evaluation="Submissions are scored by the mean absolute error.",
    )
    return folder
