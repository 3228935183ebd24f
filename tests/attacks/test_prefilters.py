"""Where float64 sets aside what cannot be best, the best is never among it: more than 200 records, ties but for a step.

Lowest variances are told apart among all ways to remove records from the two ends, in integers; trimmed means of many
groups are those of each group alone, where integers decide everything.
"""

from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from noisewise.kernel.numbers.lattice import DEFAULT_STEPS, FINEST, Lattice
from noisewise.statistics import trimmed_mean
from noisewise.statistics.trimmed_mean import BoundDistances, Shortest, TrimmedMean, Trims, WinsorizedMean
from noisewise.statistics.variance import reach
from noisewise.statistics.variance.reach import PowerSums, _diluted, _least_spreads, exact_lower
from noisewise.statistics.variance.variance import EXACT_LOWER
from noisewise.tables.columns import declare
from tests.statistics.test_envelopes import grouped, one_by_one, same

WIDE = Lattice(0, FINEST, Fraction(1))
"""As wide as a lattice may be."""


def mirrored(rng: np.random.Generator, n: int, width: int, at: int = 0) -> list[int]:
    """Records that mirror each other but for one step of one of them: to remove i of the smallest and j of the largest,
    or the other way round, leaves the same spread but for that step.
    """
    half = rng.integers(0, width // 2, n // 2).tolist()
    x = [*half, *(width - v for v in half)]
    x[int(rng.integers(len(x)))] += int(rng.choice([-1, 1]))
    return [at + min(max(v, 0), width) for v in x]


def clusters(rng: np.random.Generator, n: int, width: int) -> list[int]:
    """Two clusters at the ends and one in the middle, each a few steps wide."""
    x = rng.choice([0, width // 2, width - 8], n) + rng.integers(0, 8, n)
    return [int(v) for v in x]


def two_scales(rng: np.random.Generator, n: int, width: int) -> list[int]:
    """Ten records at each end, and all others close together: once those are gone, the error of a sum of squares that
    held them is more than all that is left.
    """
    inner = width // 2 + rng.integers(-500, 501, n - 20)
    return [*rng.integers(0, 500, 10).tolist(), *(width - rng.integers(0, 500, 10)).tolist(), *inner.tolist()]


def looked(x: list[int], relation: Any = "add_remove") -> tuple[Any, PowerSums]:
    column = declare(x).read(WIDE, relation)
    return column, PowerSums.of(column)


class Ends:
    """Sums of the smallest and largest records, and the spread that is left when some go: in integers and in floats."""

    def __init__(self, x: list[int]) -> None:
        self.x, self.n = sorted(x), len(x)
        ends = self.x, self.x[::-1]
        self.sums = [[*accumulate(end, initial=0)] for end in ends]
        self.squares = [[*accumulate((v * v for v in end), initial=0)] for end in ends]

    def spread(self, d: int, i: int) -> int:
        """n - d times the spread."""
        (low, high), (low_squares, high_squares) = self.sums, self.squares
        left = low[-1] - low[i] - high[d - i]
        return (self.n - d) * (low_squares[-1] - low_squares[i] - high_squares[d - i]) - left * left

    def least(self, d: int) -> int:
        return min(self.spread(d, i) for i in range(d + 1))

    def misled(self, d: int) -> bool:
        """Whether float64, squares summed around the mean, takes another i for the best."""
        away = np.array(self.x, float) - self.sums[0][-1] // self.n
        total, square = (np.append(0.0, np.cumsum(away**power)) for power in (1, 2))
        i = np.arange(d + 1)
        kept = [each[self.n - d + i] - each[i] for each in (total, square)]
        best = int(np.argmin(kept[1] - kept[0] ** 2 / (self.n - d)))
        return self.spread(d, best) != self.least(d)


DATA = {
    "two scales": lambda rng, n: two_scales(rng, n, DEFAULT_STEPS),
    "mirrored over the whole width": lambda rng, n: mirrored(rng, n, FINEST),
    "mirrored in a narrow range far out": lambda rng, n: mirrored(rng, n, 2**30, FINEST - 2**30),
    "clusters": lambda rng, n: clusters(rng, n, FINEST),
    "a cluster far out": lambda rng, n: [FINEST - int(v) for v in rng.integers(0, 8, n)],
    "one far away": lambda rng, n: [0, *(FINEST - int(v) for v in rng.integers(0, 2**26, n - 1))],
}


@pytest.mark.parametrize("data", DATA, ids=str)
@pytest.mark.parametrize("n", [202, 230])
def test_no_way_to_lower_a_variance_is_lost(data: str, n: int) -> None:
    x = DATA[data](np.random.default_rng(n), n)
    (column, moments), ends = looked(x), Ends(x)
    found = _least_spreads(column, moments, n - 1)
    exact = [ends.least(d) for d in range(n - 1)]
    known = exact.index(0) if 0 in exact else n - 1
    assert found == [(spread, n - d) for d, spread in enumerate(exact[:known])]


def test_no_way_to_lower_a_variance_is_lost_where_exact_levels_end() -> None:
    """Running sums of a thousand squares, where floats have gathered the largest error they can."""
    n, rng = EXACT_LOWER + 40, np.random.default_rng(1)
    for x in (two_scales(rng, n, DEFAULT_STEPS), mirrored(rng, n, FINEST), clusters(rng, n, FINEST)):
        (column, moments), ends = looked(x), Ends(x)
        found = _least_spreads(column, moments, EXACT_LOWER)
        for d in (1, 2, 255, 511, 767, 1022, 1023):
            assert (found[d][0] if d < len(found) else 0) == ends.least(d)  # levels end where nothing is left


def test_those_data_mislead_floats() -> None:
    rng = np.random.default_rng(2)
    for x in (two_scales(rng, 230, DEFAULT_STEPS), mirrored(rng, 230, FINEST)):
        ends = Ends(x)
        assert sum(ends.misled(d) for d in range(1, 229)) > 20


# How many of l edits remove, when the others add.


def even(rng: np.random.Generator, count: int, l: int) -> list[tuple[int, int]]:
    """Spreads W[d] for which W[d]/(count + l - 2d) is the same for all d but for less than a unit of W."""
    level = int(rng.integers(2**60, 2**61)) << 30
    return [(level * (count + l - 2 * d) // count + int(rng.integers(0, 2)), 1) for d in range(l + 1)]


def wrong_levels(rng: np.random.Generator) -> int:
    """At how many levels the least ratio is lost."""
    wrong = 0
    for l in (200, 250, 400):
        count = 3 * l
        spreads = even(rng, count, l)
        for level, found in enumerate(_diluted(spreads, count)):
            if level > l - 3:
                ratios = (Fraction(spreads[d][0], count + level - 2 * d) for d in range(level + 1))
                wrong += Fraction(*found) != min(ratios)
    return wrong


def test_no_split_of_the_edits_is_lost() -> None:
    assert wrong_levels(np.random.default_rng(3)) == 0


def test_the_attack_notices_splits_that_floats_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "CLOSE", 1.0)
    assert wrong_levels(np.random.default_rng(3)) > 0


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_lowest_variances_are_those_of_integers_alone(relation: str) -> None:
    n, rng = 210, np.random.default_rng(4)
    for x in (two_scales(rng, n, DEFAULT_STEPS), mirrored(rng, n, FINEST), clusters(rng, n, FINEST)):
        ends = Ends(x)
        spreads = [Fraction(ends.least(d), n - d) for d in range(n - 1)]
        for l, found in enumerate(exact_lower(*looked(x, relation), n - 1)):
            sizes = [n] if relation == "swap" else [n + l - 2 * d for d in range(l + 1)]
            left = spreads[l:] if relation == "swap" else spreads
            assert Fraction(*found) == min(w / size for w, size in zip(left, sizes, strict=False))


# Trimmed means of many groups side by side.

SHORTEST = BoundDistances.shortest
ALPHA, STEP = Fraction(1, 1000), 2.0**-32
MEANS = [TrimmedMean(ALPHA), WinsorizedMean(ALPHA)]
MANY = 2_200_001
"""So many records, each up to 2^32 steps from a bound, have sums that float64 does not hold. Of fewer it holds them,
and one division keeps ratios in order.
"""


class Watched:
    """How often `shortest` looked for the least mean distance of a level and a group, and how often it lost it."""

    def __init__(self) -> None:
        self.asked = self.lost = 0

    def shortest(self, side: BoundDistances, trims: Trims) -> Shortest:
        kept, (top, bottom) = SHORTEST(side, trims), side.ratios(trims)
        bottom = np.broadcast_to(bottom, top.shape)
        found: dict[tuple[int, int], Fraction] = {}
        for row, group, gap, size in zip(*(each.tolist() for each in kept), strict=True):
            best = found.get((row, group), Fraction(2**40))
            found[row, group] = min(best, Fraction(gap, size))
        for row, group in np.ndindex(top.shape[0], top.shape[2]):
            tops, bottoms = top[row, :, group].tolist(), bottom[row, :, group].tolist()
            least = min(Fraction(*ratio) for ratio in {*zip(tops, bottoms, strict=True)})
            self.asked, self.lost = self.asked + 1, self.lost + (found[row, group] != least)
        return kept


def stairs(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Runs around one place have the same mean, but for a part of a step."""
    return STEP * (8 * np.arange(n) + rng.integers(0, 3, n))


def balanced(n: int) -> NDArray[np.float64]:
    """A step is gained by every small record that goes, and as much by every large one that comes: what is left are
    sums that differ by a few units beyond 2^53, over numbers of records that differ by two.
    """
    x, cut = np.full(n, 1001), int(ALPHA * n)
    x[: cut + 200] = 1000
    x[n - cut :] = 1002
    return STEP * x


def watched(statistic: Any, groups: Any, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Groups worked out side by side. Their levels are those that each group has alone."""
    watch = Watched()
    monkeypatch.setattr(BoundDistances, "shortest", lambda side, trims: watch.shortest(side, trims))
    frame = statistic.frame((0, 1), None)
    found = statistic.envelopes(grouped(groups, frame.records), frame.answers, 50)
    assert watch.asked > 100
    assert same(found, one_by_one(statistic, groups, frame, 50))
    return watch


@pytest.mark.parametrize("statistic", MEANS, ids=str)
def test_no_trimmed_mean_is_lost(statistic: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    groups = [stairs(rng, int(n)) for n in rng.integers(201, 420, 5)]
    assert watched(statistic, groups, monkeypatch).lost == 0
    assert watched(statistic, [balanced(MANY)], monkeypatch).lost == 0


@pytest.mark.parametrize("statistic", MEANS, ids=str)
def test_the_attack_notices_trimmed_means_that_floats_choose(
    statistic: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trimmed_mean, "CLOSE", 1.0)
    assert watched(statistic, [balanced(MANY)], monkeypatch).lost > 10
