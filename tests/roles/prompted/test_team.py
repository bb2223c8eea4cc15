"""Roles that models play: what they get wrong goes back to them, and nothing wrong comes out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandmle.asking.connection import Connection
from sandmle.asking.spending import Budget
from sandmle.errors import BudgetSpent
from sandmle.roles.assembly import assemble
from sandmle.roles.back_ends import roles_of
from sandmle.roles.prompted.part import ORDER
from sandmle.roles.prompted.team import DROP
from sandmle.roles.repair import TOO_EASY, TOO_HARD, Fault
from sandmle.roles.role import DroppedError
from sandmle.spec.model import Spec
from tests.asking.server import Action, Answer, Server, Status, serving
from tests.roles.prompted.playing import (
    always,
    asked,
    but,
    context,
    fenced,
    rounds,
    well,
    written,
)

Act = Callable[[dict[str, Any]], Action]


class Played:
    """A draft that was written: its sections, its spec, and the requests that led there."""

    def __init__(self, server: Server, sections: Any, draft: Any) -> None:
        self.sections, self.requests = sections, server.requests
        plain = {name: value for name, value in sections.items() if name != "provenance"}
        self.spec: Spec = assemble(plain, draft.vocabulary, provenance={})
        self.roles = sections["provenance"]["roles"]

    def asked(self) -> list[str]:
        """The roles that were asked, in order."""
        return [asked(body)[0] for body in self.requests]

    def told(self) -> list[str]:
        """What went back to roles."""
        return [body["messages"][-1]["content"] for body in self.requests if rounds(body)]


def play(
    act: Act,
    folder: Path,
    choices: Sequence[str] = ("openai:small",),
    *,
    seed: str = "breast-cancer",
    number: int = 0,
    **settings: Any,
) -> Played:
    draft = context(seed, number)
    with serving(act) as server:
        connection = Connection(folder, base_url=server.url, first_wait=0.01)
        (team,) = roles_of(choices, connection=connection, **settings)
        return Played(server, team.write(draft), draft)


SEEDS = (
    "breast-cancer",
    "aerial-cactus-identification",
    "champs-scalar-coupling",  # its metric looks at a factor, its rows are of groups
    "jigsaw-toxic-comment-classification-challenge",
    "ventilator-pressure-prediction",
    "lmsys-chatbot-arena",
)


@pytest.mark.parametrize("seed", SEEDS)
def test_good_answers_make_a_draft_in_four_calls(tmp_path: Path, seed: str) -> None:
    played = play(well, tmp_path, seed=seed)
    assert played.asked() == list(ORDER)
    assert (played.spec.dna.task, played.spec.dna.modality) == (
        context(seed).seed.task,
        context(seed).seed.modality,
    )
    assert set(played.roles) == set(ORDER)


@pytest.mark.parametrize("key", ORDER)
@pytest.mark.parametrize("alone", [True, False])
def test_back_ends_mix_freely(tmp_path: Path, key: str, alone: bool) -> None:
    others = [name for name in ORDER if name != key]
    played = play(
        well,
        tmp_path,
        [f"{key}=openai:small"] if alone else ["openai:small", f"{key}=procedural"],
        seed="champs-scalar-coupling",
    )
    assert played.asked() == ([key] if alone else others)
    by_rule = [name for name, told in played.roles.items() if told == "procedural"]
    assert by_rule == (others if alone else [key])


def test_the_provenance_tells_model_and_prompts(tmp_path: Path) -> None:
    played = play(well, tmp_path, ["openai:small", "writer=openai:large"])
    assert [played.roles[key]["openai"] for key in ORDER] == ["small"] * 3 + ["large"]
    kept = {path.stem[:16] for path in tmp_path.glob("*/*.json")}
    assert {prompt for told in played.roles.values() for prompt in told["prompts"]} == kept
    assert [body["model"] for body in played.requests] == ["small"] * 3 + ["large"]


def misspelt(data: dict[str, Any]) -> Action:
    data["hidden"]["rule"]["kind"] += "s"
    return fenced(data)


def test_a_misspelt_word_goes_back_as_check_words_it_and_is_mended(tmp_path: Path) -> None:
    played = play(but(developer=misspelt), tmp_path)
    assert played.asked() == ["operations", "strategist", "developer", "developer", "writer"]
    kind = written("breast-cancer.0.0")["developer"]["hidden"]["rule"]["kind"]
    (told,) = played.told()
    assert re.search(rf"answer.yaml:\d+:\d+: hidden.rule.kind: unknown rule '{kind}s'", told)
    assert f"did you mean '{kind}'?" in told


def no_such_factor(data: dict[str, Any]) -> Action:
    data["hidden"]["rule"] = {"kind": "formula", "score": "no_such_factor * 2"}
    return fenced(data)


def no_such_column(data: dict[str, Any]) -> Action:
    data["narrative"]["columns"]["no_such_column"] = "what is not there"
    return fenced(data)


def noise_on_no_column(data: dict[str, Any]) -> Action:
    data["noise"].append({"kind": "missing", "rate": 0.1, "only": ["no_such_column"]})
    return fenced(data)


def tells_the_rule(data: dict[str, Any]) -> Action:
    data["narrative"]["story"] += " It goes by the cyclic distance of two columns."
    return fenced(data)


def shows_no_cause(data: dict[str, Any]) -> Action:
    cause = data["hidden"]["rule"]["left"]
    data["observe"] = [use for use in data["observe"] if cause not in use.values()]
    return fenced(data)


def no_such_domain(data: dict[str, Any]) -> Action:
    data["domain"]["name"] = "healthcarez"
    return fenced(data)


def too_many_rows(data: dict[str, Any]) -> Action:
    data["dna"]["train"] = 10**15
    return fenced(data)


@pytest.mark.parametrize(
    ("key", "fault", "told"),
    [
        ("developer", no_such_factor, "no_such_factor"),
        ("writer", no_such_column, "no_such_column"),
        ("strategist", noise_on_no_column, "no_such_column"),
        ("writer", tells_the_rule, "narrative.story: names the rule 'cyclic_distance'"),
        ("developer", shows_no_cause, "it can't be learnt"),
        ("strategist", no_such_domain, "did you mean 'healthcare'?"),
        ("strategist", too_many_rows, "dna.train: 1000000000000000 is too large; at most 200"),
    ],
)
def test_what_means_nothing_goes_back_to_the_role_that_owns_it(
    tmp_path: Path, key: str, fault: Callable[[dict[str, Any]], Action], told: str
) -> None:
    played = play(but(**{key: fault}), tmp_path)
    again = [asked(body)[0] for body in played.requests if rounds(body)]
    assert again == [key]
    assert told in played.told()[0]


def test_a_role_writes_again_only_where_what_it_sees_has_changed(tmp_path: Path) -> None:
    """The noise is found wanting when the columns are known; neither later role sees noise."""
    played = play(but(strategist=noise_on_no_column), tmp_path)
    assert played.asked() == [*ORDER, "strategist"]


def not_mine(data: dict[str, Any]) -> Action:
    return fenced(data | {"thresholds": {"gold": 0}, "id": "../../etc/passwd"})


def test_sections_of_others_are_refused(tmp_path: Path) -> None:
    played = play(but(writer=not_mine), tmp_path)
    assert "unknown key 'thresholds'; known are narrative" in played.told()[0]
    assert "unknown key 'id'; known are narrative" in played.told()[0]
    assert played.spec.thresholds is None


def path_trick(data: dict[str, Any]) -> Action:
    data["observe"][0]["file"] = "../../home/{id}.png"
    return fenced(data)


def test_paths_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    played = play(but(developer=path_trick), tmp_path, seed="aerial-cactus-identification")
    assert "without '..'" in played.told()[0]


HOSTILE = {
    "refusal": Answer(None, refusal="I would rather not."),
    "empty": Answer(""),
    "truncated": Answer("```yaml\nnarrative:\n  title: A long", finish="length"),
    "prose": Answer("What a lovely task! I would start by asking the users."),
    "bomb": Answer("a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nnarrative: *c"),
    "deep": Answer('{"narrative": ' + "[" * 9_000),
    "huge": Answer("narrative: " + "x" * 200_000),
    "list": Answer("[1, 2, 3]"),
    "wrong types": Answer("{dna: 3, domain: [], noise: {}, factors: 1, narrative: no}"),
    "tag": Answer("narrative: !!python/object/apply:os.system ['touch /tmp/owned']"),
}


@pytest.mark.parametrize(
    ("key", "kind"),
    [("operations", "prose"), ("strategist", "wrong types"), ("writer", "bomb")],
)
def test_what_stays_faulty_is_written_by_rule(tmp_path: Path, kind: str, key: str) -> None:
    played = play(always(**{key: HOSTILE[kind]}), tmp_path, rounds=2)
    assert played.asked().count(key) == 3
    assert played.roles[key] == "procedural"


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_or_its_draft_is_dropped(tmp_path: Path, kind: str) -> None:
    with pytest.raises(DroppedError, match="MLE Developer: not mended in 1 rounds: "):
        play(always(developer=HOSTILE[kind]), tmp_path, rounds=1, fall_back=DROP)


def invented(data: dict[str, Any]) -> Action:
    data["hidden"]["target"] = "answers_to_its_name"
    return fenced(data)


def test_models_may_ask_what_no_domain_asks(tmp_path: Path) -> None:
    def act(body: dict[str, Any]) -> Action:
        key, name = asked(body)
        if key == "developer":
            return invented(
                dict(written(name)[key]) | {"hidden": dict(written(name)[key]["hidden"])}
            )
        return well(body)

    assert play(act, tmp_path).spec.targets[0].name == "answers_to_its_name"

    # The procedural Writer could not tell of such a target, so the Developer's stand-in writes too.
    def speechless(body: dict[str, Any]) -> Action:
        return Answer("") if asked(body)[0] == "writer" else act(body)

    played = play(speechless, tmp_path / "other", rounds=1)
    assert [played.roles[key] for key in ("developer", "writer")] == ["procedural"] * 2
    world = context().worlds[played.spec.domain.name]
    assert played.spec.domain.entity == world.one


def test_a_judge_s_verdict_goes_to_the_developer(tmp_path: Path) -> None:
    judged: list[Spec] = []

    def judge(spec: Spec) -> list[Fault]:
        judged.append(spec)
        return [Fault(TOO_EASY, "silver over naive", -0.05)] if len(judged) == 1 else []

    def act(body: dict[str, Any]) -> Action:
        key, name = asked(body)
        if key == "developer" and rounds(body):
            harder = json.loads(json.dumps(written(name)[key]))
            harder["hidden"]["rule"]["turns"] += 1
            return fenced(harder)
        return well(body)

    played = play(act, tmp_path, judge=judge)
    assert played.asked() == [*ORDER, "developer"]  # the Writer sees no rule
    told = "hidden: the task that comes of it is too easy (silver over naive is missed by 0.05): "
    assert told in played.told()[0]
    assert [spec.targets[0].rule.parameters["turns"] for spec in judged] == [1, 2]
    assert played.spec.targets == judged[1].targets


def test_a_judge_who_is_never_content_has_the_last_word(tmp_path: Path) -> None:
    with pytest.raises(DroppedError, match="too hard"):
        play(well, tmp_path, judge=lambda _spec: [Fault(TOO_HARD, "x")], rounds=1)


def test_a_spent_budget_stops_and_more_goes_on_where_it_stopped(tmp_path: Path) -> None:
    draft = context()
    with serving(well) as server:
        poor = Connection(tmp_path, base_url=server.url, budget=Budget(tokens=16_000))
        (team,) = roles_of(["openai:small"], connection=poor)
        with pytest.raises(BudgetSpent):
            team.write(draft)
        done = len(server.requests)
        assert 0 < done < 4
        (team,) = roles_of(["openai:small"], connection=Connection(tmp_path, base_url=server.url))
        team.write(draft)
        assert len(server.requests) == 4


def test_servers_without_schemas_serve_as_well(tmp_path: Path) -> None:
    def act(body: dict[str, Any]) -> Action:
        return Status(400) if "response_format" in body else well(body)

    assert play(act, tmp_path).asked() == ["operations", "operations", *ORDER]


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("gpt", "is no model; expected openai:MODEL"),
        ("writer=gpt", "is no model"),
        ("poet=openai:x", "no role is called 'poet'; known are operations, strategist"),
        ("writer=", "is no model"),
    ],
)
def test_choices_that_mean_nothing(tmp_path: Path, choice: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        roles_of([choice], connection=Connection(tmp_path))


def test_later_choices_win(tmp_path: Path) -> None:
    connection = Connection(tmp_path)
    assert len(roles_of([], connection=connection)) == 4
    assert len(roles_of(["openai:a", "procedural"], connection=connection)) == 4
    (team,) = roles_of(["procedural", "writer=openai:a=b"], connection=connection)
    assert team.name == "Team"
