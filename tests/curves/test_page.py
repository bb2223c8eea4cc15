"""The page of trainings: what a reader finds on it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandmle.curves.page import write_training_page
from sandmle.play.rollout import Rollout, rollout_line
from tests.chromium import Browser, chromium
from tests.curves.trainings import (
    configuration,
    learning,
    step_line,
    validation_line,
    write_training,
)
from tests.play.examples import rollout, submission
from tests.report.browser import needs_chromium

HOSTILE = '</script><script>globalThis.pwned = 1</script><img src=x onerror="pwned()">\ud800'


def page_of(*runs: Path) -> str:
    """The page of runs, as it is on the disk."""
    path = runs[0].parent / "training.html"
    write_training_page(runs, path)
    return path.read_text(encoding="utf-8")


def heard(text: str) -> list[str]:
    """What the figures say to those who do not see them."""
    return [html.unescape(told) for told in re.findall(r'role="img" aria-label="([^"]*)"', text)]


def read(text: str) -> str:
    """The page without its marks."""
    body = text[text.index("<body>") : text.index("<script>")]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Five steps between two evaluations."""
    lines = [
        validation_line(0, any_medal=0.25, reward=0.4),
        *(step_line(step, reward=0.2 + 0.1 * step) for step in range(1, 6)),
        validation_line(5, any_medal=0.75, reward=0.65),
    ]
    return write_training(tmp_path / "short", lines, summary={"best": "checkpoint-5"})


def write_played(run: Path, step: int, *rollouts: Rollout) -> None:
    path = run / "validation" / f"step-{step:05}" / "rollouts.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(map(rollout_line, rollouts)))


def test_the_gain_on_held_out_tasks_comes_first(short: Path) -> None:
    text = read(page_of(short))
    assert text.startswith("SandMLE training short")
    assert "Any medal 25% → 75% +50 points Reward 0.40 → 0.65 +0.25" in text
    assert "Held-out tasks, before the first step, then after step 5: 12 rollouts each time" in text
    assert "model tiny · step 5 of 30 · 4 × 10 rollouts a step" in text
    assert "7 training tasks, 2 held out · reward release · 24 s · best checkpoint-5" in text


def test_gains_have_intervals_paired_by_task_where_rollouts_tell(short: Path) -> None:
    won = submission(medal="bronze")
    write_played(short, 0, *(rollout(submission(), task=name) for name in "abcd"))
    # Differences by task: 1, 1, 0, 0.
    after = [rollout(won if name in "ab" else submission(), task=name) for name in "abcd"]
    write_played(short, 5, *after)
    text = read(page_of(short))
    assert "+50 points, 95% interval 0 to +100" in text
    assert "12 rollouts of 4 tasks each time" in text


def test_a_broken_file_of_rollouts_costs_the_intervals_alone(short: Path) -> None:
    write_played(short, 0, rollout(submission()))
    path = short / "validation" / "step-00000" / "rollouts.jsonl"
    path.write_text("not a rollout\n", encoding="utf-8")
    assert "25% → 75% +50 points Reward" in read(page_of(short))


def test_every_figure_can_be_heard(short: Path) -> None:
    told = heard(page_of(short))
    assert told[0] == (
        "Reward: training 0.3 at step 1 to 0.7 at step 5; held out 0.4 at step 0 to 0.65 at step 5"
    )
    assert "Any medal: training 25% at step 1 to 25% at step 5" in told[1]
    assert "Dead groups: training 25% at step 1 to 25% at step 5" in told
    assert "Masked rollouts: training 5% at step 1 to 5% at step 5" in told
    assert "On average: answer 75%, turn limit 25%" in told
    assert "On average: generate 0.5 s, sandbox 6 s, score 0.4 s, update 1 s" in told


def test_curves_are_the_numbers_themselves(short: Path) -> None:
    text = page_of(short)
    assert 'data-name="training" d="M1 0.3L2 0.4L3 0.5L4 0.6L5 0.7"' in text
    assert 'data-name="held out" d="M0 0.4h0M5 0.65h0"' in text


def test_seconds_side_by_side_are_explained(short: Path) -> None:
    text = read(page_of(short))
    assert "Sandbox (code that runs) and score are summed over episodes that go on side by" in text
    assert "On average 4.00 s a step: generate 0.50, sandbox 6.00, score 0.40, update 1.00." in text


