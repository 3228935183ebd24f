"""Breaks of the laws that are only compared with."""

from tests.mutants.mutant import Mutant

TESTS = "tests/test_family.py"

MUTANTS = [
    Mutant(
        "local sensitivity at a distance is that of one distance less",
        "family/smooth_sensitivity.py",
        "return int(np.max(_at(records, ranks, bounds) - _at(records, ranks - distance - 1, bounds)))",
        "return int(np.max(_at(records, ranks, bounds) - _at(records, ranks - distance, bounds)))",
        f"{TESTS}::test_local_sensitivity_at_a_distance_is_exact",
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
        f"{TESTS}::test_none_is_released_and_each_says_why",
    ),
]
