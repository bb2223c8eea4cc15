"""Programs that rewrite a text: found by tiling an output with changed pieces of its input."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sandmle.runtime.spelling import ONES, cardinal_words, ordinal_words, year_words

#: Steps of a program: the name of a change and the piece that it changes, or "text" and a text.
Program = tuple[tuple[str, int | str], ...]

#: A number with commas, figures, letters, one space, or one other sign.
TEXT_PIECE = re.compile(r"\d{1,3}(?:,\d{3})+|\d+|[^\W\d_]+|.", re.DOTALL)
#: Partial tilings that are kept at each place.
MOST_TILINGS = 10
#: Words seen in so many inputs stand for themselves in shapes.
FREQUENT_INPUTS = 2

#: Texts of a form that tell the names of its signs, and the share that must agree on them.
FEWEST_OF_FORM = 4
SURE_SHARE = 0.9
#: Signs of a piece that may be read by their names, one after the other.
MOST_NAMED = 6

MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class Lexicon:
    """What all pairs tell together.

    `names` are those of figures and letters, `cipher` what letters are changed into, `frequent` the
    words that stand for themselves in shapes.
    """

    names: Mapping[str, str]
    cipher: Mapping[str, str]
    frequent: frozenset[str]


def learn_lexicon(inputs: Sequence[str], outputs: Sequence[str]) -> Lexicon:
    """The lexicon of training pairs."""
    words = Counter(piece for text in inputs for piece in set(TEXT_PIECE.findall(text)))
    return Lexicon(
        names=names_of_signs(inputs, outputs),
        cipher=changed_letters(inputs, outputs),
        frequent=frozenset(
            piece
            for piece, count in words.items()
            if count >= FREQUENT_INPUTS and piece[0].isalpha() and len(piece) > 1
        ),
    )


def names_of_signs(inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, str]:
    """How figures and letters are read one by one, beside the usual names of figures.

    Outputs of one form have as many words. Where these are as many as figures and letters, they
    are their names; else those may be that are not the same in all of them.
    """
    forms: dict[tuple[str, int], list[tuple[list[str], list[str]]]] = defaultdict(list)
    for text, output in zip(inputs, outputs, strict=True):
        form = re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))
        forms[form, len(output.split())].append((re.findall(r"[^\W_]", text), output.split()))
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for pairs in forms.values():
        columns = list(zip(*(words for _, words in pairs), strict=True))
        signs = len(pairs[0][0])
        varying = [
            at for at, words in enumerate(columns) if len(columns) == signs or len(set(words)) > 1
        ]
        if len(pairs) < FEWEST_OF_FORM or len(varying) != signs:
            continue
        own: dict[str, Counter[str]] = defaultdict(Counter)
        for read, words in pairs:
            for sign, at in zip(read, varying, strict=True):
                own[sign][words[at]] += 1
        # A sign that was read once always has one name: only those that came again tell.
        again = [names for names in own.values() if names.total() > 1]
        named = sum(names.most_common(1)[0][1] for names in again)
        if named >= max(FEWEST_OF_FORM, SURE_SHARE * sum(names.total() for names in again)):
            for sign, names in own.items():
                votes[sign] += names
    found = dict(zip("0123456789", ONES, strict=False))
    return found | {sign: names.most_common(1)[0][0] for sign, names in votes.items()}


def changed_letters(inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, str]:
    """What every letter becomes, from words of equal length; a second look trusts the first.

    Words are compared with all those of the same length in the output: the wrong ones disagree.
    """
    pairs = [
        (left, right)
        for text, output in zip(inputs, outputs, strict=True)
        for left in re.findall(r"[^\W\d_]+", text)
        for right in re.findall(r"[^\W\d_]+", output)
        if len(left) == len(right)
    ]
    found: dict[str, str] = {}
    for _ in range(3):
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for left, right in pairs:
            agreeing = sum(found.get(a) == b for a, b in zip(left, right, strict=True))
            if found and 2 * agreeing < len(left):
                continue
            for a, b in zip(left, right, strict=True):
                votes[a][b] += 1
        found = {letter: names.most_common(1)[0][0] for letter, names in votes.items()}
    return found


def shape_of(text: str, level: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The kinds of a text's pieces: signs, frequent words, figures (with their number at the level
    "lengths"), and other words by their case; all words alike at the level "letters"."""
    shape = []
    for piece in TEXT_PIECE.findall(text):
        if piece[0].isdigit():
            shape.append("9" * len(piece) if level == "lengths" else "9")
        elif not piece[0].isalpha() or (level != "letters" and piece in lexicon.frequent):
            shape.append(piece)
        else:
            shape.append("A" if piece.isupper() else "Aa" if piece[0].isupper() else "a")
    return tuple(shape)


def spoken_month(piece: str, lexicon: Lexicon) -> str:
    """The name of a month from its number."""
    return MONTH_NAMES[int(piece) - 1] if 1 <= int(piece) <= 12 else ""


def spoken_year(piece: str, lexicon: Lexicon) -> str:
    """A year in two halves."""
    return year_words(int(piece)) if len(piece) == 4 and piece[0] != "0" else ""


