from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from sandmle.report.graphs import SampleGraph
from sandmle.report.page import page, write_page
from tests.report.browser import evaluate, needs_chromium, screenshot
from tests.report.overviews import RUNGS, overview, picture, sample, sound

HOSTILE = '</script><script>alert("x")</script>'


@pytest.fixture(scope="module")
def corpus_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    pictures = tuple(sample(n, pictures={f"images/b{n}.png": picture(40 * n)}) for n in range(6))
    lines = tuple(sample(n, series={"value": (0.0, n, 2.0, 1.0)}) for n in range(6))
    write_page(
        [
            overview("road-damage-0001", title="Finding damaged road segments"),
            overview(
                "plankton-0002", title="Plankton under the lens", modality="image", samples=pictures
            ),
            overview("pump-0003", title=f"Pumps {HOSTILE}", modality="series", samples=lines),
            overview(
                "too-easy-0004",
                title="Already solved",
                accepted=False,
                reasons=("the best naive model reaches silver",),
                thresholds=None,
                ladder=(*RUNGS[:2], RUNGS[-1]),
            ),
        ],
        path,
        name="A corpus",
    )
    return path


def test_the_page_needs_nothing_but_itself(corpus_page: Path) -> None:
    text = corpus_page.read_text(encoding="utf-8")
    sources = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"'\s>)]+)""", text)
    assert sources
    assert all(source.startswith(("data:", "#")) for source in sources)
    assert "@import" not in text


def test_what_an_author_writes_stays_text() -> None:
    text = page([overview(title=HOSTILE)], name=HOSTILE)
    assert "<script>alert" not in text
    assert text.count("&lt;/script&gt;&lt;script&gt;alert") >= 2


def test_the_pages_of_trainings_are_linked_to(tmp_path: Path) -> None:
    for name in ("tiny", HOSTILE.replace("/", "-")):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "training.html").write_text("")
    path = tmp_path / "build" / "report.html"
    write_page([overview()], path, name="A corpus", corpus=tmp_path)
    text = path.read_text(encoding="utf-8")
    assert '<a href="../runs/tiny/training.html">tiny</a>' in text
    assert "<script>alert" not in text


def test_sounds_can_be_played_and_graphs_are_drawn() -> None:
    square = SampleGraph(("C", "O", "C", "O"), ((0, 1), (1, 2), (2, 3), (0, 3)), (), (0, 2))
    text = page(
        [
            overview(
                "bats-0001", modality="audio", samples=(sample(0, sounds={"b0.wav": sound()}),)
            ),
            overview("rings-0002", modality="graph", samples=(sample(0, graph=square),)),
        ],
        name="A corpus",
    )
    assert re.search(
        r'<polygon points="[^"]+"/></svg><audio controls [^>]*src="data:audio/wav', text
    )
    drawn = text[text.index('<div class="samples graphs">') :].partition("</svg>")[0]
    assert (drawn.count("<circle"), drawn.count("marked")) == (4, 2)
    assert "4 nodes, 4 edges: C 2, O 2" in drawn


def test_a_thousand_tasks_make_a_page_that_can_be_sent() -> None:
    text = page([overview(f"road-damage-{number:04d}") for number in range(1000)], name="Big")
    assert text.count("<article") == 1000
    assert len(text) < 20_000_000


def test_the_ladder_can_be_heard(corpus_page: Path) -> None:
    heard = re.findall(r'role="img" aria-label="(Ladder[^"]*)"', corpus_page.read_text())
    assert heard[0].startswith("Ladder of scores: dummy 0.5000, naive 0.6600, honest 0.8500")
    assert heard[0].endswith("gold from 0.8600")


@needs_chromium
def test_filters_and_search_leave_what_fits(corpus_page: Path) -> None:
    script = """
        const form = document.querySelector(".filters").elements;
        const cards = () => [...document.querySelectorAll("article:not([hidden])")];
        const shown = () => cards().map((card) => card.id);
        const set = (name, value) => {
          form[name].value = value;
          form[name].dispatchEvent(new Event("input", {bubbles: true}));
          form[name].dispatchEvent(new Event("change", {bubbles: true}));
        };
        const found = {all: shown()};
        set("modality", "image"); found.image = shown(); set("modality", "");
        set("verdict", "rejected"); found.rejected = shown(); set("verdict", "");
        set("words", "damaged TRANSPORT"); found.words = shown();
        found.count = document.querySelector("output").value;
        set("words", "no such thing"); found.nothing = !document.querySelector(".nothing").hidden;
        set("words", ""); set("sort", "title"); found.titles = shown();
        return found;
    """
    found = evaluate(corpus_page, script)
    assert len(found["all"]) == 4
    assert found["image"] == ["task-plankton-0002"]
    assert found["rejected"] == ["task-too-easy-0004"]
    assert found["words"] == ["task-road-damage-0001"]
    assert found["count"] == "1 of 4 tasks"
    assert found["nothing"] is True
    assert found["titles"] == [
        *("task-too-easy-0004", "task-road-damage-0001"),
        *("task-plankton-0002", "task-pump-0003"),
    ]


@needs_chromium
def test_a_task_has_an_address_and_neighbours(corpus_page: Path) -> None:
    script = """
        const dialog = document.querySelector("dialog");
        const title = () => dialog.querySelector("h2").textContent;
        const found = {open: dialog.open, title: title()};
        found.plots = dialog.querySelectorAll(".ladder").length;
        found.spec = dialog.querySelector(".spec").textContent.includes("crack_length * (1 + 0.5");
        found.keys = dialog.querySelectorAll(".spec b").length;
        dialog.querySelector(".next").click();
        found.next = title(); found.address = location.hash;
        dialog.querySelector(".close").click(); found.closed = !dialog.open;
        return found;
    """
    found = evaluate(corpus_page, script, at="#plankton-0002")
    assert found["open"]
    assert found["title"] == "Plankton under the lens"
    assert found["plots"] == 1
    assert found["spec"]
    assert found["keys"] > 15
    assert found["next"] == f"Pumps {HOSTILE}"
    assert found["address"] == "#pump-0003"
    assert found["closed"]


@needs_chromium
@pytest.mark.parametrize(("dark", "ground"), [(False, (246, 245, 242)), (True, (22, 24, 27))])
def test_the_page_is_painted_in_light_and_dark(
    corpus_page: Path, dark: bool, ground: tuple[int, int, int]
) -> None:
    flags = ("--blink-settings=preferredColorScheme=0",) if dark else ()
    image = Image.open(screenshot(corpus_page, width=1280, height=900, flags=flags)).convert("RGB")
    colours = image.getcolors(1 << 20)
    assert colours is not None
    assert image.getpixel((3, 3)) == ground
    assert len(colours) > 200, "cards, plots and pictures are there"


@needs_chromium
def test_nothing_sticks_out_of_a_narrow_window(corpus_page: Path) -> None:
    script = "return [document.documentElement.scrollWidth, innerWidth];"
    needed, width = evaluate(corpus_page, script, flags=("--window-size=500,900",))
    assert width <= 500
    assert needed <= width
