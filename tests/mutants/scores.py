"""Breaks of statistics that have a score alone."""

from tests.mutants.mutant import Mutant

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
        "statistics/rising_sum.py",
        "more=(start > 0, stop < steps.width),",
        "more=(False, False),",
        "tests/statistics/test_huber_mean.py::test_the_nearest_lines_draw_what_all_of_them_draw",
    ),
    Mutant(
        "a Huber mean forgets where lines meet from above",
        "statistics/huber_mean.py",
        "for shift in (-self.bottom, self.bottom)]",
        "for shift in (-self.bottom,)]",
        "tests/statistics/test_huber_mean.py::TestOne",
    ),
    Mutant(
        "an expectile is scaled by the distance from one bound alone",
        "statistics/expectile.py",
        "np.maximum(self._below * p, self._above * (self.steps.width - p))",
        "self._below * p + 1",
        "tests/statistics/test_expectile.py::TestUpper",
    ),
    Mutant(
        "an expectile is a straight line where the odds are even",
        "statistics/expectile.py",
        "if start < middle < stop else []",
        "if False else []",
        "tests/statistics/test_expectile.py::TestUpper",
    ),
    Mutant(
        "what has no envelope is answered by another mechanism",
        "mechanisms/choice.py",
        "if not isinstance(chosen, Balance) and not enveloped:",
        "if False:",
        "tests/mechanisms/test_choice.py",
    ),
]
