"""Breaks of joint quantiles: what is charged, which part a record is in, and what a part may know."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "a person's records in several parts are charged as one",
        "releases/tree.py",
        "scaled(by, step / edits),",
        "scaled(by, step),",
        "tests/releases/test_quantiles.py::test_the_joint_law_is_as_private_as_was_paid_for -k balance",
    ),
    Mutant(
        "a swap is charged as one edit of a part",
        "releases/quantiles.py",
        'edits = owned if relation == "add_remove" else 2',
        "edits = owned",
        "tests/releases/test_quantiles.py::test_the_joint_law_is_as_private_as_was_paid_for -k balance",
    ),
    Mutant(
        "each quantile on a way down spends what is left of epsilon again",
        "releases/tree.py",
        "cls.tree(qs[:middle], (low, q), left - step, by, edits),",
        "cls.tree(qs[:middle], (low, q), left, by, edits),",
        "tests/releases/test_quantiles.py::test_the_joint_law_is_as_private_as_was_paid_for -k balance",
    ),
    Mutant(
        "records tied with a cut go where the number of records says",
        "releases/tree.py",
        "below = self.records <= at\n",
        "below = self.records <= at - self.count % 2\n",
        "tests/releases/test_quantiles.py::test_the_joint_law_is_as_private_as_was_paid_for -k balance",
    ),
    Mutant(
        "the part above a cut keeps the records below it",
        "releases/tree.py",
        "Part(self.records.compress(~below), ",
        "Part(self.records, ",
        "tests/releases/test_quantiles.py::test_the_joint_law_is_as_private_as_was_paid_for -k 3/4",
    ),
    Mutant(
        "the number of records in a part of swapped records is taken as public",
        "releases/tree.py",
        'Part(self.records.compress(~below), Lattice(at, high, step), "add_remove")',
        "Part(self.records.compress(~below), Lattice(at, high, step), self.neighbors)",
        "tests/releases/test_tree.py::test_a_cut_sends_each_record_to_one_side",
    ),
    Mutant(
        "the first quantile is given the levels of records, not of people",
        "releases/quantiles.py",
        "self.contributions if split is self.root else 1,",
        "1,",
        "tests/releases/test_quantiles.py::test_the_joint_law_is_as_private_as_was_paid_for",
    ),
    Mutant(
        "the zCDP price is that of the cheapest way down",
        "releases/tree.py",
        "return price[split.step] + max(",
        "return price[split.step] + min(",
        "tests/releases/test_tree.py::test_rho_is_that_of_the_most_expensive_path",
    ),
    Mutant(
        "records tied with a cut all go below it",
        "releases/quantiles.py",
        "return Part((k << spare) + u, fine, self.neighbors)",
        "return Part((k << spare) + 0 * u, fine, self.neighbors)",
        "tests/releases/test_quantiles.py::test_the_bits_of_u_are_fair_and_each_record_has_its_own",
    ),
]
