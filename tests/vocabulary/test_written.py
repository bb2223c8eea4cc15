"""What words of texts, tokens and orders give on samples that were worked out by hand."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.vocabulary.calling import VOCABULARY, call, draw_factors


def tokens(*sequences: str) -> np.ndarray:
    """Sequences as the type `tokens` holds them."""
    found = np.empty(len(sequences), dtype=object)
    found[:] = [tuple(sequence.split()) for sequence in sequences]
    return found


def rule(kind: str, factors: dict[str, np.ndarray], **parameters: Any) -> list[Any]:
    found: np.ndarray = call("hidden", {"kind": kind, **parameters}, factors=factors)
    return list(found.tolist())


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("gate", "gate"),
        ("Dr.", "doctor"),
        ("BBC", "b b c"),
        ("318", "three hundred and eighteen"),
        ("12,004", "twelve thousand and four"),
        ("3.07", "three point oh seven"),
        ("$12.50", "twelve dollars and fifty cents"),
        ("£8", "eight pounds"),
        ("15 km", "fifteen kilometres"),
        ("7%", "seven percent"),
        ("1984-05-21", "the twenty first of may nineteen eighty four"),
        ("7:45", "seven forty five"),
        ("22nd", "twenty second"),
        ("0171-4096", "oh one seven one four oh nine six"),
    ],
)
def test_tokens_are_read_aloud(written: str, spoken: str) -> None:
    assert rule("read_aloud", {"t": np.array([written])}, of="t") == [spoken]


def test_the_same_figures_are_read_by_their_sense() -> None:
    factors = {"t": np.array(["1805", "1805", "1805"]), "s": np.array(["a", "b", "c"])}
    found = rule("read_aloud", factors, of="t", sense="s", zero="nought", joined=False)
    amount, year, digits = found
    assert amount == "one thousand eight hundred five"
    assert year == "eighteen oh five"
    assert digits == "one eight nought five"


def test_every_written_amount_can_be_read() -> None:
    parameters = VOCABULARY.word("factors", "written_amount").parameters
    kinds = parameters["kinds"]["items"]["enum"]
    factors = draw_factors({"t": {"kind": "written_amount", "kinds": kinds, "plain": 0.0}}, 600)
    for written, spoken in zip(factors["t"], rule("read_aloud", factors, of="t"), strict=True):
        assert all(letter.isalpha() or letter == " " for letter in spoken), (written, spoken)


def test_ordinals_end_as_they_are_spoken() -> None:
    factors = draw_factors({"t": {"kind": "written_amount", "kinds": ["ordinal"], "plain": 0}}, 900)
    endings = {text[:-2]: text[-2:] for text in factors["t"]}
    assert [endings[number] for number in ("2", "11", "12", "13", "21", "33", "40")] == [
        "nd", "th", "th", "th", "st", "rd", "th",
    ]  # fmt: skip


def test_transcripts_are_kept_in_their_notation() -> None:
    factors = {"t": np.array(["aab"])}
    found = [rule("transcript", factors, of="t", notation=n)[0] for n in ("spaced", "backwards")]
    assert [*found, *rule("transcript", factors, of="t", notation="runs", opening="=")] == [
        "a a b",
        "baa",
        "=a2b",
    ]


def test_codes_are_rewritten_by_one_cipher() -> None:
    factors = {"t": np.array(["ab-12-ba", "ab-12-ba", "bc-7-aa"])}
    kept = rule("transduce", factors, of="t", changed=1.0, order="kept", joint=".")
    back = rule("transduce", factors, of="t", changed=1.0, order="backwards", joint=".")
    assert kept[0] == kept[1]
    assert kept[0].split(".") == back[0].split(".")[::-1]
    assert kept[0].split(".")[1] == "12"
    assert set(kept[0].split(".")[0]).isdisjoint({"-"})
    assert kept[0].split(".")[0] == kept[0].split(".")[2][::-1]


def test_signs_are_read_by_their_names_in_a_foreign_tongue() -> None:
    factors = {"t": np.array(["407", "7", "70 x"])}
    plain = rule("foreign_reading", factors, of="t", places=False)
    placed = [text.split() for text in rule("foreign_reading", factors, of="t", places=True)]
    four, zero, seven = plain[0].split()
    assert plain[1] == seven
    assert plain[2].split()[:2] == [seven, zero]
    hundreds, tens = placed[0][1], placed[0][3]
    assert placed[0] == [four, hundreds, zero, tens, seven]
    assert placed[2][:3] == [seven, tens, zero]
    assert len({four, zero, seven, hundreds, tens, placed[2][3]}) == 6


def test_spans_are_the_names_that_are_asked_for() -> None:
    names = np.empty(2, dtype=object)
    names[:] = [("red boat", "blue"), ("tar", "pitch")]
    factors = {"n": names, "a": np.array(["y", "x"]), "v": np.array([[3.0, 1.0], [0.0, 2.0]])}
    assert rule("span_of", factors, of="n", asked="a") == ["blue", "tar"]
    assert rule("extreme_span", factors, of="n", by="v", which="largest") == ["red boat", "pitch"]
    assert rule("extreme_span", factors, of="n", by="v", which="smallest") == ["blue", "tar"]


def test_tags_depend_on_the_neighbour_before() -> None:
    factors = draw_factors({"w": {"kind": "token_sequence", "words": 8, "length": 12}}, 200)
    free = rule("tag_tokens", factors, of="w", ambiguous=0.0)
    bound = rule("tag_tokens", factors, of="w", ambiguous=1.0, side="before")
    for found, of_pairs in ((free, False), (bound, True)):
        seen: dict[Any, set[str]] = {}
        for words, tags in zip(factors["w"], found, strict=True):
            for at, (word, tag) in enumerate(zip(words, tags, strict=True)):
                before = words[at - 1] if at and of_pairs else ""
                seen.setdefault((before, word) if of_pairs else word, set()).add(tag)
        assert all(len(tags) == 1 for tags in seen.values())
    by_word: dict[str, set[str]] = {}
    for words, tags in zip(factors["w"], bound, strict=True):
        for word, tag in zip(words, tags, strict=True):
            by_word.setdefault(word, set()).add(tag)
    assert all(len(tags) == 2 for tags in by_word.values())


def test_passages_are_opened_by_tokens_and_have_a_length() -> None:
    factors = {"w": tokens("a b c d e f", "f e d c b a")}
    found = rule("chunk_tags", factors, of="w", kinds=["X"], openers=0.2, longest=2)
    for words, tags in zip(factors["w"], found, strict=True):
        assert len(words) == len(tags)
        assert set(tags) <= {"X", "O"}
    assert any("X" in tags for tags in found)


def test_orders_follow_numbers_and_turn_with_their_context() -> None:
    factors = {
        "m": np.array([[3.0, 1.0, 2.0], [3.0, 1.0, 2.0]]),
        "c": np.array(["x", "y"]),
    }
    assert rule("right_order", factors, of="m") == [("b", "c", "a")] * 2
    one, other = rule("right_order", factors, of="m", context="c")
    assert one == other[::-1]


def test_shared_tokens_are_counted_once() -> None:
    factors = {"l": tokens("a a b", "c"), "r": tokens("b c", "c")}
    assert rule("shared_tokens", factors, left="l", right="r") == [pytest.approx(1 / 3), 1.0]


def test_a_gap_is_never_at_an_end() -> None:
    factors = draw_factors({"s": {"kind": "sentence", "words": 20, "length": 6}}, 100)
    shown = call("observe", {"kind": "gapped_sentence", "name": "x", "of": "s"}, factors=factors)
    for whole, rest in zip(factors["s"], shown["x"], strict=True):
        before, after = whole.split(), rest.split()
        assert len(before) == len(after) + 1
        assert (before[0], before[-1]) == (after[0], after[-1])


def test_passages_tell_every_name_once() -> None:
    names = np.empty(1, dtype=object)
    names[:] = [("tar", "pitch")]
    factors = {"n": names, "a": np.array(["x"]), "v": np.array([[0.1, 0.9]])}
    use = {"kind": "passage", "name": "p", "of": "n", "numbers": "v", "forms": ["{name}={number}."]}
    text = call("observe", use, factors=factors)["p"][0]
    assert sorted(text.split()) == ["pitch=55.", "tar=10."]


def test_each_item_takes_what_the_one_before_made() -> None:
    factors = draw_factors({"m": {"kind": "item_values", "items": 4}}, 20)
    use = {"kind": "item_steps", "of": "m", "forms": ["{verb} {taken} {made}"]}
    index, columns = call("observe", use, factors=factors)
    orders = rule("right_order", factors, of="m")
    for row, order in enumerate(orders):
        own = {
            item: text.split()
            for item, text, sample in zip(columns["item"], columns["text"], index, strict=True)
            if sample == row
        }
        chain = [own[item] for item in order]
        assert [step[1] for step in chain[1:]] == [step[2] for step in chain[:-1]]


def test_equal_signs_have_equal_glyphs() -> None:
    factors = {"t": np.array(["ab", "ab", "ba"])}
    use = {"kind": "glyphs", "of": "t", "size": [16, 9], "grain": 0.0, "file": "{id}.png"}
    found = call("observe", use, factors=factors)
    inked = [
        tuple(sorted(column.tobytes() for column in picture.T if column.max() > 60))
        for picture in (np.asarray(Image.open(io.BytesIO(content))) for content in found)
    ]
    assert len(inked[0]) == len(inked[2]) == 8


def test_noise_on_tags_orders_and_answers_keeps_their_form() -> None:
    labels = tokens(*["a b c d"] * 50)
    use = {"kind": "swapped_items", "rate": 1.0}
    swapped = call("noise", use, labels, factors={})
    assert all(sorted(order) == ["a", "b", "c", "d"] for order in swapped)
    assert all(sum(x != y for x, y in zip(order, "abcd", strict=True)) == 2 for order in swapped)
    tags = call("noise", {"kind": "swapped_tags", "rate": 0.5}, labels, factors={})
    wrong = np.mean([x != y for row in tags for x, y in zip(row, "abcd", strict=True)])
    assert 0.35 < wrong < 0.65
    texts = np.array([f"t{at}" for at in range(200)])
    mixed = call("noise", {"kind": "mixed_up_answers", "rate": 0.3}, texts, factors={})
    assert set(mixed) <= set(texts)
    assert 0.2 < np.mean(mixed != texts) < 0.4
    masked = call("noise", {"kind": "masked_tokens", "rate": 0.3}, labels, factors={})
    assert {word for row in masked for word in row} == {"a", "b", "c", "d", "..."}
