"""Breaks of tables behind engines: records, selection, people, groups, and files."""

from tests.mutants.mutant import Mutant

# One engine notices them all, and need not wait for Spark to start.
RECORDS = "tests/tables/engines/test_records.py -k polars"
COLUMN = "tests/tables/engines/test_column.py -k polars"
PEOPLE = "tests/tables/engines/test_people.py -k polars"
GROUPS = "tests/tables/engines/test_groups.py -k polars"
BINS = "tests/tables/engines/test_selection.py"
TABLE = "tests/tables/engines/test_table.py -k"
SCAN = "tests/tables/files/test_scan.py"

MUTANTS = [
    Mutant(
        "on an engine, NaN is a number like any other",
        "tables/engines/records.py",
        "missing = x.is_null() | x.is_nan()",
        "missing = x.is_null()",
        RECORDS,
    ),
    Mutant(
        "on an engine, null is clamped to a bound",
        "tables/engines/records.py",
        "missing = x.is_null() | x.is_nan()",
        "missing = x.is_nan()",
        RECORDS,
    ),
    Mutant(
        "an engine rounds where memory floors",
        "tables/engines/records.py",
        "index = floored(x.clip(floor, ceiling) * rate + 0.5)",
        "index = (x.clip(floor, ceiling) * rate).round()",
        RECORDS,
    ),
    Mutant(
        "an engine divides by the granularity",
        "tables/engines/records.py",
        "x.clip(floor, ceiling) * rate + 0.5",
        "x.clip(floor, ceiling) / float(lattice.granularity) + 0.5",
        "tests/tables/engines/test_records.py -k duckdb",  # Polars multiplies by the inverse anyway
    ),
    Mutant(
        "an engine clips no index",
        "tables/engines/records.py",
        "        index = index.clip(float(lattice.low), float(lattice.high))",
        "        pass",
        RECORDS,
    ),
    Mutant(
        "under swap an engine drops missing records",
        "tables/engines/records.py",
        'MISSING if neighbors == "add_remove" else 0.0',
        "MISSING",
        RECORDS,
    ),
    Mutant(
        "an engine rounds wide integers and decimals twice",
        "tables/engines/records.py",
        "column.cast(nw.String).cast(nw.Float64)",
        "column.cast(nw.Float64)",
        "tests/tables/engines/test_records.py -k hugeint",
    ),
    Mutant(
        "limbs are so wide that sums pass 63 bits",
        "tables/engines/records.py",
        "LIMB = 18\n",
        "LIMB = 26\n",
        "tests/tables/engines/test_records.py -k limbs",
    ),
    Mutant(
        "products of different limbs count once",
        "tables/engines/records.py",
        "(1 if i == j else 2) * product",
        "product",
        RECORDS,
    ),
    Mutant(
        "text with underscores is a number to one engine only",
        "tables/engines/records.py",
        "nw.when(readable)",
        "nw.when(~column.is_null())",
        "tests/tables/engines/test_records.py -k duckdb",
    ),
    Mutant(
        "a column of text is taken for numbers",
        "tables/engines/records.py",
        "    if not accepted and not dialect.holds_nothing",
        "    if False and not dialect.holds_nothing",
        RECORDS,
    ),
    Mutant(
        "missing records are summed",
        "tables/engines/column.py",
        '(nw.col("d") >= 0.0) & (nw.col("d") <= float(top))',
        'nw.col("d") <= float(top)',
        COLUMN,
    ),
    Mutant(
        "records below an index stop short of it",
        "tables/engines/column.py",
        '(nw.col("d") <= float(top))',
        '(nw.col("d") < float(top))',
        COLUMN,
    ),
    Mutant(
        "a window begins one rank late",
        "tables/engines/selection.py",
        "first, last = np.searchsorted(self.last_ranks, [start, stop - 1])",
        "first, last = np.searchsorted(self.last_ranks, [start + 1, stop])",
        BINS,
    ),
    Mutant(
        "a range of distances ends one early",
        "tables/engines/selection.py",
        "return start, start + (1 << int(bins.shifts[index])) - 1",
        "return start, start + (1 << int(bins.shifts[index])) - 2",
        BINS,
    ),
    Mutant(
        "ties are cut off with the window's end",
        "tables/engines/selection.py",
        "np.clip(np.cumsum(counts), start - 1 - before, stop - 1 - before)",
        "np.clip(np.cumsum(counts), start - 1 - before, stop - before)",
        BINS,
    ),
    Mutant(
        "bins are never cut finer",
        "tables/engines/selection.py",
        "if min(rows, distances) > SPARE:",
        "if False:",
        BINS,
    ),
    Mutant(
        "one record more of each person",
        "tables/engines/people.py",
        'rank = nw.col("one").cum_sum().over("person", order_by=["digest", "group", "d", "copy"])',
        'rank = nw.col("one").cum_sum().over("person", order_by=["digest", "group", "d", "copy"]) - 1',
        PEOPLE,
    ),
    Mutant(
        "copies of a record are one record",
        "tables/engines/people.py",
        'nw.col("one").cum_sum().over("person", "group", "d", order_by="d")',
        'nw.col("one")',
        PEOPLE,
    ),
    Mutant(
        "one group more of each person",
        "tables/engines/people.py",
        'nw.when(nw.col("copy") == 1)',
        'nw.when(nw.col("copy") == 2)',
        PEOPLE,
    ),
    Mutant(
        "rows without a person take part",
        "tables/engines/people.py",
        '(nw.col("d") >= 0.0) & ~nw.col("person").is_null()',
        'nw.col("d") >= 0.0',
        PEOPLE,
    ),
    Mutant(
        "missing records use up what a person may contribute",
        "tables/engines/people.py",
        '(nw.col("d") >= 0.0) & ~nw.col("person").is_null()',
        '~nw.col("person").is_null()',
        PEOPLE,
    ),
    Mutant(
        "the choice does not depend on the salt",
        "tables/engines/people.py",
        "parts = [nw.lit(salted), ",
        'parts = [nw.lit(salted.rpartition("|")[2]), ',
        PEOPLE,
    ),
    Mutant(
        "a person without an id is called nan",
        "tables/engines/people.py",
        "text = nw.when(x.is_nan()).then(nw.lit(None, nw.String)).otherwise(x.cast(nw.String))",
        "text = x.cast(nw.String)",
        PEOPLE,
    ),
    Mutant(
        "a group's window begins one rank early",
        "tables/engines/groups.py",
        '(nw.col("rank") >= nw.col("start"))',
        '(nw.col("rank") >= nw.col("start") - 1)',
        GROUPS,
    ),
    Mutant(
        "the bins of a group's window end one early",
        "tables/engines/groups.py",
        "return before[first] - others, lowest, beyond - 1",
        "return before[first] - others, lowest, beyond - 2",
        GROUPS,
    ),
    Mutant(
        "what lies before a group's window is not skipped",
        "tables/engines/groups.py",
        "return before[first] - others, lowest",
        "return before[first] * 0, lowest",
        GROUPS,
    ),
    Mutant(
        "missing records stand in groups",
        "tables/engines/groups.py",
        'frame.filter(nw.col("d") >= 0.0).select("d", "group")',
        'frame.select("d", "group")',
        GROUPS,
    ),
    Mutant(
        "large whole keys are compared as floats",
        "tables/engines/groups.py",
        '    if kind in ("number", "single"):\n',
        '    if kind in ("number", "single", "whole"):\n',
        GROUPS,
    ),
    Mutant(
        "keys that a signed integer cannot hold are turned into one",
        "tables/engines/groups.py",
        'if kind == "whole" and (wide or',
        'if kind == "text" and (wide or',
        GROUPS,
    ),
    Mutant(
        "Spark is asked for whole columns",
        "tables/engines/table.py",
        "        if not self.dialect.local:\n",
        "        if False:\n",
        f"{TABLE} refused",
    ),
    Mutant(
        "a table that cannot be streamed is read before the debit",
        "tables/engines/table.py",
        "        fetch = self.fetcher(names, choice, question, numeric=names)\n",
        "        fetch = self.fetcher(names, choice, question, numeric=names)\n        fetch()\n",
        f"{TABLE} debit",
    ),
    Mutant(
        "files may change between two passes",
        "tables/engines/table.py",
        "changed = None if files is None else files.fail_if_changed\n",
        "changed = None\n",
        f"{TABLE} changed",
    ),
    Mutant(
        "a file may be longer than it was",
        "tables/files/file_state.py",
        "return stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev",
        "return (stat.st_dev,)",
        "tests/tables/files/test_file_state.py",
    ),
]
