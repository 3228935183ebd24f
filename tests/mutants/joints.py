"""Breaks of where exact levels end and of what floats set aside, noticed at the public constants."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "the bound of a variance comes one level late",
        "statistics/variance/variance.py",
        "islice(far, len(known), None)",
        "islice(far, max(len(known) - 1, 0), None)",
        "tests/attacks/test_variance.py::test_neighbours_nest_where_the_exact_upper_side_ends",
    ),
    Mutant(
        "the bound of a spread or a mad comes one level late",
        "kernel/laws/envelope.py",
        "beyond = (np.repeat(looser.offsets[:-1], sizes) + level)[~is_near]",
        "beyond = (np.repeat(looser.offsets[:-1], sizes) + level)[~is_near] - 1",
        "tests/attacks/test_order.py::test_neighbours_nest_where_exact_spreads_end",
    ),
    Mutant(
        "the bound of a trimmed mean comes one level late",
        "statistics/trimmed_mean.py",
        "            most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS",
        "            edits = edits - 1\n"
        "            most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS",
        "tests/attacks/test_trimmed.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "the last block of a trimmed mean ends before the last record is removed",
        "statistics/trimmed_mean.py",
        "most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS",
        "most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS - 1",
        "tests/attacks/test_trimmed.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "squares of more than 200 records are taken for exact",
        "statistics/variance/reach.py",
        "slack = 2.0**-52 * (rows + 16) * around",
        "slack = 0.0 * (rows + 16) * around",
        "tests/attacks/test_prefilters.py::test_no_way_to_lower_a_variance_is_lost",
    ),
    Mutant(
        "quotients of spreads of more than 200 records are taken for exact",
        "statistics/variance/reach.py",
        "CLOSE = 1 + 2.0**-50",
        "CLOSE = 1.0",
        "tests/attacks/test_prefilters.py::test_no_split_of_the_edits_is_lost",
    ),
    Mutant(
        "sums beyond 2^53 are divided as if float64 held them",
        "statistics/trimmed_mean.py",
        "CLOSE = 1 + 2.0**-50",
        "CLOSE = 1.0",
        "tests/attacks/test_prefilters.py::test_no_trimmed_mean_is_lost",
    ),
]
