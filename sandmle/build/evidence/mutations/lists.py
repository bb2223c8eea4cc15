"""What may happen to one thing of those that a cell lists, or to a cell that holds one thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def on_piece(change: Callable[[list[str], int], object]) -> Callable[[str, int | None], str]:
    """An edit of a list in a cell from one that changes the pieces in place, at one of them."""

    def edit(text: str, piece: int | None) -> str:
        pieces = text.split() or [""]
        change(pieces, len(pieces) // 2 if piece is None else piece % len(pieces))
        return " ".join(pieces)

    return edit


def on_number(change: Callable[[float], float]) -> Callable[[str, int | None], str]:
    """The same from a function of a number, for pieces that are one; others are repeated."""

    def edit(pieces: list[str], place: int) -> None:
        try:
            pieces[place] = f"{change(float(pieces[place])):.10g}"
        except (ValueError, OverflowError):
            pieces[place] *= 2

    return on_piece(edit)


def put(new: Callable[[str], str]) -> Callable[[str, int | None], str]:
    """The same from a function of one piece."""

    def edit(pieces: list[str], place: int) -> None:
        pieces[place] = new(pieces[place])

    return on_piece(edit)


#: What may happen to one thing of those that a cell lists, or to a cell that holds one thing.
LISTS: Mapping[str, Callable[[str, int | None], str]] = {
    "shortened": on_piece(lambda pieces, place: pieces.pop(place)),
    "repeated": on_piece(lambda pieces, place: pieces.insert(place, pieces[place])),
    "filled up": on_piece(lambda pieces, place: pieces.extend([pieces[place]] * 5000)),
    "blown up": on_piece(lambda pieces, place: pieces.extend(pieces * (30_000 // len(pieces)))),
    "turned round": on_piece(lambda pieces, place: pieces.reverse()),
    "rotated": on_piece(lambda pieces, place: pieces.append(pieces.pop(place))),
    "doubled": on_piece(lambda pieces, place: pieces.extend(pieces)),
    "made all alike": on_piece(
        lambda pieces, place: pieces.__setitem__(slice(None), [pieces[place]] * len(pieces))
    ),
    "negated": on_number(lambda value: -value),
    "enlarged": on_number(lambda value: value * 1e6),
    "increased": on_number(lambda value: value + 1),
    "shifted by a half": on_number(lambda value: value + 0.5),
    "emptied": on_number(lambda value: 0.0),
    "upset with nan": put(lambda piece: "nan"),
    "upset with inf": put(lambda piece: "-inf"),
    "upset with a word": put(lambda piece: "elsewhere"),
    "upset with nothing": put(lambda piece: "-"),
    "upset with a long word": put(lambda piece: piece + "x" * 500),
    "upper-cased": put(str.upper),
    "padded inside": put(lambda piece: f"{piece[:1]} {piece[1:]}"),
    "joined by a comma": put(lambda piece: f"{piece},{piece}"),
    "joined by a wide space": put(lambda piece: f"{piece}\u3000{piece}"),
    "quoted": put(lambda piece: f'"{piece}"'),
    "prefixed invisibly": put(lambda piece: f"\u200b{piece}"),
    "with a line end": put(lambda piece: f"{piece}\n"),
    "in fullwidth letters": put(
        lambda piece: "".join(
            chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in piece
        )
    ),
}
