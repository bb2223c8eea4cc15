"""Tags that depend on what kind of token a neighbour is: kinds are found along with the tags."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Times that kinds are drawn anew, and steps from each draw: the likeliest outcome is kept.
KIND_STARTS = 16
KIND_STEPS = 12
#: What every tag of a token counts before it is seen, over all its tags, beside its usual ones.
KIND_PRIOR = 0.3


def tag_by_kinds(
    train: Sequence[Sequence[str]],
    known: Sequence[Sequence[str]],
    test: Sequence[Sequence[str]],
    random_seed: int,
) -> list[list[str]]:
    """Tags by a token and the kind, of two, of the neighbour that matters for it.

    Which kind each token is as a neighbour, and on which side a token looks, is what makes the
    training tags likeliest; found by turns from several random beginnings (hard EM).
    """
    words = sorted({token for tokens in train for token in tokens})
    place = {word: at + 1 for at, word in enumerate(words)}
    names = sorted({tag for tags in known for tag in tags})
    triples = np.array([triple for tokens in train for triple in triples_of(tokens, place)])
    tags = np.array([names.index(tag) for row in known for tag in row])
    rng = np.random.default_rng(random_seed)
    runs = [
        fit_kinds(triples, tags, rng.integers(0, 2, len(words) + 1), len(names))
        for _ in range(KIND_STARTS)
    ]
    _, kinds, sides, chances = max(runs, key=lambda run: run[0])
    found = []
    for tokens in test:
        own = np.array(triples_of(tokens, place), dtype=int).reshape(-1, 3)
        token = own[:, 1]
        beside = np.where(sides[token] == 0, own[:, 0], own[:, 2])
        best = chances[sides[token], token, kinds[beside]].argmax(axis=1)
        found.append([names[at] for at in best])
    return found


def triples_of(tokens: Sequence[str], place: dict[str, int]) -> list[tuple[int, int, int]]:
    """Each token with those before and after it, as numbers; 0 for none and for new ones."""
    own = [0, *(place.get(token, 0) for token in tokens), 0]
    return list(zip(own, own[1:], own[2:], strict=False))


def fit_kinds(
    triples: np.ndarray, tags: np.ndarray, kinds: np.ndarray, names: int
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Log likelihood, kinds (tokens,), sides (tokens,) and logarithms of chances
    (sides, tokens, kinds, tags), from a beginning."""
    before, token, after = triples.T
    beside = np.stack([before, after])
    count = len(kinds)
    usual = np.zeros((count, names))
    np.add.at(usual, (token, tags), 1.0)
    usual = KIND_PRIOR * (usual + 0.1) / (usual + 0.1).sum(axis=1, keepdims=True)
    rows = np.arange(len(token))
    for _ in range(KIND_STEPS):
        seen = np.zeros((2, count, 2, names))
        for side in (0, 1):
            np.add.at(seen[side], (token, kinds[beside[side]], tags), 1.0)
        chances = np.log(seen + usual[:, None, :])
        chances -= np.log((seen + usual[:, None, :]).sum(axis=3, keepdims=True))
        likely = (seen * chances).sum(axis=(2, 3))
        sides = likely.argmax(axis=0)
        total = float(likely.max(axis=0).sum())
        matters = beside[sides[token], rows]
        worth = np.zeros((count, 2))
        np.add.at(worth, matters, chances[sides[token], token, :, tags])
        changed = worth.argmax(axis=1)
        if (changed == kinds).all():
            break
        kinds = changed
    return total, kinds, sides, chances
