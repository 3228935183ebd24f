"""Breaks of Gaussian balance: what a record is charged, whose scores are proved, and how omega is enclosed."""

from tests.mutants.mutant import Mutant

MECHANISM, NOISE = "kernel/mechanisms/gaussian_balance.py", "kernel/sampling/balance_noise.py"
TESTS = "tests/kernel/mechanisms/test_gaussian_balance.py"
PRICE = f"{TESTS}::TestPrice"
DRAWS = "tests/kernel/sampling/test_balance_noise.py"

MUTANTS = [
    Mutant(
        "Gaussian balance forgets its constant",
        MECHANISM,
        "unit = PROVED[shape] * whole(",
        "unit = 1 * whole(",
        f"{PRICE}::test_a_record_moves_the_logarithms_by_what_is_paid_for",
    ),
    Mutant(
        "one constant serves both shapes",
        MECHANISM,
        '"rises": Fraction(104, 100)',
        '"rises": Fraction(101, 100)',
        f"{PRICE}::test_a_record_moves_the_logarithms_by_what_is_paid_for",
    ),
    Mutant(
        "Gaussian balance charges any move of a record",
        MECHANISM,
        "FARTHEST = 4",
        "FARTHEST = 5",
        f"{PRICE}::test_one_record_moves_them_by_at_most_4",
    ),
    Mutant(
        "several groups pay for one",
        MECHANISM,
        'whole("squares", squares, least=1) / 2',
        'whole("squares", squares, least=1) / squares / 2',
        f"{PRICE}::test_groups_pay_for_the_squares_of_records_in_each",
    ),
    Mutant(
        "a record may move further than is proved",
        "questions/choice.py",
        "shape=move.shape, steps=move.steps, squares",
        "shape=move.shape, steps=2 * move.steps, squares",
        f"{TESTS}::test_what_is_refused_costs_nothing",
    ),
    Mutant(
        "a person with several records pays for one",
        "questions/request.py",
        "return self.pull if self.contributions == 1 else self.pull * self.contributions",
        "return self.pull",
        f"{PRICE}::test_a_record_moves_the_logarithms_by_what_is_paid_for",
    ),
    Mutant(
        "a copy at another price keeps its mechanism",
        "questions/request.py",
        "by = gaussian_balance(paid, move_of(statistic, self.neighbors, self.contributions))",
        "by = by",
        f"{PRICE}::test_a_copy_at_another_price_has_that_price",
    ),
    Mutant(
        "a swapped record moves a score further than is proved",
        "questions/pull.py",
        'ScoreMove("rises", 2 * records)',
        'ScoreMove("rises", 3 * records)',
        f"{PRICE}::test_a_swap_in_two_steps_pays_for_the_square_of_two",
    ),
    Mutant(
        "a subclass inherits the proof of a score",
        "questions/pull.py",
        "kind = type(statistic)\n",
        "kind = type(statistic).__mro__[1] if type(statistic).__module__[:9] != 'noisewise' else type(statistic)\n",
        f"{TESTS}::TestScores::test_a_score_of_ones_own_is_not",
    ),
    Mutant(
        "the levels of trimmed means are proved",
        "questions/pull.py",
        'return ScoreMove("rises", 2 * records) if neighbors == "swap" and kind in SUMS else None',
        'return ScoreMove("rises", 2 * records) if neighbors == "swap" else None',
        f"{TESTS}::TestScores::test_no_other_score_is",
    ),
    Mutant(
        "the score is asked for at the epsilon of a pure mechanism",
        "questions/request.py",
        "each = epsilon_per_record(price, owned, chosen)",
        "each = epsilon_per_record(price, owned)",
        f"{PRICE}::test_a_record_moves_the_logarithms_by_what_is_paid_for",
    ),
    Mutant(
        "the noise of balance is normal with half its width",
        NOISE,
        "omega = np.exp(_quantile(least))",
        "omega = np.exp(_quantile(least) / 2)",
        f"{DRAWS}::test_omega_lies_between_its_ends_for_all_bits_that_may_follow",
    ),
    Mutant(
        "balls draw Laplace noise for normal noise",
        NOISE,
        "return ((up / down).log() / ball(2).sqrt()).erfc() / 2",
        "return LAPLACE.chance(down, up)",
        "tests/kernel/laws/test_gaussian_balance_law.py::TestReading::test_chances_are_those_of_the_definition",
    ),
    Mutant(
        "the error of the normal quantile is not granted",
        NOISE,
        "NORMAL_ERROR = 2.0**-44",
        "NORMAL_ERROR = 2.0**-53",
        f"{DRAWS}::test_omega_lies_between_its_ends_for_all_bits_that_may_follow",
    ),
    Mutant(
        "bits after the first 64 cannot move a normal quantile",
        NOISE,
        "2 * MILLS / least",
        "0 * MILLS / least",
        f"{DRAWS}::test_omega_lies_between_its_ends_for_all_bits_that_may_follow",
    ),
    Mutant(
        "a word of zeros has a least omega above 0",
        NOISE,
        "below = omega * either(tail == 0, 0.0, 1 - NORMAL_ERROR)",
        "below = omega * (1 - NORMAL_ERROR)",
        f"{DRAWS}::test_omega_lies_between_its_ends_for_all_bits_that_may_follow",
    ),
    Mutant(
        "balls forget the levels that were not read",
        NOISE,
        "return False if ball(low) > self.chance(down, least_up) else None",
        "return False if ball(low) > self.chance(down, up) else None",
        "tests/kernel/laws/test_gaussian_balance_law.py::test_the_nearest_levels_decide_as_all_do",
    ),
    Mutant(
        "readings take normal noise for Laplace noise",
        "planning/readings/balance_reading.py",
        "            if self.law.noise is NORMAL:\n                first",
        "            if False:\n                first",
        "tests/kernel/laws/test_gaussian_balance_law.py::TestReading::test_chances_are_those_of_the_definition",
    ),
]
