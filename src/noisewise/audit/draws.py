"""The draws of an answer: the laws it draws from, one after another, and how far the draws of two datasets differ.

An audit passes its own choices to an answer in place of random bits. If the answer needs a draw that is not chosen yet,
the audit stops it, and starts it again later with the outcome that it wants to look at. So it walks through the tree of
all possible draws, and knows the exact probability of each branch. A list of chosen outcomes is called a path.

A release depends on the draws and on public facts alone. So a bound on how far the probabilities of draws differ
between two datasets is also a bound for the release. Proof: docs/proofs/audit.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from noisewise.audit.probabilities import (
    BITS,
    GivenLaw,
    OfBalance,
    OfCoins,
    OfGaussian,
    OfLaw,
    Probabilities,
    log_ball,
)
from noisewise.audit.vector_probabilities import OfBall
from noisewise.errors import ParameterTypeError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.numbers.arrays import Floats, Integers, Unsigned
from noisewise.kernel.numbers.balls import precision
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.sampling.draw import UNDECIDED
from noisewise.questions.composites.most_common import Lead
from noisewise.questions.payable import Payable

SAME_WORD = 0x8000_8000_8000_8000
"""Bits that break ties: the same for every record, so that neighbours differ only in one record."""

Choice = tuple[Any, ...]
"""An outcome for each of the laws that are drawn from together."""
Path = tuple[Choice, ...]
"""An outcome for each draw, one after another."""


class NextDraw(BaseException):
    """Raised if an answer needs a draw that was not chosen yet. No ``except Exception`` on the way catches it."""

    def __init__(self, law: object) -> None:
        super().__init__()
        self.law = law


class Choices:
    """A replacement for random bits: it says what is drawn, and stops the answer after the last choice of a path."""

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
        """Return the next choice. Raise `NextDraw` after the last one."""
        if self._next == len(self._path):
            raise NextDraw(law)
        self._next += 1
        return self._path[self._next - 1]


def lacks_levels(law: object) -> bool:
    """Whether a law has only the levels nearest to the answer. The law of all levels then makes some of the draws."""
    if isinstance(law, BalanceLaw):
        return bool(law.score.more.any())
    return isinstance(law, Law) and law.nearest is not None


Laws = tuple[Probabilities, ...] | None
"""The laws that are drawn from together; None if the answer is complete."""


@dataclass(frozen=True, repr=False)
class Draws:
    """All possible draws of the answer to one question about one dataset. Each law is read once."""

    answer: Callable[[Choices], object]
    _laws: dict[Path, Laws] = field(default_factory=dict)
    _logs: dict[Any, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: Payable) -> "Draws":
        return cls(lambda choices: asked.answer(bits=choices))

    @classmethod
    def written(cls, weights: Any) -> "Draws":
        """Return the draws of an answer that is drawn once, by given probabilities."""
        return cls(lambda choices: choices.next(GivenLaw(weights)))

    def laws(self, path: Path) -> Laws:
        """Return the laws of the draw that follows a path, or None if the answer is complete."""
        if path not in self._laws:
            self._laws[path] = self._next_laws(path)
        return self._laws[path]

    def _next_laws(self, path: Path) -> Laws:
        try:
            self.answer(Choices(path))
        except NextDraw as draw:
            return probabilities(draw.law)
        return None

    def likely(self) -> Path:
        """Return the most likely outcome of the first draw, as a path. Return an empty path if nothing is drawn."""
        if (laws := self.laws(())) is None:
            return ()
        outcomes = [law.outcomes() for law in laws]
        return (tuple(each[int(np.argmax(self.logs((), i, each)))] for i, each in enumerate(outcomes)),)

    def values(self, path: Path) -> Path:
        """Return a path with its outcomes written as they are released."""
        values = []
        for step, choice in enumerate(path):
            laws = self.laws(path[:step]) or ()
            values.append(tuple(law.value(outcome) for law, outcome in zip(laws, choice, strict=True)))
        return tuple(values)

    def logs(self, path: Path, index: int, outcomes: list[Any]) -> Floats:
        """Return the log probabilities of outcomes of the draw after a path, by the law at ``index`` of its laws."""
        key = path, index, tuple(outcomes)
        if key not in self._logs:
            laws = self.laws(path)
            assert laws is not None, "a path that ends has no laws"
            self._logs[key] = laws[index].logs(outcomes)
        return self._logs[key]


def probabilities(law: object) -> tuple[Probabilities, ...]:
    """Return the probabilities of each law in ``law``, which may hold one law for each group."""
    if isinstance(law, PermuteAndFlipLaw):
        return tuple(OfCoins.of(law[group]) for group in range(len(law)))  # type: ignore[arg-type]
    if isinstance(law, Law):
        return tuple(OfLaw(law[group]) for group in range(len(law)))
    if isinstance(law, BalanceLaw):
        return tuple(OfBalance(law[group]) for group in range(len(law)))
    if isinstance(law, GaussianLaw):
        return tuple(OfGaussian(law[group]) for group in range(len(law)))
    if isinstance(law, BallLaw):
        return (OfBall(law),)
    if isinstance(law, Lead):
        return (OfCoins.of_lead(law),)
    if isinstance(law, GivenLaw):
        return (law,)
    raise ParameterTypeError("a law", "must be one that an audit can read", got=describe(law)) from None


@dataclass(frozen=True)
class Extreme:
    """The path along which the ratio of probabilities is largest, and the logarithm of the ratio.

    If ``order`` is given, it is in its place the Rényi divergence of this order over the order, of all draws.
    """

    log_ratio: float
    path: Path
    order: Fraction | None = None


def extreme(near: Draws, far: Draws, *, modes: bool = False) -> Extreme:
    """Return the path with the largest log ratio of probabilities, ``near`` over ``far``, in float64.

    If the answer takes one draw, all outcomes are tried. If it takes several, the path follows the outcome with the
    largest ratio at each draw. If ``modes``, paths through the most likely outcome are tried as well.
    """
    return _extreme(near, far, (), modes)


def _extreme(near: Draws, far: Draws, path: Path, modes: bool) -> Extreme:
    ours, theirs = near.laws(path), far.laws(path)
    if ours is None and theirs is None:
        return Extreme(0.0, path)
    if ours is None or theirs is None or len(ours) != len(theirs):
        return Extreme(math.inf, path)
    tops: list[tuple[Any, float]] = []
    likeliest: list[tuple[Any, float]] = []
    for index in range(len(ours)):
        outcomes, ratio, here = log_ratios(near, far, path, index)
        ratio = np.where(here == -np.inf, -np.inf, ratio)  # near never draws this outcome
        for chosen, at in ((tops, int(np.argmax(ratio))), (likeliest, int(np.argmax(here)))):
            chosen.append((outcomes[at], float(ratio[at])))
    best = _followed(near, far, path, tops, modes)
    if modes and likeliest != tops:
        best = max(best, _followed(near, far, path, likeliest, False), key=lambda each: each.log_ratio)
    return best


def log_ratios(near: Draws, far: Draws, path: Path, index: int) -> tuple[list[Any], Floats, Floats]:
    """Return the outcomes of one law, their log ratios, and their log probabilities for the dataset ``near``.

    The law is the one at ``index`` among the laws that follow ``path``. A log ratio compares ``near`` with ``far``.
    """
    ours, theirs = near.laws(path) or (), far.laws(path) or ()
    outcomes = merged(ours[index].outcomes(), theirs[index].outcomes())
    here = near.logs(path, index, outcomes)
    with np.errstate(invalid="ignore"):
        return outcomes, here - far.logs(path, index, outcomes), here


def _followed(near: Draws, far: Draws, path: Path, chosen: list[tuple[Any, float]], modes: bool) -> Extreme:
    """Return the path with the largest ratio among those that continue with the ``chosen`` outcomes.

    ``chosen`` has the outcome of each law, with its log ratio.
    """
    further, own = (*path, tuple(outcome for outcome, _ in chosen)), sum(ratio for _, ratio in chosen)
    if own == math.inf:
        return Extreme(own, further)
    rest = _extreme(near, far, further, modes)
    return Extreme(own + rest.log_ratio, rest.path)


def merged(ours: list[Any], theirs: list[Any]) -> list[Any]:
    """Return the outcomes of both lists, each once, sorted if they can be sorted."""
    if ours == theirs:
        return ours
    both = {*ours, *theirs}
    try:
        return sorted(both)
    except TypeError:  # outcomes of different kinds
        return list(dict.fromkeys([*ours, *theirs]))


def certain(near: Draws, far: Draws, path: Path) -> arb:
    """Return the log ratio of the probabilities of a path, ``near`` over ``far``, as a ball."""
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
