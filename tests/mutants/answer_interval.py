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
        "bins of a histogram are held one by one only",
        "releases/histogram.py",
        "miss = (1 - self.confidence) / len(self.bins)",
        "miss = 1 - self.confidence",
        TESTS + "test_all_bins_of_a_histogram_are_held_together",
    ),
]
