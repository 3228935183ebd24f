"""Breaks of statistics that have a score alone."""

from tests.mutants.mutant import Mutant

SUMMED = "tests/tables/engines/test_summed_bins.py"

MUTANTS = [
    Mutant(
        "a swapped record counts once",
        "statistics/statistic.py",
        'return Fraction(1 if neighbors == "add_remove" else 2)',
        "return Fraction(1)",
        "tests/statistics/test_weighted_mean.py::TestWeightedMean",
    ),
    Mutant(
        "the highest weight of a weighted mean is not counted",
        "statistics/weighted_mean.py",
        "most=rows.lattice.y.high)",
        "most=rows.lattice.y.high - rows.lattice.y.high // 4)",
        "tests/statistics/test_weighted_mean.py::TestWeightedMean",
    ),
    Mutant(
        "weights may be negative",
        "statistics/weighted_mean.py",
        'not_negative(lattices.y, "weights")',
        "pass",
        "tests/statistics/test_weighted_mean.py::test_bounds_of_weights_begin_at_zero_or_above",
    ),
    Mutant(
        "the upper bound of a denominator is not counted",
        "statistics/ratio.py",
        "bottom=highest[0] * highest[1],",
        "bottom=highest[0] * highest[1] * 3 // 4,",
        "tests/statistics/test_ratio.py::TestRatio",
    ),
    Mutant(
        "denominators may be negative",
        "statistics/ratio.py",
        "not_negative(lattices.y, self.names[1])",
        "pass",
        "tests/statistics/test_ratio.py::test_what_is_refused",
    ),
    Mutant(
        "numerators may be negative",
        "statistics/ratio.py",
        "not_negative(lattices, self.names[0])",
        "pass",
        "tests/statistics/test_ratio.py::test_what_is_refused",
    ),
    Mutant(
        "far records pull a Huber mean by more than one",
        "statistics/huber_mean.py",
        "clipped = self.bottom * (",
        "clipped = (self.bottom + self.bottom // 4) * (",
        "tests/statistics/test_huber_mean.py::TestOne",
    ),
    Mutant(
        "a Huber mean hides that it has more lines",
        "statistics/huber_mean.py",
        "more=(start > 0, stop < steps.width),",
        "more=(False, False),",
        "tests/statistics/test_huber_mean.py::test_the_nearest_lines_draw_what_all_of_them_draw",
    ),
    Mutant(
        "a Huber mean forgets where lines meet from above",
        "statistics/huber_mean.py",
        "found = [self._shifted(shift, start, stop) for shift in self._bends]",
        "found = [self._shifted(shift, start, stop) for shift in self._bends[:1]]",
        "tests/statistics/test_huber_mean.py::TestOne",
    ),
    Mutant(
        "what has no envelope is answered by another mechanism",
        "questions/choice.py",
        "if not isinstance(chosen, ByScore) and not enveloped:",
        "if False:",
        "tests/questions/test_choice.py",
    ),
    Mutant(
        "of records in bins only those about one bend are looked at",
        "statistics/huber_mean.py",
        "ahead = [self.steps.offset + shift for shift in self._bends]",
        "ahead = [self.steps.offset + shift for shift in self._bends[:1]]",
        SUMMED + "::test_scores_are_those_of_all_records",
    ),
    Mutant(
        "a bin stands for as many records as it has indices that are taken",
        "statistics/huber_mean.py",
        "return places if self._counts is None else self._counts[places], self.sums[places]",
        "return places, self.sums[places]",
        SUMMED + "::test_scores_are_those_of_all_records",
    ),
    Mutant(
        "a bin is taken for known one index early",
        "tables/engines/summed_bins.py",
        "inside |= (bins.firsts <= high) & (bins.lasts > low)",
        "inside |= (bins.firsts < high) & (bins.lasts > low)",
        SUMMED + "::test_bins_in_the_ranges_have_one_index_and_all_are_counted",
    ),
    Mutant(
        "bins with sums are never divided before they are fetched",
        "tables/engines/summed_bins.py",
        "if min(int(bins.counts[within].sum()), int(widths[within].sum())) > selection.SPARE:",
        "if False:",
        SUMMED + "::test_passes_are_few_and_little_is_fetched",
    ),
    Mutant(
        "the sums of records in bins wrap around",
        "statistics/huber_mean.py",
        "distances = exact if self._large else exact.astype(np.int64)",
        "distances = near * whole.astype(np.int64) - (upper - lower)",
        SUMMED + "::test_sums_beyond_64_bits_are_exact",
    ),
]
