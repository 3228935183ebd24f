"""Breaks of counts behind engines: bins, labels, and the choice of a person's records without a lattice."""

from tests.mutants.mutant import Mutant

TALLY = "tests/tables/engines/test_bins.py -k polars"
MARKS = "tests/tables/engines/test_chosen.py -k polars"
ONE_GROUP = "tests/tables/engines/test_one_group.py"
IN_GROUPS = "tests/tables/engines/test_queries.py -k polars"
DECLARED = "tests/tables/engines/test_declared.py -k polars"
DEBITS = "tests/tables/test_engine_debits.py"

MUTANTS = [
    Mutant(
        "an engine counts what lies above all bins",
        "tables/engines/bins.py",
        "(d >= low) & (d <= high)",
        "(d >= low)",
        TALLY,
    ),
    Mutant(
        "an engine leaves out what lies on the first edge",
        "tables/engines/bins.py",
        "(d >= low) & (d <= high)",
        "(d > low) & (d <= high)",
        TALLY,
    ),
    Mutant(
        "an engine puts a number that is a cut below it",
        "tables/engines/bins.py",
        'nw.when(nw.col("d") >= threshold)',
        'nw.when(nw.col("d") > threshold)',
        TALLY,
    ),
    Mutant(
        "infinity falls out of a tree of bins",
        "tables/engines/bins.py",
        'nw.col("bin").clip(0, thresholds.size)',
        'nw.col("bin")',
        TALLY,
    ),
    Mutant(
        "the children of a node begin one leaf early",
        "tables/engines/bins.py",
        "padded[leaves * step - 1]",
        "padded[leaves * step - 2]",
        TALLY,
    ),
    Mutant(
        "-0.0 is no zero among an engine's labels",
        "tables/engines/engine_records.py",
        "nw.when(number == 0.0).then(nw.lit(0.0))",
        "nw.when(number == 0.0).then(nw.lit(5e-324))",
        TALLY,
    ),
    Mutant(
        "a label that is no Unicode fails a release",
        "tables/engines/dialect.py",
        "        except UnicodeEncodeError:\n            return False\n",
        "        except UnicodeEncodeError:\n            return True\n",
        TALLY,
    ),
    Mutant(
        "all records of a person are one place apart",
        "tables/engines/polars.py",
        'pl.col("first").cast(pl.Int64) + 1',
        'pl.col("first").cast(pl.Int64)',
        MARKS,
    ),
    Mutant(
        "people with one record too many are nobody",
        "tables/engines/people.py",
        'nw.col("size") > min(most, MOST_POSITIONS - 1)',
        'nw.col("size") > min(most, MOST_POSITIONS - 1) + 1',
        MARKS,
    ),
    Mutant(
        "names are told apart by their first letter",
        "tables/engines/polars.py",
        "sha256(text.encode()).hexdigest()",
        "sha256(text[:1].encode()).hexdigest()",
        MARKS,
    ),
    Mutant(
        "the choice of records that are counted ignores the group",
        "tables/engines/people.py",
        'dialect.positions(frame, ("group", *columns))',
        'dialect.positions(frame, (*columns, "group"))',
        MARKS,
    ),
    Mutant(
        "records that are counted may be in any number of groups",
        "tables/engines/people.py",
        "if choice.max_groups is not None:",
        "if False:",
        MARKS,
    ),
    Mutant(
        "a count of bins in groups forgets the group",
        "tables/engines/sums.py",
        'ones.group_by(*by).agg(nw.col("one").sum().cast(nw.Int64))',
        'ones.group_by(by[-1]).agg(nw.col("one").sum().cast(nw.Int64), *(nw.col(each).max() for each in by[:-1]))',
        IN_GROUPS,
    ),
    Mutant(
        "a group finds the counts of the next one",
        "tables/engines/bins.py",
        "np.searchsorted(self.groups, [group, group + 1])",
        "np.searchsorted(self.groups, [group + 1, group + 2])",
        IN_GROUPS,
    ),
    Mutant(
        "bins that are exact are those of all groups",
        "tables/engines/groups.py",
        "own = slice(*np.searchsorted(self.groups, [group, group + 1]).tolist())",
        "own = slice(None)",
        ONE_GROUP,
    ),
    Mutant(
        "all records of a person are counted in groups",
        "tables/engines/queries.py",
        "        if self._choice is None:\n            return frame\n        return chosen(",
        "        if True:\n            return frame\n        return chosen(",
        IN_GROUPS,
    ),
    Mutant(
        "one column's counts in groups stand for another's",
        "tables/engines/queries.py",
        '("labels", name, labels.names)',
        '"labels"',
        IN_GROUPS,
    ),
    Mutant(
        "a collation of DuckDB merges labels",
        "tables/engines/engine_table.py",
        'return self.dialect.bytewise(selected, "d")',
        "return selected",
        "tests/tables/engines/test_bins.py::test_a_collation_of_duckdb_merges_no_labels",
    ),
    Mutant(
        "a name that Spark takes for something else is a column of labels",
        "tables/engines/engine_table.py",
        "            self._check((), choice, (name,))\n",
        "            self._check((), choice)\n",
        (
            "tests/tables/engines/test_declared.py::"
            "test_what_spark_could_mistake_is_refused_before_anything_is_paid"
        ),
    ),
    Mutant(
        "groups of a cluster are asked one by one, after the debit",
        "tables/engines/engine_table.py",
        "        self.fetcher(columns, choice, question, keys=fitted)\n",
        "",
        "tests/tables/engines/test_written.py::test_more_sums_than_can_be_held_are_not_asked_for",
    ),
    Mutant(
        "bounds are searched for in a column that is fetched",
        "tables/engines/engine_table.py",
        "QueriedColumn(never_fetched, self._size, TableQueries(self, choice), 0, name)",
        'FetchedColumn(lambda: self._fetched((name or "",), choice, "")[0].fetch(), self._size, '
        'lambda: self._fetched((name or "",), choice, "")[0])',
        DEBITS,
    ),
    Mutant(
        "a NaN takes the place of a person's number in bins",
        "tables/engines/queries.py",
        'return ~(nw.col("d").is_null() | nw.col("d").is_nan())',
        'return ~nw.col("d").is_null()',
        DECLARED,
    ),
    Mutant(
        "one group has the sums of another",
        "tables/engines/groups.py",
        "(self._groups.all_squares if squares else self._groups.all_sums)[self._group]",
        "(self._groups.all_squares if squares else self._groups.all_sums)[0]",
        ONE_GROUP,
    ),
    Mutant(
        "bins stand for points where each group counts by itself",
        "tables/engines/groups.py",
        "return self._dialect.local or self._groups.is_counted_by_point",
        "return True",
        ONE_GROUP,
    ),
    Mutant(
        "ranks of a group are counted from the first group's",
        "tables/engines/groups.py",
        "np.repeat(others + starts - before, sizes)",
        "np.repeat(starts - before, sizes)",
        "tests/tables/engines/test_groups.py -k every_window",
    ),
    Mutant(
        "a histogram of many points takes several queries, as many as the records need",
        "tables/engines/selection.py",
        "if groups * (width + 1) <= (HISTOGRAM if groups > 1 else HISTOGRAM >> ALONE):",
        "if False:",
        "tests/tables/engines/test_selection.py -k whatever_the_records",
    ),
    Mutant(
        "sums up to a point of a histogram leave the point out",
        "tables/engines/selection.py",
        'known = np.searchsorted(bins.starts, distance, side="right")',
        "known = np.searchsorted(bins.starts, distance)",
        "tests/tables/engines/test_selection.py -k whatever_the_records",
    ),
]