def spoken_digits(piece: str, lexicon: Lexicon) -> str:
    """Figures one by one."""
    return " ".join(lexicon.names.get(digit, digit) for digit in piece if digit.isdigit())


def figure_amount(piece: str) -> int:
    """The number that a piece of figures is, if it isn't too long to be read."""
    return int(piece.replace(",", "")[:9])


Change = Callable[[str, Lexicon], str]


def name_of_sign(at: int) -> Change:
    """Reads the sign at a place of a piece by its name."""
    return lambda piece, lexicon: lexicon.names.get(piece[at : at + 1], "")


NAMED_SIGNS: Mapping[str, Change] = {f"name {at}": name_of_sign(at) for at in range(MOST_NAMED)}
CHANGES_OF_FIGURES: Mapping[str, Change] = {
    "same": lambda piece, lexicon: piece,
    "cardinal": lambda piece, lexicon: cardinal_words(figure_amount(piece)),
    "cardinal, and": lambda piece, lexicon: cardinal_words(figure_amount(piece), joined=True),
    "ordinal": lambda piece, lexicon: ordinal_words(figure_amount(piece)),
    "ordinal, and": lambda piece, lexicon: ordinal_words(figure_amount(piece), joined=True),
    "year": spoken_year,
    "digits": spoken_digits,
    "month": spoken_month,
    "small month": lambda piece, lexicon: spoken_month(piece, lexicon).lower(),
    "without zeros": lambda piece, lexicon: piece.lstrip("0"),
    **NAMED_SIGNS,
}
CHANGES_OF_LETTERS: Mapping[str, Change] = {
    "same": lambda piece, lexicon: piece,
    "small": lambda piece, lexicon: piece.lower(),
    "capital": lambda piece, lexicon: piece.upper(),
    "spelled": lambda piece, lexicon: " ".join(piece.lower()),
    "changed": lambda piece, lexicon: "".join(lexicon.cipher.get(sign, sign) for sign in piece),
    "backwards": lambda piece, lexicon: piece[::-1],
    "changed backwards": lambda piece, lexicon: "".join(
        lexicon.cipher.get(sign, sign) for sign in piece[::-1]
    ),
    **NAMED_SIGNS,
}


def changeable(text: str) -> list[str]:
    """The pieces of a text that programs may change: figures and letters."""
    return [piece for piece in TEXT_PIECE.findall(text) if piece[0].isalnum()]


def changed_piece(name: str, piece: str, lexicon: Lexicon) -> str:
    """A piece after a change; "" where the change can't be made."""
    changes = CHANGES_OF_FIGURES if piece[0].isdigit() else CHANGES_OF_LETTERS
    if name not in changes or (name != "same" and piece[0].isdigit() and not piece.isascii()):
        return ""
    return changes[name](piece, lexicon)


def run_program(program: Program, text: str, lexicon: Lexicon) -> str | None:
    """What a program makes of a text; None where it doesn't fit it."""
    pieces = changeable(text)
    found = []
    for name, of in program:
        if name == "text":
            found.append(str(of))
            continue
        made = changed_piece(name, pieces[int(of)], lexicon) if int(of) < len(pieces) else ""
        if not made:
            return None
        found.append(made)
    return "".join(found)


def find_programs(text: str, output: str, lexicon: Lexicon) -> Iterator[Program]:
    """The shortest programs that make `output` of `text`, fixed text counting as long."""
    made = [
        (changed_piece(name, piece, lexicon), name, index)
        for index, piece in enumerate(changeable(text))
        for name in (CHANGES_OF_FIGURES if piece[0].isdigit() else CHANGES_OF_LETTERS)
    ]
    tilings: dict[int, list[tuple[float, Program]]] = defaultdict(list)
    tilings[0].append((0.0, ()))
    at = 0
    for piece in TEXT_PIECE.findall(output):
        best = sorted(tilings.pop(at, []), key=lambda entry: (entry[0], repr(entry[1])))
        for cost, program in best[:MOST_TILINGS]:
            for value, name, index in made:
                end = at + len(value)
                if value and output.startswith(value, at) and is_edge(output, end):
                    tilings[end].append((cost + 1.0, (*program, (name, index))))
            fixed = 0.5 if not piece.isalnum() else 1.5
            tilings[at + len(piece)].append((cost + fixed, with_text(program, piece)))
        at += len(piece)
    for _, program in sorted(tilings[at], key=lambda entry: (entry[0], repr(entry[1])))[
        :MOST_TILINGS
    ]:
        yield program


def with_text(program: Program, text: str) -> Program:
    """A program that goes on with fixed text."""
    if program and program[-1][0] == "text":
        return (*program[:-1], ("text", f"{program[-1][1]}{text}"))
    return (*program, ("text", text))


def is_edge(text: str, at: int) -> bool:
    """Whether no word and no number goes on over the place `at`."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    return not (before.isalpha() and after.isalpha()) and not (before.isdigit() and after.isdigit())
