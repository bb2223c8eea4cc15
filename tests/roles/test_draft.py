"""Drafts: valid, different, the same for the same numbers, and faithful to the seed."""

from __future__ import annotations

import dataclasses
import itertools
import re
from pathlib import Path

import pytest

from sandmle.compiler.judging import submission_use
from sandmle.errors import SpecError
from sandmle.resources import resource
from sandmle.roles.draft import draft
from sandmle.roles.draft_files import write_drafts
from sandmle.roles.role import DraftError
from sandmle.roles.world import load_worlds
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed, SeedMetric, SeedTarget
from sandmle.spec.likeness import near_pairs
from sandmle.spec.load import dump_spec, load_spec
from sandmle.spec.model import Spec, WordUse
from sandmle.spec.outline import outline
from sandmle.spec.references import all_slots, nested_use
from sandmle.vocabulary import load_vocabulary

SEEDS = resource("specs") / "seeds"
NAMES = ("breast-cancer", "diabetes", "digits", "sunspots", "wine")
VOCABULARY = load_vocabulary()


def drafts(seed: Seed, count: int = 8, random_seed: int = 3) -> list[Spec]:
    return list(draft(seed, count=count, random_seed=random_seed))


def seed_of(name: str) -> Seed:
    return load_seed(SEEDS / f"{name}.yaml")


def multilabel() -> Seed:
    targets = tuple(SeedTarget(f"target_{i}", "category", shares=(0.7, 0.3)) for i in (1, 2, 3))
    return dataclasses.replace(
        seed_of("breast-cancer"),
        task="multilabel",
        targets=targets,
        metric=SeedMetric("per_column", "config", {"of": "roc_auc"}),
    )


def ordinal() -> Seed:
    return dataclasses.replace(
        seed_of("wine"), task="ordinal", metric=SeedMetric("quadratic_weighted_kappa", "config")
    )


def of_modality(modality: str) -> Seed:
    return dataclasses.replace(seed_of("breast-cancer"), modality=modality)


def rule_kinds(spec: Spec) -> tuple[str, ...]:
    found: list[str] = []

    def visit(use: WordUse) -> None:
        found.append(use.kind)
        for slot in all_slots(use, VOCABULARY.word("hidden", use.kind), VOCABULARY):
            inner = nested_use(slot) if slot.definitions == ("rule",) else None
            if inner is not None:
                found.append(inner.kind)

    for target in spec.targets:
        visit(target.rule)
    return tuple(found)


