"""One self-contained HTML page for a corpus: cards with samples, ladders and verdicts.

Everything that a card shows is in the page; the browser lays out only the cards in sight, so a
thousand tasks stay quick. What a person clicks on is in templates/report/script.js.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sandmle import __version__
from sandmle.build.verdict import Rung
from sandmle.curves.runs import training_pages
from sandmle.report.ladder import LINES, best_of_each, lay_out
from sandmle.report.overview import Overview, flips
from sandmle.report.preview import preview
from sandmle.report.style import number
from sandmle.resources import layers
from sandmle.writing import write_whole

#: The length of a plot's axis, in units of its drawing; see the macro `ladder` of the template.
_AXIS = 208


def write_page(
    overviews: Sequence[Overview], path: Path, *, name: str, corpus: Path | None = None
) -> None:
    """Writes the page for `overviews` to `path`, whole or not at all; `name` is its title.

    It links to the pages of trainings in the runs/ of the corpus.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = path.resolve().parent
    trainings = [] if corpus is None else training_pages(corpus.resolve() / "runs", folder)
    write_whole(path, page(overviews, name=name, corpus=corpus, trainings=trainings))


def page(
    overviews: Sequence[Overview],
    *,
    name: str,
    corpus: Path | None = None,
    trainings: Sequence[Mapping[str, str]] = (),
) -> str:
    """The page as text; `trainings` are the names of trainings and links to their pages.

    Raises jinja2.TemplateError where a corpus's own template fails.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folders = [str(folder) for folder in layers("templates", corpus)]
    environment = Environment(
        loader=FileSystemLoader(folders), undefined=StrictUndefined, autoescape=True
    )
    cards = [_card(overview) for overview in overviews]
    choices = {
        key: sorted({card[key] for card in cards if card[key]})
        for key in ("modality", "task", "metric", "verdict")
    }
    return environment.get_template("report.html.j2").render(
        name=name,
        cards=cards,
        choices=choices,
        summary=_summary(overviews),
        trainings=trainings,
        version=__version__,
    )


def _summary(overviews: Sequence[Overview]) -> str:
    """The corpus in one line: how many tasks, accepted, and of which modality."""
    accepted = sum(overview.verdict.accepted for overview in overviews)
    modalities = Counter(overview.verdict.modality for overview in overviews)
    counts = [f"{count} {modality}" for modality, count in modalities.most_common() if modality]
    return " · ".join([f"{len(overviews)} tasks", f"{accepted} accepted", *counts])


def _card(overview: Overview) -> dict[str, Any]:
    verdict, spec = overview.verdict, overview.spec
    lower = verdict.is_lower_better
    words = [verdict.id, overview.title, verdict.domain, *verdict.rules]
    if spec is not None:
        words += [spec.domain.entity, *(use.kind for use in (*spec.observe, *spec.noise))]
    return {
        "id": verdict.id,
        "title": overview.title,
        "story": "" if spec is None else spec.narrative.story,
        "modality": verdict.modality,
        "task": verdict.task,
        "metric": verdict.metric,
        "lower": lower,
        "train": verdict.sizes.get("train", 0),
        "test": verdict.sizes.get("test", 0),
        "domain": verdict.domain,
        "verdict": "accepted" if verdict.accepted else "rejected",
        "reasons": verdict.reasons,
        "words": " ".join(words).lower(),
        "covered": overview.covered,
        "preview": preview(overview.samples),
        "summary_plot": _plot(overview, best_of_each(verdict.ladder, is_lower_better=lower)),
        "full_plot": _plot(overview, verdict.ladder, named=True),
        "ladder_words": _ladder_words(overview),
        "audits": verdict.audits,
        "flips": flips(verdict),
        "panel": overview.panel,
        "panel_plot": _plot(
            overview,
            [Rung(player.rung, player.name, player.score) for player in overview.panel],
            named=True,
        ),
        "plays": [
            {
                "policy": play.policy,
                "medal": play.outcome,
                "reward": "unscored" if play.reward is None else f"{play.reward:.2f}",
            }
            for play in overview.plays
        ],
        "spec": overview.spec_text,
    }


def _plot(overview: Overview, rungs: Sequence[Rung], *, named: bool = False) -> Mapping[str, Any]:
    """The ladder in the units of the drawing; a rung is called by its name where `named`."""
    verdict = overview.verdict
    ladder = lay_out(
        rungs,
        verdict.thresholds,
        is_lower_better=verdict.is_lower_better,
        standard_error=verdict.standard_error,
    )
    left = 152 if named else 80

    def x(place: float) -> float:
        return round(left + place * _AXIS, 1)

    return {
        "left": left,
        "right": left + _AXIS,
        "marks": [
            {
                "rung": mark.rung.rung,
                "name": mark.rung.name,
                "label": mark.rung.name if named else mark.rung.rung,
                "text": number(mark.rung.score),
                "x": x(mark.place),
                "beyond": mark.beyond,
                "reach": mark.reach and [x(end) for end in mark.reach],
            }
            for mark in ladder.marks
        ],
        "lines": [
            {"name": line.name, "text": number(line.score), "x": x(line.place), "label_x": label}
            for line, label in zip(
                ladder.lines, _apart([x(line.place) for line in ladder.lines]), strict=True
            )
        ],
    }


def _apart(places: Sequence[float], distance: float = 36.0) -> list[float]:
    """Places of the lines' labels: near their lines, yet `distance` from each other."""
    labels = list(places)
    for index in range(len(labels) - 2, -1, -1):
        labels[index] = min(labels[index], labels[index + 1] - distance)
    return [round(label, 1) for label in labels]


def _ladder_words(overview: Overview) -> str:
    """The ladder for those who cannot see it."""
    verdict = overview.verdict
    best = best_of_each(verdict.ladder, is_lower_better=verdict.is_lower_better)
    parts = [f"{entry.rung} {number(entry.score)}" for entry in best]
    if verdict.thresholds is not None:
        parts += [f"{name} from {number(getattr(verdict.thresholds, name))}" for name in LINES]
    return "Ladder of scores: " + ", ".join(parts)
