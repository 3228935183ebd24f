"""Transitivity against counting wedges, on every graph of up to five nodes, and a slow search for its bounds."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.laws.envelope import Envelope
from noisewise.statistics import transitivity as module
from noisewise.statistics.transitivity import Edits, Transitivity
from tests.laws.networks import EdgeWorld, Network, check_loss, judge

STEP = Fraction(1, 64)


def naive(world: EdgeWorld) -> Any:
    @cache
    def answer(x: Network) -> Fraction:
        return share({pair for pair, w in zip(world.ends, x, strict=True) if w is not None}, world.nodes)

    return answer


def share(edges: set[tuple[int, int]], nodes: int) -> Fraction:
    wedges = closed = 0
    for middle in range(nodes):
        near = [k for k in range(nodes) if (k, middle) in edges or (middle, k) in edges]
        for ends in combinations(near, 2):
            wedges, closed = wedges + 1, closed + (ends in edges)
    return Fraction(closed, wedges) if wedges else Fraction(0)


def envelope(edges: Any, nodes: int, granularity: Any = STEP, levels: int = 12) -> Envelope:
    return hazmat.law(
        Transitivity(), (edges, nodes), epsilon=1, granularity=granularity, levels=levels
    ).envelope


@pytest.mark.parametrize(("nodes", "exact"), [(3, 50), (4, 420), (5, 6400)])
@pytest.mark.parametrize("granularity", [STEP, Fraction(1, 5)])
def test_envelopes_hold_and_nest(nodes: int, exact: int, granularity: Fraction) -> None:
    """On all graphs; many levels are exact only because small graphs soon reach everything."""
    world = EdgeWorld(nodes, (1,))
    found = judge(world, naive(world), lambda x: envelope(world.edges(x), nodes, granularity), granularity, 6)
    assert found >= exact


@pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity", "laplace"])
@pytest.mark.parametrize("levels", [None, 2])
def test_privacy(mechanism: Any, levels: int | None) -> None:
    world = EdgeWorld(4, (1,))
    laws = {
        x: hazmat.law(
            Transitivity(),
            (world.edges(x), 4),
            epsilon=1,
            granularity=Fraction(1, 16),
            mechanism=mechanism,
            levels=levels,
        )
        for x in world.datasets()
    }
    check_loss(laws, world, mechanism)


def reference(closed: int, wedges: int, shared: list[int], around: list[int], l: int) -> tuple[Any, Any]:
    """(lowest, highest) ratio over every split of l edits."""
    low, high = Fraction(2), Fraction(-1)
    for i in range(l + 1):
        x, y = sum(shared[l - i : l]), sum(around[i:l])
        top, bottom = closed + 3 * x, wedges + 2 * x - y
        high = max(high, Fraction(1) if top >= bottom else Fraction(top, bottom))
        top, bottom = closed - 3 * x, wedges - 2 * x + y
        low = min(low, Fraction(0) if top <= 0 else Fraction(top, bottom))
    return low, high


def test_the_best_split_is_found() -> None:
    rng = np.random.default_rng(0)
    for _ in range(3000):
        l = int(rng.integers(1, 9))
        around = np.sort(rng.integers(0, rng.choice([2, 12]), l)).tolist()
        shared = np.minimum(np.sort(rng.integers(0, rng.choice([2, 12]), l)), around).tolist()
        wedges = int(rng.integers(0, rng.choice([3, 300])))
        closed = int(rng.integers(0, wedges + 1)) * int(rng.integers(0, 2))
        edits = Edits(closed, wedges, shared, around)
        found = tuple(Fraction(*edits.best(l, way)) for way in (-1, 1))
        assert found == reference(closed, wedges, shared, around, l)


def random_edges(rng: Any, nodes: int) -> set[tuple[int, int]]:
    """Communities and a hub, so that triangles and wedges abound."""
    likely = rng.choice([0.05, 0.3, 0.9])
    return {
        (i, j)
        for i, j in combinations(range(nodes), 2)
        if rng.random() < (0.8 if i == 0 else likely if i % 3 == j % 3 else 0.1)
    }


def test_larger_neighbours_nest() -> None:
    rng = np.random.default_rng(2)
    for _ in range(120):
        nodes = int(rng.integers(5, 16))
        edges = random_edges(rng, nodes)
        pair = tuple(sorted(rng.choice(nodes, 2, replace=False).tolist()))
        x, y = (envelope(sorted(each), nodes, Fraction(1, 2**20), 40) for each in (edges, edges ^ {pair}))
        assert x.level(0)[0] == share(edges, nodes) * 2**20 // 1
        assert x.nests_in(y)
        assert y.nests_in(x)


def sparse(triangles: int, wedges: int) -> tuple[set[tuple[int, int]], int]:
    """Triangles and open wedges that nothing joins, so that no degree is above 2; and how many nodes they have."""
    edges = set()
    for k in range(triangles + wedges):
        a, b, c = 3 * k, 3 * k + 1, 3 * k + 2
        edges |= {(a, b), (b, c)} | ({(a, c)} if k < triangles else set())
    return edges, 3 * (triangles + wedges)


def test_sparse_neighbours_nest_far_out() -> None:
    """One edge makes a node of degree 3: each of the edits that follow may count one neighbour more."""
    for triangles, wedges in ((4, 60), (30, 30), (1, 90)):
        edges, nodes = sparse(triangles, wedges)
        for pair in ((0, nodes - 1), (nodes - 2, nodes - 1), (0, 1), (0, 3)):
            x, y = (envelope(sorted(each), nodes, Fraction(1, 2**30), 25) for each in (edges, edges ^ {pair}))
            assert x.nests_in(y)
            assert y.nests_in(x)


def test_neighbours_together_after_s_edits_are_bounded_and_the_bound_is_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On all graphs of five nodes: y[s] is at least what any pair can have after s edits; some graph has it all."""
    world, bounds, reached = EdgeWorld(5, (1,)), {}, [0] * 4

    def together(x: Network) -> int:
        edges = {pair for pair, w in zip(world.ends, x, strict=True) if w is not None}
        near = [{j for j in range(5) if (i, j) in edges or (j, i) in edges} for i in range(5)]
        return max(len((near[i] | near[j]) - {i, j}) for i, j in world.ends)

    def spied(closed: int, wedges: int, shared: list[int], around: list[int]) -> Edits:
        bounds[x] = around
        return Edits(closed, wedges, shared, around)

    monkeypatch.setattr(module, "Edits", spied)
    for x in world.datasets():
        envelope(world.edges(x), 5, levels=4)
    most = {x: together(x) for x in world.datasets()}
    for s in range(4):
        assert all(most[x] <= bounds[x][s] for x in most)
        reached[s] = sum(most[x] == bounds[x][s] < 3 for x in most)  # 3 is all there are
        most = {x: max(most[x], *(most[y] for y in world.neighbors(x))) for x in most}
    assert reached[0] > reached[1] > reached[2] > 0


