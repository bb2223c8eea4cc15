from __future__ import annotations

import dataclasses
import io

from rich.console import Console

from sandmle.report.graphs import SampleGraph
from sandmle.report.show import bars, half_blocks, show
from sandmle.spec.load import load_spec
from tests.report.overviews import EXAMPLE, overview, picture, sample, sound


def shown(colours: bool = False, **changes: object) -> str:
    console = Console(
        file=io.StringIO(),
        width=110,
        force_terminal=colours,
        color_system="truecolor" if colours else None,
    )
    show(overview(**changes), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_ladder_stands_between_its_medal_lines() -> None:
    text = shown()
    assert "median 0.6200, bronze 0.7200, silver 0.8000, gold 0.8600" in text
    honest = next(line for line in text.splitlines() if line.startswith("honest forest"))
    assert honest.rstrip().endswith("0.8500")
    bar, _, rest = honest.partition("●")
    assert bar.count("┃") == 3, "honest is past median, bronze and silver"
    assert rest.count("│") == 1, "and before gold"


def test_a_rejected_task_says_why() -> None:
    text = shown(accepted=False, reasons=("the best naive model reaches silver",), thresholds=None)
    assert "rejected" in text
    assert "✗ the best naive model reaches silver" in text


def test_what_was_repaired_in_a_draft_is_told() -> None:
    spec = load_spec(EXAMPLE)
    repairs = [
        {
            "because": "too hard",
            "margin": "honest over silver",
            "by": -0.03,
            "turned": {"difficulty": [0.6, 0.3], "noise": [1, 0.5]},
        },
        {"because": "not built", "margin": "generate.py: no classes", "redrawn": True},
    ]
    told = {"drafted_from": "wine", "split": "validation", "repairs": repairs}
    text = shown(spec=dataclasses.replace(spec, provenance=told))
    assert "drafted      from wine, for validation" in text
    assert "too hard (honest over silver by -0.03): difficulty 0.6 to 0.3, noise 1 to 0.5" in text
    assert "not built (generate.py: no classes): drawn anew" in text
    assert "drafted" not in shown(spec=dataclasses.replace(spec, provenance={}))


def test_rows_say_how_many_columns_are_left_out() -> None:
    cells = {f"column_{number}": str(number) for number in range(9)}
    text = shown(samples=(sample(0, cells=cells), sample(1, cells=cells)))
    assert "column_4" in text
    assert "… 4 more" in text


def test_pictures_are_drawn_in_colour_only() -> None:
    samples = (sample(0, pictures={"images/b0.png": picture()}),)
    assert "▀" in shown(colours=True, samples=samples)
    assert "▀" not in shown(samples=samples)


def test_sounds_and_graphs_are_shown_in_a_line_each() -> None:
    triangle = SampleGraph(("C", "O", "C"), ((0, 1), (1, 2), (0, 2)), (), ())
    text = shown(samples=(sample(0, sounds={"calls/b0.wav": sound()}), sample(1, graph=triangle)))
    line = next(line for line in text.splitlines() if "calls/b0.wav" in line)
    assert line.rstrip().endswith("█" * 32 + "▁" * 32)
    assert "3 nodes, 3 edges: C 2, O 1" in text


def test_a_character_holds_two_pixels() -> None:
    lines = half_blocks(picture()).plain.splitlines()
    assert [len(line) for line in lines] == [16] * 6


def test_bars_run_from_the_least_to_the_greatest() -> None:
    assert bars([0.0, 7.0, 3.5]) == "▁█▅"