def test_rewards_are_told_by_modality_and_by_task(tmp_path: Path) -> None:
    lines = [
        step_line(1, reward_by_task={"easy": 0.1, "hard": 0.5}),
        step_line(2, reward_by_task={"easy": 0.9, "lone": 0.3}),
        step_line(3, reward_by_task={"hard": 0.2}),
    ]
    text = read(page_of(write_training(tmp_path / "run", lines)))
    assert "Reward by modality" in text
    assert "image 0.3 → 0.3" in text
    assert "3 tasks, training: 1 gained, 1 lost" in text
    assert "easy 0.10 → 0.90 +0.80 hard 0.50 → 0.20 -0.30 lone 0.30 → 0.30 –" in text


def test_runs_that_do_not_tell_of_tasks_have_no_table(short: Path) -> None:
    assert "Reward of every task" not in page_of(short)


def test_several_runs_lie_over_each_other(tmp_path: Path) -> None:
    dense = write_training(tmp_path / "dense", [step_line(1, reward=0.3), step_line(2)])
    sparse = write_training(
        tmp_path / "sparse", [step_line(1, reward=0.1)], config=configuration(tasks=8)
    )
    text = page_of(dense, sparse)
    assert heard(text)[0] == (
        "Reward: dense, training 0.3 at step 1 to 0.4 at step 2; sparse, training 0.1 at step 1"
    )
    assert '<p class="key"><span class="run-0">dense</span><span class="run-1">sparse</span' in text
    _, _, table = read(text).partition(" Settings ")
    assert table.index("optimisation.tasks 4 8") < table.index("version 0.1 0.1")


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    runs = [write_training(tmp_path / seed / "grpo", [step_line(1)]) for seed in ("a", "b")]
    assert "<title>a/grpo, b/grpo " in page_of(*runs)


def test_a_run_that_has_just_begun_has_a_page(tmp_path: Path) -> None:
    run = write_training(tmp_path / "new", [])
    assert "No step has been made yet." in page_of(run)
    (run / "metrics.jsonl").unlink()
    assert "No step has been made yet." in page_of(run)


def test_a_line_that_a_kill_cut_is_left_out(tmp_path: Path) -> None:
    run = write_training(tmp_path / "cut", [step_line(1)])
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"step": 2, "split": "train", "rew')
    assert "step 1 of 30" in page_of(run)


def test_lines_of_older_versions_lack_figures_and_nothing_else(tmp_path: Path) -> None:
    old = {"step": 1, "split": "train", "reward": 0.5, "seconds": {"step": 2.0}, "loss": None}
    text = page_of(write_training(tmp_path / "old", [old]))
    assert [told.partition(":")[0] for told in heard(text)] == ["Reward"]


def test_curves_go_through_the_steps_that_have_a_number(tmp_path: Path) -> None:
    lines = [
        step_line(1, reward=0.2, reward_by_modality={"audio": 0.25}),
        step_line(2, reward=None, reward_by_modality={}),
        step_line(3, reward=0.4, reward_by_modality={"text": 0.6}),
        step_line(4, reward=0.1, reward_by_modality={"audio": 0.75}),
    ]
    text = page_of(write_training(tmp_path / "run", lines))
    assert 'd="M1 0.2L3 0.4L4 0.1"' in text
    assert "audio: training 0.25 at step 1 to 0.75 at step 4" in heard(text)
    assert "text: training 0.6 at step 3" in heard(text)


def test_what_others_wrote_stays_text(tmp_path: Path) -> None:
    lines = [
        validation_line(0, reward_by_task={HOSTILE: 0.5}),
        step_line(
            1,
            terminations={HOSTILE: 3},
            reward_by_modality={HOSTILE: 0.5},
            reward_by_task={HOSTILE: 0.5},
        ),
    ]
    config: Any = configuration()
    config["training"]["model"]["path"] = HOSTILE
    config["training"][HOSTILE] = HOSTILE
    run = write_training(tmp_path / '"><script>', lines, config=config, summary={"best": HOSTILE})
    other = write_training(tmp_path / "other", lines, config=config)
    for text in (page_of(run), page_of(run, other)):
        assert text.count("<script>") == 1
        assert "<img" not in text
        assert "globalThis.pwned" in text


