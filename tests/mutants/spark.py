"""Breaks of what a column behind an engine counts in bins."""

from tests.mutants.mutant import Mutant

COLUMN = "tests/tables/test_engine_column.py -k polars"

MUTANTS = [
    Mutant(
        "missing records are counted in the lowest bin",
        "tables/engine_column.py",
        "present = bins >= 0",
        "present = bins >= -1",
        COLUMN,
    ),
    Mutant(
        "the first pass leaves out the highest distance",
        "tables/engine_column.py",
        "if ranges != [(0, self.lattice.high - self.lattice.low)]:",
        "ranges = [(low, min(high, self.lattice.high - self.lattice.low - 1)) for low, high in ranges]\n        if True:",
        COLUMN,
    ),
    Mutant(
        "the last distance of a range is not counted",
        "tables/engine_column.py",
        "& (d <= float(high))",
        "& (d < float(high))",
        COLUMN,
    ),
]
