"""Breaks of what Gaussian balance costs: constants that are nearly right, and what a price buys."""

from tests.mutants.mutant import Mutant

CERTIFICATE = "tests/kernel/laws/test_gaussian_balance_certificate.py"
PRICE = "tests/kernel/mechanisms/test_gaussian_balance_price.py"
MECHANISM = "kernel/mechanisms/gaussian_balance.py"

MUTANTS = [
    Mutant(
        "Gaussian balance charges what a search found for added records",
        MECHANISM,
        '"rises": Fraction(104, 100)',
        '"rises": Fraction(103, 100)',
        f"{CERTIFICATE}::test_a_law_of_balance_costs_more_than_103",
    ),
    Mutant(
        "Gaussian balance charges no constant for swapped records",
        MECHANISM,
        '"bump": Fraction(101, 100)',
        '"bump": Fraction(1)',
        f"{CERTIFICATE}::test_the_price_holds_for_the_largest_c",
    ),
    Mutant(
        "the width of the noise counts once in the price",
        MECHANISM,
        "root_below(paid / unit)",
        "paid / unit",
        f"{PRICE}::test_quantiles_cost_rho",
    ),
    Mutant(
        "an added record is charged as a bump",
        "questions/pull.py",
        'return ScoreMove("rises", records)',
        'return ScoreMove("bump", records)',
        "tests/kernel/mechanisms/test_gaussian_balance.py::TestPrice::test_a_record_moves_the_logarithms_by_what_is_paid_for",
    ),
]
