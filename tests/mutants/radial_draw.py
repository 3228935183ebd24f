"""Breaks of radii and of the draws in many dimensions."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "radii above the global sensitivity are followed by it",
        "kernel/laws/radii.py",
        "np.minimum(np.maximum(given, 0), stride).astype(np.int64)",
        "np.maximum(given, 0).astype(np.int64)",
        "tests/kernel/laws/test_radii.py::test_radii_above_the_global_sensitivity_are_cut",
    ),
    Mutant(
        "people who own fewer records than they may are forgotten",
        "kernel/laws/radii.py",
        "np.maximum.accumulate(self.steps)",
        "self.steps",
        "tests/kernel/laws/test_radii.py::test_a_person_may_own_fewer_records",
    ),
    Mutant(
        "a person's last records jump one level late",
        "kernel/laws/radii.py",
        "self.steps.size // records * records)._grouped",
        "self.steps.size)._grouped",
        "tests/kernel/laws/test_radii.py::test_after_the_last_radius_the_global_sensitivity_or_the_ends_follow",
    ),
    Mutant(
        "nothing goes on by the global sensitivity between two ends",
        "kernel/laws/radii.py",
        "min(across, MOST_STRIDES), self.stride",
        "0, self.stride",
        "tests/kernel/laws/test_radii.py::test_after_the_last_radius_the_global_sensitivity_or_the_ends_follow",
    ),
    Mutant(
        "shells own their inner edge",
        "kernel/sampling/radial_draw.py",
        "part = Fraction(radius - inner) / width",
        "part = Fraction(radius - inner - 1) / width",
        "tests/kernel/laws/test_radii.py::test_unsound_radii_are_seen",
    ),
    Mutant(
        "every proposed point is kept",
        "kernel/sampling/radial_draw.py",
        "return exponent - (max(math.ceil(exponent) - 1, 0) if self.graded else math.floor(exponent))",
        "return Fraction(0)",
        "tests/kernel/laws/test_ball_law.py::test_draws_have_the_law_and_no_other",
    ),
    Mutant(
        "a part takes in the radius beyond it",
        "kernel/sampling/radial_draw.py",
        "return inner + width * rest // self.rate.numerator if self.graded else inner",
        "return inner - (-width * rest // self.rate.numerator) if self.graded else inner",
        "tests/kernel/laws/test_ball_law.py::test_draws_have_the_law_and_no_other",
    ),
    Mutant(
        "balls of the sum of absolute values are counted as octants alone",
        "kernel/sampling/mixture.py",
        "value, before = (t * value + k * before) / (k + 1), value",
        "value, before = t * value / (k + 1), value",
        "tests/kernel/sampling/test_mixture.py::test_volumes_err_by_no_more_than_they_say",
    ),
    Mutant(
        "balls that were not looked at weigh nothing",
        "kernel/sampling/mixture.py",
        "+ size + 1 + beyond",
        "+ size + 1",
        "tests/kernel/sampling/test_mixture.py::test_however_few_balls_are_looked_at_the_pick_is_right",
    ),
    Mutant(
        "a nonzero coordinate may be zero",
        "kernel/sampling/points.py",
        "ends = np.sort(subsets(radius, k, rows.size, bits), axis=1) + 1",
        "ends = np.sort(subsets(radius, k, rows.size, bits), axis=1)",
        "tests/kernel/sampling/test_points.py::test_every_point_is_as_likely_as_every_other",
    ),
    Mutant(
        "a set may hold a number twice",
        "kernel/sampling/points.py",
        "chosen[:, i] = np.where(met, newest, drawn)",
        "chosen[:, i] = np.where(met, drawn, drawn)",
        "tests/kernel/sampling/test_points.py::test_every_point_is_as_likely_as_every_other",
    ),
]
