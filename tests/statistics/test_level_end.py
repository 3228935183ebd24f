"""Ends by levels: their score moves by at most one edit, and their draws lie on their side as often as they say."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.envelope import Envelope
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, bound
from noisewise.questions.request import Request
from noisewise.statistics.level_end import LevelEnd, level_ends
from noisewise.statistics.statistic import Statistic
from tests.kernel.laws.networks import EdgeWorld, NodeWorld
from tests.statistics.test_envelopes import grouped

BOUNDED = {"bounds": (0, 4), "granularity": Fraction(1, 2)}
ONE = {
    "trimmed_mean": (nws.TrimmedMean("1/4"), BOUNDED),
    "winsorized_mean": (nws.WinsorizedMean("1/4"), BOUNDED),
    "iqr": (nws.IQR(), {"bounds": (0, 4), "granularity": 1}),
    "mad": (nws.MAD(), {"bounds": (0, 4), "granularity": 1}),
    "gini": (nws.Gini(), {"bounds": (0, 4), "granularity": Fraction(1, 8)}),
}
TWO = {
    "auc": (nws.AUC(), {"granularity": Fraction(1, 8)}),
    "theil_sen": (nws.TheilSen(), {"bounds": (-1, 1), "granularity": Fraction(1, 4)}),
    "spearman": (nws.Spearman(), {"granularity": Fraction(1, 4)}),
}


def request_of(statistic, data, keywords, **more):
    columns = tuple(np.array(data, float).reshape(-1, 2).T) if statistic.columns > 1 else list(data)
    return Request.of(statistic, columns, **{"epsilon": 1, **keywords, **more})


def scores(statistic, keywords, world, edits, ahead):
    """The score of an end at every place, for every dataset."""
    found = {}
    for data in world.datasets():
        request = request_of(statistic, data, keywords, neighbors=world.relation)
        column = request.data.read(request.frame.records, world.relation)
        end = LevelEnd(statistic, edits, ahead)
        score = end.score(column, request.frame.answers, column.count + 1, Fraction(1))
        assert score.fault(request.frame.answers.support) is None and not score.more.any()
        low, high = request.frame.answers.support
        found[data] = [score.at(k) for k in range(low, high)]
    return found


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_an_edit_moves_the_score_by_at_most_one_everywhere(name, neighbors):
    statistic, keywords = (ONE | TWO)[name]
    values = (0, 1, 3, 4) if name in ONE else tuple(product((0, 1), repeat=2))
    world = World(values, 4 if name in ONE else 3, neighbors, 1)
    for edits, ahead in ((0, 0), (2, 1)):
        found = scores(statistic, keywords, world, edits, ahead)
        moved = [max(abs(a - b) for a, b in zip(found[x], found[y], strict=True)) for x, y in world.pairs()]
        assert max(moved) == 1, "and no less: the levels are not all alike"


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_the_first_level_is_the_answer(name):
    """Below it the score is at most -1/2, from it on at least 1/2; a step ahead, one place later."""
    statistic, keywords = (ONE | TWO)[name]
    values = (0, 1, 3, 4) if name in ONE else tuple(product((0, 1), repeat=2))
    for data in combinations_with_replacement(values, 3):
        request = request_of(statistic, data, keywords)
        column = request.data.read(request.frame.records, "add_remove")
        answers = request.frame.answers
        envelope = statistic.envelope(column, answers, 0)
        assert envelope.lower[0] == envelope.upper[0]
        truth, (low, high) = int(envelope.lower[0]), answers.support
        for ahead in (0, 1):
            score = LevelEnd(statistic, 0, ahead).score(column, answers, 9, Fraction(1))
            for k in range(low, high):
                at = score.at(k)
                assert at >= Fraction(1, 2) if k >= min(truth + ahead, high) else at <= -Fraction(1, 2)


def asked(name, data, confidence, **more):
    statistic, keywords = (ONE | TWO)[name]
    return bound(
        lambda **own: request_of(statistic, data, keywords, **own),
        {"interval": confidence, "epsilon": 4, **more},
    )


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_chances_of_both_ends_are_read_off_their_laws(neighbors):
    """The worst data there are: all records at the bounds, so that levels reach from end to end."""
    for name, data in (
        ("trimmed_mean", [4] * 40),
        ("trimmed_mean", [0] * 20 + [4] * 20),
        ("iqr", [0] * 30 + [4] * 30),
    ):
        question = asked(name, data, Fraction(9, 10), neighbors=neighbors)
        assert isinstance(question, BetweenEnds)
        low, high = question.low.look(), question.high.look()
        answers = question.inner.frame.answers
        column = question.inner.data.read(question.inner.frame.records, neighbors)
        truth = int(question.inner.statistic.envelope(column, answers, 0).lower[0])
        values = np.arange(answers.low, answers.high + 1) * float(answers.granularity)
        above = read_law(low).pmf(values[values > truth * float(answers.granularity)]).sum()
        below = (
            read_law(high)
            .pmf(values[values < min(truth + 1, answers.high) * float(answers.granularity)])
            .sum()
        )
        assert max(above, below) <= 0.05 + 1e-12


def test_ten_thousand_intervals_of_a_trimmed_mean():
    data = [0, 1, 1, 2, 2, 2, 3, 3, 4, 4] * 4
    question = asked("trimmed_mean", data, Fraction(4, 5), epsilon=8)
    low, high = (
        end.look().draw(10_000, bits=SeededBits(k)) for k, end in enumerate((question.low, question.high))
    )
    truth = np.mean(np.sort(data)[10:30])
    assert np.mean(low > truth) <= 0.1 and np.mean(high < truth) <= 0.1
    assert np.mean((low > 0) | (high < 4)) > 0.5, "and they are not as wide as the bounds"


def test_what_it_costs():
    question = asked("winsorized_mean", [1, 2, 3], Fraction(9, 10), epsilon=2)
    release = question.answer()
    assert question.loss.epsilon == release.privacy.epsilon == 2 and release.interval.epsilon == 1
    assert release.law.endswith("interval by level-ends/1 by balance/1")
    assert all(end.mechanism.epsilon == Fraction(1, 2) and end.person_pull == 2 for end in question.drawn)
    low, high = release.interval
    assert low <= release.value <= high


def test_no_end_is_nearer_than_the_noise_needs():
    frame = nws.TrimmedMean("1/4").frame((0, 4), Fraction(1, 2))
    low, high = level_ends(nws.TrimmedMean("1/4"), frame, Fraction(1), Fraction(1, 20))
    assert -low.edits == high.edits and (low.ahead, high.ahead) == (0, 1)
    chance = (frame.answers.points - 1) / 2 * np.exp(-0.5 * (high.edits + 0.5))
    assert chance <= 0.05 < chance * np.exp(0.5)


def test_whoever_changes_the_answer_says_so():
    class Lowest(nws.TrimmedMean):
        def envelope(self, column, answers, levels):
            return nws.TrimmedMean.envelope(self, column, answers, levels)

    with pytest.raises(nws.ParameterError, match="interval must be left out for trimmed_mean"):
        bound(
            lambda **own: Request.of(Lowest("1/4"), [1], **own),
            {"interval": Fraction(1, 2), "epsilon": 1, **BOUNDED},
        )


GRAPHS = {
    "triangles": (nws.Triangles(), {}),
    "degree_quantile": (nws.DegreeQuantile("1/2", 2), {"granularity": 1}),
}


def graphs_of(name):
    """All graphs of four nodes as they are asked about; one that protects nodes has all of up to four."""
    if name == "degree_quantile":
        world = NodeWorld(4)
        return world, {x: (list(x[1]), x[0]) for x in world.datasets()}
    world = EdgeWorld(4)
    return world, {x: (world.edges(x), world.nodes) for x in world.datasets()}


@pytest.mark.parametrize("name", GRAPHS)
def test_an_edge_or_a_node_moves_the_score_by_at_most_one(name):
    """And the answer is where it changes sign."""
    statistic, keywords = GRAPHS[name]
    world, graphs = graphs_of(name)
    found = {}
    for x, graph in graphs.items():
        request = Request.of(statistic, graph, epsilon=1, **keywords)
        column, answers = request.data.read(request.frame.records, "add_remove"), request.frame.answers
        records, ends = statistic.records_of(column), (LevelEnd(statistic, 0), LevelEnd(statistic, 2, 1))
        scores = [end.score(column, answers, records + 1, Fraction(1)) for end in ends]
        assert not any(score.more.any() or score.fault(answers.support) for score in scores)
        low, high = answers.support
        found[x] = [score.at(k) for score in scores for k in range(low, high)]
        truth = int(statistic.envelope(column, answers, 0).lower[0])
        assert [height > 0 for height in found[x][: high - low]] == [k >= truth for k in range(low, high)]
    moved = [max(abs(a - b) for a, b in zip(found[x], found[y], strict=True)) for x, y in world.pairs()]
    assert max(moved) == 1


class WiderAtLast(nws.TrimmedMean):
    """Nothing is known of the last level that is asked for but the bounds."""

    def envelope(self, column, answers, levels):
        found = super().envelope(column, answers, levels)
        if found.lower.size <= levels:
            return found
        lower, upper = (
            [*each[:-1], end] for each, end in zip((found.lower, found.upper), found.support, strict=True)
        )
        return Envelope.of(lower, upper, found.support)

    envelopes = Statistic.envelopes


def test_the_nearest_levels_are_the_same_however_many_are_asked_for():
    """The last of those that are asked for may be wider."""
    statistic, groups = WiderAtLast("1/4"), [[2], [0, 1, 3, 4], [1] * 5 + [2] * 4]
    frame = statistic.frame(BOUNDED["bounds"], BOUNDED["granularity"])
    columns = grouped(groups, frame.records)
    for column in map(columns.group, range(len(groups))):
        near, whole = (LevelEnd(statistic, 0).score(column, frame.answers, l, Fraction(1)) for l in (1, 9))
        for k in range(*frame.answers.support):
            assert near.at(k) == whole.at(k) or 1 < abs(near.at(k)) < abs(whole.at(k))


def test_scores_in_groups_are_those_of_each_alone():
    statistic = WiderAtLast("1/4")
    groups = [[], [2], [0, 1, 3, 4], [1] * 5 + [2] * 4]
    frame = statistic.frame(BOUNDED["bounds"], BOUNDED["granularity"])
    columns = grouped(groups, frame.records)
    for edits, levels in ((0, 2), (0, 9), (0, 10), (-3, 4)):
        end = LevelEnd(statistic, edits)
        found = end.scores(columns, frame.answers, levels, Fraction(1))
        for place in range(len(groups)):
            alone = end.score(columns.group(place), frame.answers, levels, Fraction(1))
            low, high = frame.answers.support
            assert [found[place].at(k) for k in range(low, high)] == [alone.at(k) for k in range(low, high)]


@pytest.mark.parametrize("name", GRAPHS)
def test_intervals_of_graphs(name):
    """Forty cliques of five nodes: ends hold the truth, and are narrower than all that is possible."""
    statistic, keywords = GRAPHS[name]
    edges = [(5 * k + i, 5 * k + j, 1) for k in range(40) for i, j in combinations(range(5), 2)]
    if name == "degree_quantile":
        statistic, keywords = nws.DegreeQuantile("1/2", 8), {"granularity": 1}
    asked = {"epsilon": 48, "interval": Fraction(9, 10), **keywords}
    question = bound(lambda **own: Request.of(statistic, (edges, 200), **own), asked)
    assert isinstance(question, BetweenEnds)
    truth = {"triangles": 400, "degree_quantile": 4}[name]
    released = question.answer(bits=SeededBits(5))
    low, high = released.interval
    assert low <= truth <= high and (low, high) != (
        0,
        question.inner.number(question.inner.frame.answers.high),
    )
    noisy = bound(lambda **own: Request.of(statistic, (edges, 200), **own), {**asked, "mechanism": "laplace"})
    assert isinstance(noisy, AroundAnswer)
