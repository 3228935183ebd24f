"""Breaks of spreads, trimmed means and variances in many groups."""

from tests.mutants.mutant import Mutant

AT_ONCE = "tests/statistics/test_envelopes.py"
GROUPS = "tests/statistics/variance/test_variance_groups.py"
BRACKETS = "tests/statistics/variance/test_variance_brackets.py"
ENDS = "tests/tables/columns/test_parallel.py"
WHOLE = "tests/tables/columns/test_sums.py::test_numbers_of_any_type_add_up_to_their_indices"
REMOVALS = "tests/statistics/variance/test_variance_removals.py"

MUTANTS = [
    Mutant(
        "beyond a group's records stand those of the next group",
        "statistics/windows.py",
        "ranks > self.counts[alike], self.records.size - 1, places",
        "ranks > self.counts.max(), self.records.size - 1, places",
        "tests/statistics/test_windows.py::test_ranks_beyond_the_records_are_the_bounds",
    ),
    Mutant(
        "below a group's records stand those of the group before",
        "statistics/windows.py",
        "np.where(ranks < 1, 0, ranks + self.shifts[alike])",
        "ranks + self.shifts[alike]",
        "tests/statistics/test_windows.py::test_ranks_beyond_the_records_are_the_bounds",
    ),
    Mutant(
        "groups whose ranks come together are worked out like those whose ranks do not",
        "statistics/spread/quantile_range.py",
        "many & (counts > last + 1)",
        "counts > last + 1",
        AT_ONCE + "::test_large_and_uneven_groups_at_once_are_one_by_one",
    ),
    Mutant(
        "the two ranks of all large groups are taken to move alike",
        "statistics/spread/quantile_range.py",
        "-1 - counts % min(period, 2**62)",
        "-1",
        AT_ONCE + "::test_random_groups_at_once_are_one_by_one_whatever_a_person_owns",
    ),
    Mutant(
        "in groups, the looser levels of a spread let one quantile move alone",
        "statistics/spread/quantile_range.py",
        "ends[1, ~known] = high.upper[beyond] - low.lower[beyond]",
        "ends[1, ~known] = high.upper[beyond] - low.upper[beyond]",
        AT_ONCE + "::test_bounds_beyond_the_exact_levels_are_those_of_one_by_one",
    ),
    Mutant(
        "in groups, no trimmed mean reaches the answer of an empty group",
        "statistics/trimmed/trimmed_mean.py",
        "lower[offsets[1:][last == counts] - 1] = nobody",
        "pass",
        AT_ONCE + "::test_all_small_groups_at_once_are_one_by_one -k trimmed_mean",
    ),
    Mutant(
        "all large groups are taken to be cut alike",
        "statistics/trimmed/trimmed_mean.py",
        "np.where(counts > last, -1 - counts % bottom, counts)",
        "np.where(counts > last, -1, counts)",
        AT_ONCE + "::test_all_small_groups_at_once_are_one_by_one -k trimmed_mean",
    ),
    Mutant(
        "in groups, floats choose among trimmed means",
        "statistics/trimmed/trimming.py",
        "about.min(axis=1, keepdims=True) * CLOSE",
        "about.min(axis=1, keepdims=True)",
        (
            "tests/statistics/trimmed/test_trimming.py::"
            "test_the_least_ratio_is_kept_where_float64_takes_another_for_less"
        ),
    ),
    Mutant(
        "groups that keep more records than the first are averaged like it",
        "statistics/trimmed/trimming.py",
        "size=size + kept + 2 * repeated",
        "size=size + 2 * repeated + 0 * kept",
        AT_ONCE + "::test_all_small_groups_at_once_are_one_by_one -k trimmed_mean",
    ),
    Mutant(
        "ties of the last record that is summed are counted with it",
        "statistics/trimmed/trimming.py",
        "below.total - (below.count - rank) * step",
        "below.total - 0 * (below.count - rank) * step",
        AT_ONCE + "::test_all_small_groups_at_once_are_one_by_one -k trimmed_mean",
    ),
    Mutant(
        "the first rank of a stretch is taken to be 1",
        "statistics/variance/known_column.py",
        "records[start - first : stop - first]",
        "records[start - 1 : stop - 1]",
        "tests/statistics/variance/test_known_column.py::test_each_group_knows_its_own_stretches",
    ),
    Mutant(
        "in groups, records near the mean as it is are read, not near the means in reach",
        "statistics/variance/variance.py",
        "reach = np.minimum(edits, EXACT_UPPER)",
        "reach = np.minimum(edits, 1)",
        AT_ONCE + "::test_all_small_groups_at_once_are_one_by_one -k variance",
    ),
    Mutant(
        "float64 alone says which records to remove for the lowest variance",
        "statistics/variance/variance_lower.py",
        "spread.min(axis=1, keepdims=True) + 2 * slack",
        "spread.min(axis=1, keepdims=True)",
        "tests/statistics/variance/test_variance_lower.py::test_spreads_that_float64_takes_for_another_are_told_apart",
    ),
    Mutant(
        "float64 alone says how many records to remove for the lowest variance",
        "statistics/variance/variance_lower.py",
        "about.min(axis=1, keepdims=True) * CLOSE",
        "about.min(axis=1, keepdims=True)",
        "tests/statistics/variance/test_variance_lower.py::test_ratios_that_float64_takes_for_another_are_told_apart",
    ),
    Mutant(
        "floats decide the variances of groups",
        "statistics/variance/variance_groups.py",
        "return least, (least != most) & self.there[: least.shape[0]]",
        "return least, (least > most) & self.there[: least.shape[0]]",
        GROUPS + "::test_variances_that_are_answers_are_settled_in_integers",
    ),
    Mutant(
        "sums of squares of groups are taken for exact",
        "statistics/variance/variance_brackets.py",
        "ERROR = 2.0**-48",
        "ERROR = 0.0",
        BRACKETS + "::test_brackets_hold_the_exact_numbers",
    ),
    Mutant(
        "least spreads of groups are taken for exact",
        "statistics/variance/variance_brackets.py",
        "slack: Floats = 2.0**-52 * (self.rows + 16) * self.around",
        "slack: Floats = 0.0 * self.around",
        BRACKETS + "::test_brackets_hold_the_exact_numbers",
    ),
    Mutant(
        "in groups, variances are raised by adding records alone",
        "statistics/variance/variance_brackets.py",
        "better = (self.limits[:levels] > found.least) & (level <= edits)",
        "better = (self.limits[:levels] < 0) & (level <= edits)",
        AT_ONCE + "::test_all_small_groups_at_once_are_one_by_one -k variance",
    ),
    Mutant(
        "one long group makes the matrix of all as long",
        "statistics/variance/variance_groups.py",
        "alone = unknown & (middle_sizes(block) > LONGEST)",
        "alone = unknown & (middle_sizes(block) < 0)",
        REMOVALS + "::test_a_long_group_makes_no_long_matrix",
    ),
    Mutant(
        "in groups, no window is tried",
        "statistics/variance/variance_removals.py",
        "possible = (left >= 1) & (l <= edits[self.where])",
        "possible = (left < 1) & (l <= edits[self.where])",
        REMOVALS + "::test_removing_raises_variances_as_one_by_one",
    ),
    Mutant(
        "windows reach past the records of their group",
        "statistics/variance/variance_removals.py",
        "last = (self.stops - self.starts)[columns] - removed",
        "last = (self.stops - self.starts)[columns]",
        REMOVALS + "::test_removing_raises_variances_as_one_by_one",
    ),
    Mutant(
        "a rank that was not read is looked for past the end of all records",
        "statistics/variance/known_column.py",
        "np.clip(places, 0, window.records.size - 1)",
        "np.maximum(places, 0)",
        REMOVALS + "::test_only_what_lies_near_the_means_is_read",
    ),
    Mutant(
        "in groups, the bound of a variance comes one level late",
        "statistics/variance/variance_groups.py",
        "levels = np.concatenate([levels, bounds[exact:]])",
        "levels = np.concatenate([levels, bounds[exact - 1 : -1]])",
        GROUPS + "::test_the_bound_begins_where_exact_levels_end",
    ),
    Mutant(
        "a group's records above its limit are summed with the others",
        "tables/columns/sums.py",
        "inside = open_ & (indices[np.minimum(middle, indices.size - 1)] <= limits)",
        "inside = open_ & (indices[np.minimum(middle, indices.size - 1)] <= limits + 1)",
        "tests/tables/columns/test_sums.py::test_each_run_adds_up_to_its_limit",
    ),
    Mutant(
        "products of different limbs are counted once",
        "tables/columns/sums.py",
        "shifts[i] + shifts[j] + (i < j)",
        "shifts[i] + shifts[j]",
        "tests/tables/columns/test_sums.py::test_each_run_adds_up_to_its_limit",
    ),
    Mutant(
        "an engine sums all of a group where it was asked for some",
        "tables/engines/groups.py",
        'frame = frame.filter(nw.col("d") <= nw.col("highest"))',
        'frame = frame.filter(nw.col("d") <= nw.col("d"))',
        "tests/tables/engines/test_groups.py::test_sums_up_to_the_last_record_of_a_wide_lattice_are_exact",
    ),
    Mutant(
        "integers are added as they are, however many steps lie between two",
        "tables/columns/sums.py",
        "return self.steps * int(np.add.reduce(",
        "return int(np.add.reduce(",
        WHOLE,
    ),
    Mutant(
        "integers above the upper bound are added as they are",
        "tables/columns/sums.py",
        "(numbers.min() < low or numbers.max() > high)",
        "(numbers.min() < low)",
        WHOLE,
    ),
    Mutant(
        "integers below the lower bound are added as they are",
        "tables/columns/sums.py",
        "(numbers.min() < low or numbers.max() > high)",
        "(numbers.max() > high)",
        WHOLE,
    ),
    Mutant(
        "an error of the other end is forgotten",
        "tables/columns/parallel.py",
        "    if raised:\n        raise raised[0]\n    return [made[part] for",
        "    return [made.get(part) for",
        f"{ENDS}::test_an_error_of_either_end_is_raised_once_both_have_ended",
    ),
    Mutant(
        "nobody waits for the part that the other end has begun",
        "tables/columns/parallel.py",
        "if started and len(made) < len(parts):",
        "if started and len(made) > len(parts):",
        f"{ENDS}::test_an_error_of_either_end_is_raised_once_both_have_ended",
    ),
    Mutant(
        "without a thread to spare there is no answer",
        "tables/columns/parallel.py",
        "except RuntimeError:",
        "except MemoryError:",
        f"{ENDS}::test_without_a_thread_to_spare_all_is_done_here",
    ),
    Mutant(
        "a thread has room for its first block alone, which may be the last and shortest",
        "tables/columns/array_column.py",
        "rooms[thread] = np.empty(min(LARGEST_BLOCK, self.values.size))",
        "rooms[thread] = np.empty(block.size)",
        "tests/tables/columns/test_sums.py::test_two_threads_add_up_to_the_same",
    ),
    Mutant(
        "integers between bounds that are none are clamped to integers",
        "tables/columns/sums.py",
        "or lattice.low % steps",
        "or lattice.low % 1",
        WHOLE,
    ),
]
