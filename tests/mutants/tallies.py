"""Breaks of counts behind engines: bins, labels, and the choice of a person's records without a lattice."""

from tests.mutants.mutant import Mutant

TALLY = "tests/tables/engines/test_bins.py -k polars"
MARKS = "tests/tables/engines/test_chosen.py -k polars"
ONE_GROUP = "tests/tables/engines/test_group_column.py"
IN_GROUPS = "tests/tables/engines/test_group_tables.py -k polars"
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
        "padded[firsts * step - 1]",
        "padded[firsts * step - 2]",
        TALLY,
    ),
    Mutant(
        "-0.0 is no zero among an engine's labels",
        "tables/engines/bins.py",
        "nw.when(d == 0.0).then(nw.lit(0.0)).otherwise(d)",
        "nw.when(d == 0.0).then(nw.lit(5e-324)).otherwise(d)",
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
        "rows without a person are counted",
        "tables/engines/people.py",
        'filter(~absent & ~nw.col("person").is_null())',
        "filter(~absent)",
        "tests/tables/engines/test_chosen.py -k duckdb",
    ),
    Mutant(
        "NaN uses up what a person may contribute to counts",
        "tables/engines/people.py",
        "else d.is_null() | d.is_nan()",
        "else d.is_null()",
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
        'IN_GROUPS, IN_ONE_GROUP = ("group", "d"), ("d",)',
        'IN_GROUPS, IN_ONE_GROUP = ("d", "group"), ("d",)',
        MARKS,
    ),
    Mutant(
        "records that are counted may be in any number of groups",
        "tables/engines/people.py",
        'if choice.max_groups is not None and order[0] == "group":',
        'if choice.max_groups is not None and order[0] == "none":',
        MARKS,
    ),
    Mutant(
        "a count of bins in groups forgets the group",
        "tables/engines/bins.py",
        'ones.group_by("group", "bin").agg(nw.col("one").sum().cast(nw.Int64))',
        'ones.group_by("bin").agg(nw.col("one").sum().cast(nw.Int64), nw.col("group").max())',
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
        "first, last = np.searchsorted(self.groups, [group, group + 1]).tolist()",
        "first, last = 0, self.groups.size",
        ONE_GROUP,
    ),
    Mutant(
        "a window that ends one rank early is taken for the ranks of a group",
        "tables/engines/group_column.py",
        "stop <= window.first + window.records.size",
        "stop <= window.first + window.records.size + 1",
        ONE_GROUP,
    ),
    Mutant(
        "a window of ranks begins where the group does",
        "tables/engines/group_column.py",
        "append(Window(int(starts[each]), own, self._queries))",
        "append(Window(1, own, self._queries))",
        ONE_GROUP,
    ),
    Mutant(
        "records equal to the last of a window are left out of sums",
        "tables/engines/group_column.py",
        "window.records[0] <= index < window.records[-1]",
        "window.records[0] <= index <= window.records[-1]",
        ONE_GROUP,
    ),
    Mutant(
        "records equal to the first of a window are left out of sums",
        "tables/engines/group_column.py",
        "equal = max(window.first - 1 - sums[group].count, 0)",
        "equal = 0",
        ONE_GROUP,
    ),
    Mutant(
        "sums before one window stand for those before another",
        "tables/engines/group_column.py",
        "if window.query == query",
        "if True",
        ONE_GROUP,
    ),
    Mutant(
        "records equal to the first of a window are not counted with it",
        "tables/engines/group_column.py",
        "counts[0] += start - 1 - before",
        "counts[0] += 0",
        ONE_GROUP,
    ),
    Mutant(
        "records equal to the last of a window are not counted with it",
        "tables/engines/group_column.py",
        "counts[-1] += max(self.upto(int(indices[-1])) - (stop - 1), 0)",
        "counts[-1] += 0",
        ONE_GROUP,
    ),
    Mutant(
        "a window that ends with equal records says how many there are",
        "tables/engines/group_column.py",
        "(ends or through < window.records.size)",
        "(ends or through <= window.records.size)",
        ONE_GROUP,
    ),
    Mutant(
        "one group has the sums of another",
        "tables/engines/group_column.py",
        "(self._reads.squares if squares else self._reads.sums)[self._group]",
        "(self._reads.squares if squares else self._reads.sums)[0]",
        ONE_GROUP,
    ),
    Mutant(
        "every group asks for its ranks by itself",
        "tables/engines/group_column.py",
        "0)) <= MOST",
        "0)) < 0",
        ONE_GROUP,
    ),
    Mutant(
        "all records of a person are counted in groups",
        "tables/engines/group_tables.py",
        "return chosen_without_lattice(self.table.dialect, frame, self._choice)",
        "return frame",
        IN_GROUPS,
    ),
    Mutant(
        "one column's counts in groups stand for another's",
        "tables/engines/group_tables.py",
        '("labels", name, labels.names)',
        '"labels"',
        IN_GROUPS,
    ),
    Mutant(
        "all records of a person are counted in bins",
        "tables/engines/declared.py",
        "            frame = chosen_without_lattice(dialect, frame, self.choice, IN_ONE_GROUP)\n        return in_bins",
        "            pass\n        return in_bins",
        DECLARED,
    ),
    Mutant(
        "all records of a person are counted as labels",
        "tables/engines/declared.py",
        "            frame = chosen_without_lattice(dialect, frame, self.choice, IN_ONE_GROUP)\n"
        "        return of_labels",
        "            pass\n        return of_labels",
        DECLARED,
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
        "            self._judge((), choice, (name,))\n",
        "            self._judge((), choice)\n",
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
        "tests/tables/engines/test_group_rows.py::test_more_sums_than_can_be_held_are_not_asked_for",
    ),
    Mutant(
        "bounds are searched for in a column that is fetched",
        "tables/engines/engine_table.py",
        "EngineDeclared(never_fetched, self._size, self, name, choice)",
        'FetchedColumn(lambda: self._fetched((name or "",), choice, "")[0].fetch(), self._size, '
        'lambda: self._fetched((name or "",), choice, "")[0])',
        DEBITS,
    ),
]
