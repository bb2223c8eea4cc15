"""Tags of sequences: of tokens in a text column, or of movements in a stream of readings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from sandmle.solvers.elements.answers import (
    answer_submission,
    constant_answers,
    known_answers,
    most_frequent,
    shown_texts,
)
from sandmle.solvers.elements.kinds import tag_by_kinds
from sandmle.solvers.elements.streams import (
    movements_of,
    stream_table,
    tokens_of_movements,
)
from sandmle.solvers.reading import Competition

#: Learns from training tokens and their tags, tags the tokens of test rows.
Tagger = Callable[
    [Sequence[Sequence[str]], Sequence[Sequence[str]], Sequence[Sequence[str]]], list[list[str]]
]

#: Neighbours on each side of a token that are looked at.
NEIGHBOURS_SEEN = 3
#: Numbers of kinds that movements are sorted into.
KINDS_OF_MOVEMENTS = (6, 8, 12, 16, 24, 36)


def labelling_submissions(
    competition: Competition, rung: str
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Names and submissions of one rung, best first."""
    known = [answer.split() for answer in known_answers(competition)]
    column = aligned_column(competition, known)
    if column is None:
        yield from stream_submissions(competition, rung, known)
        return
    sequences = [text.split() for text in shown_texts(competition)[column]]
    train, test = sequences[: len(known)], sequences[len(known) :]
    usual = most_frequent([tag for tags in known for tag in tags])
    if rung == "dummy":
        for tag in sorted({tag for tags in known for tag in tags}):
            yield f"always {tag}", tagged(competition, [[tag] * len(tokens) for tokens in test])
    elif rung == "naive":
        by_token = tags_by_token(train, known)
        found = [[by_token.get(token, usual) for token in tokens] for tokens in test]
        yield "most frequent tag of a token", tagged(competition, found)
    else:
        by_kinds = partial(tag_by_kinds, random_seed=competition.random_seed)
        ways: Mapping[str, Tagger] = {
            "neighbours": tag_by_neighbours,
            "kinds of neighbours": by_kinds,
        }
        half = 2 * len(known) // 3
        right = {
            name: tag_agreement(known[half:], way(train[:half], known[:half], train[half:]))
            for name, way in ways.items()
        }
        for name in sorted(ways, key=lambda name: -right[name]):
            yield name, tagged(competition, ways[name](train, known, test))


def tagged(competition: Competition, tags: Sequence[Sequence[str]]) -> pd.DataFrame:
    """The submission of test rows' tags."""
    return answer_submission(competition, [" ".join(row) for row in tags])


def aligned_column(competition: Competition, known: Sequence[Sequence[str]]) -> str | None:
    """The column whose texts have as many words as there are tags, if there is one."""
    for name, texts in shown_texts(competition).items():
        pairs = zip(texts, known, strict=False)
        if all(len(text.split()) == len(tags) for text, tags in pairs):
            return name
    return None


