"""Breaks of intervals that come with an answer."""

from tests.mutants.mutant import Mutant

TESTS = "tests/questions/test_answer_interval.py::"
MUTANTS = [
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
        "        chance = miss / (draws * questions)",
        "        chance = miss / questions",
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
        "bins of a histogram are held one by one only",
        "releases/histogram.py",
        "miss = (1 - self.confidence) / len(self.bins)",
        "miss = 1 - self.confidence",
        TESTS + "test_all_bins_of_a_histogram_are_held_together",
    ),
]
