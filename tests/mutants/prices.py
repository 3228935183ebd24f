"""Breaks of prices in rho: how an epsilon or a noise follows from a rho, and that a question has one price."""

from tests.mutants.mutant import Mutant

PRICES, CHOICE, TERMS = "kernel/prices.py", "questions/choice.py", "questions/terms.py"
TESTS, NOISE, RHO = (
    "tests/kernel/test_prices.py",
    "tests/questions/test_rho_noise.py",
    "tests/questions/test_rho.py",
)
TOGETHER = f"{NOISE}::test_gaussian_noise_hides_a_person_in_all_draws_together"
GROUPS = f"{NOISE}::test_gaussian_noise_hides_a_person_in_all_groups_together"

MUTANTS = [
    Mutant(
        "the last group of a person is left out",
        PRICES,
        "return full * self.per_group**2 + rest**2",
        "return full * self.per_group**2 or rest**2",
        f"{TESTS}::test_no_spread_of_records_costs_more_than_rho",
    ),
    Mutant(
        "the price of a bounded range leaves out the last group of a person",
        PRICES,
        ".as_zcdp().rho + last",
        ".as_zcdp().rho",
        f"{TESTS}::test_no_spread_of_records_costs_more_than_rho",
    ),
    Mutant(
        "a person is in fewer groups than there may be",
        PRICES,
        "min(records, each * (max_groups or records))",
        "min(records, each)",
        f"{TESTS}::test_no_spread_of_records_costs_more_than_rho",
    ),
    Mutant(
        "a pure law is priced in rho as if a person had one record",
        PRICES,
        "PureDP(price.records * epsilon)",
        "PureDP(epsilon)",
        f"{TESTS}::test_pure_laws_and_laplace_noise_cost_no_more_than_rho",
    ),
    Mutant(
        "Laplace noise is priced in rho as if a person had one record",
        PRICES,
        "discrete_laplace_rho(many * epsilon, many * steps)",
        "discrete_laplace_rho(epsilon, steps)",
        f"{TESTS}::test_pure_laws_and_laplace_noise_cost_no_more_than_rho",
    ),
    Mutant(
        "a tree in rho is priced as if no draw could find all records of a person elsewhere",
        PRICES,
        "root_below(2 * price.rho / price.records**2)",
        "root_below(2 * price.rho / price.records)",
        f"{TESTS}::test_draws_down_a_tree_cost_no_more_than_rho",
    ),
    Mutant(
        "an epsilon in the place of a rho is rounded up",
        PRICES,
        "    return low * unit",
        "    return (low + 1) * unit",
        f"{TESTS}::test_a_price_is_used_but_for_a_millionth",
    ),
    Mutant(
        "a rho beside an epsilon is not seen",
        TERMS,
        "if (epsilon is None) == (rho is None):",
        "if epsilon is None and rho is None:",
        f"{RHO}::test_every_question_has_one_price",
    ),
    Mutant(
        "Gaussian noise in groups hides one record of a person",
        CHOICE,
        "squared_sensitivity=most * price.squares",
        "squared_sensitivity=most",
        GROUPS,
    ),
    Mutant(
        "Gaussian noise hides what a person moves, and not its square",
        CHOICE,
        "most = sensitivity**2 if squared is None else squared",
        "most = sensitivity if squared is None else squared",
        TOGETHER,
    ),
    Mutant(
        "a histogram in rho hides one of the two counts that a swap moves",
        "questions/composites/histogram.py",
        'squared = self.reach if self.neighbors == "swap" else self.reach**2',
        'squared = 1 if self.neighbors == "swap" else self.reach**2',
        TOGETHER,
    ),
    Mutant(
        "a histogram in rho hides records of a person as if each were in a bin of its own",
        "questions/composites/histogram.py",
        'squared = self.reach if self.neighbors == "swap" else self.reach**2',
        "squared = self.reach",
        TOGETHER,
    ),
    Mutant(
        "two sums in rho hide one record of a swap",
        "questions/two_sums.py",
        'squared = 2 * steps**2 if request.neighbors == "swap"',
        'squared = steps**2 if request.neighbors == "swap"',
        TOGETHER,
    ),
    Mutant(
        "a vector in rho is hidden as if a person moved one of its numbers",
        "statistics/vector.py",
        'return moved**2 * (1 if self.norm == "l1" else frame.low.size)',
        "return moved**2",
        TOGETHER,
    ),
    Mutant(
        "a vector in rho is hidden as if people had one record",
        "questions/composites/vector_answers.py",
        "squared=lambda: owned**2 * statistic",
        "squared=lambda: owned * statistic",
        TOGETHER,
    ),
]
