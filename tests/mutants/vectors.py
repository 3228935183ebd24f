"""Breaks of vector releases: radii of means, roundings, histograms."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "radii of a mean look at the data as it is: the mean does not drift",
        "statistics/vector_mean.py",
        "np.minimum(widest, reach + drift)",
        "np.minimum(widest, reach + 0 * drift)",
        "tests/statistics/test_vector_mean.py::test_radii_keep_both_laws_in_every_world",
    ),
    Mutant(
        "the drift is that of the whole matrix at every level",
        "statistics/vector_mean.py",
        "drift = early * -(-widest // (count - early))",
        "drift = early * widest // (count + 4 * early)",
        "tests/statistics/test_vector_mean.py::test_radii_keep_both_laws_in_every_world",
    ),
    Mutant(
        "one row is removed from as many as there are",
        "statistics/vector_mean.py",
        "-(-local // (count - 1 - m))",
        "-(-local // (count - m))",
        "tests/statistics/test_vector_mean.py::test_radii_keep_both_laws_in_every_world",
    ),
    Mutant(
        "a level that reaches the empty matrix has a radius below the global sensitivity",
        "statistics/vector_mean.py",
        "kept = min(levels, max(count - 1, 0))\n",
        "kept = min(levels, max(count - 1, 0))\n        stride = max(1, stride // 2)\n",
        "tests/statistics/test_vector_mean.py::test_radii_keep_both_laws_in_every_world",
    ),
    Mutant(
        "floors of sums forget that every coordinate is floored",
        "statistics/vector.py",
        'return distance + (dimensions - 1) if norm == "l1" else distance',
        "return distance",
        "tests/statistics/test_vector_mean.py::test_radii_keep_both_laws_in_every_world",
    ),
    Mutant(
        "rows are scaled by a rounded quotient",
        "statistics/vector_mean.py",
        "(np.abs(column[far]) * ball // size[far])",
        "np.rint(np.abs(column[far]) * (ball / size[far])).astype(np.int64)",
        "tests/statistics/test_vector_mean.py::test_answers_are_floored_means_of_clipped_rows",
    ),
    Mutant(
        "laplace noise in the largest coordinate is charged as if it were independent",
        "questions/composites/vector_answers.py",
        "if isinstance(self.price, Fraction) and self._together:",
        "if False:",
        "tests/questions/composites/test_vector_answers.py::test_which_law_and_what_it_costs",
    ),
    Mutant(
        "a person with many records moves a vector as one record does",
        "questions/composites/vector_answers.py",
        "radii.per_person(self.contributions)",
        "radii",
        "tests/questions/composites/test_vector_answers.py::test_one_person_moves_the_cost_by_at_most_one",
    ),
    Mutant(
        "a swapped record counts once in a histogram",
        "questions/composites/histogram.py",
        "min(2, len(self.bins))",
        "1",
        "tests/questions/composites/test_histogram.py::test_the_loss_is_kept_in_every_world",
    ),
    Mutant(
        "a record on an edge is in the bin below",
        "questions/composites/histogram.py",
        'np.searchsorted(self.thresholds, values, side="right")',
        'np.searchsorted(self.thresholds, values, side="left")',
        "tests/questions/composites/test_histogram.py::test_probabilities_of_neighbours_are_near",
    ),
]
