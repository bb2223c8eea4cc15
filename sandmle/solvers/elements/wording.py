"""What stands around a text, and a choice between several ways of reading it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

#: Which of several ways suits a row, by its facts.
ReadingChoice = Callable[[Mapping[str, bool]], int]


def facts_around(texts: Mapping[str, str], source: str) -> dict[str, bool]:
    """Facts about a row: its texts' words and those beside the source, the source's own signs."""
    facts = {f"first {source[:1]!r}": True, f"last {source[-1:]!r}": True}
    for name, text in texts.items():
        if text == source:
            continue
        before, _, after = text.partition(source)
        words = [*before.split()[-2:], "", *after.split()[:1]]
        facts |= {
            f"{name}: {word!r} at {at - words.index('')}": True for at, word in enumerate(words)
        }
        facts |= {f"{name}: {word!r}": True for word in text.split()}
    return facts


def fit_reading_choice(
    contexts: Sequence[Mapping[str, bool]], chosen: Sequence[int]
) -> ReadingChoice:
    """A choice learned from rows' facts and what fitted them."""
    vectorizer = DictVectorizer()
    model = LogisticRegression(C=10.0, max_iter=300)
    model.fit(vectorizer.fit_transform(contexts), chosen)

    def choose(context: Mapping[str, bool]) -> int:
        return int(model.predict(vectorizer.transform([context]))[0])

    return choose
