"""The draws of an answer: what laws it draws from, one after another, and how far two datasets' draws differ.

An audit is the source of randomness itself. Asked by a law for a draw it stops, and goes on later with the outcome it
wants to look at; so it walks through the tree of all that could be drawn, and knows the exact probability of each
branch. What is released is made of the draws and of public facts alone, so a bound on how far the probabilities of the
draws move bounds that of the release. Proof: docs/proofs/audit.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import arb

from noisewise.audit.probabilities import (
    BITS,
    OfBalance,
    OfCoins,
    OfLaw,
    Probabilities,
    WrittenLaw,
    log_ball,
)
from noisewise.audit.vector_probabilities import OfBall
from noisewise.errors import ParameterTypeError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.law import UNDECIDED, Law
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.numbers.arrays import Floats, Integers, Unsigned
from noisewise.kernel.numbers.balls import precision
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.composites.most_common import Lead
from noisewise.questions.payable import Payable

SAME_WORD = 0x8000_8000_8000_8000
"""Bits that break ties among records: the same for every record, so that neighbours differ in one record alone."""

Choice = tuple[Any, ...]
"""An outcome for each law that is drawn from at once."""
Path = tuple[Choice, ...]
"""An outcome for each draw, one after another."""


class DrawAsked(BaseException):
    """An answer needs a draw that was not chosen yet; no Exception, so that nothing on the way takes it for one."""

    def __init__(self, law: object) -> None:
        super().__init__()
        self.law = law


class Choices:
    """In the place of random bits: it chooses what is drawn, and stops where its choices end."""

    def __init__(self, path: Path) -> None:
        self._path, self._next = path, 0

    def words(self, count: int) -> Unsigned:
        return np.full(count, SAME_WORD, np.uint64)

    def choose(self, law: Any) -> Integers:
        if lacks_levels(law):
            return np.full(len(law), UNDECIDED)
        choice = self.next(law)
        return np.array(choice[0] if isinstance(law, BallLaw) else choice, np.int64)

    def next(self, law: object) -> Choice:
        """What is chosen next; it stops where nothing is."""
        if self._next == len(self._path):
            raise DrawAsked(law)
        self._next += 1
        return self._path[self._next - 1]


def lacks_levels(law: object) -> bool:
    """Whether it is a law of the nearest levels only, which leaves to a larger one what it cannot decide."""
    if isinstance(law, BalanceLaw):
        return bool(law.score.more.any())
    return isinstance(law, Law) and law.nearest is not None


Laws = tuple[Probabilities, ...] | None
"""What a draw is from, several laws where they are drawn from at once; None where the answer is complete."""


@dataclass(frozen=True, repr=False)
class Draws:
    """All that could be drawn to answer one question about one dataset; laws are read once."""

    answer: Callable[[Choices], object]
    _laws: dict[Path, Laws] = field(default_factory=dict)
    _logs: dict[Any, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: Payable) -> "Draws":
        return cls(lambda choices: asked.answer(bits=choices))

    @classmethod
    def written(cls, weights: Any) -> "Draws":
        """One draw by probabilities that somebody wrote down."""
        return cls(lambda choices: choices.next(WrittenLaw(weights)))

    def laws(self, path: Path) -> Laws:
        """The laws of the draw after a path; None where the answer is complete."""
        if path not in self._laws:
            self._laws[path] = self._asked(path)
        return self._laws[path]

    def _asked(self, path: Path) -> Laws:
        try:
            self.answer(Choices(path))
        except DrawAsked as asked:
            return probabilities(asked.law)
        return None

    def likely(self) -> Path:
        """What is most likely to be drawn first."""
        laws = self.laws(())
        if laws is None:
            return ()
        found = []
        for index, law in enumerate(laws):
            outcomes = law.outcomes()
            found.append(outcomes[int(np.argmax(self.logs((), index, outcomes)))])
        return (tuple(found),)

    def values(self, path: Path) -> Path:
        """A path with outcomes as they are released."""
        found = []
        for step, choice in enumerate(path):
            laws = self.laws(path[:step]) or ()
            found.append(tuple(law.value(outcome) for law, outcome in zip(laws, choice, strict=True)))
        return tuple(found)

    def logs(self, path: Path, index: int, outcomes: list[Any]) -> Floats:
        """ln of the probabilities of outcomes of one law."""
        key = path, index, tuple(outcomes)
        if key not in self._logs:
            laws = self.laws(path)
            assert laws is not None, "a path that ends has no laws"
            self._logs[key] = laws[index].logs(outcomes)
        return self._logs[key]


def probabilities(law: object) -> tuple[Probabilities, ...]:
    """Each of the laws that are drawn from at once."""
    if isinstance(law, PermuteAndFlipLaw):
        return tuple(OfCoins.of(law[group]) for group in range(len(law)))  # type: ignore[arg-type]
    if isinstance(law, Law):
        return tuple(OfLaw(law[group]) for group in range(len(law)))
    if isinstance(law, BalanceLaw):
        return tuple(OfBalance(law[group]) for group in range(len(law)))
    if isinstance(law, BallLaw):
        return (OfBall(law),)
    if isinstance(law, Lead):
        return (OfCoins.of_lead(law),)
    if isinstance(law, WrittenLaw):
        return (law,)
    raise ParameterTypeError("a law", "must be one that an audit can read", got=describe(law)) from None


@dataclass(frozen=True)
class Extreme:
    """The path along which the ratio of probabilities is largest, ln of it, and whether it is infinite."""

    log_ratio: float
    path: Path


def extreme(near: Draws, far: Draws, *, astray: bool = False) -> Extreme:
    """The largest ln of P(near draws it)/P(far draws it) over what could be drawn, as far as float64 and a search say.

    Where there is one draw all outcomes are looked at. Of several, each is taken to be what tells most by itself;
    ``astray`` follows paths, too, on which one of them is what is most likely instead.
    """
    return _extreme(near, far, (), astray)


def _extreme(near: Draws, far: Draws, path: Path, astray: bool) -> Extreme:
    ours, theirs = near.laws(path), far.laws(path)
    if ours is None and theirs is None:
        return Extreme(0.0, path)
    if ours is None or theirs is None or len(ours) != len(theirs):
        return Extreme(math.inf, path)
    tops: list[tuple[Any, float]] = []
    modes: list[tuple[Any, float]] = []
    for index in range(len(ours)):
        outcomes = merged(ours[index].outcomes(), theirs[index].outcomes())
        here, there = near.logs(path, index, outcomes), far.logs(path, index, outcomes)
        with np.errstate(invalid="ignore"):
            ratio = np.where(here == -np.inf, -np.inf, here - there)  # what we never draw is no evidence
        for found, at in ((tops, int(np.argmax(ratio))), (modes, int(np.argmax(here)))):
            found.append((outcomes[at], float(ratio[at])))
    best = _followed(near, far, path, tops, astray)
    if astray and modes != tops:
        best = max(best, _followed(near, far, path, modes, False), key=lambda each: each.log_ratio)
    return best


def _followed(near: Draws, far: Draws, path: Path, chosen: list[tuple[Any, float]], astray: bool) -> Extreme:
    """On from here with these outcomes of the draw, each with the logarithm of its ratio."""
    further, own = (*path, tuple(outcome for outcome, _ in chosen)), sum(ratio for _, ratio in chosen)
    if own == math.inf:
        return Extreme(own, further)
    rest = _extreme(near, far, further, astray)
    return Extreme(own + rest.log_ratio, rest.path)


def merged(ours: list[Any], theirs: list[Any]) -> list[Any]:
    """The outcomes of both, in order."""
    if ours == theirs:
        return ours
    both = {*ours, *theirs}
    try:
        return sorted(both)
    except TypeError:  # outcomes of different kinds
        return list(dict.fromkeys([*ours, *theirs]))


def certain(near: Draws, far: Draws, path: Path) -> arb:
    """ln of P(near draws it)/P(far draws it) along a path, as a ball."""
    total = arb(0)
    with precision(BITS):
        for step, choice in enumerate(path):
            ours, theirs = near.laws(path[:step]), far.laws(path[:step])
            if ours is None or theirs is None or len(ours) != len(theirs):
                return arb.pos_inf()
            for index, outcome in enumerate(choice):
                here = log_ball(ours[index], outcome)
                there = log_ball(theirs[index], outcome)
                if there == arb.neg_inf():
                    return arb.pos_inf()
                total += here - there
        if (near.laws(path) is None) != (far.laws(path) is None):
            return arb.pos_inf()
        return total
