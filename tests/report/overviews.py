"""Overviews made by hand, for the tests of what is drawn from them."""

from __future__ import annotations

import dataclasses
import io
import wave
from pathlib import Path

from PIL import Image

from sandmle.build.verdict import Audit, Rung, Verdict
from sandmle.report.overview import Overview, Play
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


def sound(height: int = 100) -> bytes:
    """A WAV of 480 samples: a wave of that height out of 128, then silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(1)
        written.setframerate(8000)
        written.writeframes(bytes([128 + height, 128 - height] * 120 + [128] * 240))
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
    """An accepted task; fields of Overview and of Verdict may be given."""
    spec = load_spec(EXAMPLE)
    plain = Overview(
        verdict=Verdict(
            id=identifier,
            accepted=True,
            reasons=(),
            version="0",
            engine="0",
            spec=spec.digest,
            title=spec.narrative.title,
            domain=spec.domain.name,
            modality="tabular",
            task="binary",
            metric="roc_auc",
            rules=("formula",),
            thresholds=THRESHOLDS,
            ladder=RUNGS,
            audits=(
                Audit("determinism", "data are the same", "cheap", True, "the same bytes twice"),
            ),
            sizes={"train": 120, "test": 500},
        ),
        spec=spec,
        spec_text=EXAMPLE.read_text(encoding="utf-8"),
        samples=tuple(sample(number) for number in range(6)),
        plays=(Play("honest", "silver", 0.9),),
    )
    own = {name: changes.pop(name) for name in ("spec", "samples", "plays") if name in changes}
    verdict = dataclasses.replace(plain.verdict, **changes)  # type: ignore[arg-type]
    return dataclasses.replace(plain, verdict=verdict, **own)  # type: ignore[arg-type]
