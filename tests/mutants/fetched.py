"""Breaks of groups behind an engine: who is taken for whom, which keys are told, and what is fetched when."""

from tests.mutants.mutant import Mutant

KEYS, LOCAL = "tests/tables/engines/test_key_counts.py -k polars", "tests/tables/engines/test_fetch.py"
GROUPED = "tests/test_grouped_engines.py -k"

MUTANTS = [
    Mutant(
        "a person counts for all their keys in an engine",
        "tables/engines/key_counts.py",
        'return kept_of_each(dialect, pairs, most, Offsets.of(choice, "key"))',
        "return pairs",
        KEYS,
    ),
    Mutant(
        "rows are counted in an engine, not persons",
        "tables/engines/key_counts.py",
        'pairs = frame.group_by("person", *keys).agg(nw.col("one").max()).select("person", "one", *keys)',
        'pairs = frame.select("person", "one", *keys)',
        KEYS,
    ),
    Mutant(
        "rows that name nobody count for a key",
        "tables/engines/key_counts.py",
        '    frame = frame.filter(~nw.col("person").is_null())\n',
        "",
        "tests/tables/engines/test_key_counts.py -k duckdb",
    ),
    Mutant(
        "an engine chooses keys without the salt",
        "tables/engines/key_counts.py",
        'most, Offsets.of(choice, "key")',
        'most, Offsets.of(Choice("", 1, None, ""), "key")',
        KEYS,
    ),
    Mutant(
        "NaN and infinity are keys",
        "tables/engines/key_counts.py",
        "usable = ~column.is_nan() & (column >= -LARGEST) & (column <= LARGEST)",
        "usable = ~column.is_null()",
        KEYS,
    ),
    Mutant(
        "a day beyond the calendar fails the release",
        "tables/groups/key_counts.py",
        "microseconds=micros)\n    except OverflowError:\n",
        "microseconds=micros)\n    except ZeroDivisionError:\n",
        "tests/tables/engines/test_key_counts.py::test_days_and_times_that_python_does_not_have_are_no_keys",
    ),
    Mutant(
        "people whose ids are asked about as numbers are taken for each other",
        "tables/engines/fetch.py",
        'selected.append(nw.col(choice.unit).alias("person"))',
        'selected.append(nw.col(choice.unit).cast(nw.Float64).alias("person"))',
        LOCAL,
    ),
    Mutant(
        "groups are fetched without their choice of people",
        "tables/engines/engine_table.py",
        "return fetched.table.rows_in_groups(fetched.row_groups, fetched.choice)",
        "return fetched.table.rows_in_groups(fetched.row_groups, None)",
        "tests/tables/groups/test_one_by_one.py",
    ),
    Mutant(
        "groups are fetched before the debit",
        "dataset/grouped.py",
        "        def of_group(group: int) -> Payable:\n",
        "        of_one.bind(data_of(of_one, tables[0], None), neighbors=dataset.neighbors).answer()\n\n"
        "        def of_group(group: int) -> Payable:\n",
        "tests/test_grouped_engines.py::test_nothing_is_fetched_before_the_debit",
    ),
    Mutant(
        "a cluster is asked for one group after the other",
        "dataset/grouped.py",
        "if not question.can.batched:",
        "if False:",
        f"{GROUPED} cluster",
    ),
    Mutant(
        "a time that 64 bits cannot hold is taken for another",
        "tables/engines/engine_records.py",
        "    if times > 1:\n        held",
        "    if times < 1:\n        held",
        "tests/tables/engines/test_times.py::test_keys_that_64_bits_cannot_hold_are_missing",
    ),
]
