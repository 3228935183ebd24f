"""Breaks of intervals that come with an answer."""

from tests.mutants.mutant import Mutant

TESTS = "tests/questions/test_answer_interval.py::"
SUMS = "tests/questions/test_two_sums.py::"
POPULATION = "tests/releases/test_population_interval.py::"
JOINT = "tests/releases/test_quantiles.py::"
BATCHED = "tests/dataset/test_batched_intervals.py::"
EVERYWHERE = "tests/dataset/test_intervals.py::"
TINY = EVERYWHERE + "test_a_tiny_epsilon_is_answered_or_refused_before_anything_is_paid"
MUTANTS = [
    Mutant(
        "an end further out than floats are is an error after the debit",
        "statistics/quantile.py",
        "        if halves > FARTHEST_END:",
        "        if halves < 0:",
        TINY,
    ),
    Mutant(
        "noise further than any count is an error after the debit",
        "releases/population_interval.py",
        "and not known and self.noise_of_count > UTMOST:",
        "and not known and self.noise_of_count < 0:",
        TINY,
    ),
    Mutant(
        "an epsilon below all floats is divided by",
        "releases/interval.py",
        "    decay = max(float(count.mechanism.epsilon), LEAST_EPSILON) / count.contributions",
        "    decay = float(count.mechanism.epsilon) / count.contributions",
        TINY,
    ),
    Mutant(
        "one tail of the noise is forgotten",
        "questions/answer_interval.py",
        "mechanism.farthest((1 - confidence) / 2)",
        "mechanism.farthest(1 - confidence)",
        TESTS + "test_noise_is_within_the_interval_as_often_as_the_law_says",
    ),
    Mutant(
        "noise reaches a step further than is said",
        "mechanisms/laplace.py",
        "                return max(int(ceiling) - 1, 0)",
        "                return max(int(ceiling) - 2, 0)",
        TESTS + "test_noise_is_within_the_interval_as_often_as_the_law_says",
    ),
    Mutant(
        "an answer between two steps is taken for the lower one",
        "questions/answer_interval.py",
        "index + self.steps + above",
        "index + self.steps",
        TESTS + "test_an_answer_between_two_steps_is_held",
    ),
    Mutant(
        "ends half a rank too near",
        "statistics/quantile.py",
        "halves = max(0, math.ceil(2 * (ranks - apart)))",
        "halves = max(0, math.ceil(2 * (ranks - apart)) - 1)",
        TESTS + "test_each_end_is_on_its_side_of_the_quantile_as_often_as_it_says",
    ),
    Mutant(
        "both ends may miss as often as one",
        "questions/answer_interval.py",
        "        each, chance = epsilon / draws / request.contributions, miss / draws",
        "        each, chance = epsilon / draws / request.contributions, miss",
        TESTS + "test_each_end_is_on_its_side_of_the_quantile_as_often_as_it_says",
    ),
    Mutant(
        "one end is not paid for",
        "questions/answer_interval.py",
        "        return sum_of(self.inner.loss, *(end.loss for end in self.drawn))",
        "        return sum_of(self.inner.loss, *(end.loss for end in self.drawn[:1]))",
        TESTS + "test_answer_and_ends_together_are_private",
    ),
    Mutant(
        "the answer has the whole of epsilon, and the ends a half besides",
        "questions/answer_interval.py",
        "        answer = at(whole.mechanism.epsilon * (1 - SHARE))",
        "        answer = at(whole.mechanism.epsilon)",
        TESTS + "test_answer_and_ends_together_are_private",
    ),
    Mutant(
        "all levels of a shifted score are not all of them",
        "statistics/quantile.py",
        "        middle = np.minimum(np.maximum(middle, 0), count)",
        "        middle = middle",
        "tests/statistics/test_quantile.py::test_all_levels_of_a_shifted_score_are_all_records",
    ),
    Mutant(
        "a person moves both sums together less than is said",
        "questions/two_sums.py",
        "        reach = request.contributions * (steps + (steps < width))",
        "        reach = request.contributions * steps",
        SUMS + "test_a_person_moves_both_sums_together_as_far_as_is_said",
    ),
    Mutant(
        "the noise of a share is taken for that of one sum",
        "questions/two_sums.py",
        "        return self.noise.farthest(miss) + 1",
        "        return self.noise.farthest(miss)",
        SUMS + "test_a_mean_of_two_noises_is_hardly_ever_further_out_than_one",
    ),
    Mutant(
        "a mean misses on both sides as often as on one",
        "questions/two_sums.py",
        "self.reach(miss / 2)",
        "self.reach(miss)",
        TESTS + "test_ten_thousand_intervals_of_a_mean",
    ),
    Mutant(
        "sums that are rounded down pass for exact ones",
        "questions/two_sums.py",
        "        kept = 1 - Fraction(self.rounds, self.steps)",
        "        kept = Fraction(1)",
        SUMS + "test_sums_that_are_rounded_down_hold_the_mean_all_the_same",
    ),
    Mutant(
        "the sums are not paid for where another mechanism answers",
        "questions/answer_interval.py",
        "        return sums if self.answered is None else sum_of(self.answered.loss, sums)",
        "        return sums if self.answered is None else sum_of(self.answered.loss)",
        TESTS + "test_a_mean_by_a_mechanism_of_ones_choice_leaves_half_to_its_interval",
    ),
    Mutant(
        "noise of a population's sums is left out",
        "releases/population_interval.py",
        "reach, above = self.sums.steps, self.noise.farthest(miss / 2), int(self.sums.rounds)",
        "reach, above = self.sums.steps, 0, int(self.sums.rounds)",
        POPULATION + "test_noise_alone_is_held_too",
    ),
    Mutant(
        "a population's mean is judged by the wrong tail",
        "releases/population_interval.py",
        "        return bool(far >= -ball(miss).log())  # undecided is no",
        "        return bool(4 * far >= -ball(miss).log())  # undecided is no",
        POPULATION + "test_a_mean_is_held_whatever_the_population",
    ),
    Mutant(
        "ones of a population are one too many",
        "releases/population_interval.py",
        "    ones, zeros = math.ceil(above), math.floor(below)",
        "    ones, zeros = math.ceil(above) + 1, math.floor(below)",
        POPULATION + "test_the_binomial_tail_is_never_less_than_it_is_and_hardly_more",
    ),
    Mutant(
        "a count expects one more than is sure",
        "releases/population_interval.py",
        "    return low, first\n",
        "    return low + 1, first\n",
        POPULATION + "test_expected_counts_are_the_nearest_whole_numbers_that_the_poisson_law_excludes",
    ),
    Mutant(
        "ends of several quantiles cost as much as those of one",
        "releases/quantiles.py",
        "        return sum_of(self.inner.loss, *(end.loss for end in self.drawn))",
        "        return sum_of(self.inner.loss, *(end.loss for end in self.drawn[:2]))",
        JOINT + "test_what_intervals_of_several_quantiles_cost",
    ),
    Mutant(
        "several quantiles are held one by one only",
        "questions/answer_interval.py",
        "    both = [(request, *(ends(request, len(drawn)) or (None, None))) for request in requests]",
        "    both = [(request, *(ends(request, 2) or (None, None))) for request in requests]",
        JOINT + "test_all_quantiles_are_held_together",
    ),
    Mutant(
        "the ends of groups change places",
        "results/grouped_release.py",
        'zip(("low", "high"), BOTH_SIDES, interval, strict=True)',
        'zip(("high", "low"), BOTH_SIDES, interval, strict=True)',
        "tests/dataset/test_grouped.py::test_intervals_of_groups_are_two_columns",
    ),
    Mutant(
        "intervals of groups reach up by nothing",
        "dataset/batched_intervals.py",
        "np.minimum(drawn + steps + above, most)",
        "np.minimum(drawn + above, most)",
        BATCHED + "test_every_group_is_held_as_often_as_is_said",
    ),
    Mutant(
        "an interval in groups says what it cost for one record, all at once",
        "dataset/batched_intervals.py",
        "epsilon=self.spread.records * paid",
        "epsilon=paid",
        BATCHED + "test_it_says_and_costs_what_one_group_after_the_other_does",
    ),
    Mutant(
        "bins of a histogram are held one by one only",
        "releases/histogram.py",
        "miss = (1 - self.confidence) / len(self.bins)",
        "miss = 1 - self.confidence",
        TESTS + "test_all_bins_of_a_histogram_are_held_together",
    ),
]
