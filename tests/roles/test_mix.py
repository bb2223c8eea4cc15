"""Turns among seeds: the mix that was asked for, evenly, whoever runs out."""

from __future__ import annotations

from collections import Counter

import pytest

from sandmle.roles.mix import Rota, rake

MIX = {"modality": {"image": 60, "text": 30, "audio": 10}, "family": {"yes": 50, "no": 50}}
SEEDS = {
    "a": {"modality": "image", "family": "yes"},
    "b": {"modality": "image", "family": "no"},
    "c": {"modality": "image", "family": "no"},
    "d": {"modality": "text", "family": "yes"},
    "e": {"modality": "text", "family": "no"},
}


def taken(rota: Rota, count: int, out: dict[str, int] | None = None) -> Counter[str]:
    """Turns; a seed in `out` gives nothing more after so many drafts."""
    found: Counter[str] = Counter()
    while sum(found.values()) < count:
        turn = rota.next()
        assert turn is not None
        name, number = turn
        assert number == rota.numbers.get(name, 0)
        run_out = found[name] >= (out or {}).get(name, count)
        rota.note(name, drawn=not run_out, exhausted=run_out)
        found[name] += not run_out
    return found


def test_shares_meet_all_that_is_asked_and_leave_out_what_has_no_seed() -> None:
    shares = rake(SEEDS, MIX, fixed={})
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["a"] + shares["b"] + shares["c"] == pytest.approx(60 / 90)
    assert shares["a"] + shares["d"] == pytest.approx(0.5)
    assert shares["b"] == pytest.approx(shares["c"]), "seeds that are alike have the same share"


def test_without_a_mix_all_seeds_have_the_same_share() -> None:
    assert rake(SEEDS, {}, fixed={}) == pytest.approx(dict.fromkeys(SEEDS, 0.2))


def test_the_mix_holds_at_any_time() -> None:
    shares = rake(SEEDS, MIX, fixed={})
    rota = Rota(SEEDS, MIX)
    for count in range(1, 10):
        found = taken(rota, 10)
        assert sum(found.values()) == 10
        for name, drawn in rota.drawn.items():
            assert abs(drawn - shares[name] * 10 * count) < 2


def test_others_of_its_kind_take_the_share_of_a_seed_that_has_run_out() -> None:
    found = taken(Rota(SEEDS, MIX), 90, out={"b": 3})
    assert found["b"] == 3
    assert found["a"] + found["b"] + found["c"] == pytest.approx(60, abs=2)
    assert found["a"] + found["d"] == pytest.approx(45, abs=2)


def test_turns_in_vain_end_a_seed_and_at_last_all() -> None:
    rota = Rota({"a": {}, "b": {}}, {})
    turns = 0
    while (turn := rota.next()) is not None:
        rota.note(turn[0], drawn=False, exhausted=False)
        turns += 1
    assert turns == 4
