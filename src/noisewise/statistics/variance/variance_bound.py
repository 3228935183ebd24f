"""How far a variance can move, from the count n, the sum S and the sum of squares Q of the records alone.

Records are counted from a bound, 0 <= x <= R. Let an edit add or remove not only a record, that is (x, x*x), but any
pair (v, w) with v*v <= w <= R*v: a larger graph, in which sums say everything. There the best pairs to add lie on the
chord w = R*v, the best ones to remove take no spread away, and the worst ones to remove lie at the far bound. Let the
mean be in the lower half of the range (else mirror it), and the spread be the sum of squared deviations from it:

    most(m)  = the spread after m copies of R are added, and once the mean is central, (n+m)*R*R/4 - (S*R - Q)
    least(d) = the spread after d copies of R are removed, as if they had been there; at least 0

    swap          upper[l] = most(l) / n                                lower[l] = least(l) / n
    add/remove    upper[l] = max over d+m = l of most(m) / (n+m-d)      lower[l] = min of least(0)/(n+l), least(l)/(n-l)

Which m is best moves one way only, so a pointer finds all of them. Proof: docs/proofs/variance_bound.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column

Ratio = tuple[int, int]
"""A numerator and a positive denominator, not reduced."""


@dataclass(frozen=True, slots=True, repr=False)
class PowerSums(Secret):
    """Count, sum and sum of squares of records that are counted from a bound; ``width`` is R."""

    count: int
    total: int
    squares: int
    width: int

    @classmethod
    def of(cls, column: Column) -> "PowerSums":
        sums = column.sums(squares=True)
        return cls(sums.count, sums.total, sums.squares, column.lattice.high - column.lattice.low)

    def leaning_low(self) -> "PowerSums":
        """The same records, counted from the bound that their mean is nearer to."""
        n, S, Q, R = self.count, self.total, self.squares, self.width
        return self if n * R >= 2 * S else PowerSums(n, n * R - S, Q - 2 * R * S + n * R * R, R)

    def without(self, removed: int, total: int, squares: int) -> "PowerSums":
        """What is left when this many records, of this sum and sum of squares, are removed."""
        return PowerSums(self.count - removed, self.total - total, self.squares - squares, self.width)

    def joined(self, low: int, high: int) -> "PowerSums":
        """With this many records added at the lower and at the upper bound."""
        R = self.width
        return PowerSums(self.count + low + high, self.total + high * R, self.squares + high * R * R, R)

    @property
    def spread(self) -> Ratio:
        """The sum of squared deviations from the mean."""
        return self.count * self.squares - self.total**2, max(self.count, 1)

    @property
    def variance(self) -> Ratio:
        return self.count * self.squares - self.total**2, max(self.count, 1) ** 2

    def most(self, added: int) -> Ratio:
        """The largest spread that this many added pairs can make, for a mean in the lower half."""
        n, S, Q, R = self.count, self.total, self.squares, self.width
        if added * R < n * R - 2 * S:
            return (n + added) * (Q + added * R * R) - (S + added * R) ** 2, n + added
        return (n + added) * R * R - 4 * (S * R - Q), 4

    def least(self, removed: int) -> Ratio:
        """The smallest spread that removing this many pairs can leave, fewer than there are records."""
        R = self.width
        top, bottom = self.without(removed, removed * R, removed * R * R).spread
        return max(top, 0), bottom


def exceeds(one: Ratio, other: Ratio) -> bool:
    return one[0] * other[1] > other[0] * one[1]


def highest(moments: PowerSums, neighbors: Neighbors) -> Ratio:
    """The largest variance of all: half the records at one bound and half at the other; n is public under swap."""
    n, square = moments.count, moments.width**2
    return (n * n // 4 * square, max(n * n, 1)) if neighbors == "swap" else (square, 4)


def upper_bound(moments: PowerSums, levels: int, neighbors: Neighbors) -> Iterator[Ratio]:
    """The largest variance after 0, 1, ... edits; ends early where the largest variance of all is reached."""
    sums, most, swap = moments.leaning_low(), highest(moments, neighbors), neighbors == "swap"
    best, spread = sums.variance, cache(sums.most)
    for l, added in enumerate(range(levels + 1) if swap else best_added(sums.count, spread, levels)):
        top, bottom = spread(added)
        left = sums.count if swap else sums.count - l + 2 * added
        if left and exceeds((top, bottom * left), best):
            best = top, bottom * left
        if not exceeds(most, best):
            return
        yield best


def lower_bound(moments: PowerSums, levels: int, neighbors: Neighbors) -> Iterator[Ratio]:
    """The smallest variance after 0, 1, ... edits; ends early where it is 0."""
    sums, count = moments.leaning_low(), moments.count
    spread, _ = sums.spread
    for l in range(min(levels + 1, count)):
        top, bottom = sums.least(l)
        if top == 0:
            return
        if neighbors == "swap":
            yield top, bottom * count
            continue
        removed, diluted = (top, bottom * (count - l)), (spread, count * (count + l))
        yield diluted if exceeds(removed, diluted) else removed


def best_added(count: int, most: Callable[[int], Ratio], levels: int) -> Iterator[int]:
    """How many of 0, 1, ... edits should add a pair, the others removing one, to make the variance largest.

    ``most(m)`` is the largest spread that m added pairs can make. For a fixed level the variance rises and then falls
    with that number; the peak moves down as the level grows.
    """
    added, spread = 0, most(0)
    for l in range(levels + 1):
        least = max(0, (l - count) // 2 + 1)  # somebody must be left
        if added == l - 1 or added < least:
            added = min(l, max(added + 1, least))
            spread = most(added)
        while added > least:
            fewer, left = most(added - 1), count - l + 2 * added
            if spread[0] * fewer[1] * (left - 2) > fewer[0] * spread[1] * left:
                break
            added, spread = added - 1, fewer
        yield added
