"""The cost of a minimum spanning tree against all spanning trees, on every small graph, and against slow forests."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.laws.envelope import Envelope
from noisewise.statistics.spanning_tree_cost import SpanningTreeCost
from tests.laws.networks import EdgeWorld, Network, brute_force, check_loss, judge

FOUR = EdgeWorld(4, (0, 1))
THREE = EdgeWorld(3, (0, 1, 2, 3))


def naive(world: EdgeWorld, most: int) -> Any:
    trees = [tree for tree in combinations(world.ends, world.nodes - 1) if joins(tree, world.nodes)]

    @cache
    def answer(x: Network) -> Any:
        costs = {pair: most if w is None else w for pair, w in zip(world.ends, x, strict=True)}
        return min(sum(costs[edge] for edge in tree) for tree in trees)

    return answer


def joins(edges: Any, nodes: int) -> bool:
    part = list(range(nodes))
    for i, j in edges:
        part = [part[i] if each == part[j] else each for each in part]
    return len(set(part)) == 1


def envelope(
    edges: Any, nodes: int, bounds: Any, granularity: Any = None, levels: int | None = None
) -> Envelope:
    return hazmat.law(
        SpanningTreeCost(), (edges, nodes), bounds=bounds, epsilon=1, granularity=granularity, levels=levels
    ).envelope


@pytest.mark.parametrize("granularity", [Fraction(1), Fraction(1, 2), Fraction(3, 2)])
@pytest.mark.parametrize(("world", "most", "exact"), [(FOUR, 2, 3700), (THREE, 4, 430)])
def test_envelopes_hold_and_nest(world: EdgeWorld, most: int, exact: int, granularity: Fraction) -> None:
    """On all graphs, where one edit may set an edge to any weight; and most levels are exact."""
    found = judge(
        world,
        naive(world, most),
        lambda x: envelope(world.edges(x), world.nodes, (0, most), granularity, 9),
        granularity,
        6,
    )
    assert found >= exact


@pytest.mark.parametrize("granularity", [Fraction(1), Fraction(1, 2)])
@pytest.mark.parametrize("world", [FOUR, THREE])
def test_lower_levels_are_exact(world: EdgeWorld, granularity: Fraction) -> None:
    """The heaviest edges of the tree become the lightest there are, one by one."""
    most = 2 if world is FOUR else 4
    truths = brute_force(world, naive(world, most), 4)
    for x, truth in truths.items():
        ours = envelope(world.edges(x), world.nodes, (0, most), granularity, 4)
        assert [ours.level(l)[0] for l in range(5)] == [low // granularity for low, _ in truth]


@pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity", "laplace"])
@pytest.mark.parametrize("levels", [None, 1])
def test_privacy(mechanism: Any, levels: int | None) -> None:
    """Weights out of bounds, missing and between lattice points."""
    world = EdgeWorld(3, (-1.0, 0.4, float("inf"), 1.7))
    laws = {
        x: hazmat.law(
            SpanningTreeCost(),
            (world.edges(x), 3),
            bounds=(0, 2),
            epsilon=1,
            granularity=Fraction(1, 2),
            mechanism=mechanism,
            levels=levels,
        )
        for x in world.datasets()
    }
    check_loss(laws, world, mechanism)


def slow(edges: dict[tuple[int, int], int], nodes: int, reach: int, levels: int) -> list[int]:
    """upper[0..levels] from the definition: the highest price at which so many edges are out of the way."""
    forests, left = [], sorted((w, pair) for pair, w in edges.items() if w < reach)
    while left:
        part, taken, rest = list(range(nodes)), [], []
        for w, (i, j) in left:
            if part[i] == part[j]:
                rest.append((w, (i, j)))
            else:
                part = [part[i] if each == part[j] else each for each in part]
                taken.append(w)
        forests.append(taken)
        left = rest

    def out_of_the_way(price: int, k: int) -> int:
        absent = [nodes - 1 - sum(w < price for w in forest) for forest in forests]
        return sum(max(0, k - each) for each in absent)

    return [
        sum(
            max(price for price in range(reach + 1) if out_of_the_way(price, k) <= l) for k in range(1, nodes)
        )
        for l in range(levels + 1)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_upper_levels_are_those_of_the_forests(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes, reach = int(rng.integers(4, 10)), 8
    edges = {
        pair: int(rng.integers(0, reach + 1))
        for pair in combinations(range(nodes), 2)
        if rng.random() < rng.choice([0.5, 1.0])
    }
    listed = [(j, i, w) for (i, j), w in edges.items()]
    rng.shuffle(listed)
    ours = envelope([tuple(map(int, edge)) for edge in listed], nodes, (0, reach), 1, nodes - 1)
    assert ours.upper.tolist() == slow(edges, nodes, reach, nodes - 1)


def test_larger_neighbours_nest() -> None:
    """Ties everywhere: which edge goes to which forest must not depend on the rest of the graph."""
    rng = np.random.default_rng(0)
    for _ in range(150):
        nodes, reach = int(rng.integers(5, 9)), int(rng.integers(2, 4))
        ends = list(combinations(range(nodes), 2))
        costs = rng.integers(0, reach + 1, len(ends))
        other = costs.copy()
        other[rng.integers(len(ends))] = rng.integers(0, reach + 1)
        x, y = (
            envelope(np.column_stack([ends, each]), nodes, (0, reach), 1, nodes) for each in (costs, other)
        )
        assert x.nests_in(y)
        assert y.nests_in(x)


def test_beyond_the_forests_only_the_tree_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few forests, then the swap of the lightest edges for the upper bound; both nest, and so does their splice."""
    monkeypatch.setattr("noisewise.statistics.spanning_tree_cost.MOST_FORESTS", 2)
    judge(FOUR, naive(FOUR, 2), lambda x: envelope(FOUR.edges(x), 4, (0, 2), 1, 9), Fraction(1), 6)


