"""Triangles: how many triples of nodes have all three edges. An edit adds or removes an edge.

If the edge between i and j is added or removed, the count moves by the number of common neighbours of i and j. Let c be
this number, and let b be the number of nodes that are a neighbour of exactly one of i and j. After s other edits, the
number of common neighbours can be

    c + s                  if s <= b: each edit completes a pair of edges
    c + (s + b) // 2       if s > b: the other nodes take two edits each

but at most n - 2 [NissimRaskhodnikovaSmith07]. The largest such number over all pairs (i, j) is R_(s+1). It is exact
for every s, and so it nests. Levels are count ± (R_1 + ... + R_l), clipped to what the public number of nodes allows.
Every level is floored in the same way.

Pairs with c >= 1 are listed, those of large degrees first, until no other pair can matter. Of the pairs with c = 0,
only the one with the largest b matters. Proof: docs/proofs/triangles.md.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Booleans, Integers
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, Lattice
from noisewise.statistics.records import Graph
from noisewise.statistics.statistic import Frame, Statistic, no_bounds

TOGETHER = 1 << 21
"""About this many pairs of edges are read at a time."""

UNWEIGHTED = Lattice(0, 1, Fraction(1))
"""Edges are only counted. Their weights do not matter."""


@dataclass(frozen=True, slots=True)
class Triangles(Statistic):
    """The number of triangles in a graph on public nodes."""

    reads = "graph"
    unit = "edge"
    ends_by_levels = True

    def frame_on(self, size: Callable[[], int], bounds: object, granularity: object) -> Frame:
        nodes = size()
        no_bounds(self, bounds)
        most = math.comb(nodes, 3)
        if most == 0:
            raise ParameterError(
                "nodes", f"must be more for {self}", got=str(nodes), why="there could be none"
            ) from None
        if most > FINEST**2:
            raise ParameterError(
                "nodes", f"must be fewer for {self}", got=str(nodes), why="there could be more than 2^102"
            ) from None
        finest = -(-most // FINEST)
        step = Fraction(1 << (finest - 1).bit_length())
        if granularity is not None:
            step = exact("granularity", granularity)
            if step.denominator > 1 or not finest <= step <= most:
                raise ParameterError(
                    "granularity",
                    f"must be a whole number from {finest} to {most} for {self} of {nodes} nodes",
                    got=describe(granularity),
                ) from None
        return Frame(UNWEIGHTED, Answers(0, int(most // step), step))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return frame.answers.steps(Fraction(size() - 2))

    def attained(self, levels: int) -> bool:
        return levels == 0

    def floored(self, frame: Frame) -> bool:
        return frame.answers.granularity > 1

    def envelope(self, column: Graph, answers: Answers, levels: int) -> Envelope:
        """At most ``levels`` levels, and at most one for each pair of nodes. There are fewer if a level reaches both
        ends of the answers."""
        nodes = column.nodes
        most = math.comb(nodes, 3)
        count, radii = local_sensitivities(column, min(levels, nodes * (nodes - 1) // 2))
        distance, lower, upper = 0, [count], [count]
        for radius in radii:
            distance += radius
            lower.append(max(count - distance, 0))
            upper.append(min(count + distance, most))
            if lower[-1] == 0 and upper[-1] == most:
                break
        unit = Fraction(1)
        return Envelope.of(
            answers.floors([(end, 1) for end in lower], unit),
            answers.floors([(end, 1) for end in upper], unit),
            answers.support,
        )


def local_sensitivities(graph: Graph, levels: int) -> tuple[int, list[int]]:
    """The count and R_1 to R_levels. One edge moves the count of any graph that is l-1 edges away by at most R_l."""
    count, common = survey(graph.compact())
    edits, last = np.arange(min(levels, 2 * graph.nodes)), common.size
    after = np.append(np.maximum.accumulate(common[::-1])[::-1], -1)
    near = after[np.minimum(edits, last)] + edits  # b >= s
    several = np.where(common < 0, -1, 2 * common + np.arange(last))
    before = np.maximum.accumulate(np.concatenate([[-1], several]))
    beyond = before[np.minimum(edits, last)]  # b < s
    far = np.where(beyond < 0, -1, (beyond + edits) // 2)
    reach = graph.nodes - 2
    radii = np.minimum(np.where(near >= edits, np.maximum(near, far), far), reach)
    return count, [*radii.tolist(), *[reach] * (levels - edits.size)]


def survey(graph: Graph) -> tuple[int, Integers]:
    """The number of triangles and, for each b, the largest c of a pair with this b, or -1 if no pair is listed.

    Of the pairs with c = 0, only the largest b is listed. Pairs that cannot matter are left out. If both degrees of a
    pair are at most d, its c is at most d and its 2c + b at most 2d. If another pair reaches both limits, this pair
    cannot matter.
    """
    arcs = Arcs.of(graph)
    common = np.full(2 * graph.nodes + 1, -1)
    common[farthest(graph)] = most = 0
    for largest, b, shared in arcs.pairs():
        if largest <= most:
            break
        np.maximum.at(common, b, shared)
        most = max(most, int(shared.max(initial=0)))
    return arcs.triangles(), common


def farthest(graph: Graph) -> int:
    """The largest d_i + d_j over pairs of nodes, less 2 if the two nodes are joined. There must be two nodes.

    Let T be the sum of the two largest degrees. The result is T, T - 1 or T - 2. To know whether some pair with a given
    sum is not joined, count all pairs with this sum, and the edges with this sum.
    """
    degrees = graph.degrees
    held = np.bincount(degrees)
    largest = int(np.sort(degrees)[-2:].sum())
    sums = degrees[graph.edges].sum(axis=1)
    for total in (largest, largest - 1):
        if _pairs_of(held, total) > np.count_nonzero(sums == total):
            return total
    return max(largest - 2, 0)


def _pairs_of(held: Integers, total: int) -> int:
    """The number of pairs of nodes whose degrees add up to ``total``. ``held[d]`` nodes have the degree d."""
    least = max(total - held.size + 1, 0)
    part = held[least : total - least + 1]
    ordered = int(np.dot(part, part[::-1]))
    return (ordered - (int(held[total // 2]) if total % 2 == 0 else 0)) // 2


@dataclass(frozen=True, slots=True, repr=False)
class Arcs:
    """A graph whose nodes are numbered 0, 1, 2, ... by falling degree. Each edge is two arcs, one from each end.

    Arcs are sorted. ``first[i]`` is the index of the first arc of node i. ``own[i]`` is the index of its first arc to a
    later node.
    """

    degrees: Integers
    keys: Integers
    tail: Integers
    head: Integers
    first: Integers
    own: Integers

    @classmethod
    def of(cls, graph: Graph) -> "Arcs":
        n, order = graph.nodes, np.argsort(-graph.degrees, kind="stable")
        rank = np.empty(n, np.int64)
        rank[order] = np.arange(n)
        one, other = rank[graph.edges].T
        keys = np.sort(np.concatenate([one * n + other, other * n + one]))
        tail, head, nodes = keys // n, keys % n, np.arange(n + 1)
        first, own = np.searchsorted(tail, nodes), np.searchsorted(keys, nodes * (n + 1))
        return cls(graph.degrees[order], keys, tail, head, first, own)

    def pairs(self) -> Iterator[tuple[int, Integers, Integers]]:
        """Pairs with a common neighbour, in parts. A part holds a bound on the degrees of all further pairs, and the b
        and c of its own pairs."""
        n = self.degrees.size
        start = np.searchsorted(self.keys, self.head * n + self.tail) + 1  # arcs i -> k -> j with j after i
        wide = self.first[self.head + 1] - start
        for near, far in _parts(np.concatenate([[0], np.cumsum(wide)])[self.first]):
            part = slice(self.first[near], self.first[far])
            arc, at = _runs(start[part], wide[part])
            found, shared = np.unique(self.tail[part][arc] * n + self.head[at], return_counts=True)
            sums = self.degrees[found // n] + self.degrees[found % n]
            yield int(self.degrees[near]), sums - 2 * (shared + self.joined(found)), shared

    def triangles(self) -> int:
        """The number of triangles. Each is counted once, at its node of the lowest degree."""
        start = np.arange(1, self.keys.size + 1)
        wide = np.maximum(self.own[self.tail] - start, 0)
        met = 0
        for near, far in _parts(np.concatenate([[0], np.cumsum(wide)])):
            arc, at = _runs(start[near:far], wide[near:far])
            third = self.joined(self.head[near:far][arc] * self.degrees.size + self.head[at])
            met += int(np.count_nonzero(third))
        return met

    def joined(self, keys: Integers) -> Booleans:
        near = np.minimum(np.searchsorted(self.keys, keys), self.keys.size - 1)
        found: Booleans = self.keys[near] == keys
        return found


def _parts(before: Integers) -> Iterator[tuple[int, int]]:
    """Ranges of indices with about ``TOGETHER`` items each, where index i holds items before[i] to before[i+1]."""
    breaks = np.searchsorted(before, np.arange(0, before[-1] + TOGETHER, TOGETHER))
    return pairwise(np.unique(np.minimum(breaks, before.size - 1)).tolist())


def _runs(start: Integers, wide: Integers) -> tuple[Integers, Integers]:
    """The runs start, start + 1, ... of the widths ``wide``, one after the other, and the index of each run."""
    owner = np.repeat(np.arange(wide.size), wide)
    return owner, np.arange(owner.size) + (start - np.cumsum(wide) + wide)[owner]
