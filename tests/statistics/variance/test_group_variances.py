"""Variances of many groups at once are those of one group after the other, whatever floats leave open.

What is known of a group answers what was read; brackets hold the exact numbers; windows that are removed from many
groups at once are those that a search one by one finds.
"""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Sums
from noisewise.statistics.variance import group_variances as module
from noisewise.statistics.variance.group_variances import Brackets, KnownColumns, Removals, SideBySide
from noisewise.statistics.variance.reach import exact_lower, exact_upper, highest, lower_bound, upper_bound
from noisewise.statistics.variance.variance import Std, Variance, _needed
from tests.statistics.test_envelopes import grouped, one_by_one, same

LATTICE = Lattice(0, 30, Fraction(1))
SUMS = [Sums(3, 21, 155), Sums(0, 0, 0), Sums(5, 15, 55)]


@pytest.fixture
def groups() -> Any:
    return grouped([[5, 7, 9], [], [1, 2, 3, 4, 5]], LATTICE)


def test_each_group_knows_its_own_stretches(groups: Any) -> None:
    ends = (np.array([1, 1, 1]), np.array([2, 1, 3])), (np.array([3, 1, 5]), np.array([4, 1, 6]))
    first, none, last = KnownColumns.of(groups, SUMS, list(ends), [([5, 5, 5], [1, 0, 5])])
    assert (first.ranks(1, 2).tolist(), first.ranks(3, 4).tolist()) == ([5], [9])
    assert (last.ranks(1, 3).tolist(), last.ranks(2, 3).tolist(), last.ranks(5, 6).tolist()) == (
        [1, 2],
        [2],
        [5],
    )
    assert none.ranks(1, 1).tolist() == [] and (none.count, first.count) == (0, 3)
    assert first.sums(squares=True) == SUMS[0] and last.below(5).count == 5
    assert repr(first) == "<KnownColumn: withheld>"


