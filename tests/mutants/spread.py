"""Breaks of the spread."""

from tests.mutants.mutant import Mutant

TESTS = "tests/statistics/spread/test_quantile_range.py"

MUTANTS = [
    Mutant(
        "the high quantile is pushed up and the low one never down",
        "statistics/spread/quantile_range.py",
        "return self._distances(ends - added, ends, gaps)",
        "return self._distances(ends, ends, gaps)",
        TESTS + "::TestIQR::test_envelope_holds_brute_force",
    ),
    Mutant(
        "two high shares listed by an interval that does not shrink",
        "statistics/spread/quantile_range.py",
        "spread.low > HALF",
        "False",
        "tests/statistics/spread/test_quantile_range.py::TestHighShares::test_envelope_holds_brute_force",
    ),
    Mutant(
        "equal ranks are pushed apart",
        "statistics/spread/quantile_range.py",
        "np.where(low < high, high - low + removed, 0)",
        "high - low + removed",
        "tests/statistics/spread/test_quantile_range.py::TestThirdToHalf::test_envelope_holds_brute_force",
    ),
    Mutant(
        "ranks below the window wrap around to its end",
        "statistics/spread/quantile_range.py",
        "firsts = [_ranks(q, fewest) - last for q in shares]",
        "firsts = [np.minimum(_ranks(q, fewest), _ranks(q, most) - last) for q in shares]",
        "tests/statistics/spread/test_quantile_range.py::TestHighShares::test_privacy",
    ),
    Mutant(
        "the looser levels of a spread let one quantile move alone",
        "statistics/spread/quantile_range.py",
        "high.upper - low.lower\n",
        "np.maximum(high.upper - low.lower[0], high.upper[0] - low.lower)\n",
        "tests/statistics/spread/test_quantile_range.py::test_neighbours_nest_across_the_joint",
    ),
]