def test_a_page_needs_nothing_but_itself(short: Path) -> None:
    text = page_of(short)
    assert re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"'\s>)]+)""", text) == ["data:,"]
    assert "@import" not in text


def test_pages_of_rollouts_are_linked_to(short: Path) -> None:
    write_played(short, 0, rollout(submission()))
    write_played(short, 5, rollout(submission()))
    assert "sandmle view short/validation/step-00005 writes a page" in read(page_of(short))
    view = short / "validation" / "step-00005" / "view"
    view.mkdir()
    (view / "index.html").write_text("", encoding="utf-8")
    text = page_of(short)
    assert 'href="short/validation/step-00005/view/index.html">validation/step-00005<' in text
    assert "writes a page" not in text


def test_what_is_no_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no training run here"):
        write_training_page([tmp_path], tmp_path / "page.html")
    (tmp_path / "config.json").write_text('{"policies": []}')
    with pytest.raises(FileNotFoundError, match="no training run here"):
        write_training_page([tmp_path], tmp_path / "page.html")


@pytest.mark.parametrize("name", ["config.json", "metrics.jsonl", "summary.json"])
def test_a_broken_file_is_named_and_no_page_is_written(short: Path, name: str) -> None:
    (short / name).write_text("{]\n", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(str(short / name))):
        write_training_page([short], short / "training.html")
    assert not (short / "training.html").exists()


def test_a_thousand_steps_on_many_tasks_make_a_page_that_can_be_sent(tmp_path: Path) -> None:
    run = write_training(tmp_path / "large", learning(1000, tasks=300))
    text = page_of(run)
    assert len(text) < 1_000_000
    assert "300 tasks, training" in text
    assert "at step 1000" in heard(text)[0]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
KEYS = [*sorted(step_line(1)), "reward_by_task"]
PARTS = st.dictionaries(
    st.sampled_from(["generate", "sandbox", "step", "update", "answer", "image", "x"]), ANYTHING
)
LINES = st.builds(
    lambda line, step, split: {**line, "step": step, "split": split},
    st.dictionaries(st.sampled_from(KEYS), PARTS | ANYTHING, max_size=8),
    st.integers(0, 20) | ANYTHING,
    st.sampled_from(["train", "validation"]) | ANYTHING,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines=st.lists(LINES | ANYTHING, max_size=5), config=LINES, summary=PARTS)
def test_any_lines_make_a_page(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Any], config: Any, summary: Any
) -> None:
    config = {"training": config, "tasks": config}
    folder = tmp_path_factory.mktemp("any") / "run"
    text = page_of(write_training(folder, lines, config=config, summary=summary))
    assert text.rstrip().endswith("</html>")
    assert not re.search(r' d="[^"]*(nan|inf)', text)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser")) as started:
        yield started


@needs_chromium
def test_the_numbers_of_a_step_are_shown_under_the_pointer(short: Path, browser: Browser) -> None:
    page_of(short)
    browser.resize(1280, 900)
    browser.open((short.parent / "training.html").as_uri())
    point = """(number, share) => {
      const axes = document.querySelectorAll(".axes")[number], box = axes.getBoundingClientRect();
      axes.dispatchEvent(new PointerEvent("pointermove",
        {clientX: box.left + share * box.width, clientY: box.top + 9}));
      return document.querySelector(".pointed").innerText.split("\\n").filter(Boolean);
    }"""
    assert browser.value(f"({point})(0, 0.61)") == [
        "step 3", "training 0.5", "held out 0.65 (step 5)",
    ]  # fmt: skip
    stacks = browser.value(
        "[...document.querySelectorAll('.axes')].findIndex((axes) => 'stack' in axes.dataset)"
    )
    assert browser.value(f"({point})({stacks}, 0.0)") == [
        "step 1", "turn limit 25%", "answer 75%",
    ]  # fmt: skip
    assert browser.faults == []


@needs_chromium
@pytest.mark.parametrize(("width", "phone"), [(390, True), (1280, False)])
def test_nothing_sticks_out(tmp_path: Path, browser: Browser, width: int, phone: bool) -> None:
    lines = learning(30, tasks=20)
    runs = [write_training(tmp_path / name, lines) for name in ("first", "second" * 12)]
    page_of(*runs)
    browser.resize(width, 900, phone=phone)
    browser.open((tmp_path / "training.html").as_uri())
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.faults == []
