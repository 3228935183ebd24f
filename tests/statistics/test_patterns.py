"""What every count in a graph judges and does, whichever figure it counts. The laws: tests/kernel/laws/patterns.py."""

import math
from fractions import Fraction

import pytest

from noisewise import Count, ParameterError, ParameterTypeError, Statistic
from noisewise.kernel.laws.envelope import Envelope
from noisewise.questions.request import Request
from noisewise.statistics.patterns import Pattern
from noisewise.statistics.triangles import Triangles

WHEEL = [(0, k) for k in range(1, 6)] + [(k, k + 1) for k in range(1, 5)]


class Cliques(Pattern):
    """Five nodes, all joined: there may be very many."""

    def most(self, nodes):
        return math.comb(nodes, 5)

    def reach(self, nodes):
        return math.comb(nodes - 2, 3)

    def local(self, graph, levels):
        raise NotImplementedError


def ask(statistic, nodes, **asked):
    return Request.of(statistic, (WHEEL, nodes), epsilon=1, **asked)


def test_answers_lie_between_none_and_those_of_the_complete_graph():
    assert ask(Triangles(), 10).frame.answers.support == (0, 120)
    assert ask(Triangles(), 10, granularity=7).frame.answers.support == (0, 17)


def test_many_nodes_have_a_coarser_granularity_by_default():
    for nodes in (1000, 200_000, 10**6, 2**27):
        answers = ask(Triangles(), nodes).frame.answers
        most = math.comb(nodes, 3)
        assert answers.high <= 2**51
        assert answers.granularity == 1 or most / (answers.granularity / 2) > 2**51
        assert answers.high == most // answers.granularity


@pytest.mark.parametrize("granularity", [0, -1, Fraction(1, 2), 0.5, 121, 1.5])
def test_granularity_is_a_whole_number_of_the_range(granularity):
    with pytest.raises(
        ParameterError, match=r"^granularity must be a whole number from 1 to 120 for triangles of 10 "
    ):
        ask(Triangles(), 10, granularity=granularity)


def test_granularity_is_not_too_fine_for_the_lattice():
    with pytest.raises(ParameterError, match=r"^granularity must be a whole number from 75 to "):
        ask(Triangles(), 10**6, granularity=1)


def test_nodes_are_neither_too_few_nor_too_many():
    with pytest.raises(ParameterError, match=r"^nodes must be more for triangles, got 2"):
        ask(Triangles(), 2)
    with pytest.raises(ParameterError, match=r"^nodes must be fewer for cliques, got 134217728"):
        ask(Cliques(), 2**27)


def test_bounds_are_left_out():
    for bounds in ((0, 1), "private"):
        with pytest.raises(ParameterTypeError, match=r"^bounds must be left out for triangles"):
            ask(Triangles(), 10, bounds=bounds)


def test_edges_are_added_or_removed_and_never_swapped():
    with pytest.raises(ParameterError, match=r"^neighbors must be 'add_remove' for triangles"):
        ask(Triangles(), 10, neighbors="swap")


def test_too_many_levels_are_refused():
    with pytest.raises(
        ParameterError, match=r"^epsilon must be larger, or contributions smaller, for triangles"
    ):
        ask(Triangles(), 10, contributions=10**6)
    assert ask(Triangles(), 10, contributions=10**6, mechanism="laplace").mechanism.sensitivity == 120


def test_the_sensitivity_of_laplace_noise_counts_steps_and_edges():
    assert ask(Triangles(), 10, mechanism="laplace").mechanism.sensitivity == 8
    assert ask(Triangles(), 10, mechanism="laplace", granularity=5).mechanism.sensitivity == 2
    assert ask(Triangles(), 10, mechanism="laplace", contributions=3).mechanism.sensitivity == 24


def test_there_are_as_many_levels_as_asked_for_unless_both_ends_are_met():
    assert ask(Triangles(), 10).look(5).envelope.lower.size == 6
    assert ask(Triangles(), 6).look(100).envelope.lower.size <= 16
    every = ask(Triangles(), 10).look(45).envelope
    assert every.level(every.lower.size - 1) == (0, 120)
    assert every.lower.size < 46


def test_levels_are_floors_of_sums_and_not_sums_of_rounded_steps():
    fine, coarse = (ask(Triangles(), 60, granularity=g).look(30).envelope for g in (1, 10))
    assert [coarse.level(l) for l in range(31)] == [
        tuple(end // 10 for end in fine.level(l)) for l in range(31)
    ]


class Edges(Statistic):
    """A statistic of one's own that reads a graph and needs no number of nodes for its frame."""

    reads = "graph"

    def frame(self, bounds, granularity):
        return Count().frame(bounds, granularity)

    def sensitivity(self, frame, neighbors, size):
        return 1

    def envelope(self, column, answers, levels):
        edges = len(column.edges)
        lower, upper = [max(edges - l, 0) for l in range(levels + 1)], [edges + l for l in range(levels + 1)]
        return Envelope.of(lower, upper, answers.support, stride=1)


def test_a_statistic_of_ones_own_may_read_a_graph():
    assert ask(Edges(), 6).look(3).envelope.level(2) == (7, 11)
    assert ask(Edges(), 4).look(3).envelope.level(0) == (5, 5)  # the edges among nodes 0..3 alone
