"""Texts out of pictures: cuts a line into glyphs and learns which sign each is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from sandmle.solvers.elements.answers import (
    answer_submission,
    constant_answers,
    known_answers,
    most_frequent,
)
from sandmle.solvers.measures.images import read_images
from sandmle.solvers.reading import Competition

#: Light above this share of the way from darkest to brightest is ink.
INK_SHARE = 0.5
#: Glyphs are brought to this height and width.
GLYPH_BOX = (8, 6)


def transcribing_submissions(
    competition: Competition, rung: str
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Names and submissions of one rung, best first."""
    known = known_answers(competition)
    if rung == "dummy":
        yield from constant_answers(competition)
        return
    pictures = read_images(next(iter(competition.images.values()))).mean(axis=3)
    if rung == "naive":
        pixels = pictures.reshape(len(pictures), -1)
        nearest = NearestNeighbors(n_neighbors=1).fit(pixels[: len(known)])
        rows = nearest.kneighbors(pixels[len(known) :], return_distance=False)[:, 0]
        yield (
            "answer of the nearest picture",
            answer_submission(competition, [known[row] for row in rows]),
        )
        usual = usual_signs(known)
        yield "usual sign at every place", answer_submission(competition, [usual] * len(rows))
        return
    yield "glyphs", answer_submission(competition, read_glyphs(pictures, known))


def usual_signs(known: Sequence[str]) -> str:
    """The most frequent sign at every place of texts as long as most are."""
    length = Counter(len(answer) for answer in known).most_common(1)[0][0]
    return "".join(most_frequent([text[at : at + 1] for text in known]) for at in range(length))


def read_glyphs(pictures: np.ndarray, known: Sequence[str]) -> list[str]:
    """The test pictures' texts: glyphs classified by the training ones, put in their notation."""
    lines = [glyphs_of(picture) for picture in pictures]
    opening = common_opening(known)
    bodies = [answer[len(opening) :] for answer in known]
    notation = best_notation(lines, bodies)
    read, write = NOTATIONS[notation]
    pairs = [
        (glyph, sign)
        for line, body in zip(lines, bodies, strict=False)
        if len(line) == len(read(body))
        for glyph, sign in zip(line, read(body), strict=True)
    ]
    if not pairs:
        return [most_frequent(known)] * (len(lines) - len(known))
    test = lines[len(known) :]
    signs = iter(
        glyph_model(pairs).predict(
            np.stack([glyph for line in test for glyph in line] or [pairs[0][0]])
        )
    )
    return [opening + write([str(next(signs)) for _ in line]) for line in test]


def common_opening(texts: Sequence[str]) -> str:
    """What all texts begin with; nothing where they are all alike."""
    first, last = min(texts), max(texts)
    size = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return first[:size]


def glyphs_of(picture: np.ndarray) -> list[np.ndarray]:
    """The glyphs of a line from left to right: columns with ink, between columns without any."""
    background = np.median(picture)
    away = np.abs(picture - background)
    ink = away > INK_SHARE * np.quantile(away, 0.995)
    rows = np.flatnonzero(ink.sum(axis=1) >= 2)
    if not len(rows):
        return []
    band = slice(rows[0], rows[-1] + 1)
    columns = ink[band].any(axis=0)
    found = []
    at = 0
    for has_ink, run in groupby(columns):
        width = len(list(run))
        if has_ink and width > 1:
            found.append(boxed_glyph(away[band, at : at + width]))
        at += width
    return found


def boxed_glyph(glyph: np.ndarray) -> np.ndarray:
    """A glyph as a vector of a fixed size: cut off or filled up to the right and below."""
    box = np.zeros(GLYPH_BOX)
    part = glyph[: GLYPH_BOX[0], : GLYPH_BOX[1]]
    box[: part.shape[0], : part.shape[1]] = part
    return box.ravel()


def glyph_model(pairs: Sequence[tuple[np.ndarray, str]]) -> KNeighborsClassifier:
    """Which sign a glyph is, by those most like it."""
    glyphs, signs = zip(*pairs, strict=True)
    return KNeighborsClassifier(min(5, len(pairs))).fit(np.stack(glyphs), signs)


def best_notation(lines: Sequence[Sequence[np.ndarray]], bodies: Sequence[str]) -> str:
    """The notation in which glyphs tell the signs of rows that were held out best."""
    scores = {}
    for name, (read, _) in NOTATIONS.items():
        fitting = [
            (line, read(body))
            for line, body in zip(lines, bodies, strict=False)
            if len(line) == len(read(body)) > 0
        ]
        half = len(fitting) // 2
        train = [pair for line, signs in fitting[:half] for pair in zip(line, signs, strict=True)]
        rest = [pair for line, signs in fitting[half:] for pair in zip(line, signs, strict=True)]
        if not train:
            scores[name] = 0.0
            continue
        found = glyph_model(train).predict(np.stack([glyph for glyph, _ in rest]))
        right = np.mean([sign == own for (_, sign), own in zip(rest, found, strict=True)])
        scores[name] = float(right) * len(fitting) / max(len(bodies), 1)
    return max(NOTATIONS, key=lambda name: scores[name])


def read_runs(text: str) -> list[str]:
    """The signs of a text in which a number counts equal neighbours: a2b is a, a, b."""
    return [
        sign for sign, count in re.findall(r"(\D)(\d{0,2})", text) for _ in range(int(count or 1))
    ]


def write_runs(signs: Sequence[str]) -> str:
    """The opposite of read_runs."""
    runs = [(sign, len(list(run))) for sign, run in groupby(signs)]
    return "".join(f"{sign}{size}" if size > 1 else sign for sign, size in runs)


#: From a text to the signs in a picture, left to right, and back.
NOTATIONS: Mapping[str, tuple[Callable[[str], list[str]], Callable[[Sequence[str]], str]]] = {
    "plain": (list, "".join),
    "spaced": (str.split, " ".join),
    "backwards": (lambda text: list(text[::-1]), lambda signs: "".join(signs)[::-1]),
    "runs": (read_runs, write_runs),
}
