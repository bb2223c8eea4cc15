"""Items in their right order: by what they are, by pairs of them, and by what links them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau
from sklearn.linear_model import LogisticRegression

from sandmle.solvers.elements.answers import answer_submission, known_answers
from sandmle.solvers.elements.links import order_by_links, words_of
from sandmle.solvers.reading import Competition

#: Words of items and categories of rows that are looked at, the most frequent first.
MOST_ITEM_WORDS = 60
MOST_ROW_LEVELS = 12
#: Shares of the training rows for choosing a way, and for its final fit.
FITTED_SHARE = 0.67


@dataclass(frozen=True)
class ItemLists:
    """The items of all N rows.

    `names[row]` are their names in file order; `numbers[row]` (items, measures) and `texts[row]`
    what is known of each; `levels` (N, levels) what is known of the row as indicators; `known` the
    right orders of the training rows.
    """

    names: list[list[str]]
    numbers: list[np.ndarray]
    measures: list[str]
    texts: list[list[str]]
    levels: np.ndarray
    known: list[list[str]]


def ordering_submissions(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Names and submissions of one rung, best first."""
    items = read_items(competition)
    train, rows = len(items.known), range(len(items.known), len(items.names))
    if rung == "dummy":
        given = [sorted(items.names[row]) for row in rows]
        yield "order of names", ordered(competition, given)
        yield "order of names, backwards", ordered(competition, [row[::-1] for row in given])
        for seed in range(4):
            rng = np.random.default_rng(seed)
            drawn = [[row[at] for at in rng.permutation(len(row))] for row in given]
            yield "random order", ordered(competition, drawn)
        return
    if rung == "naive":
        measured = single_measures(items)
        ranked = sorted(
            measured, key=lambda name: -mean_tau(items, measured[name][:train], range(train))
        )
        for name in ranked[:4]:
            yield name, ordered(competition, sorted_by(items, measured[name][train:], rows))
        return
    ways = {"pairs": order_by_pairs}
    if any(any(texts) for texts in items.texts):
        ways["links"] = order_by_texts
    fitted = list(range(int(FITTED_SHARE * train)))
    held_out = list(range(len(fitted), train))
    tau = {
        name: mean_agreement(items, way(items, fitted, held_out), held_out)
        for name, way in ways.items()
    }
    for name in sorted(ways, key=lambda name: -tau[name]):
        yield name, ordered(competition, ways[name](items, list(range(train)), list(rows)))


def ordered(competition: Competition, orders: Sequence[Sequence[str]]) -> pd.DataFrame:
    """The submission of test rows' orders."""
    return answer_submission(competition, [" ".join(order) for order in orders])


def read_items(competition: Competition) -> ItemLists:
    """Items from the table that names them, by the names that stand in the training orders."""
    known = [answer.split() for answer in known_answers(competition)]
    table, column = item_table_of(competition, known)
    groups = dict(tuple(table.groupby(competition.identifier, sort=False)))
    rest = [name for name in table.columns if name not in (competition.identifier, column)]
    measures = [name for name in rest if pd.api.types.is_numeric_dtype(table[name])]
    texts = [name for name in rest if name not in measures]
    parts = [groups[key] for key in competition.ids]
    return ItemLists(
        names=[part[column].astype(str).tolist() for part in parts],
        numbers=[part[measures].to_numpy(float) for part in parts],
        measures=measures,
        texts=[part[texts].astype(str).agg(" ".join, axis=1).tolist() for part in parts]
        if texts
        else [[""] * len(part) for part in parts],
        levels=row_levels(competition),
        known=known,
    )


def item_table_of(
    competition: Competition, known: Sequence[Sequence[str]]
) -> tuple[pd.DataFrame, str]:
    """The table and its column with the items' names. Raises ValueError where there is none."""
    wanted = {name for order in known for name in order}
    for table in competition.tables.values():
        for name in table.columns.drop(competition.identifier):
            if wanted <= set(table[name].astype(str)):
                return table, str(name)
    raise ValueError("no table names the items that are to be put in order")


def row_levels(competition: Competition) -> np.ndarray:
    """Indicators of the rows' categories, after a column of ones: (N, levels)."""
    columns = [np.ones(len(competition.ids))]
    for name in competition.frame:
        values = competition.frame[name].fillna("").astype(str)
        counts = values.value_counts()
        if len(counts) <= MOST_ROW_LEVELS:
            columns += [(values == level).to_numpy(float) for level in sorted(counts.index)]
    return np.stack(columns, axis=1)


