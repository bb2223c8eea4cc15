"""A task laid before the eyes in a terminal: facts, ladder, audits, samples."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from sandmle.build.verdict import Audit, Player
from sandmle.report.ladder import LINES, Ladder, Line, Mark, lay_out
from sandmle.report.overview import Overview, flips
from sandmle.report.samples import Sample
from sandmle.report.sounds import loudness
from sandmle.report.style import COLOURS, LEVELS, number

#: Characters of the ladder's axis, at most.
_AXIS = 52

_BLOCKS = "▁▂▃▄▅▆▇█"

#: Pixels of a picture's longer side.
_PICTURE_SIDE = 32


def show(overview: Overview, console: Console) -> None:
    """Prints the task; pictures only where the terminal has colours."""
    verdict = overview.verdict
    word = Text("accepted", "green") if verdict.accepted else Text("rejected", "bold red")
    console.print(Text.assemble((overview.title, "bold"), "  ", (verdict.id, "dim"), "  ", word))
    if overview.stale:
        console.print(Text("! the spec has changed since; `sandmle build` makes it anew", "yellow"))
    for reason in verdict.reasons:
        console.print(Text(f"✗ {reason}", "red"))
    if overview.spec is not None:
        console.print(Padding(Text(overview.spec.narrative.story, "dim"), (0, 0, 1, 0)))
    console.print(_facts(overview))
    console.print(_ladder(overview, console.width))
    console.print(Padding(audit_table(overview.verdict.audits), (0, 0, 1, 0)))
    if overview.panel:
        console.print(Padding(panel_table(overview.panel), (0, 0, 1, 0)))
    for part in _samples(overview.samples, pictures=console.color_system is not None):
        console.print(part)


def _facts(overview: Overview) -> RenderableType:
    verdict, spec = overview.verdict, overview.spec
    better = "less is better" if verdict.is_lower_better else "more is better"
    sizes = f"{verdict.sizes.get('train', 0)} train, {verdict.sizes.get('test', 0)} test"
    rows = [
        ("task", f"{verdict.modality}, {verdict.task}"),
        ("metric", f"{verdict.metric}, {better}"),
        ("medals", _medals(overview)),
        ("medals flip", flips(verdict) or "not measured"),
        ("rows", sizes if spec is None else f"{sizes}, split {spec.dna.split.kind}"),
        ("domain", verdict.domain if spec is None else f"{verdict.domain}: {spec.domain.entity}"),
        ("rule", ", ".join(dict.fromkeys(verdict.rules))),
    ]
    if spec is not None:
        rows += [
            ("target", ", ".join(target.name for target in spec.targets)),
            ("shown by", ", ".join(dict.fromkeys(use.kind for use in spec.observe))),
            ("noise", ", ".join(use.kind for use in spec.noise) or "none"),
        ]
        rows += [("drafted", told) for told in [_drafted(spec.provenance)] if told]
    table = Table.grid(padding=(0, 2))
    for name, value in rows:
        table.add_row(Text(name, "dim"), Text(value))
    return Padding(table, (0, 0, 1, 0))


def _drafted(provenance: Mapping[str, Any]) -> str:
    """Where a draft comes from, what it is for, and what was turned in it; empty if it is none."""
    lines = []
    if "drafted_from" in provenance:
        split = f", for {provenance['split']}" if "split" in provenance else ""
        lines.append(f"from {provenance['drafted_from']}{split}")
    for repair in provenance.get("repairs", ()):
        by = f" by {repair['by']:g}" if "by" in repair else ""
        turned = repair.get("turned", {})
        done = ", ".join(
            f"{name} {before:g} to {after:g}" for name, (before, after) in turned.items()
        )
        lines.append(f"{repair['because']} ({repair['margin']}{by}): {done or 'drawn anew'}")
    return "\n".join(lines)


def _medals(overview: Overview) -> str:
    limits = overview.verdict.thresholds
    if limits is None:
        return "none yet"
    return ", ".join(f"{name} {number(getattr(limits, name))}" for name in LINES)


def _ladder(overview: Overview, width: int) -> RenderableType:
    """A bar for each baseline; `width` characters, with its name and score."""
    verdict = overview.verdict
    ladder = lay_out(verdict.ladder, verdict.thresholds, is_lower_better=verdict.is_lower_better)
    names = max((len(f"{mark.rung.rung} {mark.rung.name}") for mark in ladder.marks), default=0)
    axis = min(_AXIS, max(_AXIS // 3, width - names - 10))
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True, min_width=axis)
    table.add_column(justify="right", no_wrap=True)
    table.add_row("", _legend(ladder, axis), "")
    for mark in ladder.marks:
        table.add_row(
            Text.assemble((mark.rung.rung, LEVELS[mark.rung.rung]), (f" {mark.rung.name}", "dim")),
            _bar(mark, ladder.lines, axis),
            number(mark.rung.score),
        )
    return Padding(table, (0, 0, 1, 0))


def _bar(mark: Mark, lines: Sequence[Line], axis: int) -> Text:
    """One bar of `axis` characters, crossed by the medal lines."""
    style = LEVELS[mark.rung.rung]
    end = round(mark.place * (axis - 1))
    cells = [("━", style)] * end + [("◂" if mark.beyond else "●", style)]
    cells += [(" ", "")] * (axis - len(cells))
    for line in lines:
        cell = round(line.place * (axis - 1))
        if cell != end:
            cells[cell] = ("┃" if cell < end else "│", COLOURS[line.name])
    return Text.assemble(*cells)


def _legend(ladder: Ladder, axis: int) -> Text:
    """The names of the lines, each ending at its own as far as there is room."""
    ends: list[int] = []
    right = axis + 1
    for line in reversed(ladder.lines):
        end = min(round(line.place * (axis - 1)) + 1, right - 1)
        ends.insert(0, end)
        right = end - len(line.name)
    text = Text()
    for line, end in zip(ladder.lines, ends, strict=True):
        text.append(" " * (end - len(line.name) - len(text)))
        text.append(line.name, COLOURS[line.name])
    return text


def audit_table(audits: Sequence[Audit]) -> Table:
    """Each check with a mark, its claim and what was found."""
    table = Table.grid(padding=(0, 1))
    for audit in audits:
        mark = Text("✓", "green") if audit.passed else Text("✗", "red")
        table.add_row(mark, Text.assemble(audit.claim, (f": {audit.evidence}", "dim")))
    return table


def panel_table(panel: Sequence[Player]) -> Table:
    """Solvers of graded skill, their scores and how far they get."""
    table = Table.grid(padding=(0, 2))
    for player in panel:
        style = COLOURS.get(player.reached, "dim")
        table.add_row(player.name, number(player.score), Text(player.reached, style))
    return table


def _samples(samples: Sequence[Sample], *, pictures: bool) -> Iterator[RenderableType]:
    if pictures and any(sample.pictures for sample in samples):
        row = Table.grid(padding=(0, 2))
        row.add_row(
            *(
                Group(half_blocks(picture), Text(sample.label, "bold", justify="center"))
                for sample in samples[:3]
                for picture in list(sample.views.values())[:1]
            )
        )
        yield Padding(row, (0, 0, 1, 0))
    if any(sample.sounds or sample.graph for sample in samples):
        lines = Table.grid(padding=(0, 2))
        for sample in samples[:4]:
            for path, sound in sample.sounds.items():
                lines.add_row(
                    Text(sample.label, "bold"), Text(path, "dim"), bars(loudness(sound, 64))
                )
            if sample.graph is not None:
                lines.add_row(Text(sample.label, "bold"), sample.graph.summary)
        yield Padding(lines, (0, 0, 1, 0))
    if any(sample.series for sample in samples):
        lines = Table.grid(padding=(0, 2))
        for sample in samples[:4]:
            for name, values in list(sample.series.items())[:2]:
                lines.add_row(Text(sample.label, "bold"), Text(name, "dim"), bars(values[-64:]))
        yield Padding(lines, (0, 0, 1, 0))
    if samples and samples[0].cells:
        yield Padding(_rows(samples), (0, 0, 1, 0))
    for sample in samples[:3]:
        for text in sample.texts.values():
            yield Text.assemble((sample.label, "bold"), "  ", text[:200])


def _rows(samples: Sequence[Sample]) -> Table:
    """Rows of the main table: the targets, then as many columns as fit."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    columns = list(samples[0].cells)[:5]
    for name in (*samples[0].target, *columns):
        table.add_column(name, overflow="ellipsis", no_wrap=True, max_width=60)
    if len(samples[0].cells) > len(columns):
        table.add_column(f"… {len(samples[0].cells) - len(columns)} more")
    for sample in samples[:5]:
        labels = [Text(value, "bold") for value in sample.target.values()]
        table.add_row(*labels, *(sample.cells[name] for name in columns))
    return table


def bars(values: Sequence[float]) -> str:
    """A line of block characters, one for each of `values`, from the least to the greatest."""
    low, span = min(values), (max(values) - min(values)) or 1.0
    return "".join(_BLOCKS[round((value - low) / span * (len(_BLOCKS) - 1))] for value in values)


def half_blocks(picture: bytes) -> Text:
    """A picture in characters, each of which shows two pixels, one above the other."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.thumbnail((_PICTURE_SIDE, _PICTURE_SIDE))
    text = Text()
    for row in range(0, image.height - 1, 2):
        for column in range(image.width):
            above, below = image.getpixel((column, row)), image.getpixel((column, row + 1))
            text.append("▀", Style(color=_rgb(above), bgcolor=_rgb(below)))
        text.append("\n")
    return text


def _rgb(pixel: object) -> str:
    assert isinstance(pixel, tuple)
    return f"rgb({pixel[0]},{pixel[1]},{pixel[2]})"
