"""Parts of texts that answer questions: first which sentence, then where in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from sandmle.solvers.elements.answers import (
    answer_submission,
    constant_answers,
    known_answers,
    most_frequent,
    shown_texts,
)
from sandmle.solvers.reading import Competition

#: A word, or a sign between words.
SPAN_TOKEN = re.compile(r"[^\s.,;:!?()\"]+|[.,;:!?()\"]")
#: Words in fewer of all texts than this are names, which say nothing by themselves.
NAME_SHARE = 0.03
#: Words in more of all questions than this ask for nothing.
ASKING_SHARE = 0.9

Facts = dict[str, float]


@dataclass(frozen=True)
class SplitSentence:
    """A sentence of a text: where it begins, and its tokens with their places in the text."""

    start: int
    tokens: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


def span_submissions(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Names and submissions of one rung, best first."""
    known = known_answers(competition)
    texts = shown_texts(competition)
    passage = max(
        texts,
        key=lambda name: (
            sum(answer in text for text, answer in zip(texts[name], known, strict=False)),
            sum(map(len, texts[name])),
        ),
    )
    passages = texts[passage]
    questions = [
        " ".join(texts[name][row] for name in texts if name != passage)
        for row in range(len(passages))
    ]
    test = passages[competition.train :]
    if rung == "dummy":
        yield from constant_answers(competition)
    elif rung == "naive":
        yield "usual words", answer_submission(competition, usual_words(passages, known))
        yield (
            "usual answer to the question",
            answer_submission(competition, usual_answers(questions, known)),
        )
        yield "whole text", answer_submission(competition, test)
        yield (
            "first sentence",
            answer_submission(competition, [text.split(".")[0] for text in test]),
        )
    else:
        yield (
            "sentence, then span",
            answer_submission(competition, find_spans(passages, questions, known)),
        )


def usual_answers(questions: Sequence[str], known: Sequence[str]) -> list[str]:
    """The most frequent answer to the same question; of all where it is new."""
    found: dict[str, list[str]] = {}
    for question, answer in zip(questions, known, strict=False):
        found.setdefault(question, []).append(answer)
    return [most_frequent(found.get(question, known)) for question in questions[len(known) :]]


def usual_words(passages: Sequence[str], known: Sequence[str]) -> list[str]:
    """The words of a text that are in answers more often than not, wherever they stand.

    A new word counts as words do that were seen once.
    """
    inside: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for text, answer in zip(passages, known, strict=False):
        own = set(SPAN_TOKEN.findall(answer))
        for word in SPAN_TOKEN.findall(text):
            seen[word] += 1
            inside[word] += word in own
    once = [word for word, count in seen.items() if count == 1]
    new = np.mean([inside[word] for word in once]) if once else 0.0
    return [
        " ".join(
            word
            for word in SPAN_TOKEN.findall(text)
            if (inside[word] / seen[word] if word in seen else new) > 0.5
        )
        for text in passages[len(known) :]
    ]


def sentences_of(text: str) -> list[SplitSentence]:
    """The sentences of a text, ended by `.`, `!`, `?` or the danda."""
    found = []
    for part in re.finditer(r"[^.!?।]+[.!?।]*", text):
        tokens = [
            (token.group(), (part.start() + token.start(), part.start() + token.end()))
            for token in SPAN_TOKEN.finditer(part.group())
        ]
        if tokens:
            words, places = zip(*tokens, strict=True)
            found.append(SplitSentence(part.start(), words, places))
    return found


def find_spans(
    passages: Sequence[str], questions: Sequence[str], known: Sequence[str]
) -> list[str]:
    """Each test text's likeliest part: of a likely sentence a likely beginning and end."""
    split = [sentences_of(text) for text in passages]
    is_name = names_among(passages)
    asking = asking_words(questions)
    facts = [
        sentence_facts(sentences, question, is_name, asking)
        for sentences, question in zip(split, questions, strict=True)
    ]
    places = [
        answer_place(text, sentences, answer, own)
        for text, sentences, answer, own in zip(passages, split, known, facts, strict=False)
    ]
    located = [row for row, place in enumerate(places) if place is not None]
    if not located:
        return [most_frequent(known)] * (len(passages) - len(known))
    of_sentence = fit_facts(
        [fact for row in located for fact in facts[row]],
        [at == places[row][0] for row in located for at in range(len(split[row]))],  # type: ignore[index]
    )
    tokens, begins, ends = [], [], []
    longest = 1
    for row in located:
        at, first, last = places[row]  # type: ignore[misc]
        own = token_facts(split[row][at].tokens, is_name)
        tokens += own
        begins += [place == first for place in range(len(own))]
        ends += [place == last for place in range(len(own))]
        longest = max(longest, last - first + 1)
    beginning, ending = fit_facts(tokens, begins), fit_facts(tokens, ends)
    return [
        likeliest(text, sentences, own, is_name, (of_sentence, beginning, ending), longest)
        for text, sentences, own in zip(
            passages[len(known) :], split[len(known) :], facts[len(known) :], strict=True
        )
    ]


