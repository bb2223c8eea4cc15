"""Words that a description should not have: of how the data was made, and slips of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandmle.build.evidence.described import Described
from sandmle.spec.model import Spec
from sandmle.spec.references import slots
from sandmle.vocabulary import load_vocabulary

#: What no sentence holds, and how it is called.
SLIPS = (
    (re.compile(r"\b(?!that|had)([a-z]+) \1\b", re.IGNORECASE), "a word twice"),
    (re.compile(r"\b(an?|the|same|its|their|every|each) (an?|the)\b", re.IGNORECASE), "articles"),
    (re.compile(r"\ba (?!one\b|once\b|eu)[aeio]\w+", re.IGNORECASE), "an article"),
    (
        re.compile(r"\ban (?!hour|honest|honou?r|heir)[b-df-hj-np-tv-z]\w+", re.IGNORECASE),
        "an article",
    ),
    (re.compile(r" [,.;:]|[,;:]{2}|\{[{%]|[%}]\}"), "stray signs"),
)

#: How noise is spoken of.
NOISE = re.compile(r"\b(label noise|mislabel\w*|noisy labels?|labels? (?:was|were) flipped)\b")


def slips(described: Described) -> Iterator[str]:
    """Sentences that were put together badly: in title, story and meanings."""
    paragraphs = described.text.partition("\n## ")[0].split("\n\n")
    for text in (*paragraphs, *(column.meaning for column in described.columns)):
        for pattern, name in SLIPS:
            found = pattern.search(" ".join(text.split()))
            if found:
                yield f"{name}: {found[0].strip()!r}"


def give_aways(described: Described) -> Iterator[str]:
    """Names of factors, rules and noise that a solver sees nowhere else, and talk of noise."""
    spec = described.task.prepared.spec
    seen = {name for header in described.tables.values() for name in header}
    seen |= {target.name for target in spec.targets}
    seen |= set(described.task.prepared.evaluator["CLASSES"])
    hidden = {name for name in (*spec.factors, *_kinds(spec)) if "_" in name} - seen
    telling = [
        name for name in sorted(hidden) if re.search(rf"(?<!\w){name}(?!\w)", described.text)
    ]
    for name in telling:
        yield f"{name} tells how the data was made"
    if found := NOISE.search(described.text):
        yield f"noise is spoken of: {found[0]}"


def _kinds(spec: Spec) -> Iterator[str]:
    """The words that make what is hidden."""
    for use in (*spec.noise, *(target.rule for target in spec.targets)):
        yield use.kind


def unknown_settings(described: Described) -> Iterator[str]:
    """Settings of the metric that name what stands in no file."""
    prepared = described.task.prepared
    use = prepared.spec.dna.metric
    word = load_vocabulary(prepared.corpus).word("metrics", use.kind)
    present = {name for header in described.tables.values() for name in header}
    for slot in slots(use, word):
        said = re.search(
            rf"^Metric: .*\b{slot.path[-1]} = (\w+)", described.section("Evaluation"), re.MULTILINE
        )
        if slot.is_factor and said and said[1] not in present:
            yield f"no file shows {said[1]}, which the metric looks at"