def single_measures(items: ItemLists) -> dict[str, list[np.ndarray]]:
    """One raw measure of each item at a time, both ways; of texts lengths and the first word.

    Of a first word its mean place in the training orders.
    """
    found: dict[str, list[np.ndarray]] = {}
    for at, name in enumerate(items.measures):
        found[f"{name}, rising"] = [numbers[:, at] for numbers in items.numbers]
        found[f"{name}, falling"] = [-numbers[:, at] for numbers in items.numbers]
    if any(any(texts) for texts in items.texts):
        found["length of text"] = [np.array([len(text) for text in own]) for own in items.texts]
        places = first_word_places(items)
        found["first word"] = [
            np.array([places.get(text.split(" ")[0], 0.5) for text in own]) for own in items.texts
        ]
    return found


def first_word_places(items: ItemLists) -> dict[str, float]:
    """The mean place, from 0 to 1, of items by the first word of their text."""
    seen: dict[str, list[float]] = {}
    for row, order in enumerate(items.known):
        for name, text in zip(items.names[row], items.texts[row], strict=True):
            place = order.index(name) / max(len(order) - 1, 1)
            seen.setdefault(text.split(" ")[0], []).append(place)
    return {word: float(np.mean(places)) for word, places in seen.items()}


def sorted_by(
    items: ItemLists, values: Sequence[np.ndarray], rows: Sequence[int]
) -> list[list[str]]:
    """The names of the rows' items, the smallest value first."""
    return [
        [items.names[row][at] for at in np.argsort(own, kind="stable")]
        for row, own in zip(rows, values, strict=True)
    ]


def mean_tau(items: ItemLists, values: Sequence[np.ndarray], rows: Sequence[int]) -> float:
    """How well an order by values agrees with the right ones."""
    return mean_agreement(items, sorted_by(items, values, rows), rows)


def mean_agreement(items: ItemLists, orders: Sequence[Sequence[str]], rows: Sequence[int]) -> float:
    """Kendall's tau between orders and the right ones, on average; 0 for no rows."""
    found = [
        kendalltau(range(len(order)), [order.index(name) for name in items.known[row]]).statistic
        for row, order in zip(rows, orders, strict=True)
        if len(order) > 1
    ]
    return float(np.mean(found)) if found else 0.0


def order_by_pairs(
    items: ItemLists, fitted: Sequence[int], asked: Sequence[int]
) -> list[list[str]]:
    """Each item by how many others it comes before, by models of all pairs of items."""
    features = item_features(items)
    differing, is_first = [], []
    for row in fitted:
        place = {name: at for at, name in enumerate(items.known[row])}
        for one, two in combinations(range(len(items.names[row])), 2):
            differing.append(features[row][one] - features[row][two])
            is_first.append(place[items.names[row][one]] < place[items.names[row][two]])
    model = pair_model(np.array(differing), np.array(is_first, dtype=bool))
    # The model is linear in differences, so an item's own score tells its place.
    scores = [features[row] @ model.coef_[0] for row in asked]
    return sorted_by(items, [-own for own in scores], asked)


def pair_model(differing: np.ndarray, is_first: np.ndarray) -> LogisticRegression:
    """A model of which of two comes first, the same when they change places."""
    model = LogisticRegression(C=1.0, max_iter=300, fit_intercept=False)
    return model.fit(np.concatenate([differing, -differing]), np.concatenate([is_first, ~is_first]))


def item_features(items: ItemLists) -> list[np.ndarray]:
    """What is known of each item: measures, their squares and products, all once for every level
    of the row, and which frequent words its text has; standardised, (items, features) a row."""
    stacked = np.concatenate(items.numbers)
    centre, scale = stacked.mean(axis=0), stacked.std(axis=0) + 1e-9
    counts = Counter(word for own in items.texts for text in own for word in set(words_of(text)))
    frequent = [word for word, _ in counts.most_common(MOST_ITEM_WORDS)]
    found = []
    for numbers, texts, level in zip(items.numbers, items.texts, items.levels, strict=True):
        plain = (numbers - centre) / scale
        left, right = np.triu_indices(plain.shape[1])
        bent = np.concatenate([plain, plain[:, left] * plain[:, right]], axis=1)
        by_level = (bent[:, :, None] * level).reshape(len(bent), -1)
        own = [set(words_of(text)) for text in texts]
        has = np.array([[word in words for word in frequent] for words in own], dtype=float)
        found.append(np.concatenate([by_level, has], axis=1))
    return found


def order_by_texts(
    items: ItemLists, fitted: Sequence[int], asked: Sequence[int]
) -> list[list[str]]:
    """Items in the order in which their texts follow from one another."""
    place = [
        [order.index(name) for name in names]
        for names, order in zip(items.names, items.known, strict=False)
    ]
    orders = order_by_links(
        [items.texts[row] for row in fitted],
        [place[row] for row in fitted],
        [items.texts[row] for row in asked],
    )
    return [
        [items.names[row][at] for at in order] for row, order in zip(asked, orders, strict=True)
    ]
