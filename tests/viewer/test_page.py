"""The page in a browser, from the disk, clicked through as a person does."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path

import pytest

from sandmle.viewer.runs import find_runs
from sandmle.viewer.serve import Pages, make_server
from sandmle.viewer.write import write_view
from tests.chromium import Browser
from tests.report.browser import needs_chromium
from tests.viewer.episodes import HOSTILE, climbing, hostile, many, write_rollouts

pytestmark = needs_chromium

#: The rows of the table of rollouts that are drawn, by what stands in their first cells.
ROWS = "[...document.querySelectorAll('.rows tbody th a')].map((link) => link.textContent)"
COUNT = "document.querySelector('.filters output').value"
TURNS = "document.querySelectorAll('.turn').length"
TITLE = "document.querySelector('.rollout-head h2')?.textContent"


@pytest.fixture(scope="module")
def page(folder: Path) -> Path:
    first = write_rollouts(
        folder / "first.jsonl",
        [
            climbing(),
            climbing(task="plankton-0002", modality="image", termination="turn_limit"),
            climbing(task="pump-0003", modality="series", submissions=(), final=None),
        ],
    )
    second = write_rollouts(folder / "second.jsonl", [climbing(policy="honest"), hostile()])
    write_view(find_runs([first, second]), folder / "small")
    return folder / "small" / "index.html"


@pytest.fixture(scope="module")
def large(folder: Path) -> Path:
    path = write_rollouts(folder / "many.jsonl", many(5000))
    write_view(find_runs([path]), folder / "large")
    return folder / "large" / "index.html"


def choose(browser: Browser, name: str, value: str) -> None:
    """Chooses a value of a filter."""
    browser.value(
        f"""(() => {{
          const select = document.querySelector(".filters").elements[{json.dumps(name)}];
          select.value = {json.dumps(value)};
          select.dispatchEvent(new Event("input", {{bubbles: true}}));
        }})()"""
    )


def test_a_person_finds_a_rollout_reads_it_and_goes_back(page: Path, browser: Browser) -> None:
    browser.open(page.as_uri())
    assert browser.value("document.body.className") == "runs"
    browser.click('.tabs a[data-view="rollouts"]')
    browser.wait("document.body.className === 'rollouts'")
    assert browser.value(COUNT) == "5 rollouts"
    choose(browser, "run", "first")
    assert browser.value(COUNT) == "3 of 5 rollouts"

    browser.press("j")
    browser.press("j")
    browser.press("k")
    assert browser.value("document.activeElement.textContent") == "road-damage-0001"

    browser.press("/")
    browser.type("demo LIMIT")
    assert browser.value(ROWS) == ["plankton-0002"]
    assert "words=demo+LIMIT" in browser.value("location.hash")
    browser.click(".clear")
    assert browser.value(COUNT) == "5 rollouts"
    choose(browser, "run", "first")

    browser.click(".rows tbody tr:nth-child(1) th a")
    browser.wait(f"{TURNS} === 6")
    assert browser.value(TITLE) == "road-damage-0001"
    assert browser.value("document.querySelector('.position').textContent") == "1 of 3"

    browser.press("j")
    browser.wait(f"{TITLE} === 'plankton-0002' && {TURNS} === 6")
    browser.click(".next")
    browser.wait(f"{TITLE} === 'pump-0003' && {TURNS} === 6")
    assert "Nothing was submitted" in browser.value("document.querySelector('main').innerText")
    browser.press("k")
    browser.wait(f"{TITLE} === 'plankton-0002'")

    browser.value("history.back()")
    browser.wait("document.body.className === 'rollouts'")
    assert browser.value(COUNT) == "3 of 5 rollouts", "the filters are as they were"


def test_a_turn_shows_what_was_thought_run_and_answered(page: Path, browser: Browser) -> None:
    browser.open(page.as_uri() + "#rollout/first/road-damage-0001/openai%3Ademo-7b/0")
    browser.wait(f"{TURNS} === 6")
    turn = "document.querySelectorAll('.turn')[{}]"
    text = [browser.value(f"{turn.format(number)}.innerText") for number in range(6)]
    assert "I look at the data first." in text[0]
    assert "model 4.00 s" in text[0]
    assert "400 tokens" in text[0]
    assert "exit 1" in text[1]
    assert "row 3: id 'a' is not in the test set" in text[1]
    assert "bronze" in text[2]
    assert "not run: the arguments are not valid JSON" in text[2]
    assert "neither a tool call nor an answer" in text[3]
    assert "1 elided" in text[4]
    assert "this one counts" in text[4]
    assert "Boosted trees, 900 rounds." in text[5]
    painted = browser.value(
        f"[...{turn.format(2)}.querySelectorAll('span[class^=py-]')]"
        ".map((span) => [span.className, span.textContent])"
    )
    assert ["py-keyword", "import"] in painted
    assert ["py-string", '"""A first model."""'] in painted
    assert ["py-comment", "# both"] in painted
    assert ["py-name", "features"] in painted
    heard = browser.value("document.querySelector('.climb').getAttribute('aria-label')")
    assert "turn 2 invalid; turn 3 0.7400; turn 5 0.8830, which counts" in heard
    assert "gold from 0.8600" in heard
    beside = browser.value("document.querySelector('.beside').innerText")
    assert "gold" in beside
    assert "0.8830" in beside


def test_long_text_is_folded_and_can_be_unfolded(page: Path, browser: Browser) -> None:
    browser.open(page.as_uri() + "#rollout/first/road-damage-0001/openai%3Ademo-7b/0")
    browser.wait(f"{TURNS} === 6")
    opened = "[...document.querySelectorAll('.reasoning')].map((part) => part.open)"
    assert browser.value(opened) == [True, False, True, True, True]
    browser.press("f")
    assert all(browser.value(opened))
    browser.press("f")
    assert not any(browser.value(opened))
    browser.click(".reasoning summary")
    assert browser.value(opened)[0]

    output = "document.querySelector('.turn .call').innerText"
    assert "[ 10]" in browser.value(output)
    assert "[119]" in browser.value(output)
    assert "[ 60]" not in browser.value(output)
    browser.click(".turn .call .more")
    assert "[ 60]" in browser.value(output)


def test_the_address_names_what_is_open(page: Path, browser: Browser) -> None:
    address = "#rollout/second/road-damage-0001/honest/0?run=second&sort=-reward"
    browser.open(page.as_uri() + address)
    browser.wait(f"{TURNS} === 6")
    assert browser.value("document.querySelector('.position').textContent") == "1 of 2"
    browser.click(".climb .point.gold circle")
    browser.wait("location.hash.endsWith('&turn=5') && scrollY > 300")
    top = "Math.round(document.querySelector('[data-turn=\"5\"]').getBoundingClientRect().top)"
    browser.wait(f"{top} < 100")
    browser.press("Escape")
    browser.wait("document.body.className === 'rollouts'")
    assert browser.value("document.querySelector('.filters').elements.run.value") == "second"
    assert "turn" not in browser.value("location.hash")
    browser.open(page.as_uri() + address + "&turn=4")
    browser.wait(f"{TURNS} === 6 && scrollY > 300")
    browser.open(page.as_uri() + "#rollout/no/such/thing/0")
    browser.wait("document.querySelector('.nothing')")
    browser.open(page.as_uri() + "#rollout/%E0%A4%A/x")
    browser.wait("document.querySelector('.nothing')")
    browser.open(page.as_uri() + "#rollouts?page=zero&sort=constructor&task=nobody")
    browser.wait("document.querySelector('.nothing')")


def test_tasks_are_rows_and_rollouts_their_marks(page: Path, browser: Browser) -> None:
    browser.open(page.as_uri() + "#tasks")
    tasks = browser.value(ROWS)
    assert tasks == ["hostile-0001", "plankton-0002", "pump-0003", "road-damage-0001"]
    marks = browser.value(
        "[...document.querySelectorAll('.tasks tr:last-child .dot')].map((dot) => dot.title)"
    )
    assert marks == [
        "openai:demo-7b, attempt 0: gold, reward 0.40",
        "honest, attempt 0: gold, reward 0.40",
    ]
    browser.click(".tasks tr:last-child .dot")
    browser.wait(f"{TURNS} === 6")


def test_runs_are_summed_up_with_intervals(large: Path, browser: Browser) -> None:
    browser.open(large.as_uri())
    text = browser.value("document.querySelector('main').innerText")
    for words in ("policy-1", "2,500", "reward mean", "any medal@4", "harness, a turn"):
        assert words in text
    labels = browser.value(
        "[...document.querySelectorAll('.interval')].map((one) => one.getAttribute('aria-label'))"
    )
    assert all(re.fullmatch(r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]", label) for label in labels)
    browser.value(
        """(() => {
          const select = document.querySelector("h2 select");
          select.value = "task_type";
          select.dispatchEvent(new Event("change"));
        })()"""
    )
    assert "binary" in browser.value("document.querySelector('main').innerText")


def test_nothing_that_a_model_wrote_runs_or_hides(page: Path, browser: Browser) -> None:
    browser.open(page.as_uri() + "#rollouts?task=hostile-0001")
    browser.click(".rows tbody tr th a")
    browser.wait(f"{TURNS} === 2")
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    text = browser.value("document.querySelector('main').innerText")
    assert text.count('</script><script>globalThis.pwned = "script"</script>') >= 8
    assert "⟨U+0000⟩" in text
    assert "⟨U+202E⟩esrever⟨U+202C⟩" in text
    assert "⟨U+001B⟩]0;title⟨U+0007⟩" in text
    assert "⟨U+001B⟩[31m" not in text, "colours of a terminal are left out"
    assert len(text) < 60_000, "a line of 2 MB is not drawn at once"
    for view in ("#runs", "#tasks", "#rollouts"):
        browser.value(f"location.hash = {json.dumps(view)}")
        browser.wait(f"document.body.className === {json.dumps(view[1:])}")
        assert HOSTILE[:50] in browser.value("document.body.innerText")
    assert browser.value("globalThis.pwned") is None
    assert (
        browser.value("document.querySelectorAll('main img, main script, main style').length") == 0
    )


def test_the_policy_of_the_page_refuses_what_it_did_not_bring(page: Path, browser: Browser) -> None:
    browser.open(page.as_uri())
    browser.value("document.body.insertAdjacentHTML('beforeend', '<i onclick=\"pwned = 1\">x</i>')")
    browser.value("document.querySelector('i').click()")
    browser.value(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"https://127.0.0.1:1/x.png\">')"
    )
    browser.value("fetch('https://127.0.0.1:1/').catch(() => null)")
    assert browser.value("globalThis.pwned") is None
    refused = [fault for fault in browser.faults if "Content Security Policy" in fault]
    assert len(refused) >= 3
    browser.faults.clear()


def test_five_thousand_rollouts_stay_fluent(large: Path, browser: Browser) -> None:
    assert large.stat().st_size < 2_000_000
    browser.open(large.as_uri() + "#rollouts")
    assert browser.value(COUNT) == "5,000 rollouts"
    assert browser.value("document.querySelectorAll('.rows tbody tr').length") == 100
    began = time.monotonic()
    choose(browser, "outcome", "gold")
    choose(browser, "modality", "image")
    found = browser.value(COUNT)
    print(f"two filters over 5,000 rollouts: {time.monotonic() - began:.3f} s")
    golden = sum(
        one.modality == "image" and one.submissions[0].medal == "gold" for one in many(5000)
    )
    assert found == f"{golden} of 5,000 rollouts"
    browser.click(".clear")
    first = browser.value(ROWS)
    browser.click(".pager .on")
    assert "page=2" in browser.value("location.hash")
    assert browser.value("document.querySelector('.pager').innerText").count("101–200 of 5,000")
    assert browser.value(ROWS) != first
    browser.click('th button[data-key="task"]')
    browser.click('th button[data-key="task"]')
    assert browser.value(ROWS)[0] == "task-499"
    order = "document.querySelector('th:has(button[data-key=task])').getAttribute('aria-sort')"
    assert browser.value(order) == "descending"


def test_a_search_looks_into_conversations_when_it_is_asked_to(
    large: Path, browser: Browser
) -> None:
    browser.open(large.as_uri() + "#rollouts")
    browser.press("/")
    browser.type("needle-4321")
    assert browser.value(COUNT) == "0 of 5,000 rollouts"
    browser.click(".filters [name=inside]")
    browser.wait(f"{COUNT} === '1 of 5,000 rollouts'")
    browser.click(".rows tbody th a")
    browser.wait(f"{TURNS} === 1")
    assert "needle-4321 in the hay" in browser.value("document.querySelector('.turn').innerText")


def test_a_run_that_has_only_begun_is_a_page_too(tmp_path: Path, browser: Browser) -> None:
    write_view(find_runs([write_rollouts(tmp_path / "begun.jsonl", [])]), tmp_path / "view")
    for view in ("#runs", "#tasks", "#rollouts"):
        browser.open((tmp_path / "view" / "index.html").as_uri() + view)
        assert browser.value("document.querySelector('.summary').textContent").startswith("0 roll")


def test_bodies_that_are_gone_are_told(large: Path, browser: Browser, tmp_path: Path) -> None:
    alone = tmp_path / "index.html"
    alone.write_bytes(large.read_bytes())
    browser.open(alone.as_uri() + "#rollouts")
    browser.click(".rows tbody th a")
    browser.wait("document.querySelector('[role=alert]')")
    told = browser.value("document.querySelector('[role=alert]').textContent")
    assert "write it again with sandmle view" in told
    assert all("ERR_FILE_NOT_FOUND" in fault for fault in browser.faults)
    browser.faults.clear()


def test_the_page_works_from_the_server_too(page: Path, browser: Browser) -> None:
    with make_server(Pages.of(page.parent), 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.open(f"http://127.0.0.1:{server.server_port}/#rollouts")
        browser.click(".rows tbody th a")
        browser.wait(f"{TURNS} === 6")
        server.shutdown()


@pytest.mark.parametrize("view", ["#runs", "#tasks", "#rollouts", "#rollout"])
def test_a_phone_shows_it_all(page: Path, browser: Browser, view: str) -> None:
    browser.resize(360, 780, phone=True)
    address = "#rollout/first/road-damage-0001/openai%3Ademo-7b/0" if view == "#rollout" else view
    browser.open(page.as_uri() + address)
    browser.wait(f"{TURNS} === 6" if view == "#rollout" else "document.querySelector('table')")
    needed, width = browser.value("[document.documentElement.scrollWidth, innerWidth]")
    assert needed <= width <= 360


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("view", ["#runs", "#tasks", "#rollouts", "#rollout"])
def test_text_stands_out_from_its_ground(
    page: Path, browser: Browser, view: str, dark: bool
) -> None:
    browser.resize(1280, 900, dark=dark)
    address = "#rollout/first/road-damage-0001/openai%3Ademo-7b/0" if view == "#rollout" else view
    browser.open(page.as_uri() + address)
    browser.wait(f"{TURNS} === 6" if view == "#rollout" else "document.querySelector('table')")
    assert browser.value(FAINT) == []


#: Texts whose contrast is below that of WCAG 2.2, AA, for text of its size; source of the formula:
#: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. What is disabled need not stand out.
FAINT = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || size === 0) continue;
    if (element.closest("script, option, svg, :disabled, [aria-disabled]")) continue;
    const [one, other] = [luminance(rgba(style.color)), luminance(ground(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const told = `${contrast.toFixed(2)} ${element.className} ${element.textContent.slice(0, 40)}`;
    if (contrast < (large ? 3 : 4.5)) found.push(told);
  }
  return [...new Set(found)];
})()"""


@pytest.mark.parametrize("view", ["#runs", "#tasks", "#rollouts", "#rollout"])
def test_everything_that_can_be_used_has_a_name(page: Path, browser: Browser, view: str) -> None:
    address = "#rollout/first/road-damage-0001/openai%3Ademo-7b/0" if view == "#rollout" else view
    browser.open(page.as_uri() + address)
    browser.wait(f"{TURNS} === 6" if view == "#rollout" else "document.querySelector('table')")
    browser.call("Accessibility.enable")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    used = ("button", "link", "combobox", "searchbox", "checkbox", "image", "heading", "region")
    nameless = [
        node
        for node in nodes
        if node.get("role", {}).get("value") in used and not node.get("name", {}).get("value")
    ]
    assert nameless == []
