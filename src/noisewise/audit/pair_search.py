"""The search for the two neighbouring datasets with the largest loss.

If there are few pairs of neighbours, all are tried. Otherwise the search starts at datasets that are hard to protect
and changes them step by step. It computes in float64. For the worst pairs, and for pairs that float64 cannot tell from
them, ball arithmetic then computes an interval that certainly contains the loss.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import cycle, islice

from flint import arb

from noisewise.audit.divergences import certain_rho, diverging
from noisewise.audit.draws import Draws, Extreme, certain, extreme
from noisewise.audit.spaces import Data, Dice, Pair
from noisewise.audit.subjects import Subject

FEW_PAIRS = 20_000
"""Up to this many pairs are all looked at."""

TRIES = 2000
"""The number of pairs that a search looks at, unless it is given seconds."""

AS_GOOD_AS = 1e-6
"""Pairs whose log ratio is this near to the largest count as worst, too: float64 errs by far less."""

ENCLOSED = 40
SHAPES = 200
"""The most pairs whose loss is enclosed in balls, and the most shapes that a search begins with."""

KEPT = 5000
"""The most datasets whose laws are kept."""

Progress = Callable[[int, int | None, float], None]
"""Called with the number of pairs looked at, the number of all pairs or None, and the largest log ratio so far."""


@dataclass(frozen=True)
class Move:
    """How far probabilities differ between two neighbours: the largest log ratio in each direction.

    For a claim in rho it is the largest Rényi divergence over its order.
    """

    pair: Pair
    up: Extreme
    down: Extreme

    @property
    def loss(self) -> float:
        return max(self.up.log_ratio, self.down.log_ratio)

    @property
    def range(self) -> float:
        return self.up.log_ratio + self.down.log_ratio

    @property
    def worst(self) -> Extreme:
        return max(self.up, self.down, key=lambda each: each.log_ratio)


@dataclass(frozen=True)
class Enclosed:
    """An unknown number that certainly lies between ``low`` and ``high``."""

    low: float
    high: float

    @classmethod
    def of(cls, number: arb) -> "Enclosed":
        if not number.is_finite():
            return cls(math.inf, math.inf)
        return cls(
            math.nextafter(float(number.lower()), -math.inf), math.nextafter(float(number.upper()), math.inf)
        )

    def exceeds(self, limit: Fraction) -> bool:
        """Whether the number is certainly larger than ``limit``."""
        return self.low == math.inf or Fraction(self.low) > limit

    def __str__(self) -> str:
        if self.low == math.inf:
            return "infinite"
        for digits in range(12, 3, -1):
            if (number := round(self.low, digits)) == round(self.high, digits):
                return f"{number + 0.0:.{digits}f}".rstrip("0").rstrip(".")
        return f"{self.low:.9g} to {self.high:.9g}"


@dataclass(frozen=True)
class Worst:
    """The result of a search: the largest loss, the largest range, and the pair that shows the claimed one of them."""

    datasets: int
    pairs: int
    every: bool
    loss: Enclosed
    range: Enclosed
    worst: Move


@dataclass
class PairSearch:
    """A search for the two neighbouring datasets whose probabilities differ most."""

    subject: Subject
    seconds: float | None = None
    tries: int | None = None
    seed: int = 0
    progress: Progress | None = None
    few: float = FEW_PAIRS
    """If there are at most this many pairs, all of them are tried."""
    _read: dict[Data, Draws] = field(default_factory=dict)
    _seen: int = 0

    def run(self) -> Worst:
        space = self.subject.space
        every = space.count() <= self.few
        tries = TRIES if self.tries is None and self.seconds is None else self.tries
        losses, ranges, pairs = Largest(lambda move: move.loss), Largest(lambda move: move.range), 0
        for move in map(self.move, space.pairs()) if every else self._limited(self._climb(), tries):
            pairs += 1
            losses.add(move)
            ranges.add(move)
            if self.progress is not None and pairs % 50 == 0:
                self.progress(pairs, space.count() if every else tries, max(move.loss, 0.0))
        loss, worst = self._enclosed(losses.moves, ranged=False)
        range_, widest = self._enclosed(ranges.moves, ranged=True)
        if self.progress is not None:
            self.progress(pairs, pairs, loss.high)
        worst = widest if self.subject.ranged else worst
        return Worst(self._seen, pairs, every, loss, range_, worst)

    def _climb(self) -> Iterator[Move]:
        """Yield pairs that are hard to protect, and then changes of the four worst, in turns, without end.

        A changed pair replaces its pair if its loss is at least as large.
        """
        dice, space = Dice(self.seed), self.subject.space
        tops: list[Move] = []
        for pair in islice(space.shapes(), SHAPES):
            tops.append(self.move(pair))
            yield tops[-1]
        tops = sorted(tops, key=self._value, reverse=True)[:4]
        for at in cycle(range(len(tops))):
            changed = self.move(space.moved(tops[at].pair, dice))
            yield changed
            if self._value(changed) >= self._value(tops[at]):
                tops[at] = changed

    def _limited(self, moves: Iterator[Move], tries: int | None) -> Iterator[Move]:
        """Yield the moves until the tries or the seconds are used up, or until a loss is infinite."""
        start = time.monotonic()
        for move in islice(moves, tries):
            yield move
            late = self.seconds is not None and time.monotonic() - start >= self.seconds
            if late or self._value(move) == math.inf:
                return

    def move(self, pair: Pair) -> Move:
        near, far = map(self.draws, pair)
        if self.subject.in_rho:
            return Move(pair, diverging(near, far), diverging(far, near))
        modes = self._draws_several
        return Move(pair, extreme(near, far, modes=modes), extreme(far, near, modes=modes))

    def draws(self, data: Data) -> Draws:
        if data not in self._read:
            if len(self._read) >= KEPT:
                self._read.clear()
            self._read[data] = self.subject.draws(data)
            self._seen += 1
        return self._read[data]

    def _value(self, move: Move) -> float:
        return move.range if self.subject.ranged else move.loss

    @cached_property
    def _draws_several(self) -> bool:
        """Whether the answer about a large dataset takes a second draw, if its first draw is the most likely one."""
        *_, (_, large) = islice(self.subject.space.shapes(), SHAPES)
        draws = self.subject.draws(large)
        return draws.laws(draws.likely()) is not None

    def _enclosed(self, moves: list[Move], *, ranged: bool) -> tuple[Enclosed, Move]:
        """Return an interval that certainly contains the largest loss of some moves, and the move that shows it.

        If ``ranged``, do the same for the largest range in place of the loss.
        """
        bounds = []
        for move in moves[:ENCLOSED]:
            near, far = map(self.draws, move.pair)
            up, down = _certainly(near, far, move.up), _certainly(far, near, move.down)
            both = [Enclosed.of(up + down)] if ranged else [Enclosed.of(up), Enclosed.of(down)]
            bounds.append(max(both, key=lambda each: each.low))
        at = max(range(len(bounds)), key=lambda i: bounds[i].low)
        return Enclosed(bounds[at].low, max(each.high for each in bounds)), moves[at]


def _certainly(near: Draws, far: Draws, found: Extreme) -> arb:
    """Return what was found as a ball."""
    return certain(near, far, found.path) if found.order is None else certain_rho(near, far, found.order)


class Largest:
    """Collects moves, and keeps the move that is largest by a measure and those within `AS_GOOD_AS` of it."""

    def __init__(self, measure: Callable[[Move], float]) -> None:
        self._measure = measure
        self.moves: list[Move] = []
        self._highest = -math.inf

    def add(self, move: Move) -> None:
        value = self._measure(move)
        if value > self._highest + AS_GOOD_AS:
            self.moves = [each for each in self.moves if self._measure(each) >= value - AS_GOOD_AS]
        self._highest = max(self._highest, value)
        if value >= self._highest - AS_GOOD_AS:
            self.moves = sorted([*self.moves, move], key=self._measure, reverse=True)[:ENCLOSED]
