"""Carriers: what a seed shows, and what rules may look at."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sandmle.roles.carriers import carrier_sets, meets, phrases, shown_by
from sandmle.roles.channels import Carrier
from sandmle.vocabulary import load_vocabulary
from tests.roles.contexts import context_of, seed_of

VOCABULARY = load_vocabulary()


def carrier(name: str) -> Carrier:
    return Carrier(VOCABULARY.word("observe", name), {})


def sets_of(name: str) -> list[list[str]]:
    found = carrier_sets(context_of(seed_of(name)), np.random.default_rng(0))
    return [[carrier.word.name for carrier in carriers] for carriers in found]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("wine", ["tabular"]),
        ("mlsp-2013-birds", ["audio"]),
        ("leaf-classification", ["image"]),
        ("champs-scalar-coupling", ["tabular", "graph"]),
        ("random-acts-of-pizza", ["text"]),
        ("3d-object-detection-for-autonomous-vehicles", ["series", "image"]),
        ("multi-modal-gesture-recognition", ["series", "image"]),
    ],
)
def test_mixed_seeds_are_shown_by_what_their_files_and_texts_are(
    name: str, kinds: list[str]
) -> None:
    assert shown_by(seed_of(name)) == kinds


def test_two_modalities_come_before_one() -> None:
    sets = sets_of("3d-object-detection-for-autonomous-vehicles")
    assert len(sets[0]) == 2
    assert len(sets[-1]) == 1


def test_a_graph_comes_with_all_its_tables() -> None:
    assert ["edge_list", "node_table", "marked_nodes"] in sets_of(
        "nomad2018-predict-transparent-conductors"
    )
    assert ["node_table"] not in sets_of("nomad2018-predict-transparent-conductors")


def test_pairs_are_shown_side_by_side() -> None:
    names = [
        [carrier.offers.get("name") for carrier in carriers]
        for carriers in carrier_sets(
            context_of(seed_of("lmsys-chatbot-arena")), np.random.default_rng(0)
        )
        if carriers[0].word.name == "text"
    ]
    ((left, right),) = names
    assert left != right


def test_several_files_a_sample_have_a_number_in_their_names() -> None:
    world = context_of(seed_of("digits")).world
    several = [
        word for word in VOCABULARY.folder("observe").values() if word.traits.get("SEVERAL", False)
    ]
    assert several
    for word in several:
        assert "{id}_{n}" in phrases(world, word)["file"]


def test_seeds_of_several_pictures_get_words_of_several_first() -> None:
    sets = sets_of("rsna-miccai-brain-tumor-radiogenomic-classification")
    assert VOCABULARY.word("observe", sets[0][0]).traits.get("SEVERAL", False)


@pytest.mark.parametrize(
    ("carriers", "rule", "columns", "met"),
    [
        ([], "xor", True, True),
        (["blobs"], "parity", False, True),
        (["scan"], "mask_of", False, True),
        (["scan"], "parity", False, False),
        (["scan"], "parity", True, True),
        (["blobs"], "mask_of", True, False),
        (["object_scene"], "objects_of", False, True),
        (["passage"], "span_of", False, True),
        (["token_column"], "span_of", False, False),
        (["readings"], "delayed_response", False, True),
    ],
)
def test_a_rule_is_met_by_what_shows_its_factors(
    carriers: list[str], rule: str, columns: bool, met: bool
) -> None:
    word = VOCABULARY.word("hidden", rule)
    assert meets([carrier(name) for name in carriers], word, columns=columns) == met


def test_words_for_authors_carry_nothing() -> None:
    seed = dataclasses.replace(seed_of("wine"), modality="tabular")
    names = {
        carrier.word.name
        for carriers in carrier_sets(context_of(seed), np.random.default_rng(0))
        for carrier in carriers
    }
    assert "events" in names
    assert not any(
        VOCABULARY.word("observe", name).traits.get("DRAFTED", True) is False for name in names
    )
