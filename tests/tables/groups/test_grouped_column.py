"""Groups in memory: every group like the column of its records, whatever its size."""

from itertools import product
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.array_column import declare
from noisewise.tables.groups import grouped_column as module
from noisewise.tables.groups.grouped_column import LocalGroups, SortedColumn, group_sums, in_order, split
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice

LATTICE = Lattice.between((0, 9))


def read(
    keys: list[int], values: list[Any], declared: list[int], choice: Choice | None = None, **more: Any
) -> LocalGroups:
    columns = {"k": pl.Series(keys, dtype=pl.Int64), "v": pl.Series(values, dtype=pl.Float64), **more}
    table = LocalTable(nw.from_native(pl.DataFrame(columns), eager_only=True))
    return table.grouped("v", Keys.of(("k",), declared), choice).read(LATTICE, "add_remove")


def contents(groups: LocalGroups) -> list[list[int]]:
    return [groups.group(place).ordered().tolist() for place in range(len(groups))]


def test_records_lie_in_their_groups_in_order_and_empty_groups_stay() -> None:
    groups = read([1, 0, 1, 5, 1], [4, 9, 2, 7, 3], [1, 0, 3])
    assert contents(groups) == [[2, 3, 4], [9], []]
    assert groups.counts.tolist() == [3, 1, 0]
    assert len(groups) == 3


def test_missing_values_are_left_out_and_infinite_ones_clamped() -> None:
    groups = read([0, 0, 0, 0, 0], [None, float("nan"), float("inf"), float("-inf"), 99], [0])
    assert contents(groups) == [[0, 9, 9]]


def test_no_rows_and_no_rows_of_any_group() -> None:
    assert contents(read([], [], [0, 1])) == [[], []]
    assert contents(read([7, 8], [1, 2], [0, 1])) == [[], []]


def test_rows_without_a_column_are_counted_whatever_they_hold() -> None:
    frame = pl.DataFrame({"k": [0, 0, 1], "v": [None, None, 1.0]})
    table = LocalTable(nw.from_native(frame, eager_only=True))
    groups = table.grouped(None, Keys.of(("k",), [0, 1]), None).read(LATTICE, "add_remove")
    assert groups.counts.tolist() == [2, 1]


@pytest.mark.parametrize(
    "sizes", [(1, 2, 3, 0, 40), (5000, 1, 1, 700), (300,) * 20, (3,) * 500, (600, 0, 2000)]
)
@pytest.mark.parametrize("most", [9, 2**52])
def test_sorting_in_parts_is_sorting(sizes: tuple[int, ...], most: int) -> None:
    rng = np.random.default_rng(sum(sizes))
    codes = rng.permutation(np.append(np.repeat(np.arange(len(sizes)), sizes), [-1] * 7))
    steps = rng.integers(0, most, codes.size, endpoint=True)
    found, offsets = in_order(codes, steps.copy(), len(sizes), most)
    assert np.diff(offsets).tolist() == list(sizes)
    for group in range(len(sizes)):
        assert found[offsets[group] : offsets[group + 1]].tolist() == sorted(steps[codes == group])


