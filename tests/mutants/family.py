"""Breaks of shifted inverse sensitivity, and of the laws that are only compared with."""

from tests.mutants.mutant import Mutant

TESTS = "tests/test_family.py"
SHIFTED = "tests/mechanisms/test_shifted_inverse.py"

MUTANTS = [
    Mutant(
        "a maximum is shifted upwards",
        "statistics/quantile.py",
        "ranks = Fraction(halves if self.q == 0 else -halves, 2)",
        "ranks = Fraction(-halves if self.q == 0 else halves, 2)",
        f"{SHIFTED}::test_draws_are_near_the_records_and_hardly_ever_beyond_them",
    ),
    Mutant(
        "any quantile is shifted as a maximum is",
        "statistics/quantile.py",
        "        if 0 < self.q < 1:\n            return None\n",
        "",
        f"{SHIFTED}::test_it_is_refused_before_the_debit_where_there_is_no_proof",
    ),
    Mutant(
        "a score of one's own is shifted as that of its parent",
        "questions/pull.py",
        'if not writes_its_own(statistic, "shifted"):',
        "if False:",
        f"{SHIFTED}::test_a_score_of_ones_own_is_not_shifted_by_another",
    ),
    Mutant(
        "what is asked of one group is not shifted",
        "dataset/batches.py",
        "statistic, shift = request.aim()",
        "shift = request.aim()[1]",
        f"{SHIFTED}::test_groups_and_engines_draw_what_memory_draws",
    ),
    Mutant(
        "errors are told from the answer after removals",
        "laws/balance_law.py",
        "return self._whole().score.root(self.shift)",
        "return self._whole().score.root()",
        f"{SHIFTED}::test_errors_are_those_from_the_true_answer",
    ),
    Mutant(
        "an interval of a quantile is drawn by shifted inverse sensitivity",
        "releases/interval.py",
        "if not fits or not by_name:",
        "if not by_name:",
        f"{SHIFTED}::test_it_is_refused_before_the_debit_where_there_is_no_proof",
    ),
    Mutant(
        "a shifted inverse for one record is plain balance",
        "mechanisms/choice.py",
        "        case ShiftedInverse():\n            return ShiftedInverse(epsilon=epsilon)\n",
        "",
        f"{SHIFTED}::test_groups_and_engines_draw_what_memory_draws",
    ),
    Mutant(
        "fewer removals, under the old name",
        "statistics/quantile.py",
        "SHIFTED_MISS = Fraction(1, 20)",
        "SHIFTED_MISS = Fraction(1, 10)",
        "tests/vectors/test_laws.py::test_balance",
    ),
    Mutant(
        "a plan leaves the removals out",
        "questions/wide.py",
        "math.ceil((edits + float(abs(shift))) / owned * ROUNDED_UP)",
        "math.ceil(edits / owned * ROUNDED_UP)",
        f"{SHIFTED}::test_a_plan_counts_the_removals",
    ),
    Mutant(
        "local sensitivity at a distance is that of one distance less",
        "family/local_sensitivity.py",
        "found.append(np.max(_at(records, ranks, bounds) - _at(records, ranks - distance - 1, bounds)))",
        "found.append(np.max(_at(records, ranks, bounds) - _at(records, ranks - distance, bounds)))",
        f"{TESTS}::test_local_sensitivity_at_a_distance_is_exact",
    ),
    Mutant(
        "an empty column has a rank",
        "family/local_sensitivity.py",
        "first = max(count - last - 1, 0)",
        "first = max(count - last, 0)",
        f"{TESTS}::test_local_sensitivity_where_records_come_and_go_is_exact",
    ),
    Mutant(
        "only a record that is added moves a quantile",
        "family/local_sensitivity.py",
        "for level in (added, np.where(left + others == 0, added, removed)):",
        "for level in (added,):",
        f"{TESTS}::test_local_sensitivity_where_records_come_and_go_is_exact",
    ),
    Mutant(
        "what a variance moves from was there before",
        "family/local_sensitivity.py",
        "if k > 0:  # one of the swaps",
        "if k > 2:  # one of the swaps",
        f"{TESTS}::test_local_sensitivity_of_the_variance_is_exact",
    ),
    Mutant(
        "triangles at a distance are those of one distance less",
        "family/local_sensitivity.py",
        "statistic.local(read, last + 1)[1])",
        "[0, *statistic.local(read, last)[1]])",
        f"{TESTS}::test_local_sensitivity_of_triangles_is_exact",
    ),
    Mutant(
        "datasets that are far away do not count",
        "family/local_sensitivity.py",
        "            last = min(2 * last, self.farthest)\n\n    def unsafe",
        "            return most\n\n    def unsafe",
        f"{TESTS}::test_far_datasets_count",
    ),
    Mutant(
        "a proposal is tested at twice the epsilon",
        "family/propose_test_release.py",
        "short = math.log(1 / (2 * delta)) - distance * epsilon / 2",
        "short = math.log(1 / (2 * delta)) - distance * epsilon * 2",
        f"{TESTS}::test_propose_test_release_is_private",
    ),
    Mutant(
        "a threshold is passed at the whole of epsilon",
        "family/above_threshold.py",
        "return float(epsilon / (2 * widest)), float(epsilon / 2)",
        "return float(epsilon / widest), float(epsilon)",
        f"{TESTS}::test_quantiles_above_a_threshold_are_private",
    ),
    Mutant(
        "signed distances jump by two across the answer",
        "family/above_threshold.py",
        "return np.where(answers > upper[0], above - 0.5, np.where(answers < lower[0], 0.5 - below, 0.0))",
        "return np.where(answers > upper[0], above, np.where(answers < lower[0], -below, 0.0))",
        f"{TESTS}::test_signed_distances_move_by_at_most_one",
    ),
    Mutant(
        "removals are those that leave less than the answer",
        "family/shifted_inverse.py",
        "return np.minimum(levels, lower.size)",
        "return np.minimum(2 * levels, lower.size)",
        f"{TESTS}::test_shifted_inverse_is_private_in_exact_arithmetic",
    ),
    Mutant(
        "a law of floats can be drawn from",
        "family/comparison_law.py",
        'draw by floats is not private."""\n',
        'draw by floats is not private."""\n        return\n',
        f"{TESTS}::test_none_is_released_but_shifted_maxima_and_each_says_why",
    ),
]