def test_a_dense_graph_hardly_moves() -> None:
    rng = np.random.default_rng(1)
    i, j = np.triu_indices(100, 1)
    ours = envelope(np.column_stack([i, j, rng.random(i.size)]), 100, (0.0, 1.0), Fraction(1, 1000), 20)
    assert ours.level(1)[1] - ours.level(0)[1] < 150  # of 1000, what one edge can do in the worst case
    assert ours.level(20)[1] - ours.level(0)[1] < 4000
    assert ours.level(0)[0] - ours.level(20)[0] < 1000


def test_no_edges_and_two_nodes() -> None:
    assert envelope([], 5, (1, 3), 1, 3).level(0) == (12, 12)
    ours = envelope([(0, 1, 2)], 2, (1, 3), 1, 3)
    assert [ours.level(l) for l in range(2)] == [(2, 2), (1, 3)]


def test_an_edge_without_weight_is_no_edge() -> None:
    assert envelope([(0, 1), (1, 2, None), (0, 2, 1)], 3, (0, 4), 1, 3).level(0) == (5, 5)
    assert envelope(np.array([[0, 1], [1, 2]]), 3, (0, 4), 1, 3).level(0) == (8, 8)


def test_large_and_negative_weights() -> None:
    ours = envelope([(0, 1, -(10**15)), (1, 2, 10**15)], 3, (-(10**15), 10**15), None, 3)
    assert ours.level(0)[0] == pytest.approx(0, abs=1e6)
    assert ours.fault() is None


def test_one_edge_moves_the_cost_by_the_range_at_most() -> None:
    statistic = SpanningTreeCost()
    assert statistic.sensitivity(statistic.frame_on(lambda: 5, (1, 4), 1), "add_remove", lambda: 5) == 3
    assert str(statistic) == "spanning_tree_cost"


def test_default_granularity_is_that_of_a_sum() -> None:
    def frames(nodes, bounds, granularity):
        return SpanningTreeCost().frame_on(lambda: nodes, bounds, granularity)

    assert frames(5, (0, 10), None).answers.granularity == 1
    assert frames(5, (0, 1), None).answers.granularity < Fraction(1, 2**20)
    assert frames(5, (0.0, 10.0), None).answers.granularity < Fraction(1, 2**20)


def test_parameters_are_judged() -> None:
    with pytest.raises(ParameterError, match="nodes must be at least 2"):
        envelope([], 1, (0, 1))
    with pytest.raises(ParameterTypeError, match="bounds must be a pair"):
        envelope([], 3, None)
    with pytest.raises(ParameterError, match="neighbors must be 'add_remove'"):
        hazmat.law(SpanningTreeCost(), ([], 3), bounds=(0, 1), epsilon=1, neighbors="swap")


def test_many_nodes_without_an_edge() -> None:
    """Levels by the definition, where more nodes have no edge than there are levels, and where fewer have none."""
    edges = [(1, 4, 1), (1, 6, 3), (4, 6, 2), (4, 8, 5)]
    weights = {(i, j): w for i, j, w in edges}
    for nodes in (9, 30):
        ours = envelope(edges, nodes, (0, 8), 1, 12)
        assert [ours.level(l)[1] for l in range(13)] == slow(weights, nodes, 8, 12)
        tree = sorted([1, 2, 5, *[8] * (nodes - 4)])
        assert [ours.level(l)[0] for l in range(9)] == [sum(tree[: nodes - 1 - l]) for l in range(9)]
