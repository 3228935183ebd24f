"""Score: how strongly the records pull at each answer.

phi(y) is a sum over the records. A record adds a number above 0 to say that the answer y is too high, and below 0 to
say that it is too low. The sum rises with y, and the answer is where it changes sign. The balance mechanism draws from
a score alone. It is private because of the shape of delta, the function of y by which phi(y) changes between
neighbours:

    add/remove   delta rises with y, and |delta| <= pull
    swap         delta has one sign, |delta| <= pull, and |delta| first rises and then falls

The pull is public and the statistic states it before anything is paid. So a score, which is secret, does not hold it.

A score is a chain of pieces over positions; the answer k has position unit*k. On each piece phi is a straight line in a
public coordinate. The scores of many groups lie in the same flat arrays: group g has the indices offsets[g] up to
offsets[g+1]. Proof: docs/proofs/balance.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.arrays import Booleans, Integers, LargeIntegers, quotient, whole_numbers
from noisewise.kernel.sampling.coordinates import Even, Odds, Pieces
from noisewise.kernel.secret import Secret

__all__ = ["Odds", "Score"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Score(Secret):
    """The scores of one or many groups, in pieces; ``support`` holds the lowest and the highest answer.

    Piece i begins at ``positions[i]``. It ends where the next piece of its group begins, and the last piece at ``end``.
    On the piece phi rises from ``first[i]/bottom`` to ``last[i]/bottom``. If ``unit`` is 1, the answer k is the place
    from k to k + 1, and phi is level on each piece. Otherwise ``unit`` is even and answers are rounded to the nearest.
    ``more`` says for each group whether its outermost pieces, below and above, hold further levels that were not read.
    """

    positions: LargeIntegers
    first: LargeIntegers
    last: LargeIntegers
    offsets: Integers
    end: int
    support: tuple[int, int]
    bottom: int = 1
    unit: int = 1
    odds: Odds | None = None
    more: Booleans = field(default_factory=lambda: np.zeros((1, 2), np.bool_))

    @classmethod
    def steps(
        cls,
        starts: ArrayLike,
        levels: ArrayLike,
        support: tuple[int, int],
        *,
        bottom: int = 1,
        more: tuple[bool, bool] = (False, False),
    ) -> "Score":
        """A score that is levels[i]/bottom from starts[i] up to the next start, for a single group."""
        positions, heights = np.asarray(starts, np.int64), whole_numbers(levels)
        return cls(
            positions,
            heights,
            heights,
            np.array([0, positions.size]),
            support[1],
            support,
            bottom,
            more=np.array([more]),
        )

    @classmethod
    def of_levels(cls, envelope: Envelope, more: bool) -> "Score":
        """The score of a single envelope, which must have one point at level 0.

        For answers from level 0 on, it is the number of upper levels at or below the answer, less a half. Below, it is
        a half less the number of lower levels above the answer. ``more`` says that each side has further levels.
        """
        low, high = envelope.support
        assert low is not None and high is not None, "a score is between bounds"
        last = envelope.lower.size - 1
        starts = np.concatenate([[low], envelope.lower[::-1], envelope.upper[1:]])
        heights = np.arange(-2 * last - 1, 2 * last + 2, 2)
        return cls.steps(starts, heights, (low, high), bottom=2, more=(more, more))

    @classmethod
    def lines(
        cls,
        positions: Sequence[int] | LargeIntegers,
        values: Sequence[int] | Sequence[Fraction] | LargeIntegers,
        support: tuple[int, int],
        *,
        bottom: int = 1,
        unit: int = 2,
        odds: Odds | None = None,
        more: tuple[bool, bool] = (False, False),
    ) -> "Score":
        """A score with straight lines between the points (positions[i], values[i]/bottom), for a single group.

        Values are whole numbers. If they have no common denominator, all of them are Fractions.
        """
        where = whole_numbers(positions)
        heights = np.array(values) if isinstance(values[0], Fraction) else whole_numbers(values)
        return cls(
            where[:-1],
            heights[:-1],
            heights[1:],
            np.array([0, where.size - 1]),
            int(where[-1]),
            support,
            bottom,
            unit,
            odds,
            np.array([more]),
        )

    @classmethod
    def fraction(
        cls,
        up: int | LargeIntegers,
        down: int | LargeIntegers,
        support: tuple[int, int],
        *,
        odds: Odds,
        bottom: int = 1,
        unit: int = 2,
        end: int | None = None,
    ) -> "Score":
        """The score phi = (down*r - up)/max(r, 1). r is the odds of an answer, and is up/down at the true answer.

        Records pull up by ``up/bottom`` and down by ``down/bottom`` in total. Each record pulls by at most 1.
        Arrays hold one sum for each group. phi is -up at r = 0 and down - up at r = 1, and it tends to ``down``.
        """
        middle, top = odds.middle(), odds.high if end is None else end
        assert top is not None, "without a highest position there must be an end"
        z = odds.exact(top)  # at most 2
        scale = z.denominator
        ups, downs = (
            whole_numbers(side if isinstance(side, np.ndarray) else [side], 4 * scale) for side in (up, down)
        )
        if z <= 1:
            starts, heights = [odds.low], [-ups * scale, downs * z.numerator - ups * scale]
        else:
            even = (downs - ups) * scale
            starts, heights = [odds.low, middle], [-ups * scale, even, even + ups * (z.numerator - scale)]
        count, pieces, table = ups.size, len(starts), np.array(heights).T
        return cls(
            whole_numbers([*starts, top]).take(np.arange(pieces * count) % pieces),
            table[:, :-1].ravel(),
            table[:, 1:].ravel(),
            pieces * np.arange(count + 1),
            top,
            support,
            bottom * scale,
            unit,
            odds,
            np.zeros((count, 2), np.bool_),
        )

    @classmethod
    def stack(cls, scores: "Sequence[Score]") -> "Score":
        """Several scores as one batch. They differ only in their positions, heights and denominators."""
        sizes = np.concatenate([score.sizes for score in scores])
        bottom = int(np.lcm.reduce([score.bottom for score in scores], dtype=object))
        scaled = [score.over(bottom) for score in scores]
        return replace(
            scaled[0],
            positions=np.concatenate([score.positions for score in scaled]),
            first=np.concatenate([score.first for score in scaled]),
            last=np.concatenate([score.last for score in scaled]),
            offsets=np.concatenate([[0], np.cumsum(sizes)]),
            more=np.concatenate([score.more for score in scaled]),
        )

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def coordinate(self) -> Odds | Even:
        """The coordinate in which phi is a straight line on each piece."""
        return self.odds or Even(int(self.positions[0]) if self.positions.size else 0, self.end)

    @property
    def sizes(self) -> Integers:
        """How many pieces each group has."""
        return self.offsets[1:] - self.offsets[:-1]

    def __getitem__(self, group: int) -> "Score":
        index = range(len(self))[group]
        part = slice(self.offsets[index], self.offsets[index + 1])
        return replace(
            self,
            positions=self.positions[part],
            first=self.first[part],
            last=self.last[part],
            offsets=self.offsets[index : index + 2] - self.offsets[index],
            more=self.more[index : index + 1],
        )

    def over(self, bottom: int) -> "Score":
        """The same score over a multiple of its denominator."""
        if bottom == self.bottom:
            return self
        times = bottom // self.bottom
        first, last = (times * side.astype(object) for side in (self.first, self.last))
        return replace(self, first=first, last=last, bottom=bottom)

    def pieces(self, groups: Integers, kappa: Fraction) -> Pieces:
        """Some groups as a table. A group with fewer pieces than others gets empty pieces before its last piece."""
        if len(self) == groups.size == 1:
            return self._table(self.positions[None], self.first[None], self.last[None], self.more, kappa)
        sizes = self.sizes[groups]
        most = int(sizes.max(initial=1))
        column, last = np.arange(most), sizes[:, None] - 1
        index = self.offsets[groups][:, None] + np.minimum(column, last)
        first = self.first.take(index)
        final = first if self.unit == 1 else self.last.take(index)
        if self.unit > 1 and sizes.min(initial=most) < most:
            empty = (column >= last) & (column < most - 1)
            final = np.where(empty, first, final)
        return self._table(self.positions.take(index), first, final, self.more[groups], kappa)

    def _table(
        self,
        starts: LargeIntegers,
        first: LargeIntegers,
        last: LargeIntegers,
        more: Booleans,
        kappa: Fraction,
    ) -> Pieces:
        """The table of pieces that begin at these positions, with a row for each group."""
        rows, most = starts.shape
        large = self.positions.dtype == object or abs(self.end) >= 2**62
        edges = np.empty((rows, most + 1), object if large else np.int64)
        edges[:, :-1], edges[:, -1] = starts, self.end
        return Pieces(edges, first, last, more, self.bottom, self.unit, self.coordinate, self.support, kappa)

    def at(self, k: int) -> Fraction:
        """phi of a single score at k, or halfway between k and k + 1 if answers are rounded."""
        p = k if self.unit == 1 else self.unit * k + self.unit // 2
        i = max(int(np.searchsorted(self.positions, p, side="right")) - 1, 0)
        first, last = self.ends_of(i)
        left = int(self.positions[i])
        right = int(self.positions[i + 1]) if i + 1 < self.positions.size else self.end
        if first == last or right == left:
            return first
        z = self.coordinate
        p = min(max(p, left), right)
        return first + (last - first) * (z.exact(p) - z.exact(left)) / (z.exact(right) - z.exact(left))

    def ends_of(self, piece: int) -> tuple[Fraction, Fraction]:
        """phi at both ends of a piece."""
        return quotient(self.first[piece], self.bottom), quotient(self.last[piece], self.bottom)

    def fault(self, support: tuple[int | None, int | None]) -> str | None:
        """The rule that a single score breaks, given the support of the answers; None if it breaks none."""
        low, high = self.support
        if (low, high) != support:
            return "have answers.support for its support"
        if not self.positions.size == self.first.size == self.last.size > 0:
            return "have as many positions as values, and at least one piece"
        if (self.positions[1:] < self.positions[:-1]).any() or self.end < self.positions[-1]:
            return "have positions that rise"
        if (
            self.positions[0] > self.unit * low + self.unit // 2
            or self.end < self.unit * high - self.unit // 2
        ):
            return "reach over all answers of the public support"
        level = self.last is self.first
        if (not level and (self.last < self.first).any()) or (self.first[1:] < self.last[:-1]).any():
            return "rise with the answer"
        if self.unit == 1 and not level and np.any(self.last != self.first):
            return "be level between places, or have an even unit"
        return None
