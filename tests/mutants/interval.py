"""Breaks of intervals."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "ranks worked out from the secret count",
        "questions/composites/quantile_interval.py",
        "        shares = self.shares(count)",
        "        shares = self.shares(self.end.data.size())",
        "tests/questions/composites/test_quantile_interval.py::test_the_ranks_come_from_the_released_count_alone",
    ),
    Mutant(
        "no room for the noise of the ends",
        "questions/composites/quantile_interval.py",
        "        stray = self.stray(miss * NOISE / 2)",
        "        stray = 0",
        "tests/questions/composites/test_quantile_interval.py::test_the_sample_alone_would_miss",
    ),
    Mutant(
        "the count is not paid for",
        "questions/composites/quantile_interval.py",
        "            spend = spend * (1 - COUNT_SHARE)",
        "            spend = spend * 1",
        "tests/questions/composites/test_quantile_interval.py::test_the_whole_release_is_private",
    ),
]
