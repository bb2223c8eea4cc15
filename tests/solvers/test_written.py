"""Honest learns to write answers from pairs; naive, which looks at elements alone, does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandmle.solvers.elements.gaps import fill_gaps, gap_size
from sandmle.solvers.elements.kinds import tag_by_kinds
from sandmle.solvers.elements.links import order_by_links
from sandmle.solvers.elements.programs import find_programs, learn_lexicon, run_program
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import read_competition
from tests.solvers.written_folders import right_share, written_folder

WORDS = {"kind": "token_sequence", "words": 20, "length": 10, "shortest": 6}
SHOWN = {"kind": "token_column", "name": "line", "of": "w"}
AMOUNT = {"kind": "written_amount", "kinds": ["cardinal", "measure", "money", "ordinal"]}
CODE = {"kind": "code_string", "patterns": ["aa-999", "aaa-99-a"], "letters": "abcdefgh"}
NAMES = {"kind": "slot_values", "slots": 3, "longest": 2}
VALUES = {"kind": "item_values", "items": 5}
#: A kind of task, its factors, rule and observers, and the most that naive gets right.
Setting = tuple[str, dict[str, Any], dict[str, Any], list[dict[str, Any]], float]
SETTINGS: dict[str, Setting] = {
    "amounts read aloud": (
        "seq2seq",
        {"t": AMOUNT},
        {"kind": "read_aloud", "of": "t"},
        [{"kind": "text_column", "name": "written", "of": "t"}],
        0.5,
    ),
    "codes by a cipher": (
        "seq2seq",
        {"t": CODE},
        {"kind": "transduce", "of": "t", "order": "backwards"},
        [{"kind": "text_column", "name": "code", "of": "t"}],
        0.1,
    ),
    "figures in a foreign tongue": (
        "seq2seq",
        {"t": {"kind": "code_string", "patterns": ["999", "99 a"], "letters": "кмгт"}},
        {"kind": "foreign_reading", "of": "t", "places": True},
        [{"kind": "text_column", "name": "written", "of": "t"}],
        0.5,
    ),
    "sentences with a gap": (
        "seq2seq",
        {"t": {"kind": "sentence", "words": 24}},
        {"kind": "verbatim", "of": "t"},
        [{"kind": "gapped_sentence", "name": "line", "of": "t"}],
        0.6,
    ),
    "glyphs": (
        "seq2seq",
        {"t": {"kind": "code_string", "patterns": ["aaaa", "aaaaaa"], "letters": "abcdef"}},
        {"kind": "transcript", "of": "t", "notation": "spaced"},
        [{"kind": "glyphs", "of": "t", "size": [48, 12], "file": "images/{id}.png"}],
        0.5,
    ),
    "questions": (
        "extractive_qa",
        {"n": NAMES, "a": {"kind": "category", "levels": ["king", "river", "town"]}},
        {"kind": "span_of", "of": "n", "asked": "a"},
        [{"kind": "passage", "name": "text", "of": "n", "asked": "a"}],
        0.5,
    ),
    "largest numbers": (
        "extractive_qa",
        {"n": NAMES, "v": {"kind": "item_values", "items": 3}},
        {"kind": "extreme_span", "of": "n", "by": "v"},
        [
            {
                "kind": "passage",
                "name": "text",
                "of": "n",
                "numbers": "v",
                "forms": ["{name} made {number} points.", "There were {number} for {name} too."],
            }
        ],
        0.5,
    ),
    "tags by neighbours": (
        "sequence_labelling",
        {"w": WORDS},
        {"kind": "tag_tokens", "of": "w", "ambiguous": 0.8, "side": "either"},
        [SHOWN],
        0.75,
    ),
    "tags of passages": (
        "sequence_labelling",
        {"w": WORDS},
        {"kind": "chunk_tags", "of": "w", "longest": 2},
        [SHOWN],
        0.8,
    ),
    "movements": (
        "sequence_labelling",
        {"w": {"kind": "token_sequence", "words": 6, "length": 5, "shortest": 3}},
        {"kind": "tag_tokens", "of": "w", "ambiguous": 0.5},
        [{"kind": "gestures", "of": "w", "file": "stream.csv"}],
        0.8,
    ),
    "orders by measures": (
        "ordering",
        {"m": VALUES, "v": VALUES, "c": {"kind": "category", "levels": ["x", "y"]}},
        {"kind": "weighed_order", "of": ["m", "v"], "context": "c", "product": 0.5},
        [
            {
                "kind": "item_table",
                "file": "items.csv",
                "columns": [{"name": "m", "of": "m"}, {"name": "v", "of": "v"}],
            },
            {"kind": "column", "name": "c", "of": "c"},
        ],
        0.6,
    ),
    "orders by what follows": (
        "ordering",
        {"m": VALUES},
        {"kind": "right_order", "of": "m"},
        [{"kind": "item_steps", "file": "steps.csv", "of": "m", "haze": 3.0}],
        0.6,
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_honest_learns_what_naive_cannot_see(name: str, tmp_path: Path) -> None:
    task, factors, rule, observe, most = SETTINGS[name]
    competition, truth = written_folder(tmp_path, task, factors=factors, rule=rule, observe=observe)
    assert right_share(competition, "dummy", truth) < 0.6
    assert right_share(competition, "naive", truth) < most
    assert right_share(competition, "honest", truth) > 0.85


def test_programs_are_found_from_a_single_pair() -> None:
    pairs = {"12 km": "twelve kilometres", "BBC": "b b c", "ab-12": "12/ab"}
    lexicon = learn_lexicon(list(pairs), list(pairs.values()))
    others = {"12 km": ("40 km", "forty kilometres"), "BBC": ("NY", "n y"), "ab-12": ("x-7", "7/x")}
    for text, output in pairs.items():
        programs = list(find_programs(text, output, lexicon))
        assert all(run_program(program, text, lexicon) == output for program in programs)
        new, wanted = others[text]
        assert wanted in [run_program(program, new, lexicon) for program in programs]


def test_a_program_that_does_not_fit_says_so() -> None:
    lexicon = learn_lexicon(["a"], ["a"])
    assert run_program((("same", 1),), "a", lexicon) is None
    assert run_program((("month", 0),), "13", lexicon) is None
    assert run_program((("text", "x"), ("cardinal", 0)), "13", lexicon) == "xthirteen"


def test_gaps_are_seen_and_filled() -> None:
    known = ["a b c d", "a b e f", "x b c d"] * 4
    assert gap_size(["a c d", "a b f", "x b d"] * 4, known) == 1
    assert gap_size(["d c b a"] * 12, known) == 0
    assert fill_gaps(known, ["x b d", "a e f"], 1) == ["x b c d", "a b e f"]


def test_kinds_of_neighbours_are_found() -> None:
    # After a or b, and at the beginning, every token has one tag; after c or d another.
    train = [[one, other] for one in "abcd" for other in "abcd"] * 2
    tags = [["one", "one" if tokens[0] in "ab" else "two"] for tokens in train]
    found = tag_by_kinds(train, tags, [["b", "c"], ["d", "c"]], random_seed=0)
    assert [row[1] for row in found] == ["one", "two"]


def test_texts_are_linked_by_what_they_hand_on() -> None:
    chain = ["cut log into plank", "cut plank into shelf", "cut shelf into peg"]
    train = [[chain[1], chain[2], chain[0]], [chain[2], chain[0], chain[1]]] * 10
    places = [[1, 2, 0], [2, 0, 1]] * 10
    new = ["cut cloth into sleeve", "cut wool into cloth", "cut sleeve into cuff"]
    assert order_by_links(train, places, [new]) == [[1, 0, 2]]


def test_a_folder_without_a_table_of_items_is_refused(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("id,x,answer\na,1,p q\nb,2,q p\n")
    (tmp_path / "test.csv").write_text("id,x\nc,1\n")
    (tmp_path / "sample_submission.csv").write_text("id,answer\nc,-\n")
    (tmp_path / "description.md").write_text("Task: ordering\nFormat: permutation\n")
    with pytest.raises(ValueError, match="no table names the items"):
        next(candidates(read_competition(tmp_path), "naive"))
