"""k-stars against choosing neighbours one by one, and their local sensitivity against every pair and every split."""

import math
from itertools import combinations

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, PureDP
from noisewise.questions.request import Request
from noisewise.statistics.k_stars import KStars
from tests.laws.patterns import PatternLaws, adjacency_of, graph_of, random_graph


def naive(adjacency, k):
    return sum(
        1
        for centre in range(len(adjacency))
        for chosen in combinations(range(len(adjacency)), k)
        if all(adjacency[centre, other] for other in chosen)
    )


def slow_radii(adjacency, k, levels):
    """R_l by looking at all pairs and at every way to share s new edges."""
    n, degrees = len(adjacency), adjacency.sum(axis=0)
    starts = {
        (int(degrees[i] - adjacency[i, j]), int(degrees[j] - adjacency[i, j]))
        for i, j in combinations(range(n), 2)
    }
    return [
        max(
            math.comb(min(x + p, n - 2), k - 1) + math.comb(min(y + s - p, n - 2), k - 1)
            for x, y in starts
            for p in range(s + 1)
        )
        for s in range(levels)
    ]


def radii_of(k, edges, n, levels):
    _, radii = KStars(k).local(graph_of(edges, n), levels)
    return [radius for radius, _ in zip(radii, range(levels), strict=False)]


class TestTwoStars(PatternLaws):
    statistic = KStars(2)
    naive = staticmethod(lambda adjacency: naive(adjacency, 2))


class TestThreeStars(PatternLaws):
    statistic = KStars(3)
    naive = staticmethod(lambda adjacency: naive(adjacency, 3))


class TestEdges(PatternLaws):
    statistic = KStars(1)
    naive = staticmethod(lambda adjacency: naive(adjacency, 1))


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(8))
def test_larger_graphs_against_all_pairs_and_splits(seed, k):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k + 1, 16))
    edges = random_graph(rng, n, int(rng.integers(0, n * n)))
    adjacency = adjacency_of(edges, n)
    assert KStars(k).local(graph_of(edges, n), 1)[0] == naive(adjacency, k)
    assert radii_of(k, edges, n, 45) == slow_radii(adjacency, k, 45)


def test_the_two_largest_degrees_that_grow_at_once_nest():
    """One edge between the two centres raises both degrees; as if they were free of it, radii would not nest."""
    edges = [(0, k) for k in range(2, 12)] + [(1, k) for k in range(12, 22)]
    for k in (2, 3, 4):
        alone, joined = (radii_of(k, some, 22, 50) for some in (edges, [*edges, (0, 1)]))
        assert alone[0] == joined[0] == 2 * math.comb(10, k - 1)  # whether it is there changes nothing
        for one, other in ((alone, joined), (joined, alone)):
            assert all(a <= b for a, b in zip(one[:-1], other[1:], strict=True))


@pytest.mark.parametrize("edges", [[], [(0, 1)], list(combinations(range(6), 2))])
def test_empty_and_complete_graphs(edges):
    for k in (1, 2, 5):
        assert radii_of(k, edges, 6, 20) == slow_radii(adjacency_of(edges, 6), k, 20)


def test_counts_beyond_64_bits_are_exact():
    n = 3000
    edges = [(0, k) for k in range(1, n)]
    law = Request.of(KStars(8), (np.array(edges), n), epsilon=1).look()
    stars = math.comb(n - 1, 8)
    assert stars > 2**63
    assert law.granularity == 2 ** math.ceil(math.log2(n * math.comb(n - 1, 8) / 2**51))
    assert law.envelope.level(0) == (stars // law.granularity,) * 2
    reach = math.comb(n - 2, 7) + math.comb(0, 7)
    assert law.envelope.level(1)[0] == (stars - reach) // law.granularity


def test_a_star_of_one_edge_moves_alike_in_any_graph():
    assert isinstance(Request.of(KStars(1), ([], 9), epsilon=1).loss, PureDP)
    assert Request.of(KStars(1), ([], 9), epsilon=1).mechanism.name == "laplace"
    assert Request.of(KStars(2), ([], 9), epsilon=1).mechanism.name == "permute_and_flip"


def test_k_is_a_whole_number():
    assert str(KStars(np.int64(3))) == "3-stars"
    for k in (0, -1, 101):
        with pytest.raises(ParameterError, match=r"^k must be at "):
            KStars(k)
    with pytest.raises(ParameterTypeError, match=r"^k must be a whole number, got 2.0$"):
        KStars(2.0)
