"""A training in the terminal."""

from __future__ import annotations

from pathlib import Path

from sandmle.curves.terminal import training_plot
from tests.curves.trainings import learning, step_line, validation_line, write_training


def test_the_gain_the_curve_and_the_time_are_shown(tmp_path: Path) -> None:
    lines = [
        validation_line(0, reward=0.0, any_medal=0.0),
        step_line(1, reward=0.2),
        step_line(2, reward=0.4),
        validation_line(2, reward=0.8, any_medal=0.5),
    ]
    shown = training_plot(write_training(tmp_path / "run", lines), width=60).plain.splitlines()
    assert shown[0] == "run"
    assert shown[1].startswith("model tiny · step 2 of 30")
    assert "  Any medal              0% → 50%    +50 points" in shown
    rows = [row for row in shown if "│" in row or "┤" in row]
    assert rows[0].startswith("    0.8 ┤")
    assert rows[0].endswith("●"), "the last evaluation is at the top, on the right"
    assert rows[-1].startswith("      0 ┤●"), "the first one at the bottom, on the left"
    middle = "".join(row[9:] for row in rows[3:6])
    assert any(0x2800 < ord(cell) <= 0x28FF for cell in middle)
    assert not any(0x2800 < ord(cell) <= 0x28FF for row in rows[:3] for cell in row)
    assert "  seconds of a step, 4.00 in real time" in shown
    assert "  ■ generate 0.50  ■ sandbox 6.00  ■ score 0.40  ■ update 1.00" in shown


def test_lines_are_no_longer_than_the_terminal(tmp_path: Path) -> None:
    run = write_training(tmp_path / "run", learning(200, tasks=5))
    for width in (72, 80, 100):
        shown = training_plot(run, width=width).plain.splitlines()
        assert max(map(len, shown)) <= width
        rows = [line for line in shown if "│" in line or "┤" in line]
        assert max(map(len, rows)) == width


def test_a_run_that_has_just_begun_says_so(tmp_path: Path) -> None:
    shown = training_plot(write_training(tmp_path / "run", [])).plain
    assert shown.endswith("\nnot evaluated yet")
