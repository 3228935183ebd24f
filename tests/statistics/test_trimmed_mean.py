"""Trimmed and winsorized means against their naive definition, exact and beyond.

In many groups the shortest mean distance is never set aside.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import law
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.functions.means import trimmed_mean, winsorized_mean
from noisewise.statistics import trimmed_mean as module
from noisewise.statistics.mean import Mean
from noisewise.statistics.records import OneGroup
from noisewise.statistics.trimmed_mean import (
    BoundDistances,
    TrimmedGroups,
    TrimmedMean,
    Trims,
    WinsorizedMean,
)
from noisewise.tables.columns import declare
from tests.kernel.laws.moves import FLOAT, worst_ratio
from tests.kernel.laws.statistic_laws import StatisticLaws
from tests.statistics.neighbourhood import (
    RELATIONS,
    check_best_over_all_kept,
    drawn,
    edited,
    envelope,
)
from tests.statistics.test_envelopes import grouped


def naive(alpha: Any, x: Dataset) -> Fraction:
    """Sort, drop floor(alpha*n) at each end, average."""
    cut = Fraction(alpha) * len(x) // 1
    kept = sorted(x)[cut : len(x) - cut]
    return Fraction(sum(kept)) / len(kept) if kept else Fraction(0)


class TestTenth(StatisticLaws):
    """Cuts nothing off so few records: the mean."""

    statistic = TrimmedMean(0.1)
    answer = staticmethod(lambda x: naive("1/10", x))
    most = 2


class TestQuarter(StatisticLaws):
    statistic = TrimmedMean("1/4")
    answer = staticmethod(lambda x: naive("1/4", x))


class TestNearlyHalf(StatisticLaws):
    """Leaves one record or two."""

    statistic = TrimmedMean(0.49)
    answer = staticmethod(lambda x: naive("49/100", x))
    most = 3


class TestSigned(StatisticLaws):
    statistic = TrimmedMean("1/3")
    bounds = (-3, 5)
    domain = (-3, 0, 5)
    records = (-99.0, -7.0, -0.6, 4.0)
    answer = staticmethod(lambda x: naive("1/3", x) if x else Fraction(-3))
    most = 4


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("alpha", ["1/10", "1/4", "2/5"])
def test_levels_are_the_best_over_all_that_can_be_kept(relation: str, alpha: str) -> None:
    check_best_over_all_kept(TrimmedMean(alpha), lambda x: naive(alpha, x), relation)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("exact, blocks", [(1, 1), (8, 2), (1024, 16)])
@pytest.mark.parametrize("statistic", [TrimmedMean, WinsorizedMean])
def test_neighbours_nest_where_exact_levels_end(
    monkeypatch: pytest.MonkeyPatch, relation: str, exact: int, blocks: int, statistic: Any
) -> None:
    """And the bound beyond holds the exact envelope."""
    rng = np.random.default_rng(2)
    for n in (1, 5, 9, 30, 200, 200):
        alpha, x = Fraction(int(rng.integers(50)), 100), drawn(rng, n)
        monkeypatch.undo()
        best = envelope(statistic(alpha), x, relation, 60)
        monkeypatch.setattr(module, "EXACT_LEVELS", exact)
        monkeypatch.setattr(module, "BLOCKS", blocks)
        monkeypatch.setattr(module, "ROWS", 7)
        ours = envelope(statistic(alpha), x, relation, 60)
        assert is_monotone(ours)
        assert np.all(ours.lower <= best.lower) and np.all(best.upper <= ours.upper)
        known = ours.lower.size if relation == "swap" else exact
        assert ours.lower[:known].tolist() == best.lower[:known].tolist()
        assert ours.upper[:known].tolist() == best.upper[:known].tolist()
        for _ in range(6):
            other = envelope(statistic(alpha), edited(rng, x, relation), relation, 60)
            assert nests_in(ours, other) and nests_in(other, ours), (alpha, x)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("statistic", [TrimmedMean(0), WinsorizedMean(0)])
def test_without_a_cut_it_is_the_mean(relation: str, statistic: Any) -> None:
    x = drawn(np.random.default_rng(3), 300)
    ours, mean = envelope(statistic, x, relation, 400), envelope(Mean(), x, relation, 400)
    assert ours.lower.tolist() == mean.lower.tolist()
    assert ours.upper.tolist() == mean.upper.tolist()


@pytest.mark.parametrize("statistic", [TrimmedMean("1/10"), WinsorizedMean("1/10")])
def test_python_integers_where_64_bits_are_too_few(monkeypatch: pytest.MonkeyPatch, statistic: Any) -> None:
    x = drawn(np.random.default_rng(4), 50)
    quick = envelope(statistic, x, "add_remove", 50)
    monkeypatch.setattr(module, "ROOM", 1)
    slow = envelope(statistic, x, "add_remove", 50)
    assert (quick.lower.tolist(), quick.upper.tolist()) == (slow.lower.tolist(), slow.upper.tolist())


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("n", [1, 2, 99, 70_000])
def test_the_centre_of_large_data_at_the_default_granularity(relation: str, n: int) -> None:
    x = np.random.default_rng(n).integers(0, 10**6, n)
    ours = law(
        TrimmedMean("0.07"),
        x,
        bounds=(0, 10**6),
        epsilon=1,
        neighbors=relation,
        mechanism="piecewise_laplace",
    )
    exact = naive("7/100", tuple(x.tolist()))
    assert ours.envelope.level(0) == (exact / ours.granularity // 1,) * 2


def test_an_empty_column_answers_with_the_lower_bound() -> None:
    for relation in RELATIONS:
        assert envelope(TrimmedMean("1/4"), [], relation, 5).level(0) == (0, 0)
    assert envelope(TrimmedMean("1/4"), [900, 900], "add_remove", 5).level(2)[0] == 0


def test_alpha_is_exact_however_fine() -> None:
    """Float 0.07*100 is above 7; a share of 1/10^40 cuts off nobody."""
    x = [0] * 7 + [10] * 86 + [1000] * 7
    assert envelope(TrimmedMean(0.07), x, "add_remove", 1).level(0) == (10_000, 10_000)
    fine = envelope(TrimmedMean(Fraction(1, 10**40)), x, "add_remove", 9)
    assert fine.upper.tolist() == envelope(Mean(), x, "add_remove", 9).upper.tolist()


@pytest.mark.parametrize("statistic", [TrimmedMean, WinsorizedMean])
@pytest.mark.parametrize("alpha", ["1/2", 0.5, 0.7, 1, -0.1, 2, "a half", float("nan")])
def test_a_share_from_a_half_on_is_refused(statistic: Any, alpha: Any) -> None:
    with pytest.raises(ParameterError, match="alpha must be"):
        statistic(alpha)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ParameterTypeError, match="alpha must be a real number"):
        TrimmedMean(None)  # type: ignore[arg-type]


def test_names() -> None:
    assert str(TrimmedMean(0.1)) == "trimmed_mean(0.1)"
    assert trimmed_mean([1, 2, 3], "1/3", bounds=(0, 4), epsilon=1).statistic == "trimmed_mean(1/3)"


HALVES: Any = {"bounds": (0, 4), "granularity": Fraction(1, 2), "neighbors": "swap", "mechanism": "balance"}
KINDS = [TrimmedMean("1/4"), WinsorizedMean("1/4")]


@pytest.mark.parametrize("statistic", KINDS, ids=str)
class TestBalance:
    """Where records are swapped, the levels are a score, of which a record moves all in one direction."""

    @pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(4)])
    def test_it_keeps_epsilon(self, statistic: Any, epsilon: Fraction) -> None:
        world = World((0, 1, 2, 3, 4), 4, "swap", 1, 4)
        laws = {x: law(statistic, list(x), epsilon=epsilon, **HALVES) for x in world.datasets()}
        worst = worst_ratio(laws, world) / float(epsilon)
        assert 0.5 < worst < 1 + FLOAT

    def test_a_pull_of_one_would_be_too_little(self, statistic: Any) -> None:
        world = World((0, 1, 2, 3, 4), 4, "swap", 1, 4)
        laws = {x: law(statistic, list(x), epsilon=1, **HALVES) for x in world.datasets()}
        strict: Any = {x: replace(each, kappa=Fraction(1, 2)) for x, each in laws.items()}  # type: ignore[type-var]
        assert worst_ratio(strict, world) > 1.02

    def test_a_larger_record_moves_the_score_down_everywhere(self, statistic: Any) -> None:
        world = World((0, 1, 2, 3, 4), 4, "swap", 1, 4)
        scores = {}
        for x in world.datasets():
            own = law(statistic, list(x), epsilon=1, **HALVES).score  # type: ignore[union-attr]
            scores[x] = np.array([own.at(k) for k in range(8)])
        for x, y in world.pairs():
            if sum(x) < sum(y):
                assert np.all(scores[x] >= scores[y]) and np.all(scores[x] <= scores[y] + 1), (x, y)

    def test_its_answer_is_that_of_the_envelope(self, statistic: Any) -> None:
        for x in World((0, 1, 3, 4), 4, "swap", 1, 4).datasets():
            ours, other = (
                law(statistic, list(x), epsilon=1, **HALVES | {"mechanism": name}) for name in NAMES
            )
            assert ours.centre == other.centre

    def test_it_has_less_error(self, statistic: Any) -> None:
        incomes = np.random.default_rng(2).lognormal(10.5, 0.6, 1000)
        asked: Any = {"bounds": (0, 500_000), "epsilon": 1, "neighbors": "swap"}
        ours, other = (
            read_law(law(statistic, incomes, mechanism=name, **asked)).expected_error() for name in NAMES
        )
        assert ours < 0.77 * other

    def test_draws_stray_no_further_than_promised(self, statistic: Any) -> None:
        data, miss = list(range(40)), 1e-6
        asked: Any = {"bounds": (0, 40), "epsilon": 1, "granularity": 1, "neighbors": "swap"}
        ours, other = (law(statistic, data, mechanism=name, **asked) for name in NAMES)
        edits = statistic.edits_off("swap", Fraction(1), np.log(41) - np.log(miss))
        lower, upper = other.envelope.level(int(np.ceil(edits)))  # type: ignore[union-attr]
        assert read_law(ours).cdf(lower - 1) + 1 - read_law(ours).cdf(upper) <= miss

    def test_there_is_none_where_records_are_added(self, statistic: Any) -> None:
        with pytest.raises(ParameterError, match="no score"):
            law(statistic, [1, 2], epsilon=1, **HALVES | {"neighbors": "add_remove"})


NAMES = ("balance", "piecewise_laplace")


def pulled_in(alpha: Any, x: Dataset) -> Fraction:
    """Sort, pull the floor(alpha*n) records at each end in to the next one, average."""
    cut, ordered = Fraction(alpha) * len(x) // 1, sorted(x)
    if not x:
        return Fraction(0)
    low, high = ordered[cut], ordered[len(x) - cut - 1]
    return Fraction(sum(min(max(v, low), high) for v in x)) / len(x)


class TestWinsorizedTenth(StatisticLaws):
    """Pulls in nobody of so few records: the mean."""

    statistic = WinsorizedMean(0.1)
    answer = staticmethod(lambda x: pulled_in("1/10", x))
    most = 2


class TestWinsorizedQuarter(StatisticLaws):
    statistic = WinsorizedMean(0.25)
    answer = staticmethod(lambda x: pulled_in("1/4", x))


class TestWinsorizedNearlyHalf(StatisticLaws):
    """Of three records, three times the middle one."""

    statistic = WinsorizedMean(0.49)
    answer = staticmethod(lambda x: pulled_in("49/100", x))
    domain = (0, 1, 4)
    records = (-99.0, 0.4, 2.6, 9.0)
    most = 4


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("alpha", ["1/10", "1/4", "2/5"])
def test_winsorized_levels_are_the_best_over_all_that_can_be_kept(relation: str, alpha: str) -> None:
    check_best_over_all_kept(WinsorizedMean(alpha), lambda x: pulled_in(alpha, x), relation)


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("n", [1, 2, 99, 70_000])
def test_the_winsorized_centre_of_large_data_at_the_default_granularity(neighbors: str, n: int) -> None:
    x = np.random.default_rng(n).integers(0, 10**6, n)
    ours = law(
        WinsorizedMean("0.07"),
        x,
        bounds=(0, 10**6),
        epsilon=1,
        neighbors=neighbors,
        mechanism="piecewise_laplace",
    )
    exact = pulled_in("7/100", tuple(x.tolist()))
    assert ours.envelope.level(0) == (exact / ours.granularity // 1,) * 2


def test_ends_count_in_full() -> None:
    ours = law(WinsorizedMean("1/4"), [0, 10, 20, 90], bounds=(0, 100), epsilon=1, granularity=1)
    assert ours.envelope.level(0) == (15, 15)


def test_names_of_winsorized_means() -> None:
    assert str(WinsorizedMean(0.1)) == "winsorized_mean(0.1)"
    asked = winsorized_mean([1, 2, 3], 0.25, bounds=(0, 4), epsilon=1)
    assert asked.statistic == "winsorized_mean(0.25)"


LATTICE = Lattice(0, 30, Fraction(1))
GROUPS = [[5, 7, 9, 20], [1, 2, 2, 30], [0, 0, 0, 0], [30, 30, 30, 30]]


def test_the_least_ratio_is_kept_where_float64_takes_another_for_less() -> None:
    rng, turned = np.random.default_rng(0), 0
    for _ in range(300):
        top, bottom, other = int(rng.integers(2**59, 2**60)), *rng.integers(50, 100, 2).tolist()
        tops, bottoms = [top, top * other // bottom + 1], [bottom, other]
        floats = [t / b for t, b in zip(np.array(tops, float), bottoms, strict=True)]
        exact = [Fraction(t, b) for t, b in zip(tops, bottoms, strict=True)]
        turned += (exact[0] < exact[1]) != (floats[0] < floats[1]) and floats[0] != floats[1]
        nothing = np.zeros((2, 1), np.int64)
        side = BoundDistances(np.zeros(1, np.int64), nothing, nothing, nothing, np.array(tops)[:, np.newaxis])
        trims = Trims(
            np.zeros((1, 2), np.int64), np.array([[0, 1]]), np.array([[bottoms]]).swapaxes(1, 2), nothing[:1]
        )
        found = side.shortest(trims)
        assert min(exact) in [Fraction(int(t), int(b)) for t, b in zip(found.gap, found.size, strict=True)]
    assert turned > 5


def test_sides_of_groups_are_those_of_their_columns() -> None:
    groups = grouped(GROUPS, LATTICE)
    many = TrimmedGroups.of(groups, np.array([1, 1, 1, 1]), np.array([2, 2, 2, 2]))
    together = many.distances(np.arange(4))
    for place, group in enumerate(GROUPS):
        column = declare(group).read(LATTICE, "add_remove")
        alone = TrimmedGroups.of(OneGroup(column), np.array([1]), np.array([2]), object).distances(
            np.array([0])
        )
        for one, all_of_them in zip(alone, together, strict=True):
            assert one.between[0] == all_of_them.between[place]
            for name in ("after_first", "at_second", "left_out", "taken_in"):
                assert getattr(one, name)[:, 0].tolist() == getattr(all_of_them, name)[:, place].tolist()


def test_groups_that_are_cut_alike_differ_by_how_much_they_keep() -> None:
    groups = grouped([[1] * 10, [1] * 30], LATTICE)
    many = TrimmedGroups.of(groups, np.array([1, 3]), np.array([2, 2]))
    kept, cut = many.more(np.array([0, 1]))
    assert (kept.tolist(), cut.tolist()) == ([0, 16], [0, 2])
