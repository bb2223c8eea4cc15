"""Formatting: one layout for all, every comment where it belongs, and never another meaning."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.errors import SpecError
from sandmle.resources import resource
from sandmle.spec.format import format_text
from sandmle.spec.layout import dump_data
from sandmle.spec.load import parse_spec
from sandmle.spec.order import in_order
from sandmle.spec.yaml_source import DataPath, parse_source
from sandmle.vocabulary import load_vocabulary

SPECS = sorted(resource("specs").glob("tasks/*.yaml"))
VOCABULARY = load_vocabulary()


def formatted(text: str) -> str:
    return format_text(text, file="spec.yaml", vocabulary=VOCABULARY)


def digest(text: str, path: Path) -> str:
    return parse_spec(text, file=path.name, vocabulary=VOCABULARY).digest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "# top\n\n# of the id\nid: a\nspec: 1  # version\n",
            "# top\n\nspec: 1  # version\n# of the id\nid: a\n",
            id="a comment moves with the key below it, one behind a value with its own",
        ),
        pytest.param(
            "# yaml-language-server: $schema=x\n# of the id\nid: a\nspec: 1\n",
            "# yaml-language-server: $schema=x\nspec: 1\n# of the id\nid: a\n",
            id="what tools look for stays at the top",
        ),
        pytest.param(
            "noise:\n  - {rate: 0.10, kind: label_flip}\n  # - {kind: mislaid}\n\nid: a\n",
            "id: a\nnoise:\n  - {kind: label_flip, rate: 0.1}\n  # - {kind: mislaid}\n",
            id="a comment that is indented as a list belongs to its end",
        ),
        pytest.param(
            "noise:\n- kind: label_flip\n  # why\n  rate: 0.1\n# of the id\nid: a\n",
            "# of the id\nid: a\nnoise:\n  - kind: label_flip\n    # why\n    rate: 0.1\n",
            id="a comment inside an entry keeps it open",
        ),
        pytest.param(
            "observe: [{kind: column, # c\n  name: a, of: b # d\n  # e\n  }] # f\n",
            "observe:  # f\n  - kind: column  # c\n    name: a\n    of: b  # d\n    # e\n",
            id="comments in brackets open them",
        ),
        pytest.param(
            "noise:\n  -\n    # of the rate\n    rate: 0.1\n    # of the kind\n    kind: label_flip"
            "\n",
            "noise:\n  # of the kind\n  - kind: label_flip\n    # of the rate\n    rate: 0.1\n",
            id="what stands above the first key of an item stands above its dash",
        ),
        pytest.param(
            "narrative:\n  story: >  # told\n    One\n    two.\n\n    Three.\n  title: 'T'\n",
            "narrative:\n  title: T\n  # told\n  story: >\n    One two.\n\n    Three.\n",
            id="a comment behind the head of a text",
        ),
        pytest.param(
            "hidden: {labels: [b, a], rule: {needed: 1, kind: quorum, of: [p, q], test: inside}}\n",
            "hidden:\n  rule: {kind: quorum, of: [p, q], needed: 1, test: inside}\n"
            "  labels: [b, a]\n",
            id="keys of words stand as their words declare them",
        ),
        pytest.param(
            "id: a\r\nspec: 1 # x\r\n", "spec: 1  # x\r\nid: a\r\n", id="line ends stay as they are"
        ),
        pytest.param(
            "factors:\n  b: {kind: normal}\n\n\n  a: {kind: normal}\n",
            "factors:\n  b: {kind: normal}\n\n  a: {kind: normal}\n",
            id="blank lines are kept, one at a time, and factors in their order",
        ),
    ],
)
def test_layout(before: str, after: str) -> None:
    assert formatted(before) == after
    assert formatted(after) == after


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_shipped_specs_keep_their_meaning(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = formatted(text)
    assert digest(once, path) == digest(text, path)
    assert formatted(once) == once


def shuffled(value: Any, path: DataPath, rng: random.Random) -> Any:
    """The data with the keys whose order means nothing in another order."""
    if isinstance(value, list):
        return [shuffled(item, (*path, index), rng) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    is_use = "kind" in value
    is_section = path in [(), ("dna",), ("domain",), ("hidden",), ("thresholds",), ("narrative",)]
    is_target = path[:2] == ("hidden", "targets") and len(path) == 3
    if is_use or is_section or is_target:
        rng.shuffle(keys)
    return {key: shuffled(value[key], (*path, key), rng) for key in keys}


@settings(max_examples=60)
@given(path=st.sampled_from(SPECS), seed=st.integers(0, 2**32))
def test_any_order_of_keys_gives_the_same_text(path: Path, seed: int) -> None:
    data = parse_source(path.read_text(encoding="utf-8"), file="").data
    mixed = dump_data(shuffled(data, (), random.Random(seed)))
    assert formatted(mixed) == dump_data(in_order(data, VOCABULARY))
    assert digest(formatted(mixed), path) == digest(dump_data(data), path)


def sprinkled(text: str, rng: random.Random) -> str:
    """The text with numbered comments and blank lines at random places that YAML allows."""
    lines, count, in_text, margin = [], 0, False, 0
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        ends_text = in_text and line.strip() and indent <= margin
        if ends_text:
            in_text = False
        if not in_text and rng.random() < 0.2:
            # Right below a text, what stands farther right is a part of it.
            columns = [0, indent] if ends_text else [0, indent, indent + 2]
            lines.append(" " * rng.choice(columns) + f"# own {count}")
            count += 1
        if not in_text and rng.random() < 0.1:
            lines.append("")
        starts_text = not in_text and re.search(r": [>|]-?$", line)
        if not in_text and rng.random() < 0.2:
            line += f"  # behind {count}"
            count += 1
        if starts_text:
            in_text, margin = True, indent
        lines.append(line)
    return "\n".join(lines) + "\n"


@settings(max_examples=150)
@given(path=st.sampled_from(SPECS), seed=st.integers(0, 2**32))
def test_no_comment_is_lost_wherever_it_stands(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = parse_source(path.read_text(encoding="utf-8"), file="").data
    text = sprinkled(dump_data(shuffled(data, (), rng)), rng)
    assert parse_source(text, file="").data == data
    once = formatted(text)
    comments = re.compile(r"# (?:own|behind) \d+")
    assert sorted(comments.findall(once)) == sorted(comments.findall(text))
    assert formatted(once) == once
    assert parse_source(once, file="").data == data


def test_a_comment_stays_with_its_key_in_any_order() -> None:
    data = parse_source(SPECS[0].read_text(encoding="utf-8"), file="").data
    lines = dump_data(shuffled(data, (), random.Random(1))).splitlines()
    marked = [
        f"{line[: len(line) - len(line.lstrip())]}# above {match[1]}\n{line}"
        if (match := re.match(r" *([a-z_]+):", line)) and " >" not in line
        else line
        for line in lines
    ]
    result = formatted("\n".join(marked)).splitlines()
    for above, below in pairwise(result):
        if match := re.match(r" *# above ([a-z_]+)", above):
            assert below.strip().startswith((f"{match[1]}:", f"- {match[1]}:"))


@pytest.mark.parametrize("text", ["a: [1\n", "- a\n", "", "a: 1\na: 2\n"])
def test_what_is_no_yaml_mapping_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        formatted(text)