def test_one_edge_of_a_larger_graph_moves_it_little() -> None:
    rng = np.random.default_rng(3)
    i, j = np.triu_indices(300, 1)
    kept = rng.random(i.size) < np.where(i % 10 == j % 10, 0.8, 0.01)
    ours = envelope(np.column_stack([i, j])[kept], 300, Fraction(1, 10**6), 10)
    assert ours.level(0)[0] > 500_000
    assert ours.level(10)[1] - ours.level(0)[1] < 12_000
    assert ours.level(0)[0] - ours.level(10)[0] < 12_000


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (2, 3)]])
def test_without_a_wedge_it_is_0(edges: list[tuple[int, int]]) -> None:
    assert envelope(edges, 6).level(0) == (0, 0)


def test_extremes() -> None:
    everything = list(combinations(range(6), 2))
    assert envelope(everything, 6).level(0) == (64, 64)
    assert envelope([(0, k) for k in range(1, 6)], 6).level(0) == (0, 0)
    assert envelope(everything, 6, levels=0).level(1) == (0, 64)


def test_many_levels_end_where_both_sides_do() -> None:
    assert envelope([(0, 1), (1, 2), (0, 2)], 3, levels=10_000).lower.size < 10


def test_parameters_are_judged() -> None:
    assert str(Transitivity()) == "transitivity"
    with pytest.raises(ParameterError, match="nodes must be at least 3"):
        envelope([], 2)
    with pytest.raises(ParameterTypeError, match="bounds must be left out"):
        hazmat.law(Transitivity(), ([], 3), bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterError, match="neighbors must be 'add_remove'"):
        hazmat.law(Transitivity(), ([], 3), epsilon=1, neighbors="swap")
