"""Breaks of exact Gaussian noise: its draws, its law, its loss, its sums and how it is read."""

from tests.mutants.mutant import Mutant

DRAW, LAW = "kernel/sampling/gaussian_draw.py", "kernel/laws/gaussian_law.py"
MECHANISM, SUMS = "kernel/mechanisms/gaussian.py", "kernel/numbers/gaussian_sums.py"
READING = "planning/readings/gaussian_reading.py"
DRAW_TESTS, LAW_TESTS = (
    "tests/kernel/sampling/test_gaussian_draw.py",
    "tests/kernel/laws/test_gaussian_law.py",
)
MECHANISM_TESTS, SUM_TESTS = (
    "tests/kernel/mechanisms/test_gaussian.py",
    "tests/kernel/numbers/test_gaussian_sums.py",
)

MUTANTS = [
    Mutant(
        "the Gaussian variance is rounded down",
        MECHANISM,
        "return self.squared_sensitivity / (2 * self.rho)",
        "return Fraction(max(1, self.squared_sensitivity // (2 * self.rho)))",
        f"{MECHANISM_TESTS}::test_the_variance_is_exact_and_the_loss_is_rho",
    ),
    Mutant(
        "Gaussian noise for the sensitivity and not for its square",
        MECHANISM,
        "return self.squared_sensitivity / (2 * self.rho)",
        "return Fraction(int(self.squared_sensitivity**0.5)) / (2 * self.rho)",
        f"{MECHANISM_TESTS}::test_a_shift_costs_rho_at_most_and_exactly_where_it_can",
    ),
    Mutant(
        "Gaussian noise at twice its rho",
        MECHANISM,
        "return self.squared_sensitivity / (2 * self.rho)",
        "return self.squared_sensitivity / (4 * self.rho)",
        f"{MECHANISM_TESTS}::test_a_vector_costs_the_sum_of_its_squares",
    ),
    Mutant(
        "records of one group are counted and not squared",
        "kernel/prices.py",
        "return full * self.per_group**2 + rest**2",
        "return full * self.per_group + rest",
        "tests/kernel/test_prices.py::test_no_spread_of_records_costs_more_than_rho",
    ),
    Mutant(
        "Gaussian noise around a further level",
        MECHANISM,
        "centres = envelope.truncate(0).lower",
        "centres = envelope.truncate(1).lower[: len(envelope)]",
        f"{MECHANISM_TESTS}::test_the_law_is_around_the_answer_itself",
    ),
    Mutant(
        "Gaussian noise reaches a step further than is said",
        MECHANISM,
        "beyond = gaussian_sum(self.variance, t + 1)",
        "beyond = gaussian_sum(self.variance, t + 2)",
        f"{MECHANISM_TESTS}::test_farthest_is_the_least_step_within_the_chance",
    ),
    Mutant(
        "noise of any width is accepted",
        MECHANISM,
        "if self.variance > WIDEST_VARIANCE:",
        "if self.variance > WIDEST_VARIANCE**2:",
        f"{MECHANISM_TESTS}::test_noise_that_64_bits_could_not_hold_is_refused",
    ),
    Mutant(
        "Gaussian noise is drawn again until it fits",
        LAW,
        "clamped: Integers = np.minimum(np.maximum(drawn, low), high)",
        "clamped: Integers = drawn\n"
        "        while ((clamped < low) | (clamped > high)).any():\n"
        "            again = self.centres + draw_gaussian(self.variance, count, bits)\n"
        "            clamped = np.where((clamped < low) | (clamped > high), again, clamped)",
        f"{LAW_TESTS}::test_what_lies_beyond_an_end_falls_on_it",
    ),
    Mutant(
        "all groups share one Gaussian draw",
        LAW,
        "drawn = self.centres + draw_gaussian(self.variance, count, bits, words)",
        "drawn = self.centres + np.resize(draw_gaussian(self.variance, 1, bits, words), count)",
        f"{LAW_TESTS}::test_each_group_has_its_own_centre",
    ),
    Mutant(
        "the first words of a Gaussian draw are forgotten",
        LAW,
        "return self._around(len(self), bits, words)",
        "return self._around(len(self), bits)",
        f"{LAW_TESTS}::test_a_group_draws_what_it_draws_alone",
    ),
    Mutant(
        "an audit cannot choose Gaussian noise",
        LAW,
        "if (choice := audit_choice(self, bits)) is not None:",
        "if (choice := audit_choice(self, None)) is not None:",
        f"{LAW_TESTS}::test_it_is_a_secret_and_an_audit_chooses_its_outcome",
    ),
    Mutant(
        "sums of blocks have no slack",
        DRAW,
        "np.uint64(2 * error + 2)",
        "np.uint64(0)",
        f"{DRAW_TESTS}::test_blocks_survive_an_exponential_sixteen_times_worse_than_assumed",
    ),
    Mutant(
        "weights of blocks are thought to be exact",
        DRAW,
        "math.ceil(units * scale * ULP) + size + 1",
        "size + 1",
        f"{DRAW_TESTS}::test_blocks_survive_an_exponential_sixteen_times_worse_than_assumed",
    ),
    Mutant(
        "Gaussian coins have no slack",
        DRAW,
        "slack = COIN_SLACK * ULP",
        "slack = 0.0",
        f"{DRAW_TESTS}::test_coins_survive_an_exponential_sixteen_times_worse_than_assumed",
    ),
    Mutant(
        "zero is in two blocks",
        DRAW,
        "return (block >> 1) * width + (block & 1)",
        "return (block >> 1) * width",
        f"{DRAW_TESTS}::test_each_point_has_its_probability",
    ),
    Mutant(
        "blocks are half as wide as they are apart",
        DRAW,
        "offset, coins = uniform(np.full(words.size, self.width), bits), bits.words(words.size)",
        "offset, coins = uniform(np.full(words.size, -(-self.width // 2)), bits), bits.words(words.size)",
        f"{DRAW_TESTS}::test_blocks_may_have_any_width",
    ),
    Mutant(
        "every point of a block is kept",
        DRAW,
        "kept = share <= chance - slack",
        "kept = share <= 1.0",
        f"{DRAW_TESTS}::test_blocks_may_have_any_width",
    ),
    Mutant(
        "a point that was not kept is drawn again from its block",
        DRAW,
        "first = bits.words(waiting.size)\n    return drawn",
        "first = first[~kept]\n    return drawn",
        f"{DRAW_TESTS}::test_blocks_may_have_any_width",
    ),
    Mutant(
        "the exponent of a coin forgets the nearest point",
        DRAW,
        "ends = 2.0 * points + offset",
        "ends = 1.0 * points + offset",
        f"{DRAW_TESTS}::test_blocks_may_have_any_width",
    ),
    Mutant(
        "certain coins forget the nearest point",
        DRAW,
        "exponent = (size**2 - start**2) * self.rate",
        "exponent = (size - start) ** 2 * self.rate",
        f"{DRAW_TESTS}::test_both_paths_draw_the_same",
    ),
    Mutant(
        "blocks far out are always on one side",
        DRAW,
        "points[i] = -size if chosen & 1 else size",
        "points[i] = size",
        f"{DRAW_TESTS}::test_far_points_are_reached",
    ),
    Mutant(
        "the tails of Gaussian noise are cut off",
        DRAW,
        "return None if picked == len(sums) else picked",
        "return min(picked, 2 * turns(self.rate, self.width, NEGLIGIBLE) - 1)",
        f"{DRAW_TESTS}::test_far_points_are_reached",
    ),
    Mutant(
        "points beyond 64 bits run over",
        DRAW,
        "size = min(size, FARTHEST)",
        "size = (size + 2**63) % 2**64 - 2**63",
        f"{DRAW_TESTS}::test_a_draw_is_cut_where_64_bits_end",
    ),
    Mutant(
        "the table of blocks ends too early",
        DRAW,
        "NEGLIGIBLE = 52",
        "NEGLIGIBLE = 20",
        f"{DRAW_TESTS}::test_sums_err_by_a_sixteenth_of_the_slack",
    ),
    Mutant(
        "the rest of a sum by Euler and Maclaurin is left out",
        SUMS,
        "return total + ball(0, rest.upper())",
        "return total",
        f"{SUM_TESTS}::test_far_out_the_rest_is_in_the_ball",
    ),
    Mutant(
        "half of the first term is left out",
        SUMS,
        ".erfc() + first / 2",
        ".erfc()",
        f"{SUM_TESTS}::test_both_formulas_agree",
    ),
    Mutant(
        "terms fall by the same factor for ever",
        SUMS,
        "total + term, term * fall, fall * square",
        "total + term, term * fall, fall",
        f"{SUM_TESTS}::test_small_variances_add_terms",
    ),
    Mutant(
        "a reading of Gaussian noise forgets the clamp",
        READING,
        "logs = np.where(k == low, log_tail(v, centre - k), logs)",
        "logs = np.where(k < low, log_tail(v, centre - k), logs)",
        f"{LAW_TESTS}::test_a_reading_is_the_table_of_its_law",
    ),
    Mutant(
        "mean errors forget what is clamped",
        READING,
        "return inside / math.exp(log_total(v)) + beyond",
        "return inside / math.exp(log_total(v))",
        f"{LAW_TESTS}::test_mean_errors_are_sums_of_tails",
    ),
    Mutant(
        "tails are read as an integral alone",
        READING,
        "sums += factor * odd",
        "sums += 0 * odd",
        f"{LAW_TESTS}::test_tails_are_read_far_out",
    ),
]
