"""Breaks by which one line of a text file takes others with it, or is more than one record."""

from tests.mutants.mutant import Mutant

LINES, CELLS = "tables/files/lines.py", "tables/files/cells.py"
SUM, AT_ONCE = "tests/tables/files/test_lines.py -k", "tests/tables/files/test_cells.py -k"

MUTANTS = [
    Mutant(
        "a carriage return ends a line",
        LINES,
        "ends = np.flatnonzero(letters == FEED)",
        "ends = np.flatnonzero((letters == FEED) | (letters == RETURN))",
        f"{SUM} one_line_more",
    ),
    Mutant(
        "the rest of a part is forgotten",
        LINES,
        "(rest + some).rpartition",
        "some.rpartition",
        f"{SUM} parts_are",
    ),
    Mutant(
        "the last line needs an end",
        LINES,
        "        if rest:\n            yield",
        "        if False:\n            yield",
        f"{SUM} parts_are",
    ),
    Mutant(
        "a line without an end is held in memory",
        LINES,
        "            rest = rest[:LONGEST_LINE]\n",
        "",
        f"{SUM} without_an_end",
    ),
    Mutant(
        "a long line is a record where it was kept whole",
        CELLS,
        "rows = closed & ~lines.long & ",
        "rows = closed & ",
        f"{SUM} one_line_more",
    ),
    Mutant(
        "a quote that is left open takes the next lines",
        CELLS,
        "within = odd[:-1] ^ np.repeat(odd[line[:-1]], np.diff(line))",
        "within = odd[:-1]",
        f"{SUM} one_line_more",
    ),
    Mutant(
        "a quote that is left open goes unnoticed",
        CELLS,
        "plain = odd[line[1:]] == odd[line[:-1]]",
        "plain = np.ones(len(starts), bool)",
        f"{AT_ONCE} at_once",
    ),
    Mutant(
        "quotes in the middle of a cell are taken for those around it",
        CELLS,
        '    plain[np.searchsorted(starts, quotes[~np.where(within[quoted], last, first)], "right") - 1] = False\n',
        "",
        f"{AT_ONCE} at_once",
    ),
    Mutant(
        "a line that leaves a quote open is a row",
        CELLS,
        "        closed[other] = in_line is not None\n",
        "",
        f"{AT_ONCE} at_once",
    ),
    Mutant(
        "a line of too few cells borrows those of the next",
        CELLS,
        "(behind - first >= width - 1)",
        "(behind - first >= 0)",
        f"{SUM} one_line_more",
    ),
    Mutant(
        "a cell in a wrong encoding fails the release",
        CELLS,
        "TRY(decode(c{i}))",
        "decode(c{i})",
        f"{SUM} one_line_more",
    ),
    Mutant(
        "a stream that was stopped ends as if it were whole",
        "tables/engines/duckdb_thread.py",
        "                        raise InterruptedError\n",
        "                        return\n",
        "tests/tables/engines/test_duckdb_thread.py -k was_stopped",
    ),
    Mutant(
        "Ctrl-C breaks off the reader of a file",
        "tables/engines/duckdb_thread.py",
        "        return super()._query(in_thread, frame)\n",
        "        return super()._query(run, frame)\n",
        "tests/tables/engines/test_duckdb_thread.py -k another_thread",
    ),
]