def tag_agreement(known: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> float:
    """The share of equal tags."""
    pairs = [pair for row in zip(known, found, strict=True) for pair in zip(*row, strict=True)]
    return sum(tag == other for tag, other in pairs) / max(len(pairs), 1)


def tags_by_token(train: Sequence[Sequence[str]], known: Sequence[Sequence[str]]) -> dict[str, str]:
    """The most frequent tag of every token."""
    found: dict[str, list[str]] = defaultdict(list)
    for tokens, tags in zip(train, known, strict=True):
        for token, tag in zip(tokens, tags, strict=True):
            found[token].append(tag)
    return {token: most_frequent(tags) for token, tags in found.items()}


def tag_by_neighbours(
    train: Sequence[Sequence[str]],
    known: Sequence[Sequence[str]],
    test: Sequence[Sequence[str]],
) -> list[list[str]]:
    """Tags by a token, its neighbours, and the tags given to those before it."""
    vectorizer = DictVectorizer()
    facts = [
        neighbour_facts(tokens, at, tags[:at])
        for tokens, tags in zip(train, known, strict=True)
        for at in range(len(tokens))
    ]
    model = LogisticRegression(C=10.0, max_iter=200)
    model.fit(vectorizer.fit_transform(facts), [tag for tags in known for tag in tags])
    found: list[list[str]] = [[] for _ in test]
    for at in range(max(map(len, test), default=0)):
        rows = [row for row, tokens in enumerate(test) if len(tokens) > at]
        own = [neighbour_facts(test[row], at, found[row]) for row in rows]
        for row, tag in zip(rows, model.predict(vectorizer.transform(own)), strict=True):
            found[row].append(str(tag))
    return found


def neighbour_facts(tokens: Sequence[str], at: int, before: Sequence[str]) -> dict[str, bool]:
    """Facts about the token at a place, given the tags before it."""
    padded = [*[""] * NEIGHBOURS_SEEN, *tokens, *[""] * NEIGHBOURS_SEEN]
    own = padded[at + NEIGHBOURS_SEEN]
    last = before[-1] if before else ""
    facts = {
        f"{offset}: {padded[at + NEIGHBOURS_SEEN + offset]}": True
        for offset in range(-NEIGHBOURS_SEEN, NEIGHBOURS_SEEN + 1)
    }
    for offset in (-1, 1):
        facts[f"{own} beside {padded[at + NEIGHBOURS_SEEN + offset]} at {offset}"] = True
    facts[f"after tag {last}"] = True
    facts[f"{own} after tag {last}"] = True
    facts[f"{padded[at + NEIGHBOURS_SEEN - 1]} with tag {last}"] = True
    facts[f"{padded[at + NEIGHBOURS_SEEN - 2]}, then tag {last}"] = True
    facts[f"{padded[at + NEIGHBOURS_SEEN - 2]}, then tags {' '.join(before[-2:])}"] = True
    facts[f"{padded[at + NEIGHBOURS_SEEN - 3]}, then tags {' '.join(before[-3:])}"] = True
    return facts


def stream_submissions(
    competition: Competition, rung: str, known: Sequence[Sequence[str]]
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rungs for sequences that are to be found in streams of readings."""
    if rung == "dummy":
        yield from constant_answers(competition)
        return
    streams, random_seed = stream_table(competition), competition.random_seed
    if rung == "naive":
        yield "equal parts", tagged(competition, tag_equal_parts(streams, known, random_seed))
        return
    yield "movements", tagged(competition, tag_movements(streams, known, random_seed))


def tag_equal_parts(
    streams: Sequence[np.ndarray], known: Sequence[Sequence[str]], random_seed: int
) -> list[list[str]]:
    """Tags by the mean readings of equal parts, as many as are usual for a stream's length."""
    lengths = np.array([len(stream) for stream in streams])
    counts = np.array([len(tags) for tags in known])
    each = lengths[: len(known)].sum() / max(counts.sum(), 1)
    wanted = [*counts, *np.maximum(1, np.rint(lengths[len(known) :] / each)).astype(int)]
    parts = [
        np.stack([part.mean(axis=0) for part in np.array_split(stream, max(count, 1))])
        for stream, count in zip(streams, wanted, strict=True)
    ]
    model = ExtraTreesClassifier(40, min_samples_leaf=2, random_state=random_seed)
    fitting = [row for row, count in enumerate(counts) if count]
    model.fit(
        np.concatenate([parts[row] for row in fitting]),
        [tag for row in fitting for tag in known[row]],
    )
    return [[str(tag) for tag in model.predict(own)] for own in parts[len(known) :]]


def tag_movements(
    streams: Sequence[np.ndarray], known: Sequence[Sequence[str]], random_seed: int
) -> list[list[str]]:
    """Tags of the movements between rests.

    Movements are sorted into kinds by their course, as many as let held-out tags be told best; what
    is then known of them as tokens tells their tags.
    """
    moves = movements_of(streams, [len(tags) for tags in known])
    fitting = [row for row, tags in enumerate(known) if len(moves[row]) == len(tags) > 0]
    if not fitting:
        usual = Counter(tuple(tags) for tags in known).most_common(1)[0][0]
        return [list(usual) for _ in moves[len(known) :]]
    tags = [known[row] for row in fitting]
    fitted, rest = np.split(np.arange(len(fitting)), [2 * len(fitting) // 3])
    by_kinds = partial(tag_by_kinds, random_seed=random_seed)
    best = -1.0
    chosen: tuple[Tagger, list[list[str]]] = by_kinds, [[""]]
    for kinds in KINDS_OF_MOVEMENTS:
        sorted_moves = tokens_of_movements(moves, kinds, random_seed)
        train = [sorted_moves[row] for row in fitting]
        for way in (by_kinds, tag_by_neighbours):
            found = way(
                [train[at] for at in fitted],
                [tags[at] for at in fitted],
                [train[at] for at in rest],
            )
            right = tag_agreement([tags[at] for at in rest], found)
            if right > best:
                best, chosen = right, (way, sorted_moves)
    best_way, sorted_moves = chosen
    return best_way([sorted_moves[row] for row in fitting], tags, sorted_moves[len(known) :])
