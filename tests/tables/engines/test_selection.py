"""Selection by bins: what sorting would find, in few passes, and never more than the windows and a little beside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewise.statistics.records import Sums
from noisewise.tables.engines import selection as selection_by_bins
from noisewise.tables.engines.selection import BITS, FEWEST_SHARES, SPARE, Selection, first_shift


class Data:
    """Distances in memory that count themselves, and what was asked of them."""

    def __init__(self, distances):
        self.distances = np.asarray(distances, np.int64)
        self.passes = self.fetched = 0

    def __call__(self, shift, ranges):
        inside = np.zeros(self.distances.size, np.bool_)
        for low, high in ranges:
            inside |= (self.distances >= low) & (self.distances <= high)
        bins, counts = np.unique(self.distances[inside] >> shift, return_counts=True)
        self.passes += 1
        self.fetched = max(self.fetched, bins.size)
        turned = np.arange(bins.size)[::-1]  # engines answer in any order
        return bins[turned], counts[turned]


@pytest.fixture(params=[(1, 0), (2, 3), (BITS, SPARE)], ids=str)
def fineness(request, monkeypatch):
    bits, spare = request.param
    monkeypatch.setattr(selection_by_bins, "HISTOGRAM", 0)
    monkeypatch.setattr(selection_by_bins, "FIRST_BITS", bits)
    monkeypatch.setattr(selection_by_bins, "BITS", bits)
    monkeypatch.setattr(selection_by_bins, "SPARE", spare)


@pytest.mark.parametrize("later", [[], [3], [0] * 40, list(range(0, 256, 3))], ids=len)
def test_data_that_change_between_passes_are_no_error(fineness, later):
    """An error would depend on records: a window has as many distances as ranks, whatever they are then."""
    first = [7, 250, 251, 7, 0, 255, 128]
    for passes in (1, 2, 3):
        data = Data(first)

        def count(shift, ranges, data=data, passes=passes):
            counted = data(shift, ranges)
            if data.passes == passes:
                data.distances = np.asarray(later, np.int64)
            return counted

        selection = Selection.counted(255, count)
        for start, stop in ((1, 8), (2, 4), (5, 8), (3, 3)):
            (window,) = selection.ranks([(start, stop)])
            assert window.size == stop - start
            assert np.all(np.diff(window) >= 0) and np.all((window >= 0) & (window <= 255))


def test_every_window_of_small_data_is_that_of_sorting(fineness):
    for width, distances in [(1, [0, 1, 1]), (9, [9, 0, 3, 3, 3, 8]), (255, [7, 250, 251, 7, 0, 255, 128])]:
        ordered = np.sort(distances)
        for start in range(1, len(distances) + 2):
            for stop in range(start, len(distances) + 2):
                found = Selection.counted(width, Data(distances)).ranks([(start, stop)])
                assert [window.tolist() for window in found] == [ordered[start - 1 : stop - 1].tolist()]


@given(st.lists(st.integers(0, 2**52), max_size=60), st.data())
def test_windows_asked_one_after_the_other_are_those_of_sorting(distances, data):
    ordered = np.sort(np.array(distances, np.int64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection_by_bins, "FIRST_BITS", data.draw(st.integers(1, 8)))
        patch.setattr(selection_by_bins, "BITS", data.draw(st.integers(1, 6)))
        patch.setattr(selection_by_bins, "SPARE", data.draw(st.integers(0, 4)))
        selection = Selection.counted(2**52, Data(distances))
        assert selection.size == len(distances)
        for _ in range(3):
            windows = [
                tuple(sorted(data.draw(st.tuples(*[st.integers(1, len(distances) + 1)] * 2))))
                for _ in range(2)
            ]
            found = selection.ranks(windows)
            expected = [ordered[start - 1 : stop - 1].tolist() for start, stop in windows]
            assert [window.tolist() for window in found] == expected


@pytest.mark.parametrize("distances", [[], [7], [0] * 90 + [2**17 - 1], range(0, 2**17, 3)], ids=len)
def test_one_query_counts_a_lattice_of_the_public_size_whatever_the_records(distances):
    data = Data(distances)
    selection = Selection.counted(2**17 - 1, data)
    for start, stop in ((1, len(distances) + 1), (len(distances) // 2, len(distances) // 2 + 1), (1, 1)):
        if start >= 1:
            selection.ranks([(start, stop)])
    assert selection.upto(500) == sum(distance <= 500 for distance in distances)
    below = [distance for distance in distances if distance <= 900]
    assert selection.below(900, squares=True) == Sums(
        len(below), sum(below), sum(distance**2 for distance in below)
    )
    assert data.passes == 1
    assert first_shift(2**17 - 1) == 0 and first_shift(2**17) > 0
    assert first_shift(2**10 - 1, 2**10) == 0 and first_shift(2**10, 2**10) > 0


def test_the_first_query_of_many_groups_has_few_bins_for_each():
    for groups in (1, 2, 3, 1000, 10**5, 2**20 - 1, 2**20, 10**7):
        for width in (1, 30, 2**20 // groups, 2**32, 2**52):
            shift = first_shift(width, groups)
            bins = groups * ((width >> shift) + 1)
            assert bins <= 2 * max(selection_by_bins.HISTOGRAM, groups)


def test_no_data_has_no_ranks():
    selection = Selection.counted(10, Data([]))
    assert selection.size == 0
    assert [window.tolist() for window in selection.ranks([(1, 1)])] == [[]]


def test_one_value_that_holds_everything_is_counted_and_not_fetched():
    rows = 3 * SPARE
    data = Data(np.full(rows, 2**51 + 12345))
    (found,) = Selection.counted(2**52, data).ranks([(1, rows + 1)])
    assert found.size == rows and set(found.tolist()) == {2**51 + 12345}
    assert data.fetched == 1


def test_little_beside_the_window_is_fetched_and_passes_are_few():
    rng = np.random.default_rng(7)
    for spread in (2**52, 2**40, 2**24):
        data = Data(rng.integers(0, spread, 5 * SPARE))
        (found,) = Selection.counted(2**52, data).ranks([(500_000, 500_010)])
        assert found.tolist() == np.sort(data.distances)[499_999:500_009].tolist()
        assert data.fetched <= 10 * SPARE // FEWEST_SHARES + 10
        assert data.passes <= 2 + -(-52 // BITS)


def test_a_median_of_a_default_lattice_takes_two_passes_however_many_records_crowd():
    """Four billion points: bins of the first pass are so fine that what they hold is fetched at once."""
    crowd = 2**31 + np.arange(10 * SPARE // FEWEST_SHARES + 2) % 2**17
    data = Data(crowd)
    (found,) = Selection.counted(2**32, data).ranks([(crowd.size // 2, crowd.size // 2 + 1)])
    assert found.tolist() == [int(np.sort(crowd)[crowd.size // 2 - 1])]
    assert data.passes == 2


def test_two_ends_are_found_in_the_same_passes():
    distances = np.arange(0, 2**40, 2**20)
    data = Data(distances)
    low, high = Selection.counted(2**40, data).ranks([(1, 4), (distances.size - 2, distances.size + 1)])
    assert low.tolist() == distances[:3].tolist() and high.tolist() == distances[-3:].tolist()
    assert data.passes == 2


def test_selections_are_withheld():
    selection = Selection.counted(10, Data([1, 2]))
    assert repr(selection) == "<Selection: withheld>"
    assert repr(selection._bins) == "<RankBins: withheld>"