def test_parts_are_sorted_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one long group, many short ones and empty ones, in parts of all sizes."""
    rng = np.random.default_rng(3)
    codes = np.concatenate([rng.integers(5, 900, 4000), np.full(3000, 2), np.full(9, -1)])
    rng.shuffle(codes)
    steps = rng.integers(0, 50, codes.size)
    order = np.lexsort((steps, codes))
    for part in (1, 64, 1000, 10**6):
        monkeypatch.setattr(module, "PART", part)
        monkeypatch.setattr(module, "MOST_PARTS", 10**6)
        found, offsets = in_order(codes, steps.copy(), 1000, 50)
        assert np.array_equal(found, steps[order][codes[order] >= 0])
        assert np.array_equal(np.diff(offsets), np.bincount(codes[codes >= 0], minlength=1000))


def test_groups_are_split_where_they_begin() -> None:
    offsets = np.array([0, 3, 3, 10, 11, 11])
    for together in (1, 2, 5, 100):
        parts = split(offsets, together)
        assert [place for part in parts for place in range(part.start, part.stop)] == [0, 1, 2, 3, 4]
    assert split(offsets, 100) == [slice(0, 5)] == split(np.zeros(6, np.int64), 7)
    assert len(split(offsets, 2)) > 2


def test_some_groups_are_what_they_were() -> None:
    groups = read([0, 0, 0, 1, 2, 2, 4], [5, 1, 3, 8, 7, 6, 2], [0, 1, 2, 3, 4])
    assert contents(groups.part(slice(1, 4))) == [[8], [6, 7], []]
    assert contents(groups.part(slice(3, 4))) == [[]]
    assert contents(groups.only(np.array([4, 0, 3]))) == [[2], [1, 3, 5], []]
    assert [place for part in groups.parts() for place in range(part.start, part.stop)] == [0, 1, 2, 3, 4]


def test_more_groups_than_one_digit_holds() -> None:
    rng = np.random.default_rng(1)
    count = 2**16 + 1000
    codes, steps = rng.integers(-1, count, 200_000), rng.integers(0, 10, 200_000)
    found, offsets = in_order(codes, steps.copy(), count, 10)
    order = np.lexsort((steps, codes))
    assert np.array_equal(found, steps[order][codes[order] >= 0])
    assert np.array_equal(offsets[1:], np.cumsum(np.bincount(codes[codes >= 0], minlength=count)))


def test_more_bits_than_one_integer_holds_are_sorted_too() -> None:
    rng = np.random.default_rng(2)
    codes, steps = rng.integers(-1, 2**18, 5000), rng.integers(0, 2**52, 5000)
    found, _ = in_order(codes, steps.copy(), 2**18, 2**52)
    order = np.lexsort((steps, codes))
    assert np.array_equal(found, steps[order][codes[order] >= 0])


def test_order_statistics_by_rank_lie_behind_each_other() -> None:
    groups = read([0, 0, 0, 1, 2, 2], [5, 1, 3, 8, 7, 6], [0, 1, 2, 3])
    ranks = groups.ranks(np.array([2, 1, 1, 1]), np.array([4, 2, 2, 1]))
    assert ranks.tolist() == [3, 5, 8, 6]
    everything = groups.ranks(np.ones(4, np.int64), groups.counts + 1)
    assert everything.tolist() == [1, 3, 5, 8, 6, 7]


def test_sums_are_exact_whatever_they_add_up_to() -> None:
    big = 2**52 - 1
    assert group_sums(np.array([big] * 5000 + [3]), np.array([0, 5000, 5000, 5001])) == [5000 * big, 0, 3]
    assert read([0, 0, 1], [5, 1, 3], [0, 1, 2]).sums() == [6, 3, 0]


@pytest.mark.parametrize("values", [list(v) for n in range(4) for v in product((0, 3, 9), repeat=n)])
def test_a_group_is_a_column_like_any_other(values: list[int]) -> None:
    group = read([0] * len(values), values, [0]).group(0)
    column = declare(np.array(values, float)).read(LATTICE, "add_remove")
    assert group.count == column.count
    assert group.sums(squares=True) == column.sums(squares=True)
    assert group.ordered().tolist() == column.ordered().tolist()
    for index in (-1, 0, 3, 9):
        assert group.below(index, squares=True) == column.below(index, squares=True)
    for records in range(len(values) + 1):
        assert [end.tolist() for end in group.extremes(records)] == [
            end.tolist() for end in column.extremes(records)
        ]
        assert group.ranks(1, records + 1).tolist() == column.ranks(1, records + 1).tolist()


def test_people_contribute_so_many_records_to_so_many_groups() -> None:
    keys, values = [0, 0, 1, 1, 2, 2] * 2, [1, 2, 3, 4, 5, 6] * 2
    owners = pl.Series([1] * 6 + [2] * 6)
    for contributions, most in ((1, None), (2, None), (3, 1), (4, 2), (9, 9)):
        choice = Choice("p", contributions, most, "salt")
        groups = read(keys, values, [0, 1, 2], choice, p=owners)
        assert groups.counts.sum() == 2 * min(contributions, 6, 2 * (most or 3))
        assert np.count_nonzero(groups.counts) <= 2 * min(contributions, most or 3, 3)
    nobody = read(
        keys, values, [0, 1, 2], Choice("p", 3, None, "salt"), p=pl.Series([None] * 12, dtype=pl.Int64)
    )
    assert nobody.counts.tolist() == [0, 0, 0]


def test_a_choice_depends_on_nobody_else() -> None:
    """The records of person 1 that take part are the same with and without person 2."""
    choice = Choice("p", 2, 1, "salt")
    alone = read([0, 1, 0, 1], [1, 2, 3, 4], [0, 1], choice, p=pl.Series([1] * 4))
    both = read([0, 1, 0, 1, 0, 1, 1], [1, 2, 3, 4, 8, 8, 8], [0, 1], choice, p=pl.Series([1] * 4 + [2] * 3))
    assert [[v for v in group if v < 8] for group in contents(both)] == contents(alone)


def test_what_is_secret_is_withheld() -> None:
    groups = read([0], [5], [0])
    table = LocalTable(nw.from_native(pl.DataFrame({"k": [0]}), eager_only=True))
    declared = table.grouped(None, Keys.of(("k",), [0]), None)
    assert repr(groups) == "<LocalGroups: withheld>"
    assert repr(groups.group(0)) == "<SortedColumn: withheld>"
    assert repr(declared) == "<DeclaredLocalGroups: withheld>"
    assert isinstance(groups.group(0), SortedColumn)
