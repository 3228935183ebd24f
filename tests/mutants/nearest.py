"""Breaks of draws that look at the nearest levels first, of tables of laws, of parts that run side by side, and
of keys as their columns hold them."""

from tests.mutants.mutant import Mutant

CUT, BATCHES = "tests/kernel/sampling/test_cut.py", "tests/dataset/test_batches.py"
GROUPS = "tests/tables/groups/test_grouped_column.py"

MUTANTS = [
    Mutant(
        "what lies beyond a cut is taken for nothing",
        "kernel/sampling/draw.py",
        "slack += np.ceil(np.minimum(2 * most_beyond(steps) * scale, 2.0**61)).astype(np.uint64)",
        "pass",
        CUT + "::test_what_a_cut_law_decides_the_whole_law_decides_alike",
    ),
    Mutant(
        "what lies beyond a cut is taken for a tenth of what it may be",
        "kernel/sampling/draw.py",
        "* (1 + 2.0**-30)",
        "* 0.1",
        CUT + "::test_what_a_cut_law_decides_the_whole_law_decides_alike",
    ),
    Mutant(
        "points beyond a cut cost a level more",
        "kernel/sampling/draw.py",
        "(int(steps.levels[-1]) - 1)",
        "int(steps.levels[-1])",
        CUT + "::test_what_a_cut_law_decides_the_whole_law_decides_alike",
    ),
    Mutant(
        "laws are never cut",
        "kernel/laws/law.py",
        "cut = self.nearest is not None and last >= self.nearest",
        "cut = False",
        CUT + "::test_what_a_cut_law_decides_the_whole_law_decides_alike",
    ),
    Mutant(
        "open draws are drawn again from new bits",
        "dataset/batches.py",
        "self._law(groups.only(left), further).draw_from(words[left], source)",
        "self._law(groups.only(left), further).draw_each(bits=source)",
        BATCHES + "::test_the_nearest_levels_first_is_the_law",
    ),
    Mutant(
        "open draws are drawn again from the nearest levels alone",
        "dataset/batches.py",
        "self._law(groups.only(left), further).draw_from",
        "self._law(groups.only(left), few).draw_from",
        BATCHES + "::test_the_nearest_levels_first_is_the_law",
    ),
    Mutant(
        "a row of levels goes on where it ended",
        "kernel/laws/envelope.py",
        "lower = lower - further if low is None else np.where(beyond, low, lower)",
        "pass",
        "tests/kernel/laws/test_envelope.py::test_rows_go_on_as_levels_do",
    ),
    Mutant(
        "words are handed to the groups in their first order",
        "kernel/laws/law.py",
        "None if words is None else words[some]",
        "None if words is None else words[start : start + some.size]",
        CUT + "::test_each_group_is_drawn_from_its_own_bits",
    ),
    Mutant(
        "answers stand where groups of their size stand",
        "kernel/laws/law.py",
        "drawn[some] = part._indices(",
        "drawn[start : start + some.size] = part._indices(",
        "tests/kernel/sampling/test_draw.py::test_a_batch_draws_from_the_law_of_each_group",
    ),
    Mutant(
        "the last group of a part is sorted by nobody",
        "tables/groups/grouped_column.py",
        "ends = np.unique([0, *firsts, offsets.size - 1]).tolist()",
        "ends = np.unique([0, *firsts, offsets.size - 2]).tolist()",
        GROUPS + "::test_missing_values_are_left_out_and_infinite_ones_clamped",
    ),
    Mutant(
        "some groups are others",
        "tables/groups/grouped_column.py",
        "rows = np.repeat(self.offsets[groups] - offsets[:-1], sizes) + np.arange(offsets[-1])",
        "rows = np.arange(offsets[-1])",
        GROUPS + "::test_some_groups_are_what_they_were",
    ),
    Mutant(
        "keys of a float32 are those of a float64",
        "tables/groups/key_parts.py",
        "return float(np.float32(float(part))) + 0.0",
        "return float(part)",
        "tests/tables/groups/test_key_parts.py::test_a_part_is_what_a_column_holds_of_it",
    ),
    Mutant(
        "keys beyond 64 bits are told by an engine",
        "tables/engines/key_counts.py",
        "return number if -(2**63) <= number < 2**64 else None",
        "return number",
        "tests/tables/engines/test_key_counts.py::test_whole_keys_beyond_64_bits_are_not_told",
    ),
    Mutant(
        "what it cost to find the groups is not told",
        "results/grouped_release.py",
        "privacy=together, notes=",
        "privacy=answers.privacy, notes=",
        "tests/results/test_grouped_release.py::test_groups_that_were_found_say_what_that_cost",
    ),
    Mutant(
        "whether shares can be answered depends on how many records there are",
        "statistics/spread/quantile_range.py",
        "many = counts - last >= np.array(needed)[last]",
        "many = apart.numerator * (counts - last) >= apart.denominator * (last + 2)",
        "tests/statistics/test_envelopes.py::test_no_number_of_records_makes_shares_or_levels_fail",
    ),
    Mutant(
        "very many levels fail once they are paid for",
        "statistics/variance/variance.py",
        "edits = np.minimum(min(levels, 2**62), counts + 1) + 1",
        "edits = np.minimum(levels, counts + 1) + 1",
        "tests/statistics/test_envelopes.py::test_no_number_of_records_makes_shares_or_levels_fail",
    ),
    Mutant(
        "answers take the place of keys",
        "dataset/grouped.py",
        "    while name in keys:\n",
        "    if name in keys:\n",
        "tests/results/test_grouped_release.py::test_a_column_of_answers_is_named_by_the_question",
    ),
    Mutant(
        "a row that goes on passes the end of its integers",
        "kernel/laws/envelope.py",
        "further = np.minimum(beyond, 2**61 // max(stride, 1)) * stride",
        "further = beyond * stride",
        "tests/kernel/laws/test_envelope.py::test_a_row_that_goes_on_for_ever_stays_within_64_bits",
    ),
    Mutant(
        "an endless side is cut after its nearest levels",
        "dataset/batches.py",
        "if not self.inner.statistic.nearest_first or None in answers.support:",
        "if not self.inner.statistic.nearest_first:",
        BATCHES + "::test_answers_without_public_ends_are_drawn_from_all_levels_at_once",
    ),
]
