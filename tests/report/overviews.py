"""Overviews made by hand, for the tests of what is drawn from them."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

from PIL import Image

from sandmle.report.ladder import Rung
from sandmle.report.overview import Audit, Overview, Play
from sandmle.report.samples import Sample
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds

EXAMPLE = Path(__file__).parents[1] / "spec" / "example.yaml"

RUNGS = (
    Rung("dummy", "constant", 0.5),
    Rung("dummy", "random", 0.48),
    Rung("naive", "logistic", 0.61),
    Rung("naive", "forest", 0.66),
    Rung("honest", "forest", 0.85),
    Rung("reference", "forest", 0.9),
)
THRESHOLDS = Thresholds(median=0.62, bronze=0.72, silver=0.8, gold=0.86)


def picture(red: int = 200) -> bytes:
    """A PNG of 16 x 12 pixels."""
    file = io.BytesIO()
    Image.new("RGB", (16, 12), (red, 30, 60)).save(file, "PNG")
    return file.getvalue()


def sample(number: int, **parts: object) -> Sample:
    """A sample with two columns and whatever else is given."""
    plain = Sample(
        id=f"b{number}",
        target={"has_damage": str(number % 2)},
        cells={"moisture": f"{number}.5", "traffic": "high"},
        pictures={},
        texts={},
        series={},
    )
    return dataclasses.replace(plain, **parts)  # type: ignore[arg-type]


def overview(identifier: str = "road-damage-0001", **changes: object) -> Overview:
    """An accepted task; `modality`, `title` and fields of Overview may be given."""
    spec = load_spec(EXAMPLE)
    dna = dataclasses.replace(spec.dna, modality=changes.pop("modality", "tabular"))
    title = changes.pop("title", spec.narrative.title)
    narrative = dataclasses.replace(spec.narrative, title=title)
    spec = dataclasses.replace(spec, id=identifier, dna=dna, narrative=narrative)
    plain = Overview(
        spec=spec,
        spec_text=EXAMPLE.read_text(encoding="utf-8"),
        accepted=True,
        reasons=(),
        greater_is_better=True,
        rungs=RUNGS,
        thresholds=THRESHOLDS,
        audits=(Audit("determinism", True, "the same bytes twice"),),
        samples=tuple(sample(number) for number in range(6)),
        plays=(Play("honest", "silver", 0.9),),
    )
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]
