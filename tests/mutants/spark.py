"""Breaks of what a column behind an engine counts in bins, and of what Spark keeps for a question."""

from tests.mutants.mutant import Mutant

COLUMN = "tests/tables/engines/test_engine_column.py -k polars"
KEPT = "tests/tables/engines/test_spark_kept.py"

MUTANTS = [
    Mutant(
        "missing records are counted in the lowest bin",
        "tables/engines/engine_column.py",
        "return bins[bins >= 0], counts[bins >= 0]",
        "return bins.clip(0), counts",
        COLUMN,
    ),
    Mutant(
        "the first pass has as few bins as any other",
        "tables/engines/selection.py",
        "if groups > 1 else FIRST_BITS",
        "if groups > 1 else BITS",
        "tests/tables/engines/test_selection.py"
        "::test_a_median_of_a_default_lattice_takes_two_passes_however_many_records_crowd",
    ),
    Mutant(
        "the last distance of a range is not counted",
        "tables/engines/engine_column.py",
        "& (d <= float(high))",
        "& (d < float(high))",
        COLUMN,
    ),
    Mutant(
        "Spark keeps the records of people after a question that fails",
        "tables/engines/spark_kept.py",
        """        try:
            yield
        finally:
            self.release()
            del self._of_thread.frames
""",
        """        yield
        self.release()
        del self._of_thread.frames
""",
        KEPT,
    ),
    Mutant(
        "a Spark that keeps no frames fails a question that is paid for",
        "tables/engines/spark_kept.py",
        "with suppress(Exception), _merging(native.sparkSession):",
        "with _merging(native.sparkSession):",
        KEPT,
    ),
    Mutant(
        "Spark keeps frames that nobody will let go",
        "tables/engines/spark_kept.py",
        """        if frames is None:
            return
        frames.append(native)
""",
        """        if frames is not None:
            frames.append(native)
""",
        KEPT,
    ),
    Mutant(
        "a setting of the user's Spark session stays changed",
        "tables/engines/spark_kept.py",
        "session.conf.set(MERGES, before)",
        "pass",
        KEPT,
    ),
    Mutant(
        "a query on Spark that has no room for what is kept fails",
        "tables/engines/spark.py",
        "            if not self._kept.release():\n                raise\n",
        "            raise\n",
        KEPT,
    ),
    Mutant(
        "Spark keeps again what it had no room for",
        "tables/engines/spark.py",
        'return run(as_frame(frame.to_native().select("*")))',
        "return run(frame)",
        KEPT,
    ),
]
