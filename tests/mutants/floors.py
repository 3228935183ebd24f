"""Breaks by which an old library is found out at a record, after the debit; names and types that engines misread."""

from tests.mutants.mutant import Mutant

FLOORS, NAMES = "tests/test_floors.py", "tests/tables/engines/test_names.py"
FRAMES = "tests/tables/test_frames.py"

MUTANTS = [
    Mutant(
        "an old library is asked all the same",
        "floors.py",
        "if version is not None and _is_older(version, floor):",
        "if False:",
        FLOORS,
    ),
    Mutant(
        "versions are compared as text",
        "floors.py",
        "return _numbers(version) < _numbers(floor)",
        "return version < floor",
        FLOORS,
    ),
    Mutant(
        "what a library reads records by may be old",
        "floors.py",
        '("narwhals", library, *NEEDS.get(library, ()))',
        '("narwhals", library)',
        FLOORS,
    ),
    Mutant(
        "narwhals may be old",
        "floors.py",
        '    _check("narwhals")\n',
        "",
        FLOORS,
    ),
    Mutant(
        "what is imported after the debit is judged by nothing",
        "floors.py",
        "return str(version) if version is not None else _installed(library)",
        "return None if version is None else str(version)",
        FLOORS,
    ),
    Mutant(
        "a frame of a class of somebody's own may be old",
        "floors.py",
        "for each in type(native).__mro__}",
        "for each in [type(native)]}",
        FLOORS,
    ),
    Mutant(
        "files are read by an old library",
        "tables/files/scan.py",
        "    check_library(package)\n",
        "",
        FLOORS,
    ),
    Mutant(
        "columns of numbers, or labels, of an old library are read",
        "tables/columns/array_column.py",
        'plain, arrow = known(data), sys.modules.get("pyarrow")',
        'plain, arrow = data, sys.modules.get("pyarrow")',
        FLOORS + "::test_so_is_a_column_whatever_it_is_asked_for",
    ),
    Mutant(
        "tables of an old library are read",
        "tables/frames.py",
        "    plain = known(frame)\n",
        "    plain = frame\n",
        FLOORS,
    ),
    Mutant(
        "a pattern in the place of a name reads several columns of Polars",
        "tables/engines/polars.py",
        'if name.startswith("^") and name.endswith("$"):',
        "if False:",
        NAMES,
    ),
    Mutant(
        "a star in the place of a name reads all columns",
        "tables/engines/dialect.py",
        'return "other than *" if name == "*" else ""',
        'return ""',
        NAMES,
    ),
    Mutant(
        "an older DuckDB finds another column by a name with a dot",
        "tables/engines/duckdb.py",
        'return int(duckdb.__version__.partition(".")[0]) < 2',
        "return False",
        NAMES,
    ),
    Mutant(
        "names that DuckDB names by itself are not judged",
        "tables/engines/engine_table.py",
        "for name in self.names if self.dialect.names_every_column else used:",
        "for name in used:",
        NAMES,
    ),
    Mutant(
        "names are judged in queries alone",
        "tables/engines/engine_table.py",
        "        self._check_names(used)\n        plan",
        "        plan",
        NAMES,
    ),
    Mutant(
        "decimals that narwhals has no type for come through",
        "tables/frames.py",
        "> WIDEST:",
        "> 99:",
        FRAMES,
    ),
    Mutant(
        "a panic about a type comes through",
        "tables/frames.py",
        'if type(error).__name__ != "PanicException":',
        "if True:",
        FRAMES,
    ),
    Mutant(
        "somebody's text changes the times of others where Polars misreads them",
        "tables/files/arrow.py",
        "if misread and dtype == pl.Time}",
        "if False}",
        (
            "tests/tables/files/test_arrow.py::"
            "test_times_of_day_are_not_asked_about_with_text_where_polars_misreads_seconds"
        ),
    ),
]
