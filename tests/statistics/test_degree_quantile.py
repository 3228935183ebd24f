"""Degree quantiles against sorting, on every graph of up to five nodes, where a whole node comes or goes."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import nests_in
from noisewise.kernel.laws.envelope import Envelope
from noisewise.statistics.degree_quantile import DegreeQuantile, Degrees
from tests.kernel.laws.moves import FLOAT, worst_move, worst_range, worst_ratio
from tests.kernel.laws.networks import Network, NodeWorld, check

FIVE = NodeWorld(5)
SHARES = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]


def kept(nodes: int, edges: Any, most: int) -> list[int]:
    degrees = [0] * nodes
    for i, j in sorted(edges):
        if max(degrees[i], degrees[j]) < most:
            degrees[i], degrees[j] = degrees[i] + 1, degrees[j] + 1
    return degrees


def naive(q: Fraction, most: int) -> Any:
    @cache
    def answer(x: Network) -> int:
        return sorted(kept(*x, most))[math.ceil(q * x[0]) - 1]

    return answer


def envelope(q: Any, most: int, edges: Any, nodes: Any, granularity: Any = None, levels: int = 9) -> Envelope:
    law = hazmat.law(
        DegreeQuantile(q, most), (edges, nodes), epsilon=1, granularity=granularity, levels=levels
    )
    return law.envelope


@pytest.mark.parametrize("q", SHARES)
@pytest.mark.parametrize("most", [2, 4])
def test_envelopes_hold_and_nest(q: Fraction, most: int) -> None:
    """On all graphs, fewer and more edges than nodes may keep."""
    found = check(FIVE, naive(q, most), lambda x: envelope(q, most, list(x[1]), x[0]), Fraction(1), 4)
    assert found >= 1900


@pytest.mark.parametrize(
    ("mechanism", "levels", "q"),
    [
        ("piecewise_laplace", None, Fraction(1, 2)),
        ("piecewise_laplace", 1, Fraction(9, 10)),
        ("inverse_sensitivity", 2, Fraction(1, 3)),
        ("laplace", None, Fraction(1, 2)),
    ],
)
def test_privacy(mechanism: Any, levels: int | None, q: Fraction) -> None:
    laws = {
        x: hazmat.law(DegreeQuantile(q, 2), (list(x[1]), x[0]), epsilon=1, mechanism=mechanism, levels=levels)
        for x in FIVE.datasets()
    }
    assert worst_ratio(laws, FIVE) <= 1 + FLOAT  # type: ignore[arg-type]
    if mechanism != "laplace":
        assert worst_move(laws, FIVE)[0] <= 1  # type: ignore[arg-type]
        assert worst_range(laws, FIVE) <= 1 + FLOAT  # type: ignore[arg-type]


def test_a_node_changes_the_other_degrees_by_the_maximum_in_total() -> None:
    """The stability that the envelope rests on, with ends of chains that fall together."""
    rng, worst = np.random.default_rng(0), 0
    for _ in range(2000):
        nodes, most = int(rng.integers(2, 12)), int(rng.integers(2, 5))
        likely = rng.choice([0.3, 0.6, 1.0])
        edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < likely]
        gone = int(rng.integers(nodes))
        full = kept(nodes, edges, most)
        less = kept(nodes, [pair for pair in edges if gone not in pair], most)
        apart = sum(abs(a - b) for k, (a, b) in enumerate(zip(full, less, strict=True)) if k != gone)
        assert apart <= full[gone]
        worst = max(worst, apart)
    assert worst == 4


def lifted(degrees: list[int], t: int, budget: int) -> int:
    """How many stay below t: one by one, the cheapest first."""
    below = sorted((d for d in degrees if d < t), reverse=True)
    while below and budget >= t - below[0]:
        budget -= t - below.pop(0)
    return len(below)


def test_lifting_is_greedy() -> None:
    rng = np.random.default_rng(1)
    for _ in range(500):
        degrees = rng.integers(0, 8, int(rng.integers(1, 15))).tolist()
        t, budget = int(rng.integers(1, 8)), int(rng.integers(0, 40))
        having = np.bincount(degrees, minlength=8)
        assert Degrees(having).left_below(t, budget) == lifted(degrees, t, budget)


@pytest.mark.parametrize("q", ["1/2", "0.07", "0.95", Fraction(1, 10**40), 1])
def test_larger_graphs_against_a_slow_reference(q: Any) -> None:
    rng = np.random.default_rng(4)
    nodes, most, share = 60, 7, Fraction(q)
    edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < 0.12]
    degrees, stride = kept(nodes, edges, most), max(share, 1 - share)
    mirrored = [most - d for d in degrees]
    ours = envelope(q, most, edges, nodes, levels=12)
    for l in range(13):
        highest = max(t for t in range(most + 1) if lifted(degrees, t, l * most) < share * nodes + l * stride)
        lowest = max(
            t for t in range(most + 1) if lifted(mirrored, t, l * most) <= (1 - share) * nodes + l * stride
        )
        assert ours.level(l) == (most - lowest, highest)


def test_larger_neighbours_nest() -> None:
    rng = np.random.default_rng(5)
    for _ in range(150):
        nodes, most = int(rng.integers(3, 30)), int(rng.integers(2, 7))
        likely = rng.choice([0.1, 0.3, 0.8])
        edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < likely]
        gone, q = int(rng.integers(nodes)), rng.choice(np.array(SHARES))
        left = [name for name in range(nodes) if name != gone]
        x, y = envelope(q, most, edges, nodes, levels=30), envelope(q, most, edges, left, levels=30)
        assert nests_in(x, y)
        assert nests_in(y, x)


def test_many_nodes_hold_the_answer() -> None:
    """10,000 nodes: an edit moves it by a rank of max_degree at most, far less than a degree's share."""
    ring = np.arange(10_000)
    edges = np.column_stack([ring, (ring + 1) % 10_000])
    ours = envelope("1/2", 20, edges, 10_000, levels=50)
    assert {ours.level(l) for l in range(51)} == {(2, 2)}


def test_one_node_and_many_edges() -> None:
    assert envelope("1/2", 5, [], 1).level(0) == (0, 0)
    everything = list(combinations(range(12), 2))
    assert envelope("1/2", 3, everything, 12).level(0) == (3, 3)
    assert envelope(1, 50, everything, 12, levels=0).level(1) == (0, 50)


def test_granularity() -> None:
    ours = envelope("1/2", 10, list(combinations(range(6), 2)), 6, granularity=2)
    assert ours.level(0) == (2, 2)
    assert ours.support == (0, 5)


def test_parameters_are_judged() -> None:
    assert str(DegreeQuantile(0.5, 7)) == "degree_quantile(0.5, max_degree=7)"
    with pytest.raises(ParameterError, match="q must be above 0"):
        DegreeQuantile(0, 5)
    with pytest.raises(ParameterError, match="q must be between 0 and 1"):
        DegreeQuantile(2, 5)
    with pytest.raises(ParameterError, match="max_degree must be at least 2"):
        DegreeQuantile("1/2", 1)
    with pytest.raises(ParameterError, match="max_degree must be at most 65536"):
        DegreeQuantile("1/2", 10**6)
    with pytest.raises(ParameterTypeError, match="max_degree must be a whole number"):
        DegreeQuantile("1/2", 2.5)  # type: ignore[arg-type]
    with pytest.raises(ParameterTypeError, match="bounds must be left out"):
        hazmat.law(DegreeQuantile("1/2", 5), ([], 3), bounds=(0, 1), epsilon=1)
