"""Samples of a task made small enough for a card: pictures, lines, quotes or a table."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

from sandmle.report.graphs import drawing
from sandmle.report.samples import Sample
from sandmle.report.sounds import waveform

_PICTURES, _SERIES, _TEXTS, _ROWS, _COLUMNS, _SOUNDS, _GRAPHS = 6, 4, 3, 4, 5, 2, 4

#: Pixels beyond which a picture is made smaller.
_PICTURE_SIDE = 96

#: Points that a sparkline keeps, and its drawing's size in the template.
_POINTS, _WIDTH, _HEIGHT = 150, 150.0, 42.0

#: Characters from which a cell counts as text to be read.
_LONG = 24


def preview(samples: Sequence[Sample]) -> dict[str, Any]:
    """What a card shows: `kind` (pictures, sounds, graphs, series, texts, table or nothing), and
    its parts.

    A mixed task shows what is most telling to the eye; its columns are in the table.
    """
    shown: dict[str, Any] = {"kind": "nothing", "columns": (), "rows": (), "target": ""}
    if samples and samples[0].cells:
        shown |= _table(samples)
    for kind, parts in (
        ("pictures", _pictures(samples)),
        ("sounds", _sounds(samples)),
        ("graphs", _graphs(samples)),
        ("series", _series(samples)),
        ("texts", _texts(samples)),
    ):
        if parts:
            return shown | {"kind": kind, kind: parts}
    return shown


def _pictures(samples: Sequence[Sample]) -> list[dict[str, str]]:
    return [
        {"path": path, "data": _data_uri(picture), "label": sample.label}
        for sample in samples
        for path, picture in list(sample.views.items())[:1]
    ][:_PICTURES]


def _data_uri(picture: bytes) -> str:
    """A picture as a PNG that stands in the page itself."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture))
    image.thumbnail((_PICTURE_SIDE, _PICTURE_SIDE))
    small = io.BytesIO()
    image.save(small, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(small.getvalue()).decode("ascii")


def _sounds(samples: Sequence[Sample]) -> list[dict[str, str]]:
    return [
        {
            "path": path,
            "data": "data:audio/wav;base64," + base64.b64encode(sound).decode("ascii"),
            "points": waveform(sound, _WIDTH, _HEIGHT),
            "label": sample.label,
        }
        for sample in samples
        for path, sound in list(sample.sounds.items())[:1]
    ][:_SOUNDS]


def _graphs(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    return [
        {**drawing(sample.graph), "label": sample.label}
        for sample in samples
        if sample.graph is not None
    ][:_GRAPHS]


def _series(samples: Sequence[Sample]) -> list[dict[str, str]]:
    return [
        {"name": name, "points": sparkline(values), "label": sample.label}
        for sample in samples
        for name, values in list(sample.series.items())[:1]
    ][:_SERIES]


def sparkline(values: Sequence[float]) -> str:
    """The points of an SVG polyline through `values`, left to right, thinned where many."""
    step = max(1, -(-len(values) // _POINTS))
    kept = values[::step]
    low, span = min(kept), (max(kept) - min(kept)) or 1.0
    return " ".join(
        f"{_WIDTH * index / max(1, len(kept) - 1):.1f},"
        f"{_HEIGHT - 3 - (_HEIGHT - 6) * (value - low) / span:.1f}"
        for index, value in enumerate(kept)
    )


def _texts(samples: Sequence[Sample]) -> list[dict[str, str]]:
    found = []
    for sample in samples:
        longest = max((*sample.texts.values(), *sample.cells.values()), key=len, default="")
        if len(longest) >= _LONG and " " in longest:
            found.append({"text": longest, "label": sample.label})
    return found[:_TEXTS]


def _table(samples: Sequence[Sample]) -> dict[str, Any]:
    columns = list(samples[0].cells)[:_COLUMNS]
    return {
        "kind": "table",
        "columns": columns,
        "target": " ".join(samples[0].target) if len(samples[0].target) == 1 else "targets",
        "rows": [
            {"cells": [sample.cells[name] for name in columns], "label": sample.label}
            for sample in samples[:_ROWS]
        ],
    }
