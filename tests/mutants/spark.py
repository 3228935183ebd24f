"""Breaks of what a column behind an engine counts in bins."""

from tests.mutants.mutant import Mutant

COLUMN = "tests/tables/engines/test_column.py -k polars"

MUTANTS = [
    Mutant(
        "missing records are counted in the lowest bin",
        "tables/engines/column.py",
        "present = bins >= 0",
        "present = bins >= -1",
        COLUMN,
    ),
    Mutant(
        "the last distance of a range is not counted",
        "tables/engines/column.py",
        "& (d <= float(high))",
        "& (d < float(high))",
        COLUMN,
    ),
]
