"""One group of a column behind an engine, as a column by itself.

A question that is asked of one group after the other asks every group for about the same thing. So a query is about all
groups at once, and the groups that come later find their part of it: counts, sums, and the order statistics around the
same share of the ranks. How near that is decides how many queries there are, and nothing else: a group that needs other
ranks asks for these, and the groups behind it are guessed anew. Proof: docs/proofs/engines.md.
"""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noisewise.columns.column import Neighbors, Sums
from noisewise.numbers.arrays import Integers
from noisewise.numbers.lattice import Lattice
from noisewise.secret import Secret

if TYPE_CHECKING:
    from noisewise.tables.engines.groups import EngineGroups

ROOM = 1 << 18
"""So many records of all groups together are fetched beside the ranks that groups are guessed to need."""

MOST = 1 << 22
"""At most so many records of other groups are fetched by one query."""


class GroupReads(Secret):
    """What was asked of all groups at once, kept for each of them."""

    def __init__(self, groups: "EngineGroups") -> None:
        self.groups = groups
        self._windows: dict[int, list[tuple[int, Integers]]] = {}

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
                window = records[ends[each] - (stops[each] - starts[each]) : ends[each]]
                self._windows.setdefault(each, []).append((int(starts[each]), window))
            found = self._windows[group][-1]
        first, window = found
        return window[start - first : stop - first]

    def _known(self, group: int, start: int, stop: int) -> tuple[int, Integers] | None:
        """A window that holds these ranks of a group, and its first rank."""
        for first, window in self._windows.get(group, ()):
            if first <= start and stop <= first + window.size:
                return first, window
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
        starts[group], stops[group] = start, stop
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

    def sums(self, *, squares: bool = False) -> Sums:
        return (self._reads.squares if squares else self._reads.sums)[self._group]

    def below(self, index: int, *, squares: bool = False) -> Sums:
        if index >= self.lattice.high:
            return self.sums(squares=squares)
        return self._reads.groups.group(self._group).below(index, squares=squares)

    def ordered(self) -> Integers:
        return self.ranks(1, self.count + 1)
