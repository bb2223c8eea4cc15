"""Which seed the next draft of a corpus comes from, so that the mix is right at any time."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sandmle.paper import COUNTED_AS, PAPER_MIX
from sandmle.seeds.model import Seed
from sandmle.vocabulary import Vocabulary

#: What may be asked of a mix: shares of properties of seeds, by value; none: all seeds alike.
MIXES: Mapping[str, Mapping[str, Mapping[str, float]]] = {"paper": PAPER_MIX, "even": {}}

#: Rounds of raking: the shares of 80 seeds stand still after some tens.
_ROUNDS = 200


def properties_of(seed: Seed, vocabulary: Vocabulary) -> dict[str, str]:
    """What a mix counts a seed by: its modality and its task's family, as the paper has them."""
    family = str(vocabulary.word("tasks", seed.task).traits["FAMILY"])
    return {"modality": COUNTED_AS.get(seed.modality, seed.modality), "family": family}


def rake(
    properties: Mapping[str, Mapping[str, str]],
    mix: Mapping[str, Mapping[str, float]],
    *,
    fixed: Mapping[str, float],
) -> dict[str, float]:
    """The share of each of some seeds, as even as the shares of their properties allow.

    Iterative proportional fitting (Deming and Stephan, Annals of Mathematical Statistics 11, 1940)
    from equal shares on. `fixed` are shares that stay. Where the seeds cannot meet all of the mix,
    what it names first is met, and what has no seeds is left to the rest.
    """
    free = [name for name in properties if name not in fixed]
    shares = {**dict.fromkeys(free, 1.0), **fixed}
    for _ in range(_ROUNDS):
        for name, wanted in reversed(list(mix.items())):
            groups: dict[str, list[str]] = {}
            for seed, own in properties.items():
                groups.setdefault(own[name], []).append(seed)
            whole = sum(wanted.get(value, 0.0) for value in groups)
            for value, seeds in groups.items():
                _scale(shares, seeds, fixed, wanted.get(value, 0.0) / whole if whole else 0.0)
        _scale(shares, list(properties), fixed, 1.0)
    return shares


def _phase(name: str) -> float:
    """How much earlier than its share a seed's turn comes, from 0 to 1: without it, seeds of small
    shares would all wait until the others have had several turns.
    """
    return zlib.crc32(name.encode()) / 2**32


def _scale(
    shares: dict[str, float], seeds: Iterable[str], fixed: Mapping[str, float], to: float
) -> None:
    """Scales the shares of those seeds that are not fixed so that all together have `to`."""
    seeds = list(seeds)
    movable = [seed for seed in seeds if seed not in fixed]
    now = sum(shares[seed] for seed in movable)
    left = max(0.0, to - sum(fixed[seed] for seed in seeds if seed in fixed))
    for seed in movable:
        shares[seed] *= left / now if now else 0.0


#: Shares are computed again when the whole has grown by so much since some seed ran out.
_GROWN = 1.05

#: Turns of a seed in a row that come to nothing good before it counts as run out.
_IN_VAIN = 2


@dataclass
class Rota:
    """Takes turns among seeds: always the one that is farthest behind its share.

    Seeds that have run out keep what they have; the others make up for them. Whose turn it is
    depends on the turns before alone, not on how many are to come.
    """

    properties: Mapping[str, Mapping[str, str]]
    mix: Mapping[str, Mapping[str, float]]
    drawn: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    exhausted: set[str] = field(default_factory=set)
    in_vain: dict[str, int] = field(default_factory=dict)
    _shares: dict[str, float] | None = None
    _raked_at: int = 0

    def copy(self) -> Rota:
        """Another one in the same state."""
        return Rota(
            self.properties,
            self.mix,
            dict(self.drawn),
            dict(self.numbers),
            set(self.exhausted),
            dict(self.in_vain),
            self._shares,
            self._raked_at,
        )

    @property
    def done(self) -> int:
        """Drafts so far."""
        return sum(self.drawn.values())

    def next(self) -> tuple[str, int] | None:
        """The seed whose turn it is, and the number of its draft; None where all have run out."""
        left = [name for name in self.properties if name not in self.exhausted]
        if not left:
            return None
        place, shares = self.done + 1, self._current_shares()
        behind = {
            name: shares[name] * place - self.drawn.get(name, 0) + _phase(name) for name in left
        }
        name = max(left, key=lambda name: behind[name])
        return name, self.numbers.get(name, 0)

    def _current_shares(self) -> Mapping[str, float]:
        """The shares now. What seeds that have run out have of the whole shrinks as it grows."""
        place = self.done + 1
        is_old = bool(self.exhausted) and place > self._raked_at * _GROWN
        if self._shares is None or is_old:
            fixed = {name: self.drawn.get(name, 0) / place for name in self.exhausted}
            self._shares, self._raked_at = rake(self.properties, self.mix, fixed=fixed), place
        return self._shares

    def note(self, name: str, *, drawn: bool, exhausted: bool) -> None:
        """Notes what became of a seed's turn."""
        self.numbers[name] = self.numbers.get(name, 0) + 1
        self.drawn[name] = self.drawn.get(name, 0) + drawn
        self.in_vain[name] = 0 if drawn else self.in_vain.get(name, 0) + 1
        if (exhausted or self.in_vain[name] >= _IN_VAIN) and name not in self.exhausted:
            self.exhausted.add(name)
            self._shares = None
