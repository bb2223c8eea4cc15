from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.play import prompts
from sandmle.play.prompts import list_files


def write(public: Path, *places: str) -> None:
    for place in places:
        path = public / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("12345")


def test_files_are_shown_one_by_one_and_large_folders_by_their_number(tmp_path: Path) -> None:
    write(tmp_path, "train.csv", "audio/a.wav", "audio/deep/b.wav")
    write(tmp_path, *(f"images/{number:02}.png" for number in range(13)))
    assert list_files(tmp_path) == [
        "audio/a.wav (5 bytes)",
        "audio/deep/b.wav (5 bytes)",
        "images/ (13 files: 00.png, 01.png, 02.png, ...)",
        "train.csv (5 bytes)",
    ]


def test_what_a_real_competition_holds_is_neither_counted_nor_shown_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompts, "_FILES_COUNTED", 20)
    monkeypatch.setattr(prompts, "_ENTRIES_SHOWN", 2)
    write(tmp_path, "a.csv", "z1.csv", "z2.csv", *(f"images/{number}.png" for number in range(30)))
    first, images, rest = list_files(tmp_path)
    assert first == "a.csv (5 bytes)"
    assert images.startswith("images/ (over 20 files: ")
    assert rest == "... and 2 more files and folders"
