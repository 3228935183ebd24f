"""One group of a column behind an engine, as a column by itself.

A question that is asked of one group after the other asks every group for about the same thing. So a query is about all
groups at once, and the groups that come later find their part of it: counts, sums, and the order statistics around the
same share of the ranks. How near that is decides how many queries there are, and nothing else: a group that needs other
ranks asks for these, and the groups behind it are guessed anew. Proof: docs/proofs/engines.md.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Sums, Tally

if TYPE_CHECKING:
    from noisewise.tables.engines.groups import EngineGroups

ROOM = 1 << 18
"""So many records of all groups together are fetched beside the ranks that groups are guessed to need."""

MOST = 1 << 22
"""At most so many records of other groups are fetched by one query."""


@dataclass(frozen=True, slots=True, repr=False)
class Window(Secret):
    """Order statistics of one group: the record of rank ``first`` and those after it, by one of the queries."""

    first: int
    records: Integers
    query: int


class GroupReads(Secret):
    """What was asked of all groups at once, kept for each of them."""

    def __init__(self, groups: "EngineGroups") -> None:
        self.groups = groups
        self._queries = 0
        self._windows: dict[int, list[Window]] = {}
        self._counted: dict[tuple[int, int], int] = {}
        self._sums_before: dict[tuple[int, bool], list[Sums]] = {}

    @cached_property
    def counts(self) -> Integers:
        return self.groups.counts

    @cached_property
    def sums(self) -> list[Sums]:
        return self._all_sums(squares=False)

    @cached_property
    def squares(self) -> list[Sums]:
        return self._all_sums(squares=True)

    def _all_sums(self, *, squares: bool) -> list[Sums]:
        return self.groups.below(np.full(len(self.groups), self.groups.lattice.high), squares=squares)

    def ranks(self, group: int, start: int, stop: int) -> Integers:
        """The order statistics of one group; those of the groups behind it come with the same query."""
        if start >= stop:
            return np.empty(0, np.int64)
        if self.groups.exact:
            return self.groups.counted_ranks(group, start, stop)
        if (found := self._known(group, start, stop)) is None:
            starts, stops = self._guessed(group, start, stop)
            records = self.groups.ranks(starts, stops)
            ends = np.cumsum(stops - starts)
            for each in np.flatnonzero(starts < stops).tolist():
                own = records[ends[each] - (stops[each] - starts[each]) : ends[each]]
                self._windows.setdefault(each, []).append(Window(int(starts[each]), own, self._queries))
            self._queries += 1
            found = self._windows[group][-1]
        return found.records[start - found.first : stop - found.first]

    def upto(self, group: int, index: int) -> int:
        """How many records of one group are at or below an index."""
        count, lattice = int(self.counts[group]), self.groups.lattice
        if not lattice.low <= index < lattice.high:
            return 0 if index < lattice.low else count
        if self.groups.exact:
            return self.groups.counted_below(group, index, squares=False).count
        for window in self._windows.get(group, ()):
            through = int(np.searchsorted(window.records, index, side="right"))
            begins, ends = window.first == 1, window.first - 1 + window.records.size == count
            if (begins or through > 0) and (ends or through < window.records.size):
                return window.first - 1 + through
        if (group, index) not in self._counted:
            self._counted[group, index] = self.groups.group(group).below(index).count
        return min(self._counted[group, index], count)

    def below(self, group: int, index: int, *, squares: bool) -> Sums | None:
        """Exact sums of one group up to an index that bins or a window say all about; None where none does."""
        low = self.groups.lattice.low
        if self.groups.exact:
            return self.groups.counted_below(group, index, squares=squares)
        for window in self._windows.get(group, ()):
            if window.records[0] <= index < window.records[-1]:  # equal ones may follow the last
                before = self._before(window.query, squares)[group]
                inside = window.records[: np.searchsorted(window.records, index, side="right")] - low
                return added(before, inside.tolist(), [1] * inside.size, squares=squares)
        return None

    def _before(self, query: int, squares: bool) -> list[Sums]:
        """The sums of the records that come before the windows of one query, in every group that has one."""
        if (query, squares) not in self._sums_before:
            low, limits = self.groups.lattice.low, np.full(len(self.groups), self.groups.lattice.low - 1)
            windows = {
                group: window
                for group, every in self._windows.items()
                for window in every
                if window.query == query
            }
            for group, window in windows.items():
                limits[group] = window.records[0] - 1
            sums = self.groups.below(limits, squares=squares)
            for group, window in windows.items():  # some before the window may equal its first record
                equal = max(window.first - 1 - sums[group].count, 0)
                sums[group] = added(sums[group], [int(window.records[0]) - low], [equal], squares=squares)
            self._sums_before[query, squares] = sums
        return self._sums_before[query, squares]

    def _known(self, group: int, start: int, stop: int) -> Window | None:
        """A window that holds these ranks of a group."""
        for window in self._windows.get(group, ()):
            if window.first <= start and stop <= window.first + window.records.size:
                return window
        return None

    def _guessed(self, group: int, start: int, stop: int) -> tuple[Integers, Integers]:
        """The ranks of one group, and what the groups behind it will probably be asked: as many, as near to the lowest
        or the highest record, or at the same share."""
        counts, length = self.counts, stop - start
        spare = ROOM // (2 * counts.size)
        if start == 1:
            starts, stops = np.ones_like(counts), np.full_like(counts, stop)
        elif stop == counts[group] + 1:
            starts, stops = counts + 1 - length, counts + 1
        else:
            middles = counts * ((start + stop) / 2 / float(counts[group]))  # only a guess
            starts, stops = (np.floor(middles + way * length / 2).astype(np.int64) for way in (-1, 1))
        starts, stops = np.clip(starts, 1, counts + 1), np.clip(stops, 1, counts + 1)
        behind = np.arange(counts.size) > group
        for each in np.flatnonzero(behind).tolist():
            behind[each] = self._known(each, int(starts[each]), int(stops[each])) is None
        starts, stops = np.clip(starts - spare, 1, None), np.minimum(stops + spare, counts + 1)
        behind &= np.cumsum(np.where(behind, stops - starts, 0)) <= MOST
        starts, stops = np.where(behind, starts, 1), np.where(behind, stops, 1)
        starts[group], stops[group] = max(start - spare, 1), min(stop + spare, int(counts[group]) + 1)
        return starts, stops


class EngineGroup(Secret):
    """One group's records: a column."""

    def __init__(self, reads: GroupReads, group: int) -> None:
        self._reads, self._group = reads, group

    @property
    def lattice(self) -> Lattice:
        return self._reads.groups.lattice

    @property
    def neighbors(self) -> Neighbors:
        return self._reads.groups.neighbors

    @property
    def count(self) -> int:
        return int(self._reads.counts[self._group])

    def ranks(self, start: int, stop: int) -> Integers:
        return self._reads.ranks(self._group, start, stop)

    def extremes(self, records: int) -> tuple[Integers, Integers]:
        return self.ranks(1, records + 1), self.ranks(self.count - records + 1, self.count + 1)

    def gather(self, windows: list[tuple[int, int]]) -> None:
        """Windows that overlap are read as one."""
        start, stop = 0, 0
        for first, last in sorted(window for window in windows if window[0] < window[1]):
            if first > stop:
                self.ranks(start, stop)
                start = first
            stop = max(stop, last)
        self.ranks(start, stop)

    def tally(self, start: int, stop: int) -> Tally:
        """At least as many as there are ranks, also where data change meanwhile."""
        indices, counts = np.unique(self.ranks(start, stop), return_counts=True)
        before = min(self.upto(int(indices[0]) - 1), start - 1)
        counts[0] += start - 1 - before
        counts[-1] += max(self.upto(int(indices[-1])) - (stop - 1), 0)
        return Tally(before, indices, counts)

    def upto(self, index: int) -> int:
        return self._reads.upto(self._group, index)

    def sums(self, *, squares: bool = False) -> Sums:
        return (self._reads.squares if squares else self._reads.sums)[self._group]

    def below(self, index: int, *, squares: bool = False) -> Sums:
        if index >= self.lattice.high:
            return self.sums(squares=squares)
        known = self._reads.below(self._group, index, squares=squares)
        if known is not None:
            return known
        return self._reads.groups.group(self._group).below(index, squares=squares)

    def ordered(self) -> Integers:
        return self.ranks(1, self.count + 1)


def added(sums: Sums, steps: list[int], counts: list[int], *, squares: bool) -> Sums:
    """Sums with so many records more at each distance, in integers of any size."""
    both = list(zip(steps, counts, strict=True))
    return Sums(
        sums.count + sum(counts),
        sums.total + sum(step * count for step, count in both),
        sums.squares + (sum(step * step * count for step, count in both) if squares else 0),
    )
