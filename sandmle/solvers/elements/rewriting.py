"""Texts out of texts: finds rules that rewrite the training texts, or fills gaps in sentences.

A rule is a program: pieces of the input, changed in some way or as they are, and fixed text between
them. Programs are found for texts of one shape by tiling an output with pieces of its input
(Gulwani 2011, "Automating string processing in spreadsheets using input-output examples").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import pandas as pd

from sandmle.solvers.elements.answers import (
    answer_submission,
    constant_answers,
    known_answers,
    most_frequent,
    shown_texts,
)
from sandmle.solvers.elements.gaps import fill_gaps, gap_size, insert_most_frequent
from sandmle.solvers.elements.programs import (
    Lexicon,
    Program,
    find_programs,
    learn_lexicon,
    run_program,
    shape_of,
)
from sandmle.solvers.elements.transcribing import transcribing_submissions
from sandmle.solvers.elements.wording import ReadingChoice, facts_around, fit_reading_choice
from sandmle.solvers.reading import Competition

#: Inputs of a shape that programs are looked for in.
MOST_TILED = 12
#: Rows in which columns are compared with answers.
MOST_COMPARED_PAIRS = 60
#: Programs of a shape that are kept, and the share of its texts that the first must explain alone.
MOST_PROGRAMS = 4
EXPLAINED_SHARE = 0.95


def rewriting_submissions(
    competition: Competition, rung: str
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Names and submissions of one rung, best first."""
    texts = shown_texts(competition)
    if not texts:
        yield from transcribing_submissions(competition, rung)
        return
    known = known_answers(competition)
    source = texts[source_column(texts, known)]
    test = source[competition.train :]
    if rung == "dummy":
        yield "the input as it is", answer_submission(competition, test)
        yield from constant_answers(competition)
        return
    lost = gap_size(source[: competition.train], known)
    if rung == "naive":
        yield (
            "known inputs",
            answer_submission(competition, look_up(source[: competition.train], known, test)),
        )
        if lost:
            yield (
                "most frequent word in the middle",
                answer_submission(
                    competition, insert_most_frequent(source[: competition.train], known, test)
                ),
            )
        return
    if lost:
        yield "gaps filled", answer_submission(competition, fill_gaps(known, test, lost))
    rewrite = fit_rewriting(texts, source, known)
    yield "programs", answer_submission(competition, rewrite)


def source_column(texts: Mapping[str, Sequence[str]], known: Sequence[str]) -> str:
    """The column that answers are written from.

    That which stands inside another column's texts, else the one that is most like the answers.
    """

    def likeness(name: str) -> tuple[bool, float]:
        is_inside = any(
            all(part in whole for part, whole in zip(texts[name], texts[other], strict=True))
            for other in texts
            if other != name
        )
        pairs = list(zip(texts[name], known, strict=False))[:MOST_COMPARED_PAIRS]
        return is_inside, sum(
            SequenceMatcher(None, *pair, autojunk=False).ratio() for pair in pairs
        )

    return max(texts, key=likeness)


def look_up(inputs: Sequence[str], known: Sequence[str], test: Sequence[str]) -> list[str]:
    """The most frequent answer to the same input; the input itself where it is new."""
    found = defaultdict(list)
    for text, answer in zip(inputs, known, strict=True):
        found[text].append(answer)
    return [most_frequent(found[text]) if text in found else text for text in test]


@dataclass(frozen=True)
class ShapeRules:
    """The programs for texts of one shape, the most used first, and what chooses between them."""

    programs: tuple[Program, ...]
    choose: ReadingChoice | None


def fit_rewriting(
    texts: Mapping[str, Sequence[str]], source: Sequence[str], known: Sequence[str]
) -> list[str]:
    """Rewrites the test rows' texts by programs found in the training rows'."""
    lexicon = learn_lexicon(source[: len(known)], known)
    contexts = [
        facts_around({name: column[row] for name, column in texts.items()}, source[row])
        for row in range(len(source))
    ]
    levels: list[tuple[Callable[[str], tuple[str, ...]], dict[tuple[str, ...], ShapeRules]]] = []
    for level in ("lengths", "words", "letters"):

        def shaped(text: str, level: str = level) -> tuple[str, ...]:
            return shape_of(text, level, lexicon)

        levels.append((shaped, rules_by_shape(shaped, source, known, contexts, lexicon)))
    seen = look_up(source[: len(known)], known, source[len(known) :])
    return [
        rewritten_text(text, context, levels, lexicon, fallback)
        for text, context, fallback in zip(
            source[len(known) :], contexts[len(known) :], seen, strict=True
        )
    ]


def rules_by_shape(
    shaped: Callable[[str], tuple[str, ...]],
    source: Sequence[str],
    known: Sequence[str],
    contexts: Sequence[Mapping[str, bool]],
    lexicon: Lexicon,
) -> dict[tuple[str, ...], ShapeRules]:
    """The rules of every shape that two training texts have and a program explains."""
    rows = defaultdict(list)
    for row in range(len(known)):
        rows[shaped(source[row])].append(row)
    found = {}
    for shape, members in rows.items():
        pairs = [(source[row], known[row]) for row in members]
        programs = best_programs(pairs, lexicon)
        if len(members) < 2 or not programs:
            continue
        fits = [
            next(
                (
                    at
                    for at, entry in enumerate(programs)
                    if run_program(entry, text, lexicon) == answer
                ),
                -1,
            )
            for text, answer in pairs
        ]
        explained = fits.count(0) / len(fits)
        if len(set(fits) - {-1}) < 2 or explained >= EXPLAINED_SHARE:
            if explained < 0.5:
                continue
            found[shape] = ShapeRules(programs, None)
            continue
        useful = [at for at, fit in enumerate(fits) if fit >= 0]
        chooser = fit_reading_choice(
            [contexts[members[at]] for at in useful], [fits[at] for at in useful]
        )
        found[shape] = ShapeRules(programs, chooser)
    return found


def best_programs(pairs: Sequence[tuple[str, str]], lexicon: Lexicon) -> tuple[Program, ...]:
    """The few programs that together explain most pairs, each with what those before it leave.

    A program that explains a single pair out of several is chance.
    """
    candidates = Counter(
        program
        for text, answer in pairs[:MOST_TILED]
        for program in find_programs(text, answer, lexicon)
    )
    explains = {
        program: {
            at
            for at, (text, answer) in enumerate(pairs)
            if run_program(program, text, lexicon) == answer
        }
        for program in candidates
    }
    kept: list[Program] = []
    left = set(range(len(pairs)))
    while candidates and len(kept) < MOST_PROGRAMS:
        best = max(explains, key=lambda program: (len(explains[program] & left), -len(program)))
        gained = explains[best] & left
        if len(gained) < (2 if len(pairs) > 2 else 1):
            break
        kept.append(best)
        left -= gained
    return tuple(kept)


def rewritten_text(
    text: str,
    context: Mapping[str, bool],
    levels: Sequence[tuple[Callable[[str], tuple[str, ...]], Mapping[tuple[str, ...], ShapeRules]]],
    lexicon: Lexicon,
    fallback: str,
) -> str:
    """A text by the rules of the finest shape that has some; `fallback` where none has."""
    for shaped, rules in levels:
        own = rules.get(shaped(text))
        if own is None:
            continue
        first = own.choose(context) if own.choose else 0
        for at in (first, *range(len(own.programs))):
            answer = run_program(own.programs[at], text, lexicon)
            if answer is not None:
                return answer
    return fallback
