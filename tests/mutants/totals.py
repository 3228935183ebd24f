"""Breaks of counts, sums, means and of the exact sums below them."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "a record is removed before that is better than another addition",
        "statistics/mean.py",
        "np.maximum(2 * left[inside] // np.maximum(gaps, 1)",
        "np.maximum(left[inside] // np.maximum(gaps, 1)",
        "tests/statistics/test_mean.py::TestMean::test_envelope_holds_brute_force",
    ),
    Mutant(
        "the empty column's answer joins no envelope but its own",
        "statistics/mean.py",
        "below[offsets[1:][edits == counts] - 1] = nobody",
        "below[offsets[1:][counts == 0] - 1] = nobody",
        "tests/statistics/test_mean.py::TestMean::test_envelope_holds_brute_force",
    ),
    Mutant(
        "a mean moves by the range over n under add/remove too",
        "statistics/mean.py",
        'reach / max(size(), 1) if neighbors == "swap" else reach',
        "reach / max(size(), 1)",
        "tests/statistics/test_mean.py::TestMean::test_privacy",
    ),
    Mutant(
        "only additions raise a sum",
        "statistics/sum.py",
        "gain[there] = np.maximum(-smallest, max(high, 0))",
        "pass",
        "tests/statistics/test_sum.py::TestNegative::test_envelope_holds_brute_force",
    ),
    Mutant(
        "a swap is charged like an addition",
        "statistics/sum.py",
        'high - low if neighbors == "swap" else max(abs(low), abs(high))',
        "max(abs(low), abs(high))",
        "tests/statistics/test_sum.py::TestSigned::test_privacy",
    ),
    Mutant(
        "the centre is rounded, the levels are floored",
        "statistics/sum.py",
        "= np.array(centres, kind)[:, np.newaxis]",
        "= np.array(centres, kind)[:, np.newaxis] + 2**28",
        "tests/statistics/test_sum.py::TestSigned::test_envelope_holds_brute_force",
    ),
    Mutant(
        "a count's tail stands still",
        "statistics/count.py",
        "counted + edits, sizes) if swap else counted + edits",
        "counted + edits, sizes) if swap else counted + edits // 2",
        "tests/statistics/test_count.py::TestCount::test_envelope_holds_brute_force",
    ),
    Mutant(
        "squares are added as floats",
        "tables/columns/sums.py",
        "    limbs = _limbs(indices, most)\n",
        "    return int(indices @ indices)\n    limbs = _limbs(indices, most)\n",
        "tests/tables/columns/test_sums.py::test_a_block_adds_up",
    ),
    Mutant(
        "large indices are added as floats",
        "tables/columns/sums.py",
        "if most * indices.size < EXACT:",
        "if indices.size < EXACT:",
        "tests/tables/columns/test_sums.py::test_a_full_block_of_the_largest_index_adds_up",
    ),
]
