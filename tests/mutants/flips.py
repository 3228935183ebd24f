"""Breaks of permute-and-flip: its rate, its price, its coins, and the most common category."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "the whole epsilon for a cost that moves both ways",
        "kernel/mechanisms/permute_and_flip.py",
        "return self.epsilon / 2",
        "return self.epsilon",
        "tests/kernel/mechanisms/test_permute_and_flip.py::TestPermuteAndFlip::test_the_loss_is_kept",
    ),
    Mutant(
        "permute-and-flip at the zCDP price of a bounded range",
        "kernel/mechanisms/permute_and_flip.py",
        "return PureDP(self.epsilon)",
        "return PureDP(self.epsilon, rho=self.epsilon**2 / 8)",
        (
            "tests/kernel/mechanisms/test_permute_and_flip.py::"
            "test_the_loss_is_pure_and_its_price_in_zcdp_that_of_any_pure_loss"
        ),
    ),
    Mutant(
        "the whole epsilon as the rate of whole costs",
        "kernel/mechanisms/permute_and_flip.py",
        "return true_rate(self.epsilon, answers.points)",
        "return self.epsilon",
        "tests/kernel/mechanisms/test_permute_and_flip.py::TestWholePermuteAndFlip::test_the_loss_is_kept",
    ),
    Mutant(
        "several answers cost nothing at the rate for one",
        "kernel/mechanisms/permute_and_flip.py",
        "envelope.centred(), self.rate(answers)",
        "envelope, self.rate(answers)",
        "tests/kernel/mechanisms/test_permute_and_flip.py::test_no_plateau_breaks_the_loss",
    ),
    Mutant(
        "costs between levels at the rate of whole costs",
        "kernel/mechanisms/permute_and_flip.py",
        "graded=False",
        "graded=bool(1)",
        "tests/kernel/mechanisms/test_permute_and_flip.py::TestWholePermuteAndFlip::test_the_loss_is_kept",
    ),
    Mutant(
        "one answer too few decides the rate",
        "kernel/mechanisms/permute_and_flip.py",
        "return true_rate(self.epsilon, answers.points)",
        "return true_rate(self.epsilon, answers.points - 1)",
        "tests/vectors/test_laws.py::test_permute_and_flip_on_whole_costs",
    ),
    Mutant(
        "one answer too few in the integral behind the rate",
        "kernel/mechanisms/permute_and_flip.py",
        "power(points - 1) - (power(points - 1) - power(points)) / accepted",
        "power(points - 2) - (power(points - 2) - power(points - 1)) / accepted",
        "tests/kernel/mechanisms/test_permute_and_flip.py::test_the_rate_is_the_largest_one[4-5]",
    ),
    Mutant(
        "only the first group has one answer that costs nothing",
        "kernel/laws/envelope.py",
        "self.upper.copy(), self.offsets[:-1]",
        "self.upper.copy(), self.offsets[:1]",
        "tests/kernel/mechanisms/test_permute_and_flip.py::test_groups_have_the_laws_of_one",
    ),
    Mutant(
        "whole costs at a price in rho",
        "questions/choice.py",
        "if isinstance(price, Rho) or answers is None or None in answers.support:",
        "price = pure_epsilon(price)\n    if answers is None or None in answers.support:",
        "tests/questions/test_choice.py::test_whole_costs_are_for_prices_in_epsilon",
    ),
    Mutant(
        "bounds that were found choose another law than the receipt names",
        "questions/choice.py",
        "return type(mechanism)(epsilon=price)",
        "return mechanism.name",
        "tests/questions/test_search.py::test_found_bounds_change_no_law_of_coins",
    ),
    Mutant(
        "more answers than coins, found out after the debit",
        "questions/choice.py",
        "chosen.check_answers(answers)",
        "pass",
        "tests/questions/test_choice.py::test_coins_are_not_thrown_for_answers_without_end",
    ),
    Mutant(
        "floats decide a coin near its chance",
        "kernel/sampling/coins.py",
        "undecided = ~accepted & (words <= self.open[groups])",
        "undecided = np.zeros_like(accepted)",
        "tests/kernel/sampling/test_coins.py::test_bits_beside_the_chance_fall_on_their_side",
    ),
    Mutant(
        "the first accepted point instead of any",
        "kernel/sampling/coins.py",
        "[before + uniform(counts, bits)]",
        "[before]",
        "tests/kernel/sampling/test_coins.py::test_a_uniform_one_of_the_accepted_is_picked",
    ),
    Mutant(
        "points of the lower side answered with those of the upper",
        "kernel/laws/permute_and_flip_law.py",
        "lowest - (picked - rise)",
        "lowest + (picked - rise)",
        "tests/kernel/laws/test_permute_and_flip_law.py::test_every_point_has_one_coin_and_the_coin_its_cost",
    ),
    Mutant(
        "the whole epsilon for counts that move in opposite directions",
        "questions/composites/most_common.py",
        'moves = 2 if self.neighbors == "swap" else self.contributions',
        "moves = self.contributions",
        "tests/questions/composites/test_most_common.py::test_the_loss_is_kept_in_every_world",
    ),
    Mutant(
        "the rate of one record for a person who owns several categories",
        "questions/composites/most_common.py",
        'moves = 2 if self.neighbors == "swap" else self.contributions',
        'moves = 2 if self.neighbors == "swap" else 1',
        "tests/questions/composites/test_most_common.py::test_the_loss_is_kept_in_every_world",
    ),
    Mutant(
        "labels told apart beyond float64, which one null would undo",
        "tables/columns/labels.py",
        "else float(name)",
        "else name",
        "tests/tables/columns/test_labels.py::test_plain_categories_are_judged_as_any",
    ),
    Mutant(
        "a record between two whole labels is counted for the lower one",
        "tables/columns/labels.py",
        "np.where(inside & (whole == numbers), labels.table[whole - int(rising[0])], -1)",
        "np.where(inside, labels.table[whole - int(rising[0])], -1)",
        "tests/tables/columns/test_labels.py::test_counts_are_those_of_one_record_after_the_other",
    ),
    Mutant(
        "labels that are fractions are looked up in a table of whole numbers",
        "tables/columns/labels.py",
        "or (np.floor(rising) != rising).any()",
        "or (np.ceil(rising) != np.ceil(rising)).any()",
        "tests/tables/columns/test_labels.py::test_counts_are_those_of_one_record_after_the_other",
    ),
    Mutant(
        "equal labels pass where all are numbers",
        "tables/columns/labels.py",
        "and (rising[1:] > rising[:-1]).all())",
        "and (rising[1:] >= rising[:-1]).all())",
        "tests/tables/columns/test_labels.py::test_plain_categories_are_judged_as_any",
    ),
]
