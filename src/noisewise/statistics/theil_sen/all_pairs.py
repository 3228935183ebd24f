"""Ranks among the slopes of all pairs of rows, without looking at all pairs.

Let x_i < x_j. The slope of two rows is at most t exactly if y_j - t*x_j <= y_i - t*x_i. So the slopes up to t are
counted by comparing two orders of the rows, by x and by y - t*x, and the slopes between t and u are those of the pairs
that stand in different order by y - t*x and by y - u*x: both without the other pairs (`crossings`).

Numbers are float64 and rounded, so each y - t*x is an interval that certainly holds it. Pairs whose intervals are apart
are decided; the few others have their slopes worked out, as those that are listed have, by the definition in `slopes`.

The search for ranks starts with all slopes and cuts at points of the lattice, which a sample of pairs chooses, until
what is left around the wanted ranks is one point, or few enough to be listed.
Proof: docs/proofs/all_pairs.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.theil_sen.crossings import MOST, Crossings, listed
from noisewise.statistics.theil_sen.slopes import OUTRIGHT, Pile, deal, mix, slopes

LARGEST = 2.0**1000
"""Differences of smaller numbers are finite."""

SAMPLE, SHARE = 1 << 20, 64
"""So many pairs, or this part of all, say where to cut."""

SPREAD = 4.5
"""Cuts are so many standard deviations of a sampled rank away from the wanted ranks."""

ROOM = 1 << 24
"""So many slopes may be listed at once."""

NEAR = 256
"""Of all pairs this part, and at least `ROOM`, may lie so close to a cut that only their slopes decide."""

WORTH = 20
"""A count takes about as long as listing so many slopes for every row."""

TINY = 2.0**-1000
"""More than what is lost where a product underflows."""

CUTS = 100
"""So many cuts, and some more for every `ROOM` slopes between the wanted ranks, before slopes are counted by cells."""

EARLY = 8
"""After so many cuts within cuts, every other one halves the lattice rather than the sample."""


class Bracket(NamedTuple):
    """The slopes of indices start < k <= stop, after ``before`` others and up to rank ``up_to``; cuts made so far."""

    start: int
    stop: int
    before: int
    up_to: int
    wanted: Integers
    depth: int = 0


class Heights(NamedTuple):
    """Of each row a lower and an upper bound of y - t*x, but for a number that is the same for all rows."""

    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, repr=False)
class AllPairs(Secret):
    """Different rows of finite numbers by x, then y, how often each occurs, and how many slopes all pairs have."""

    x: Floats
    y: Floats
    copies: Integers
    lattice: Lattice
    count: int

    @classmethod
    def of(cls, x: Floats, y: Floats, lattice: Lattice) -> "AllPairs | None":
        """None where the slopes are few, or a difference may be infinite."""
        pairs = x.size * (x.size - 1) // 2
        if pairs <= OUTRIGHT or x.size > MOST or not max(np.abs(x).max(), np.abs(y).max()) < LARGEST:
            return None
        order = np.lexsort((y, x))
        x, y, rows = x[order], y[order], x.size
        is_new_x = np.append(True, x[1:] != x[:-1])
        of_one_x = np.diff(np.flatnonzero(is_new_x), append=rows)
        new = np.flatnonzero(is_new_x | np.append(True, y[1:] != y[:-1]))
        count = pairs - int((of_one_x * (of_one_x - 1) // 2).sum())
        return cls(x[new], y[new], np.diff(new, append=rows), lattice, count)

    def ranks(self, ranks: Integers) -> Integers:
        """The order statistics of these ranks, counted from 1; each between 1 and ``count``."""
        wanted, places = np.unique(ranks, return_inverse=True)
        found = self._search(wanted)
        if found is None:
            dealt = deal(np.repeat(self.x, self.copies), np.repeat(self.y, self.copies), 1)
            found = Pile(lambda: slopes(dealt, self.lattice), self.lattice).ranks(wanted)
        return found[places]

    def _search(self, wanted: Integers) -> Integers | None:
        """None where slopes that tie leave too much to do."""
        found, sample = np.empty_like(wanted), self._sample()
        brackets = [Bracket(self.lattice.low - 1, self.lattice.high, 0, self.count, wanted)]
        cuts = CUTS + 8 * (int(wanted[-1] - wanted[0]) // ROOM)
        while brackets:
            bracket = brackets.pop()
            start = int(np.searchsorted(wanted, bracket.wanted[0]))
            some = slice(start, start + bracket.wanted.size)
            if bracket.stop - bracket.start == 1:
                found[some] = bracket.stop
            elif self._is_small(bracket):
                found[some] = self._listed(bracket)
            else:
                cut = _cut(bracket, sample)
                up_to = self.up_to(cut)
                cuts -= 1
                if up_to is None or cuts < 0:
                    return None
                at = int(np.searchsorted(bracket.wanted, up_to, side="right"))
                low = bracket._replace(stop=cut, up_to=up_to, wanted=bracket.wanted[:at])
                high = bracket._replace(start=cut, before=up_to, wanted=bracket.wanted[at:])
                brackets += [part._replace(depth=part.depth + 1) for part in (low, high) if part.wanted.size]
        return found

    def _sample(self) -> Floats:
        """Slopes of pairs that a fixed hash chooses, as indices, sorted."""
        pairs = min(SAMPLE, max(self.count // SHARE, 1 << 12))
        places = mix(np.arange(2 * pairs, dtype=np.uint64)) % np.uint64(self.copies.sum())
        rows = np.repeat(np.arange(self.x.size), self.copies)[places.astype(np.int64)]
        found = self._slopes(rows[:pairs], rows[pairs:])
        return np.sort(found[found == found])

    def _slopes(self, one: Integers, other: Integers) -> Floats:
        """The slopes of these pairs of rows as indices; NaN unless the other row's x is larger."""
        with np.errstate(all="ignore"):
            run, rise = self.x[other] - self.x[one], self.y[other] - self.y[one]
            run[run <= 0] = np.nan
            rise /= run
        return self.lattice.nearest(rise, out=rise)

    def up_to(self, index: int) -> int | None:
        """How many slopes have an index up to this one, which is not the last; None if too many are near its end."""
        heights = self._heights(index)
        if not np.isfinite(heights).all():
            return None
        order = np.argsort(heights.low)
        starts = np.arange(1, order.size + 1)
        stops = np.searchsorted(heights.low[order], heights.high[order], side="right")
        if int((stops - starts).sum()) > max(ROOM, self.count // NEAR):
            return None
        ends = np.concatenate([np.repeat(end, self.copies) for end in heights])
        by_x = np.arange(ends.size).reshape(2, -1)[::-1].T.ravel()
        found = Crossings(by_x, np.argsort(ends, kind="stable")).count()
        near = np.flatnonzero(starts < stops)
        for some, others in listed(starts[near], stops[near]):
            pair = order[near[some]], order[others]
            is_below = self._slopes(np.minimum(*pair), np.maximum(*pair)) <= index
            found += int((self.copies[pair[0]] * self.copies[pair[1]])[is_below].sum())
        return found

    def _is_small(self, bracket: Bracket) -> bool:
        """Few enough to be listed, and no more around the wanted ranks than another cut is worth."""
        around = max(bracket.wanted[0] - bracket.before, bracket.up_to - bracket.wanted[-1])
        return bracket.up_to - bracket.before <= ROOM and bool(around <= WORTH * self.x.size)

    def _listed(self, bracket: Bracket) -> Integers:
        """The wanted ranks of a small bracket."""
        first = np.argsort(np.concatenate(self._heights(bracket.start)), kind="stable")
        second = np.argsort(np.concatenate(self._heights(bracket.stop)), kind="stable")
        crossings = Crossings(first, (second + self.x.size) % first.size)
        kept, repeats = list[Integers](), bool(self.copies.max() > 1)
        for one, other in crossings.pairs():
            found = self._slopes(one, other)
            is_inside = (found > bracket.start) & (found <= bracket.stop)
            inside = found[is_inside].astype(np.int64)
            kept.append(
                np.repeat(inside, (self.copies[one] * self.copies[other])[is_inside]) if repeats else inside
            )
        lattice = Lattice(bracket.start + 1, bracket.stop, self.lattice.granularity)
        return Pile(lambda: iter(kept), lattice).ranks(bracket.wanted - bracket.before)

    def _heights(self, index: int) -> Heights:
        """For a t between the slopes of this index and those of the next; beyond all slopes the rows are in order."""
        if not self.lattice.low <= index < self.lattice.high:
            rows = np.arange(self.x.size, dtype=np.float64)
            return Heights(rows, rows) if index < self.lattice.low else Heights(-rows, -rows)
        step = self.lattice.granularity
        t = float((index + Fraction(1, 2)) * step)
        margin = 2.0**-20 * float(step) + 2.0**-48 * abs(t)
        with np.errstate(all="ignore"):
            x, y = self.x - self.x[self.x.size // 2], self.y - float(np.median(self.y))
            line = t * x
            height = y - line
            error = 2.0**-50 * (np.abs(line) + np.abs(height)) + 2 * margin * np.abs(x) + TINY
            return Heights(height - error, height + error)


def _cut(bracket: Bracket, sample: Floats) -> int:
    """An index within the bracket: next to the wanted ranks, or in their middle where there is no room for all."""
    if bracket.depth <= EARLY or bracket.depth % 2 == 0:
        inside = sample[slice(*np.searchsorted(sample, [bracket.start, bracket.stop], side="right"))]
        first, last = int(bracket.wanted[0]) - bracket.before, int(bracket.wanted[-1]) - bracket.before
        held = bracket.up_to - bracket.before
        below, above = (first, -1), (last, 1)
        sides = [below, above] if first >= held - last else [above, below]
        for rank, side in sides if last - first <= ROOM else [((first + last) // 2, 0)]:
            share = rank / held
            apart = SPREAD * math.sqrt(inside.size * share * (1 - share)) + 1
            place = math.floor(share * inside.size + side * apart)
            if 0 <= place < inside.size:
                cut = int(inside[place]) - (side < 0)
                if bracket.start < cut < bracket.stop:
                    return cut
    return (bracket.start + bracket.stop) // 2
