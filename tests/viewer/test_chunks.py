from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sandmle.viewer.chunks import FILE, FOLDER, ChunkWriter, script_string
from sandmle.viewer.page import data_block
from tests.viewer.episodes import HOSTILE


def read_chunk(path: Path) -> tuple[int, list[str]]:
    """The number and the bodies of a chunk, read as the browser reads them."""
    text = path.read_text(encoding="ascii")
    assert text.startswith("takeBodies(")
    assert text.endswith(");\n")
    number, bodies = json.loads("[" + text.removeprefix("takeBodies(").removesuffix(");\n") + "]")
    return number, bodies


def test_bodies_come_back_from_where_they_were_put(tmp_path: Path) -> None:
    writer = ChunkWriter(tmp_path)
    bodies = [{"text": f"{number} {HOSTILE}" * 300} for number in range(9)]
    places = [writer.add(body) for body in bodies]
    assert FOLDER.fullmatch(writer.close())
    files = sorted(tmp_path.iterdir())
    assert len(files) > 1
    assert all(FILE.fullmatch(file.name) for file in files)
    chunks = dict(map(read_chunk, files))
    assert [json.loads(chunks[chunk][place]) for chunk, place in places] == bodies


def test_the_folder_is_called_by_what_is_in_it(tmp_path: Path) -> None:
    names = []
    for text in ("a", "a", "b"):
        writer = ChunkWriter(tmp_path)
        writer.add({"text": text})
        names.append(writer.close())
    assert names[0] == names[1] != names[2]


@given(st.text())
def test_a_string_of_a_script_is_the_text_and_ends_nothing(text: str) -> None:
    written = script_string(text)
    assert json.loads(written) == text
    assert written.isascii()
    assert not set(written) & set("<\n\r")
    assert "<" not in data_block({text: text})