@pytest.mark.parametrize("path", sorted(SEEDS.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_first_draft_of_every_seed_keeps_modality_task_metric_and_submission(
    path: Path,
) -> None:
    seed = load_seed(path)
    (spec,) = drafts(seed, count=1)
    assert (spec.dna.modality, spec.dna.task) == (seed.modality, seed.task)
    assert spec.dna.metric.kind == seed.metric.name
    assert spec.dna.metric.parameters.get("of") == seed.metric.parameters.get("of")
    word, _ = submission_use(spec, VOCABULARY)
    assert word.name == seed.submission.shape


@pytest.mark.parametrize("name", NAMES)
def test_drafts_keep_the_dna(name: str) -> None:
    seed = seed_of(name)
    for spec in drafts(seed):
        assert (spec.dna.modality, spec.dna.task, spec.seed) == (seed.modality, seed.task, name)
        assert 50 <= spec.dna.train <= 200
        metric = VOCABULARY.word("metrics", spec.dna.metric.kind)
        assert seed.task in metric.traits["TASKS"]
        modalities = {VOCABULARY.word("observe", u.kind).traits["MODALITY"] for u in spec.observe}
        assert seed.modality in modalities


@pytest.mark.parametrize(
    "seed",
    [multilabel(), ordinal(), *map(of_modality, ("text", "mixed", "image", "series"))],
    ids=["multilabel", "ordinal", "text", "mixed", "image", "series"],
)
def test_every_task_and_modality_can_be_drafted(seed: Seed) -> None:
    for spec in drafts(seed, count=4):
        assert (spec.dna.modality, spec.dna.task) == (seed.modality, seed.task)
    assert len(spec.targets) == (3 if seed.task == "multilabel" else 1)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_drafts_are_alike(name: str) -> None:
    found = drafts(seed_of(name), count=12)
    keys = [(rule_kinds(spec), spec.domain.name, spec.dna.metric.kind) for spec in found]
    assert len(set(keys)) == len(keys)
    assert len({spec.id for spec in found}) == len(found)
    assert len({kinds for kinds, _, _ in keys}) >= 2, "rules vary"


@pytest.mark.parametrize("name", ["wine", "text-normalization-challenge-russian-language"])
def test_no_draft_nearly_repeats_what_is_there(name: str) -> None:
    """The same numbers again, beside the drafts that they gave: other ones come."""
    seed = seed_of(name)
    first = drafts(seed, count=3)
    again = list(draft(seed, count=3, random_seed=3, beside=first))
    drawn = {f"{n}": outline(spec, VOCABULARY) for n, spec in enumerate([*first, *again])}
    assert len(drawn) == 6
    assert near_pairs(drawn) == []


def test_a_seed_that_gives_nothing_new_is_refused_with_what_it_repeats() -> None:
    with pytest.raises(DraftError, match=r"AI4Code: \d+ of 40 drafts, .* repeat others, such as"):
        drafts(seed_of("AI4Code"), count=40)


def test_drafts_come_beside_faulty_specs(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("dna: {modality: tabular, task: multiclass}\n")
    assert len(write_drafts(SEEDS / "wine.yaml", count=1, random_seed=1, folder=tmp_path)) == 1


def test_the_same_numbers_give_the_same_drafts() -> None:
    seed = seed_of("wine")
    texts = [[dump_spec(spec) for spec in drafts(seed, random_seed=n)] for n in (5, 5, 6)]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_more_drafts_begin_with_the_same_ones() -> None:
    seed = seed_of("diabetes")
    longer = draft(seed, count=9, random_seed=1)
    assert list(itertools.islice(longer, 4)) == drafts(seed, count=4, random_seed=1)


@pytest.mark.parametrize("name", NAMES)
def test_the_narrative_names_neither_rule_nor_noise(name: str) -> None:
    for spec in drafts(seed_of(name)):
        told = f"{spec.narrative.title} {spec.narrative.story}".lower()
        words = [*rule_kinds(spec), *(use.kind for use in spec.noise), "noise", "hidden", "rule"]
        for word in words:
            assert not re.search(rf"\b{word.replace('_', ' ')}\b", told)


def test_column_order_does_not_tell_the_rule() -> None:
    """Over many drafts, the columns of the rule stand first no more often than elsewhere."""
    first = total = 0
    for spec in drafts(seed_of("breast-cancer"), count=30):
        columns = [use.parameters["of"] for use in spec.observe if use.kind == "column"]
        used = set(re.findall(r"[a-z_]+", str(spec.targets[0].rule.parameters)))
        if columns and used & set(columns):
            total += 1
            first += columns[0] in used
    assert total > 10
    assert first < 0.6 * total


def test_files_are_written_beside_what_is_there(tmp_path: Path) -> None:
    seed = SEEDS / "sunspots.yaml"
    folder = tmp_path / "specs" / "tasks"
    once = write_drafts(seed, count=3, random_seed=1, folder=folder)
    kept = {path: path.read_text() for path in once}
    twice = write_drafts(seed, count=3, random_seed=1, folder=folder)
    assert len({*once, *twice}) == 6
    assert kept == {path: path.read_text() for path in once}
    for path in (*once, *twice):
        assert load_spec(path).id == path.stem
    assert sorted(folder.iterdir()) == sorted((*once, *twice)), "no temporary files stay"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpecError, match="cannot be written"):
        write_drafts(SEEDS / "wine.yaml", count=1, random_seed=1, folder=tmp_path / "file" / "x")


def test_a_new_word_is_drafted_without_a_line_of_code(tmp_path: Path) -> None:
    rules = tmp_path / "rules" / "hidden"
    rules.mkdir(parents=True)
    (rules / "loudest.py").write_text(
        '"""The larger of two numbers.\n\nDifficulty: low.\n"""\n\nimport numpy as np\n\n'
        'YIELDS = "number"\nRANGE = "positive"\nPARAMETERS = {\n'
        '    "left": {"$ref": "#/$defs/number_factor"},\n'
        '    "right": {"$ref": "#/$defs/number_factor"},\n'
        '    "weight": {"type": "number", "examples": [0.5, 2]},\n}\n\n\n'
        "def loudest(rng, *, left, right, weight=1.0):\n"
        "    return np.exp(np.maximum(left, weight * right))\n"
    )
    # A metric of positive numbers leaves few other rules.
    seed = dataclasses.replace(seed_of("diabetes"), metric=SeedMetric("rmsle", "config"))
    found = list(draft(seed, count=20, random_seed=1, corpus=tmp_path))
    uses = [spec.targets[0].rule for spec in found if spec.targets[0].rule.kind == "loudest"]
    assert uses
    assert all(use.parameters["weight"] in (0.5, 2) for use in uses)


def test_a_seed_that_nothing_fits_is_refused() -> None:
    seed = dataclasses.replace(seed_of("wine"), task="telepathy")
    with pytest.raises(DraftError, match="telepathy"):
        drafts(seed, count=1)


def test_whole_numbers_are_drawn_as_such() -> None:
    whole = {
        world.name: {measure.name for measure in world.whole} for world in load_worlds().values()
    }
    found = [
        use.kind
        for spec in draft(seed_of("diabetes"), count=20, random_seed=910)
        for name, use in spec.factors.items()
        if name in whole[spec.domain.name]
    ]
    assert found
    assert {*found} <= {"count", "integer"}