def likeliest(
    text: str,
    sentences: Sequence[SplitSentence],
    facts: Sequence[Facts],
    is_name: Mapping[str, bool],
    models: tuple[FactModel, FactModel, FactModel],
    longest: int,
) -> str:
    """The likeliest part of a text, at most `longest` tokens long."""
    if not sentences:
        return ""
    of_sentence, beginning, ending = models
    best, found = -np.inf, ""
    scores = of_sentence.log_odds(facts)
    for at in np.argsort(-scores)[:3]:
        sentence = sentences[at]
        own = token_facts(sentence.tokens, is_name)
        first, last = beginning.log_odds(own), ending.log_odds(own)
        for start in range(len(own)):
            for end in range(start, min(start + longest, len(own))):
                score = 2.0 * scores[at] + first[start] + last[end]
                if score > best:
                    best = score
                    found = text[sentence.places[start][0] : sentence.places[end][1]]
    return found


@dataclass(frozen=True)
class FactModel:
    """A logistic model of named facts."""

    vectorizer: DictVectorizer
    model: LogisticRegression

    def log_odds(self, facts: Sequence[Facts]) -> np.ndarray:
        """The log odds (entries,)."""
        return np.asarray(self.model.decision_function(self.vectorizer.transform(facts)))


def fit_facts(facts: Sequence[Facts], is_true: Sequence[bool]) -> FactModel:
    """A model of what is true of entries by their facts. Both outcomes must occur."""
    vectorizer = DictVectorizer()
    model = LogisticRegression(C=3.0, max_iter=300)
    outcomes = list(is_true)
    if len(set(outcomes)) == 1:
        facts, outcomes = [*facts, {}], [*outcomes, not outcomes[0]]
    model.fit(vectorizer.fit_transform(facts), outcomes)
    return FactModel(vectorizer, model)


def names_among(passages: Sequence[str]) -> dict[str, bool]:
    """Whether each word is so rare over all texts that it must be a name."""
    counts = Counter(word for text in passages for word in set(SPAN_TOKEN.findall(text)))
    least = max(2.0, NAME_SHARE * len(passages))
    return {word: count <= least for word, count in counts.items()}


def asking_words(questions: Sequence[str]) -> frozenset[str]:
    """The words that differ from question to question but come again."""
    counts = Counter(word for text in questions for word in set(SPAN_TOKEN.findall(text)))
    most = ASKING_SHARE * len(questions)
    return frozenset(word for word, count in counts.items() if 2 <= count <= most)


def sentence_facts(
    sentences: Sequence[SplitSentence],
    question: str,
    is_name: Mapping[str, bool],
    asking: frozenset[str],
) -> list[Facts]:
    """Facts about each sentence of a text: its words, those with the question's, its numbers."""
    asked = set(SPAN_TOKEN.findall(question))
    numbers = [
        [float(token) for token in sentence.tokens if re.fullmatch(r"\d+", token)]
        for sentence in sentences
    ]
    every = sorted(number for own in numbers for number in own)
    found = []
    for place, (sentence, own) in enumerate(zip(sentences, numbers, strict=True)):
        words = set(sentence.tokens)
        common = [word for word in words if not is_name[word]]
        facts: Facts = {f"word {word}": 1.0 for word in common}
        facts |= {f"{word} asked {other}": 1.0 for other in asked & asking for word in common}
        facts["words in common"] = float(len(words & asked))
        facts["names in common"] = float(sum(is_name[word] for word in words & asked))
        facts["names"] = float(sum(is_name[word] for word in words))
        facts["first"], facts["last"] = float(place == 0), float(place == len(sentences) - 1)
        facts["has number"] = float(bool(own))
        if own and len(every) > 1:
            facts["largest number"] = float(own[0] == every[-1])
            facts["smallest number"] = float(own[0] == every[0])
        found.append(facts)
    return found


def token_facts(tokens: Sequence[str], is_name: Mapping[str, bool]) -> list[Facts]:
    """Facts about each token of a sentence: what it and its neighbours are."""
    shown = [
        "a number" if token.isdigit() else "a name" if is_name.get(token, True) else token
        for token in tokens
    ]
    padded = ["", "", *shown, "", ""]
    return [
        {
            **{f"{offset}: {padded[2 + at + offset]}": 1.0 for offset in (-2, -1, 0, 1, 2)},
            f"{padded[1 + at]}, {padded[2 + at]}": 1.0,
            f"{padded[2 + at]}, then {padded[3 + at]}": 1.0,
            f"capital {tokens[at][:1].isupper()}": 1.0,
        }
        for at in range(len(shown))
    ]


def answer_place(
    text: str, sentences: Sequence[SplitSentence], answer: str, facts: Sequence[Facts]
) -> tuple[int, int, int] | None:
    """SplitSentence, first and last token of an answer; None where it isn't a part of a sentence.

    Of several places that in the sentence that shares most words with the question.
    """
    found = []
    for match in re.finditer(re.escape(answer), text) if answer else ():
        for at, sentence in enumerate(sentences):
            starts = [place[0] for place in sentence.places]
            ends = [place[1] for place in sentence.places]
            if match.start() in starts and match.end() in ends:
                place = at, starts.index(match.start()), ends.index(match.end())
                found.append((facts[at]["words in common"], place))
    return max(found, key=lambda entry: entry[0])[1] if found else None
