"""Spaces: all pairs of neighbouring datasets of one kind, and small changes that lead from one pair to another.

A search begins at shapes: pairs of datasets for which laws spend their whole epsilon. In a shape, all records lie at
one bound, half of them at each bound, all at one value, or they are evenly spread. The record that is added or replaced
lies at a bound, in the middle, or at another record.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, islice, product
from typing import Any, Protocol

from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits

Data = tuple[Any, ...]
Pair = tuple[Data, Data]


class Dice:
    """Random choices from a seed. They are the same on every machine."""

    def __init__(self, seed: int) -> None:
        self._bits = SeededBits(seed)

    def below(self, count: int) -> int:
        return int(self._bits.words(1)[0] % count)

    def one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self.below(len(choices))]


class Space(Protocol):
    """The datasets of one kind, and the pairs of them that are neighbours."""

    def count(self) -> int:
        """Return an upper bound on the number of pairs of neighbours."""

    def pairs(self) -> Iterator[Pair]:
        """Yield each pair of neighbours once."""

    def shapes(self) -> Iterator[Pair]:
        """Yield the pairs at which a search begins."""

    def moved(self, pair: Pair, dice: Dice) -> Pair:
        """Return a pair with a small random change."""


@dataclass(frozen=True)
class Records:
    """Datasets of up to ``most`` records. ``columns`` has the values that each column can have, in order.

    A record is one value, or a tuple if there are several columns. One person has up to ``owned`` records.
    """

    columns: tuple[tuple[Any, ...], ...]
    most: int
    neighbors: str = "add_remove"
    owned: int = 1

    @property
    def values(self) -> list[Any]:
        return list(self.columns[0]) if len(self.columns) == 1 else list(product(*self.columns))

    def count(self) -> int:
        different = math.prod(map(len, self.columns))
        return math.comb(different + self.most, self.most) * int(different**self.owned)

    def pairs(self) -> Iterator[Pair]:
        values = self.values
        indices = tuple(range(len(values)))
        for x, y in self._added(indices) if self.neighbors == "add_remove" else self._swapped(indices):
            yield tuple(values[k] for k in x), tuple(values[k] for k in y)

    def _added(self, indices: Data) -> Iterator[Pair]:
        for n in range(self.most):
            for x in combinations_with_replacement(indices, n):
                for more in range(1, min(self.owned, self.most - n) + 1):
                    for own in combinations_with_replacement(indices, more):
                        yield x, tuple(sorted((*x, *own)))

    def _swapped(self, indices: Data) -> Iterator[Pair]:
        for n in range(1, self.most + 1):
            yield from World(indices, n, "swap", 1, n).pairs()

    def shapes(self) -> Iterator[Pair]:
        low, high = (self._record(lambda column, end=end: column[end]) for end in (0, -1))
        middle = self._record(lambda column: column[len(column) // 2])
        last = self.most - self.owned
        for n in dict.fromkeys((0, last, 1, last // 2, 2, last // 3, 3, last - 1)):
            if not 0 <= n <= last:
                continue
            even = tuple(
                self._record(lambda c, i=i, n=n: c[i * (len(c) - 1) // max(n - 1, 1)]) for i in range(n)
            )
            half = (low,) * (n // 2)
            shapes = {(low,) * n, (high,) * n, (middle,) * n, half + (high,) * (n - n // 2), even}
            for shared in sorted(shapes, key=repr):
                for extra in (low, high, middle):
                    yield self._pair(shared, (extra,) * self.owned, high if extra == low else low)

    def moved(self, pair: Pair, dice: Dice) -> Pair:
        near, far = map(list, pair)
        own = far[len(near) :] if self.neighbors == "add_remove" else far[-1:]
        replaced = near[-1] if self.neighbors == "swap" else None
        shared = near if self.neighbors == "add_remove" else near[:-1]
        what = dice.below(6)
        if what == 0 and own:
            own[dice.below(len(own))] = self._other(dice.one_of([*own, *shared]), dice)
        elif what == 1 and len(shared) + self.owned < self.most:
            shared.insert(dice.below(len(shared) + 1), self._other(dice.one_of([*own, *shared]), dice))
        elif what == 2 and len(shared) > 1:
            del shared[dice.below(len(shared))]
        elif what == 3 and self.neighbors == "swap":
            replaced = self._other(replaced, dice)
        elif shared:
            to, count = (
                self._other(dice.one_of([*own, *shared]), dice),
                dice.one_of([1, 1, 2, len(shared) // 3]),
            )
            for _ in range(count):
                shared[dice.below(len(shared))] = to
        return self._pair(tuple(shared), tuple(own), replaced)

    def _pair(self, shared: Data, own: Data, replaced: Any) -> Pair:
        if self.neighbors == "swap":
            return (*shared, replaced), (*shared, own[0])
        return shared, (*shared, *own)

    def _record(self, value: Any) -> Any:
        parts = tuple(value(column) for column in self.columns)
        return parts[0] if len(parts) == 1 else parts

    def _other(self, record: Any, dice: Dice) -> Any:
        """Return a record with one column changed: to a near value, a random value, or the first or last value."""
        parts = list(record) if len(self.columns) > 1 else [record]
        at = dice.below(len(parts))
        column = self.columns[at]
        here = column.index(parts[at])
        reach = dice.one_of([1, 1, max(1, len(column) // 10)])
        near = min(max(here + dice.one_of([-reach, reach]), 0), len(column) - 1)
        parts[at] = column[dice.one_of([near, near, dice.below(len(column)), 0, len(column) - 1])]
        return parts[0] if len(parts) == 1 else tuple(parts)


@dataclass(frozen=True)
class PeopleSpace:
    """Tables of up to ``most`` people with one to ``rows`` rows each. A row is a group and a value."""

    keys: tuple[Any, ...]
    values: tuple[Any, ...]
    most: int
    rows: int

    def everybody(self) -> list[Data]:
        """Return the rows of each possible person."""
        single = list(product(self.keys, self.values))
        return [
            person
            for count in range(1, self.rows + 1)
            for person in combinations_with_replacement(single, count)
        ]

    def count(self) -> int:
        single = len(self.keys) * len(self.values)
        people = sum(math.comb(single + count - 1, count) for count in range(1, self.rows + 1))
        return math.comb(people + self.most - 1, self.most - 1) * people

    def pairs(self) -> Iterator[Pair]:
        people = self.everybody()
        for count in range(self.most):
            for shared in combinations_with_replacement(people, count):
                yield from ((shared, (*shared, person)) for person in people)

    def shapes(self) -> Iterator[Pair]:
        low, high = self.values[0], self.values[-1]
        spread = tuple((key, high) for key in islice(self.keys * self.rows, self.rows))
        heap = ((self.keys[0], high),) * self.rows
        for person in (spread, heap, ((self.keys[0], high),)):
            for other in ((), (((self.keys[0], low),),), (spread,), (heap,) * (self.most - 1)):
                yield other[: self.most - 1], (*other[: self.most - 1], person)

    def moved(self, pair: Pair, dice: Dice) -> Pair:
        people = [list(person) for person in pair[1]]
        at = dice.below(len(people))
        row = (dice.one_of(self.keys), dice.one_of(self.values))
        what = dice.below(5)
        if what == 0 and len(people) < self.most:
            people.insert(0, [row])
        elif what == 1 and len(people) > 1:
            del people[0]
        elif what == 2 and len(people[at]) < self.rows:
            people[at].append(row)
        elif what == 3 and len(people[at]) > 1:
            del people[at][dice.below(len(people[at]))]
        else:
            people[at][dice.below(len(people[at]))] = row
        far = tuple(tuple(person) for person in people)
        return far[:-1], far


@dataclass(frozen=True)
class EdgeSpace:
    """Graphs of ``nodes`` nodes. A graph says which pairs of nodes have an edge. Neighbours differ in one edge."""

    nodes: int

    @property
    def ends(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.nodes), 2))

    def count(self) -> int:
        return int(2 ** len(self.ends)) * len(self.ends)

    def pairs(self) -> Iterator[Pair]:
        for x in product((False, True), repeat=len(self.ends)):
            for at, joined in enumerate(x):
                if not joined:
                    yield x, _with(x, at, True)

    def shapes(self) -> Iterator[Pair]:
        size = len(self.ends)
        star = tuple(0 in ends for ends in self.ends)
        for x in ((False,) * size, (True,) * size, star):
            for at in (0, size - 1):
                yield x, _with(x, at, not x[at])

    def moved(self, pair: Pair, dice: Dice) -> Pair:
        near, far = pair
        at, joined = dice.below(len(near)), dice.one_of([False, True])
        return pair if near[at] != far[at] else (_with(near, at, joined), _with(far, at, joined))


def _with(x: Data, at: int, joined: bool) -> Data:
    return (*x[:at], joined, *x[at + 1 :])


@dataclass(frozen=True)
class NodeSpace:
    """Graphs of 1 to ``most`` nodes, as tuples (nodes, edges). A neighbour has one more node, and its edges."""

    most: int

    def count(self) -> int:
        return sum(2 ** math.comb(n, 2) * n for n in range(1, self.most + 1))

    def pairs(self) -> Iterator[Pair]:
        yield from dict.fromkeys(self._all())  # nodes are renumbered, so some pairs would come twice

    def _all(self) -> Iterator[Pair]:
        for n in range(2, self.most + 1):
            for chosen in product((False, True), repeat=math.comb(n, 2)):
                ends = combinations(range(n), 2)
                edges = tuple(edge for edge, kept in zip(ends, chosen, strict=True) if kept)
                yield from (self._without(n, edges, gone) for gone in range(n))

    def shapes(self) -> Iterator[Pair]:
        for n in range(2, self.most + 1):
            every = tuple(combinations(range(n), 2))
            for edges in ((), every, tuple(edge for edge in every if 0 in edge)):
                yield self._without(n, edges, 0)

    def moved(self, pair: Pair, dice: Dice) -> Pair:
        n, edges = pair[1]
        if dice.below(8) == 0:
            n = 2 + dice.below(self.most - 1)
        every = list(combinations(range(n), 2))
        kept = {edge for edge in edges if max(edge) < n} ^ {dice.one_of(every)}
        return self._without(n, tuple(sorted(kept)), dice.below(n))

    def _without(self, n: int, edges: Data, gone: int) -> Pair:
        left = [(i - (i > gone), j - (j > gone)) for i, j in edges if gone not in (i, j)]
        return (n - 1, tuple(sorted(left))), (n, edges)
