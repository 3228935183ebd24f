"""Breaks of what a price in rho buys: the Rényi divergences of what is drawn notice each."""

from tests.mutants.mutant import Mutant

RENYI = "tests/questions/test_renyi.py"

MUTANTS = [
    Mutant(
        "Gaussian noise forgets how many records a person has in each group",
        "questions/choice.py",
        "return Gaussian(rho=price.rho, squared_sensitivity=most * price.squares)",
        "return Gaussian(rho=price.rho, squared_sensitivity=most)",
        f"{RENYI}::test_all_groups_together_cost_rho",
    ),
    Mutant(
        "records in one group are priced as if each were in its own",
        "kernel/prices.py",
        "return full * self.per_group**2 + rest**2",
        "return full * self.per_group + rest",
        f"{RENYI}::test_all_groups_together_cost_rho",
    ),
    Mutant(
        "the range of all groups is priced as one range of the root of all squares",
        "kernel/prices.py",
        "return full * BoundedRange(price.per_group * epsilon).as_zcdp().rho + last",
        "return BoundedRange(Fraction(math.isqrt(10**12 * price.squares), 10**6) * epsilon).as_zcdp().rho",
        "tests/kernel/test_prices.py::test_no_spread_of_records_costs_more_than_rho",
    ),
    Mutant(
        "pure laws are charged as if their range were bounded",
        "kernel/prices.py",
        "PureDP(price.records * epsilon).as_zcdp().rho, price.rho, least)",
        "BoundedRange(price.records * epsilon).as_zcdp().rho, price.rho, least)",
        f"{RENYI}::test_any_mechanism_costs_rho",
    ),
    Mutant(
        "a person with several records moves two sums by those of one",
        "questions/two_sums.py",
        'squared = 2 * steps**2 if request.neighbors == "swap" else owned**2 + (steps < width)',
        'squared = 2 * steps**2 if request.neighbors == "swap" else steps**2 + (steps < width)',
        f"{RENYI}::test_gaussian_noise_costs_rho",
    ),
    Mutant(
        "a record that is replaced leaves a bin and enters none",
        "questions/composites/histogram.py",
        "noise_at(self.price, self.reach, squared)",
        "noise_at(self.price, self.reach, 1)",
        f"{RENYI}::test_a_record_that_is_replaced_costs_rho",
    ),
    Mutant(
        "an audit in rho adds up what the neighbour draws",
        "audit/divergences.py",
        "logs = here[drawn] + float(order - 1) * ratio[drawn]",
        "logs = here[drawn] - ratio[drawn] + float(order - 1) * ratio[drawn]",
        "tests/audit/test_divergences.py::test_balls_agree_with_floats",
    ),
    Mutant(
        "an audit in rho forgets the square of how far noise moves",
        "audit/divergences.py",
        "total += (one.centre - other.centre) ** 2 / (2 * one.law.variance)",
        "total += abs(one.centre - other.centre) / (2 * one.law.variance)",
        "tests/audit/test_divergences.py::test_questions_keep_their_rho",
    ),
    Mutant(
        "an audit of groups in rho looks at the first group alone",
        "audit/divergences.py",
        "return numbers.number(order * (order - 1) * apart) + further",
        "return numbers.number(order * (order - 1) * apart)",
        "tests/audit/test_divergences.py::test_groups_that_are_asked_one_by_one",
    ),
    Mutant(
        "a black box is tested against rho itself",
        "audit/black_box_audit.py",
        "return Fraction(math.ceil(10**6 * price.loss.as_approx(delta).epsilon), 10**6)",
        "return price.rho",
        "tests/audit/test_divergences.py::test_a_black_box_says_what_it_can_test",
    ),
]