def test_stretches_that_hold_everything_are_read_once(groups: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, plain = [], type(groups).ranks
    monkeypatch.setattr(type(groups), "ranks", lambda self, *ends: asked.append(ends) or plain(self, *ends))
    everything = np.array([1, 1, 1]), groups.counts + 1
    columns = list(KnownColumns.of(groups, SUMS, [everything, everything], []))
    assert len(asked) == 1
    assert [column.ranks(1, column.count + 1).tolist() for column in columns] == [
        [5, 7, 9],
        [],
        [1, 2, 3, 4, 5],
    ]


def test_nothing_is_read_where_nothing_is_needed(groups: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(groups), "ranks", lambda *asked: pytest.fail("was read"))
    assert [column.count for column in KnownColumns.of(groups, SUMS, [], [])] == [3, 0, 5]


LEVELS = 12


def shapes(rng: np.random.Generator, n: int, width: int) -> list[list[float]]:
    """Records from 0 to ``width`` that floats find hard: far from 0 and close together, at the bounds, in clusters."""
    centre = width // 3
    return [
        rng.integers(0, width, n, endpoint=True).tolist(),
        (centre + rng.integers(0, 3, n)).tolist(),
        [centre] * (n - 1) + [centre + 1],
        [centre] * n,
        [0] * (n // 2) + [width] * (n - n // 2),
        [0] * (n - 1) + [width],
        np.floor(width / (1 + rng.exponential(1000, n))).tolist(),
    ]


def in_block(groups: list[list[float]], bounds: Any) -> tuple[SideBySide, KnownColumns]:
    frame = Variance().frame(bounds, None)
    local = grouped(groups, frame.records)
    known = local.below(np.full(len(groups), local.lattice.high), squares=True)
    columns = KnownColumns.of(local, known, *_needed(local, known, LEVELS))
    return SideBySide(columns, np.arange(len(groups)), LEVELS), columns


def holds(found: Brackets, column: int, exactly: list[tuple[int, int]]) -> bool:
    ends = zip(found.least[:, column].tolist(), found.most[:, column].tolist(), strict=True)
    exact = (Fraction(*ratio) for ratio in exactly)
    return all(Fraction(low) <= each <= Fraction(high) for (low, high), each in zip(ends, exact, strict=True))


@pytest.mark.parametrize("width", [2, 1000, 2**33 + 1, 2**51])
@pytest.mark.parametrize("n", [14, 29, 64])
def test_brackets_hold_the_exact_numbers(n: int, width: int) -> None:
    block, columns = in_block(shapes(np.random.default_rng(n), n, width), (0, width))
    edits = np.full(len(columns), LEVELS)
    lower, (upper, unknown), beyond = block.lower(), block.upper(LEVELS + 1, edits), block.beyond(3)
    removals = Removals(block, upper, np.flatnonzero(unknown))
    raised = removals.search(edits)
    for column, moments in enumerate(block.moments):
        known: Any = columns[column]
        least = [*exact_lower(known, moments, LEVELS + 1)]
        assert holds(lower, column, least + [(0, 1)] * (LEVELS + 1 - len(least)))
        most = [*exact_upper(known, moments, LEVELS + 1)]
        assert holds(raised if unknown[column] else upper, column, most)
        bound = [*upper_bound(moments, LEVELS, "add_remove")]
        bound += [highest(moments, "add_remove")] * (LEVELS + 1 - len(bound))
        assert holds(beyond, column, bound)
        for level, ratio in enumerate(least):
            assert Fraction(*block.exact_lower(level, column)) == Fraction(*ratio)
        for level, ratio in enumerate(most):
            exactly = removals.exact if unknown[column] else partial(block.exact_upper, upper)
            assert Fraction(*exactly(level, column)) == Fraction(*ratio)
        for level, ratio in enumerate(bound[3:], 3):
            assert Fraction(*block.exact_beyond(beyond, level, column)) == Fraction(*ratio)
    assert unknown.any() and (n < 64 or not unknown.all())


def test_the_bound_below_is_never_needed_here() -> None:
    """Where the least spread is 0, or one record is left, the bound by sums is 0 as well: levels end there."""
    for group in ([0, 0, 0, 9], [5], [], [1, 2], [0, 4, 4, 4, 8]):
        block, columns = in_block([list(map(float, group))], (0, 9))
        known: Any = columns[0]
        exact = [*exact_lower(known, block.moments[0], LEVELS + 1)]
        bound = [*lower_bound(block.moments[0], LEVELS, "add_remove")]
        assert all(top == 0 for top, _ in bound[len(exact) :])


SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "two humps": lambda rng, n: rng.beta(0.4, 0.4, n),
    "two ends": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "ends and the middle": lambda rng, n: rng.integers(0, 3, n) / 2,
    "low": lambda rng, n: rng.random(n) ** 3,
}


@pytest.mark.parametrize("statistic", [Variance(), Std()], ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_removing_raises_variances_as_one_by_one(
    statistic: Any, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups of different sizes in one block; none is left to be worked out by itself."""
    rng, alone = np.random.default_rng(7), list[int]()
    plain = module._Levels._one_by_one

    def counted(self: Any, levels: Any, groups: Any, side: Any) -> None:
        alone.extend(np.flatnonzero(groups).tolist())
        plain(self, levels, groups, side)

    monkeypatch.setattr(module._Levels, "_one_by_one", counted)
    groups = [SHAPES[shape](rng, n).tolist() for n in (3, 11, 12, 30, 31, 64)]
    frame = statistic.frame((0.0, 1.0), None)
    for levels in (9, 26):
        found = statistic.envelopes(grouped(groups, frame.records), frame.answers, levels)
        assert same(found, one_by_one(statistic, groups, frame, levels))
    assert not alone


def test_only_what_lies_near_the_means_is_read() -> None:
    """Many records: the middle is a stretch of its own, of another size in each group, and the last group is short."""
    rng = np.random.default_rng(8)
    groups = [rng.beta(0.3, 0.3, n).tolist() for n in (250, 300, 260)] + [
        [0.0] * 100 + [1.0] * 160,
        [0.5] * 2,
    ]
    frame = Variance().frame((0.0, 1.0), None)
    found = Variance().envelopes(grouped(groups, frame.records), frame.answers, 12)
    assert same(found, one_by_one(Variance(), groups, frame, 12))


def test_a_long_group_makes_no_long_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, whatever one group holds: groups with much in the middle are worked out by themselves."""
    monkeypatch.setattr(module, "LONGEST", 20)
    rows, plain = list[int](), module.Removals.search
    monkeypatch.setattr(
        module.Removals, "search", lambda self, edits: rows.append(len(self.records)) or plain(self, edits)
    )
    rng = np.random.default_rng(9)
    groups = [rng.random(n).tolist() for n in (5, 12, 18, 30, 60)]
    frame = Variance().frame((0.0, 1.0), None)
    found = Variance().envelopes(grouped(groups, frame.records), frame.answers, 15)
    assert same(found, one_by_one(Variance(), groups, frame, 15))
    assert rows and max(rows) <= 20


@pytest.mark.parametrize("statistic", [Variance(), Std()], ids=str)
@pytest.mark.parametrize("granularity", [Fraction(1, 4096), Fraction(1, 2**24), 1])
def test_variances_that_are_answers_are_settled_in_integers(statistic: Any, granularity: Any) -> None:
    """With 64 records, or 60 and four added ones, variances of whole numbers are multiples of 1/4096."""
    rng, bounds = np.random.default_rng(5), (0, 256)
    groups = [rng.integers(90, 200, n).tolist() for n in (64, 60, 63, 62, 68, 72, 128, 100)]
    groups += [[100] * 60 + [104] * 4, [3] * 64, [0] * 32 + [256] * 32, [1] * 80 + [255] * 5]
    frame = statistic.frame(bounds, granularity)
    for levels in (10, 60):
        found = statistic.envelopes(grouped(groups, frame.records), frame.answers, levels)
        assert same(found, one_by_one(statistic, groups, frame, levels))


def test_groups_worked_out_by_themselves_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incomes in groups of 100: nearly all of both sides follows from brackets."""
    rng, alone = np.random.default_rng(6), list[int]()
    plain = module._Levels._one_by_one

    def counted(self: Any, levels: Any, groups: Any, side: Any) -> None:
        alone.append(int(np.count_nonzero(groups)))
        plain(self, levels, groups, side)

    monkeypatch.setattr(module._Levels, "_one_by_one", counted)
    monkeypatch.setattr(module, "TOGETHER", 16)
    groups = [np.floor(rng.lognormal(10.5, 0.6, 100)).tolist() for _ in range(40)]
    frame = Std().frame((0, 500_000), None)
    found = Std().envelopes(grouped(groups, frame.records), frame.answers, 52)
    assert len(alone) == 6 and sum(alone) == 0
    assert same(found, one_by_one(Std(), groups, frame, 52))


@pytest.mark.parametrize("exact_levels", [1, 2, 9])
def test_the_bound_begins_where_exact_levels_end(exact_levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noisewise.statistics.variance.variance.EXACT_UPPER", exact_levels)
    rng = np.random.default_rng(exact_levels)
    groups = [rng.integers(0, 50, n).tolist() for n in (0, 1, 2, 9, 17, 40, 64, 100)] + [[0] * 9 + [50] * 9]
    for bounds in ((0, 50), (-1e6, 1e6)):
        frame = Variance().frame(bounds, None)
        found = Variance().envelopes(grouped(groups, frame.records), frame.answers, 30)
        assert same(found, one_by_one(Variance(), groups, frame, 30))
