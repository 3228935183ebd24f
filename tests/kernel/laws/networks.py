"""Worlds of small graphs: every one on a few nodes, what is one edit away, and how far apart any two are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import floor
from typing import Any

from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.kernel.laws.envelope import Envelope

Network = tuple[Any, ...]


@dataclass(frozen=True)
class EdgeWorld:
    """Graphs on ``nodes`` nodes, as whether each pair is joined. An edit joins or parts one pair."""

    nodes: int

    @property
    def ends(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.nodes), 2))

    def datasets(self) -> list[Network]:
        return list(product((False, True), repeat=len(self.ends)))

    def edges(self, x: Network) -> list[tuple[Any, ...]]:
        """As a user would hand them over."""
        return [pair for pair, joined in zip(self.ends, x, strict=True) if joined]

    def neighbors(self, x: Network) -> Iterator[Network]:
        for place, joined in enumerate(x):
            yield (*x[:place], not joined, *x[place + 1 :])

    def pairs(self) -> Iterator[tuple[Network, Network]]:
        """Each two neighbours once."""
        place = {x: at for at, x in enumerate(self.datasets())}
        for x in place:
            yield from ((x, y) for y in self.neighbors(x) if place[x] < place[y])


@dataclass(frozen=True)
class NodeWorld:
    """Graphs on 1 to ``most`` nodes, as (nodes, edges). An edit takes or adds a node with its edges."""

    most: int

    def datasets(self) -> list[Network]:
        return [
            (n, tuple(edge for edge, kept in zip(combinations(range(n), 2), chosen, strict=True) if kept))
            for n in range(1, self.most + 1)
            for chosen in product((False, True), repeat=n * (n - 1) // 2)
        ]

    def pairs(self) -> Iterator[tuple[Network, Network]]:
        """Each graph and what is left of it without one node."""
        for n, edges in self.datasets():
            for gone in range(n if n > 1 else 0):
                left = [(i - (i > gone), j - (j > gone)) for i, j in edges if gone not in (i, j)]
                yield (n - 1, tuple(sorted(left))), (n, edges)


def brute_force(world: Any, f: Callable[[Network], Any], levels: int) -> dict[Network, list[tuple[Any, Any]]]:
    """(lowest, highest) value of f within 0, 1, ..., levels edits of each graph, by its neighbours' own."""
    found = {x: [(f(x), f(x))] for x in world.datasets()}
    links = list(world.pairs())
    for l in range(levels):
        for ends in found.values():
            ends.append(ends[l])
        for x, y in links + [(y, x) for x, y in links]:
            (low, high), (lower, higher) = found[x][l + 1], found[y][l]
            found[x][l + 1] = min(low, lower), max(high, higher)
    return found


def check(
    world: Any,
    f: Callable[[Network], Any],
    ask: Callable[[Network], Envelope],
    granularity: Fraction,
    levels: int,
) -> int:
    """Whether envelopes hold brute force, are monotone and nest; how many levels are exact on both sides."""
    truths, exact = brute_force(world, f, levels), 0
    envelopes = {x: ask(x) for x in world.datasets()}
    for x, ours in envelopes.items():
        truth = [(floor(low / granularity), floor(high / granularity)) for low, high in truths[x]]
        told = [ours.level(l) for l in range(levels + 1)]
        assert told[0] == truth[0], (x, "the answer itself")
        assert all(o[0] <= t[0] and t[1] <= o[1] for o, t in zip(told, truth, strict=True)), x
        assert ours.fault(ours.support) is None
        assert is_monotone(ours)
        exact += sum(o == t for o, t in zip(told, truth, strict=True))
    for x, y in world.pairs():
        assert nests_in(envelopes[x], envelopes[y]), (x, y)
        assert nests_in(envelopes[y], envelopes[x]), (x, y)
    return exact
