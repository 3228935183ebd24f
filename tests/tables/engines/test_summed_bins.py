"""Bins with sums: scores are those of all records in memory, in few passes, and little is fetched."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.huber_mean import ClippedSum, HuberMean, SharedSteps
from noisewise.statistics.records import SummedBins
from noisewise.tables.columns.array_column import ArrayColumn
from noisewise.tables.engines import selection
from noisewise.tables.engines.selection import SPARE
from noisewise.tables.engines.summed_bins import closer


class Added:
    """A column that adds up its distances in bins, and counts how often, and what it hands out."""

    def __init__(self, distances, lattice):
        self.distances, self.lattice, self.neighbors = np.asarray(distances, np.int64), lattice, "add_remove"
        self.passes = self.fetched = 0

    @property
    def count(self):
        return self.distances.size

    def add(self, shift, ranges):
        inside = np.zeros(self.distances.size, np.bool_)
        for low, high in ranges:
            inside |= (self.distances >= low) & (self.distances <= high)
        chosen = np.sort(self.distances[inside])
        bins, first, counts = np.unique(chosen >> shift, return_index=True, return_counts=True)
        sums = (np.add.reduceat(chosen, first) if bins.size else chosen).astype(object)
        self.passes += 1
        self.fetched = max(self.fetched, bins.size)
        turned = np.arange(bins.size)[::-1]  # engines answer in any order
        return bins[turned], counts[turned], sums[turned]

    def summed_bins(self, look):
        return closer(self.lattice.high - self.lattice.low, self.add, look)


def lattices(statistic, bounds, granularity=None):
    return statistic.frame(bounds, granularity)


def same(one, other):
    for part in ("positions", "first", "last", "offsets", "more"):
        assert np.array_equal(getattr(one, part), getattr(other, part)), part
    for part in ("end", "support", "bottom", "unit", "odds"):
        assert getattr(one, part) == getattr(other, part), part


STATISTICS = [HuberMean(3), HuberMean(0.5), HuberMean(100)]


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
@pytest.mark.parametrize("fineness", [(1, 0), (3, 5), (selection.BITS, SPARE)], ids=str)
def test_scores_are_those_of_all_records(fineness, statistic, monkeypatch):
    monkeypatch.setattr(selection, "BITS", fineness[0])
    monkeypatch.setattr(selection, "SPARE", fineness[1])
    lattice, answers = lattices(statistic, (-10, 30))
    rng = np.random.default_rng(4)
    samples = [
        np.concatenate([rng.normal(5, 6, n), np.repeat(rng.normal(5, 2, n // 3), 3)]) for n in (0, 1, 150)
    ]
    apart = np.array([21.9] * 30 + [-9.9] * 3)  # at either end of the first bin where there are two
    for values in [*samples, apart]:
        memory = ArrayColumn(values, None, lattice, "add_remove")
        for levels in (1, 9, 10**6):
            column = Added(memory.ordered() - lattice.low, lattice)
            found = statistic.score(column, answers, levels, Fraction(1))
            same(found, statistic.score(memory, answers, levels, Fraction(1)))


def test_bins_in_the_ranges_have_one_index_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(selection, "BITS", 1)
    monkeypatch.setattr(selection, "SPARE", 0)
    distances = np.array([0, 3, 3, 4, 5, 7, 8, 8, 11])
    for low in range(-1, 13):
        for high in range(low, 13):
            bins = Added(distances, Lattice(0, 12, Fraction(1))).summed_bins(lambda _, at=(low, high): [at])
            for first, last, count, total in zip(
                bins.firsts, bins.lasts, bins.counts, bins.sums, strict=True
            ):
                assert first == last or last <= low or first > high
                inside = distances[(distances >= first) & (distances <= last)]
                assert (count, total) == (inside.size, inside.sum())
            assert bins.counts.sum() == distances.size


def test_passes_are_few_and_little_is_fetched():
    statistic, rng = HuberMean(3), np.random.default_rng(5)
    for bounds, spread in (((0, 100), 30), ((0, 10**6), 3)):
        lattice, answers = lattices(statistic, bounds)
        records = np.rint(rng.normal(40, spread, 2 * SPARE) / float(lattice.granularity)).astype(np.int64)
        column = Added(records.clip(lattice.low, lattice.high) - lattice.low, lattice)
        score = statistic.score(column, answers, 200, Fraction(1))
        assert column.passes <= 3 and column.fetched <= 2**16 and score.more.any()


def test_sums_beyond_64_bits_are_exact():
    """Three values of 2^44 records each."""
    records, many = [2**39, 2**39 + 9, 2**40 - 1], 2**44
    places = np.array(records, np.int64)
    bins = SummedBins(places, places, np.full(3, many), places.astype(object) * many)
    steps = SharedSteps(2, 2, 0, 2**41, 0, (0, 2**40))
    reach = 2**20
    for p in (2**40 - 7, 2**40 + 3, 2**40 + 2**21, 2**41 - 2**20, 2**41):
        here = np.array([p], object)
        pulls = [min(max(p - 2 * v, -2 * reach), 2 * reach) for v in records]
        assert ClippedSum(bins, steps, reach).at(here).tolist() == [many * sum(pulls)]


@pytest.mark.parametrize("later", [[], [3], list(range(0, 1000, 3))], ids=len)
def test_data_that_change_between_passes_are_no_error(later, monkeypatch):
    """An error would depend on records. Each bin is of one pass, so that they are the bins of some data."""
    monkeypatch.setattr(selection, "BITS", 2)
    monkeypatch.setattr(selection, "SPARE", 1)
    lattice, answers = Lattice(0, 1000, Fraction(1)), Answers(0, 1000, Fraction(1))
    for passes in (1, 2, 3):

        class Changing(Added):
            def add(self, shift, ranges, passes=passes):
                added = super().add(shift, ranges)
                if self.passes == passes:
                    self.distances = np.asarray(later, np.int64)
                return added

        HuberMean(100).score(Changing(range(0, 900, 7), lattice), answers, 2, Fraction(1))


def test_bins_are_withheld():
    nothing = np.empty(0, np.int64)
    assert repr(SummedBins(nothing, nothing, nothing, nothing.astype(object))) == "<SummedBins: withheld>"
