"""Breaks of what plans promise."""

from tests.mutants.mutant import Mutant

GOAL, PROMISES = "planning/goal.py", "planning/promises.py"
TESTS = "tests/planning/test_promises.py"

MUTANTS = [
    Mutant(
        "a mean is promised from one tail alone",
        "statistics/mean.py",
        "return exp(-epsilon * a) / 2 * (1 / -expm1(-epsilon * size / 4) + above)",
        "return exp(-epsilon * a) / 2 / -expm1(-epsilon * size / 4)",
        f"{TESTS}::test_a_mean_of_so_many_records",
    ),
    Mutant(
        "a mean is promised at the epsilon of all records of a person",
        PROMISES,
        "request.statistic.distance_astray(request.frame, size, mechanism.epsilon / owned, miss)",
        "request.statistic.distance_astray(request.frame, size, mechanism.epsilon, miss)",
        f"{TESTS}::test_a_mean_of_so_many_records",
    ),
    Mutant(
        "all counts of a histogram are promised as if there were one",
        PROMISES,
        "return Fraction(-math.expm1(math.log1p(-float(miss)) / numbers) / ROUNDED_UP)",
        "return miss",
        f"{TESTS}::test_a_histogram",
    ),
    Mutant(
        "the tail of Laplace noise is one-sided",
        PROMISES,
        "return noise.farthest(miss / 2), noise",
        "return noise.farthest(miss), noise",
        f"{TESTS}::test_a_histogram",
    ),
    Mutant(
        "the most common category has one rival",
        PROMISES,
        "others = max(len(payable.labels.names) - 1, 1)",
        "others = 1",
        f"{TESTS}::test_the_most_common",
    ),
    Mutant(
        "a coordinate of radial noise is always below its radius",
        PROMISES,
        "decay * u / numbers * beyond(u, numbers - 1)",
        "decay * u / max(numbers - 1, 1) * beyond(u, numbers - 1)",
        f"{TESTS}::test_noise_of_one_radius",
    ),
    Mutant(
        "an epsilon is rounded down",
        GOAL,
        "else (middle + 1, high)",
        "else (middle, high - 1)",
        "tests/planning/test_goal.py::test_epsilon_for_is_the_least_that_keeps_the_promise",
    ),
    Mutant(
        "a simulation at the command line prints like an answer",
        "cli/plans.py",
        'return {"not private": True, "private": False, **fields',
        "return {**fields",
        "tests/cli/test_plans.py::test_a_simulation_says_first_that_it_is_not_private",
    ),
    Mutant(
        "a plan at the command line takes names of columns",
        "cli/plans.py",
        'if columns or kind == "matrix"',
        "if True",
        "tests/cli/test_plans.py::test_plans_cannot_name_data",
    ),
    Mutant(
        "groups are promised at the epsilon of all records of a person",
        "planning/asked.py",
        'return self.at(epsilon=exact_epsilon(self.keywords["epsilon"]) / owned, contributions=1)',
        'return self.at(epsilon=exact_epsilon(self.keywords["epsilon"]), contributions=1)',
        "tests/planning/test_table.py::test_groups_are_answered_by_laws_of_single_records",
    ),
    Mutant(
        "all groups are promised as if there were one",
        "planning/plan.py",
        "at_once = promise_of(payable, of_any(1 - confidence, groups), size)",
        "at_once = promise_of(payable, 1 - confidence, size)",
        "tests/planning/test_table.py::test_groups_are_answered_by_laws_of_single_records",
    ),
    Mutant(
        "a coarse granularity hides what it rounds",
        "planning/plan.py",
        "error_quantile(law, centre, float(confidence)) + rounded",
        "error_quantile(law, centre, float(confidence))",
        "tests/planning/test_plan.py::test_with_a_shape_the_error_is_that_of_the_law",
    ),
    Mutant(
        "a receipt prints an interval that may be narrower than it is",
        "results/release.py",
        "self.printed(low, -1), self.printed(high, 1)",
        "self.printed(low), self.printed(high)",
        "tests/results/test_release.py::test_the_printed_interval_holds_the_exact_one",
    ),
    Mutant(
        "a step that somebody chose is rounded in print",
        "results/release.py",
        "or step * FINE > _width(self.bounds)",
        "or False",
        "tests/results/test_release.py::test_digits_that_mean_nothing_are_not_printed",
    ),
    Mutant(
        "a receipt warns by the secret number of records",
        "questions/request.py",
        'at_hand = self.neighbors == "swap" and all(',
        "at_hand = all(",
        "tests/questions/test_wide.py::test_no_record_decides_what_is_said",
    ),
    Mutant(
        "a wide law is said of more records than it is wide for",
        "statistics/statistic.py",
        "return max(edits - 2, 0)",
        "return edits + 2",
        "tests/questions/test_wide.py::test_so_few_records_can_be_made_any_answer",
    ),
    Mutant(
        "noise as wide as the bounds is not worth a word",
        "questions/wide.py",
        "if is_all_noise(request):",
        "if False:",
        "tests/questions/test_wide.py::test_noise_as_wide_as_the_bounds",
    ),
    Mutant(
        "a joint quantile forgets what the splits around it are off",
        PROMISES,
        "off = (1 - float(share)) * before + float(share) * after + strayed * stride + 1",
        "off = strayed * stride + 1",
        f"{TESTS}::test_what_is_off_above_is_off_below",
    ),
]
