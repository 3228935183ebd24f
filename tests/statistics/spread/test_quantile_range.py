"""Spreads against their naive definition, on every small dataset and on random larger ones."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.envelope import Envelope
from noisewise.planning.readings.read_law import read_law
from noisewise.statistics.spread import quantile_range as module
from noisewise.statistics.spread.quantile_range import IQR, Range, Spread
from tests.kernel.laws.statistic_laws import StatisticLaws
from tests.statistics.neighbourhood import neighbours

RELATIONS = ["add_remove", "swap"]
PAIRS = [
    ("1/4", "3/4"),
    ("0", "1"),
    ("1/10", "9/10"),
    ("1/3", "1/2"),
    ("0", "1/2"),
    ("1/2", "1"),
    ("2/5", "3/5"),
    ("3/5", "9/10"),
    ("3/4", "1"),
    ("9/10", "1"),
    (f"1/{10**30}", "99999/100000"),
]


def naive(low: str, high: str) -> Callable[[Dataset], Any]:
    """Two records of ranks max(1, ceil(q*n)); 0 if there are none."""
    shares = Fraction(low), Fraction(high)

    def answer(x: Dataset) -> Any:
        if not x:
            return 0
        first, second = (sorted(x)[max(1, math.ceil(q * len(x))) - 1] for q in shares)
        return second - first

    return answer


class TestIQR(StatisticLaws):
    statistic = IQR()
    answer = staticmethod(naive("1/4", "3/4"))


class TestRange(StatisticLaws):
    statistic = Range()
    answer = staticmethod(naive("0", "1"))
    most = 3


class TestTenths(StatisticLaws):
    statistic = Spread("1/10", "9/10")
    answer = staticmethod(naive("1/10", "9/10"))
    most = 3


class TestThirdToHalf(StatisticLaws):
    """The two ranks are equal among 1, 2 and 4 records and not among 3: one record may switch the answer on."""

    statistic = Spread("1/3", "1/2")
    answer = staticmethod(naive("1/3", "1/2"))


class TestLowerHalf(StatisticLaws):
    statistic = Spread(0, "1/2")
    answer = staticmethod(naive("0", "1/2"))
    most = 3


class TestHighShares(StatisticLaws):
    statistic = Spread("3/5", "9/10")
    answer = staticmethod(naive("3/5", "9/10"))
    most = 3


def envelope(
    statistic: Spread, x: Any, neighbors: Any, levels: int, bounds: tuple[int, int] = (0, 7)
) -> Envelope:
    return hazmat.law(
        statistic, list(x), bounds=bounds, granularity=1, epsilon=1, neighbors=neighbors, levels=levels
    ).envelope


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("pair", PAIRS)
def test_levels_are_those_of_brute_force(pair: tuple[str, str], neighbors: str) -> None:
    world, answer, spread = World((0, 1, 5, 7), 5, neighbors), naive(*pair), Spread(*pair)
    for x in world.datasets():
        levels = 3 if neighbors == "add_remove" else min(3, len(x))
        least, most = world.envelope(answer, x, levels)
        ours = envelope(spread, x, neighbors, 3)
        assert [ours.level(l) for l in range(levels + 1)] == list(zip(least, most, strict=True)), x


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("pair", [("1/4", "3/4"), ("1/3", "1/2"), ("3/5", "9/10")])
def test_levels_of_more_records_are_those_of_brute_force(pair: tuple[str, str], neighbors: str) -> None:
    world, answer, spread = World((0, 1, 5, 7), 11, neighbors), naive(*pair), Spread(*pair)
    dice = random.Random(5)
    for size in (8, 9, 10, 11):
        x = tuple(sorted(dice.choices((0, 1, 5, 7), k=size)))
        least, most = world.envelope(answer, x, 4)
        ours = envelope(spread, x, neighbors, 4)
        assert [ours.level(l) for l in range(5)] == list(zip(least, most, strict=True)), x


def every_choice(low: Fraction, high: Fraction, x: list[int], top: int, swap: bool, levels: int) -> list:
    """(lower, upper) of each level, by trying how many are removed and added, and where: no running maximum."""
    count = len(x)

    def record(r: int) -> int:
        return 0 if r < 1 else top if r > count else x[r - 1]

    found: list[list[int]] = [[] for _ in range(levels + 1)]
    for removed in range(min(levels, count) + 1):
        for added in range(levels + 1):
            level = removed + added if not swap else removed
            if level > levels or (swap and added != removed):
                continue
            size = count - removed + added
            first, second = (max(1, math.ceil(q * size)) for q in (low, high))
            if first == second:
                found[level].append(0)
                continue
            found[level] += [record(second - e + removed) - record(first - e) for e in range(added + 1)]
            gap = max(second - first - added, 0)
            found[level] += [record(first + i + gap) - record(first + i) for i in range(removed + 1)]
    reached = [[value for level in found[: l + 1] for value in level] for l in range(levels + 1)]
    return [(min(values), max(values)) for values in reached]


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("pair", PAIRS)
def test_levels_of_random_data_are_the_best_of_every_choice(pair: tuple[str, str], neighbors: str) -> None:
    dice, spread = random.Random(11), Spread(*pair)
    for size in (12, 30, 41):
        x = sorted(int(dice.expovariate(1 / 200)) % 1000 for _ in range(size))
        ours = envelope(spread, x, neighbors, 12, (0, 1000))
        slow = every_choice(spread.low, spread.high, x, 1000, neighbors == "swap", 12)
        assert [ours.level(l) for l in range(13)] == slow, (x, pair)


@pytest.mark.parametrize("exact_levels", [1, 2, 5, 12, 512])
@pytest.mark.parametrize("neighbors", RELATIONS)
def test_neighbours_nest_across_the_joint(
    neighbors: str, exact_levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT_LEVELS", exact_levels)
    dice = random.Random(exact_levels)
    for _ in range(60):
        spread = Spread(*dice.choice(PAIRS))
        x, y = neighbours(dice, dice.choice((1, 2, 3, 7, 40, 200)), dice.choice((3, 20, 1000)), neighbors)
        one, other = (envelope(spread, data, neighbors, 25, (0, 1000)) for data in (x, y))
        assert is_monotone(one) and is_monotone(other)
        assert nests_in(one, other) and nests_in(other, one), (spread, x, y)


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_bound_holds_the_exact_levels(
    pair: tuple[str, str], neighbors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.random.default_rng(2).integers(0, 500, 60)
    exact = envelope(Spread(*pair), x, neighbors, 40, (0, 1000))
    monkeypatch.setattr(module, "EXACT_LEVELS", 9)
    joined = envelope(Spread(*pair), x, neighbors, 40, (0, 1000))
    assert [exact.level(l) for l in range(9)] == [joined.level(l) for l in range(9)]
    for l in range(9, 45):
        assert joined.level(l)[0] <= exact.level(l)[0] and exact.level(l)[1] <= joined.level(l)[1]


@pytest.mark.parametrize("neighbors", RELATIONS)
def test_a_large_column_is_not_sorted_but_its_levels_are_those_of_the_sorted_one(neighbors: str) -> None:
    x = np.random.default_rng(4).permutation(100_000)
    ours = envelope(IQR(), x, neighbors, 40, (0, 10**6))
    stride = 1 if neighbors == "swap" else 2
    assert ours.level(0) == (50_000, 50_000)
    assert ours.upper.tolist() == [50_000 + -(-l // stride) for l in range(41)]
    assert ours.lower.tolist() == [50_000 - -(-l // stride) for l in range(41)]


@pytest.mark.parametrize("neighbors", RELATIONS)
def test_an_epsilon_that_asks_for_many_levels(neighbors: str) -> None:
    x = np.random.default_rng(4).integers(0, 10**6, 3000)
    law = hazmat.law(IQR(), x, bounds=(0, 10**6), epsilon=0.005, neighbors=neighbors)
    assert is_monotone(law.envelope)
    assert law.envelope.level(10**6) == (0, 10**6)


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("data", [[], [3], [3, 3], [None, None], [math.nan, math.inf, -math.inf], [7] * 50])
def test_odd_data_keeps_the_public_support(data: list, neighbors: Any) -> None:
    for pair in PAIRS:
        law = hazmat.law(Spread(*pair), data, bounds=(-4, 7), epsilon=1, neighbors=neighbors)
        assert read_law(law).support == (0, 11)
        assert is_monotone(law.envelope)


def test_an_empty_column_has_no_spread_until_there_are_two_ranks() -> None:
    assert [envelope(IQR(), [], "add_remove", 4).level(l) for l in range(4)] == [
        (0, 0),
        (0, 0),
        (0, 7),
        (0, 7),
    ]
    ours = envelope(Spread("1/3", "1/2"), [], "add_remove", 4)
    assert [ours.level(l) for l in range(4)] == [(0, 0), (0, 0), (0, 0), (0, 7)]


def test_where_the_ranks_are_equal_and_the_number_of_records_is_public_the_answer_is_zero() -> None:
    law = hazmat.law(Spread("1/3", "1/2"), [1, 9, 17, 20], bounds=(0, 1000), epsilon=1, neighbors="swap")
    assert read_law(law).pmf([0])[0] > 1 - 1e-9


def test_lattices_at_their_limits() -> None:
    edge = 2**51
    law = hazmat.law(Range(), [-edge, edge], bounds=(-edge, edge), granularity=1, epsilon=1)
    assert read_law(law).support == (0, 2 * edge)
    assert law.envelope.level(0) == (2 * edge, 2 * edge)
    law = hazmat.law(IQR(), [0.25, 0.5], bounds=(0.0, 1.0), epsilon=1)
    assert law.envelope.level(0) == (2**30, 2**30)
    law = hazmat.law(IQR(), [3, 8, 14, 22], bounds=(0, 30), granularity=10, epsilon=1)
    assert read_law(law).support == (0, 30) and law.envelope.level(0) == (1, 1)


def test_names() -> None:
    statistics = IQR(), Range(), Spread("1/4", 0.75), Spread(0.1, 0.9), Spread("1/3", 1)
    assert list(map(str, statistics)) == ["iqr", "range", "iqr", "spread(0.1, 0.9)", "spread(1/3, 1)"]


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (0.9, 0.1, "^high must be above low, 0.9, got 0.1$"),
        (0.5, "1/2", "^high must be above low, 0.5, got '1/2'$"),
        (-1, 0.5, "^low must be between 0 and 1, got -1$"),
        (0, 1.5, "^high must be between 0 and 1, got 1.5$"),
        (0, "most", "^high must be a number"),
        (math.nan, 1, "^low must be finite"),
    ],
)
def test_shares_that_are_none_or_in_the_wrong_order_are_refused(low: Any, high: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Spread(low, high)


@pytest.mark.parametrize("share", [None, True, [0.5], 1j])
def test_what_is_no_number_is_refused(share: Any) -> None:
    with pytest.raises(ParameterTypeError, match="low must be a real number"):
        Spread(share, 1)
    with pytest.raises(ParameterTypeError, match="high must be a real number"):
        Spread(0, share)
