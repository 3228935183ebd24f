"""Breaks of draws that look at the nearest levels first, of tables of laws, of parts that run side by side, and
of keys as their columns hold them."""

from tests.mutants.mutant import Mutant

CUT, BATCHES = "tests/sampling/test_cut.py", "tests/dataset/test_batches.py"
GROUPS = "tests/tables/groups/test_grouped_column.py"

MUTANTS = [
    Mutant(
        "what lies beyond a cut is taken for nothing",
        "sampling/draw.py",
        "slack += np.ceil(np.minimum(2 * most_beyond(steps) * scale, 2.0**61)).astype(np.uint64)",
        "pass",
        CUT,
    ),
    Mutant(
        "what lies beyond a cut is taken for a tenth of what it may be",
        "sampling/draw.py",
        "* (1 + 2.0**-30)",
        "* 0.1",
        CUT,
    ),
    Mutant(
        "points beyond a cut cost a level more",
        "sampling/draw.py",
        "(int(steps.levels[-1]) - 1)",
        "int(steps.levels[-1])",
        CUT,
    ),
    Mutant(
        "laws are never cut",
        "laws/law.py",
        "cut = self.nearest is not None and last >= self.nearest",
        "cut = False",
        CUT,
    ),
    Mutant(
        "open draws are drawn again from new bits",
        "dataset/batches.py",
        "self._law(groups.only(unknown), further).draw_from(words[unknown], source)",
        "self._law(groups.only(unknown), further).draw_each(bits=source)",
        BATCHES,
    ),
    Mutant(
        "open draws are drawn again from the nearest levels alone",
        "dataset/batches.py",
        "self._law(groups.only(unknown), further).draw_from",
        "self._law(groups.only(unknown), few).draw_from",
        BATCHES,
    ),
    Mutant(
        "a row of levels goes on where it ended",
        "laws/envelope.py",
        "lower = lower - tread if low is None else np.where(beyond, low, lower)",
        "pass",
        "tests/laws/test_envelope.py",
    ),
    Mutant(
        "words are handed to the groups in their first order",
        "laws/law.py",
        "None if words is None else words[some]",
        "None if words is None else words[start : start + some.size]",
        "tests/laws/test_law.py tests/sampling/test_cut.py",
    ),
    Mutant(
        "answers stand where groups of their size stand",
        "laws/law.py",
        "drawn[some] = part._indices(",
        "drawn[start : start + some.size] = part._indices(",
        "tests/sampling/test_draw.py",
    ),
    Mutant(
        "the last group of a part is sorted by nobody",
        "tables/groups/grouped_column.py",
        "ends = np.unique([0, *firsts, offsets.size - 1]).tolist()",
        "ends = np.unique([0, *firsts, offsets.size - 2]).tolist()",
        GROUPS,
    ),
    Mutant(
        "some groups are others",
        "tables/groups/grouped_column.py",
        "rows = np.repeat(self.offsets[groups] - offsets[:-1], sizes) + np.arange(offsets[-1])",
        "rows = np.arange(offsets[-1])",
        GROUPS,
    ),
    Mutant(
        "keys of a float32 are those of a float64",
        "tables/groups/key_parts.py",
        "return float(np.float32(float(part))) + 0.0",
        "return float(part)",
        "tests/tables/groups/test_key_parts.py tests/tables/groups/test_keys.py",
    ),
    Mutant(
        "keys beyond 64 bits are told by an engine",
        "tables/engines/key_counts.py",
        "return number if -(2**63) <= number < 2**64 else None",
        "return number",
        "tests/tables/engines/test_key_counts.py -k 64",
    ),
    Mutant(
        "what it cost to find the groups is not told",
        "results/grouped_release.py",
        "privacy=together, notes=",
        "privacy=answers.privacy, notes=",
        "tests/results/test_grouped_release.py",
    ),
    Mutant(
        "whether shares can be answered depends on how many records there are",
        "statistics/spread.py",
        "many = counts - last >= np.array(needed)[last]",
        "many = apart.numerator * (counts - last) >= apart.denominator * (last + 2)",
        "tests/statistics/test_envelopes.py -k no_number",
    ),
    Mutant(
        "very many levels fail once they are paid for",
        "statistics/variance.py",
        "edits = np.minimum(min(levels, 2**62), counts + 1) + 1",
        "edits = np.minimum(levels, counts + 1) + 1",
        "tests/statistics/test_envelopes.py -k no_number",
    ),
    Mutant(
        "answers take the place of keys",
        "dataset/grouped.py",
        "    while name in keys:\n",
        "    if name in keys:\n",
        "tests/results/test_grouped_release.py",
    ),
    Mutant(
        "a row that goes on passes the end of its integers",
        "laws/envelope.py",
        "tread = np.minimum(beyond, 2**61 // max(stride, 1)) * stride",
        "tread = beyond * stride",
        "tests/laws/test_envelope.py",
    ),
    Mutant(
        "an endless side is cut after its nearest levels",
        "dataset/batches.py",
        "if not self.inner.statistic.nearest_first or None in answers.support:",
        "if not self.inner.statistic.nearest_first:",
        BATCHES,
    ),
]
