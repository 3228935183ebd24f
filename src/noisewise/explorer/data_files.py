"""Public files. The explorer opens only the files that it was started with. It reads their numbers once.

As the data is public, the page may take its first bounds and granularity from a column. With private data, that would
reveal records.
"""

import math
import os
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from noisewise.errors import FileName, ParameterError, SchemaError
from noisewise.explorer.bindings import Bindings
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe
from noisewise.planning.shapes import MOST
from noisewise.tables.files.scan import ENDINGS, format_of

LARGEST = 256 * 2**20
"""The most bytes of a file."""
MOST_STEPS = 5000
"""The most steps between the bounds with which a page begins."""
MOST_DECIMALS = 4


class Beginning(NamedTuple):
    """The bounds and the granularity with which a page begins, as typed."""

    low: str
    high: str
    granularity: str

    @classmethod
    def of(cls, least: float, most: float, decimals: int) -> "Beginning":
        """Return bounds that are round numbers around all records, and a granularity.

        The granularity is the step of the records' decimals, or a coarser step.
        """
        width = most - least or abs(most) or 1.0
        unit = Decimal(10) ** math.floor(math.log10(width))
        low, high = (
            math.floor(Decimal(str(least)) / unit) * unit,
            math.ceil(Decimal(str(most)) / unit) * unit,
        )
        high = max(high, low + unit)
        if 0 < low <= Decimal(width) / 2:
            low = Decimal(0)
        step = min(Decimal(10) ** -decimals, unit if decimals == 0 else unit / 10)
        while (high - low) / step > MOST_STEPS:
            step *= next((each for each in (2, 5) if (high - low) / (each * step) <= MOST_STEPS), 10)
        return cls(*map(_typed, (low, high, step)))


@dataclass(eq=False)
class PublicFile:
    """A file of public data."""

    path: str
    checked: tuple[int, ...]
    """The size, time and number of the file when it was checked. Another file at its path is not read."""
    _numbers: dict[str, Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, path: str, bindings: Bindings) -> "PublicFile":
        """Open a file to show. Refuse it if it may be private (see `bindings`), or if it cannot be read."""
        file = Path(path)
        if not file.is_file():
            raise SchemaError("FILE", "must be a file that can be read", got=FileName(path)) from None
        checked = _state(file.stat())
        bindings.check(path)
        kind, _ = format_of(path)
        if kind is None:
            formats = ", ".join(dict.fromkeys(ENDINGS.values()))
            raise SchemaError("FILE", f"must be one of {formats}", got=FileName(path)) from None
        if file.stat().st_size > LARGEST:
            raise SchemaError(
                "FILE",
                "must have at most 256 MiB to be explored",
                got=FileName(path),
                fix="take a sample of it",
            ) from None
        opened = cls(path, checked)
        if not opened.beginnings:
            raise SchemaError("FILE", "must have a column that holds numbers", got=FileName(path)) from None
        return opened

    @property
    def name(self) -> str:
        return Path(self.path).name

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Return the columns that can hold numbers."""
        import polars

        frame = self._frame(rows=0)
        return tuple(
            name
            for name, dtype in frame.schema.items()
            if dtype.is_numeric() or dtype in (polars.String, polars.Boolean)
        )

    @cached_property
    def beginnings(self) -> dict[str, Beginning]:
        """Return the first bounds and granularity of each column with numbers. Columns of mostly numbers come first."""
        import polars

        frame = self._frame().select(polars.col(self.columns).cast(polars.Float64, strict=False))
        found: list[tuple[bool, str, Beginning]] = []
        for column in self.columns:
            cells = frame.get_column(column)
            known = cells.filter(cells.is_finite().fill_null(False)).to_numpy()
            if known.size:
                begin = Beginning.of(float(known.min()), float(known.max()), _decimals(known))
                found.append((2 * known.size < len(cells), column, begin))
        return {column: begin for _, column, begin in sorted(found, key=lambda each: each[0])}

    def numbers(self, column: str) -> Floats:
        """Return the numbers of a column. Cells that are no numbers are missing."""
        if column not in self.columns:
            raise ParameterError(
                "column", f"must be one of {', '.join(self.columns)}", got=describe(column)
            ) from None
        if column not in self._numbers:
            import polars

            values = self._frame(column).get_column(column).cast(polars.Float64, strict=False)
            known = values.drop_nulls().drop_nans().to_numpy()
            if not known.size:
                raise ParameterError("column", "must hold a number at least", got=describe(column)) from None
            if known.size > MOST:
                raise ParameterError(
                    "column",
                    f"must hold at most {MOST:,} numbers to be explored",
                    fix="take a sample of the file",
                ) from None
            self._numbers[column] = np.asarray(known, np.float64)
        return self._numbers[column]

    def _frame(self, column: str | None = None, rows: int | None = None) -> Any:
        import polars

        kind, _ = format_of(self.path)
        columns = None if column is None else [column]
        same = True
        try:
            with open(self.path, "rb") as file:  # Polars would read its name as a pattern
                if same := _state(os.fstat(file.fileno())) == self.checked:
                    if kind == "parquet":
                        return polars.read_parquet(file, columns=columns, n_rows=rows)
                    if kind == "arrow":
                        return polars.read_ipc(file, columns=columns, n_rows=rows)
                    if kind == "jsonl":
                        return polars.read_ndjson(file)
                    separator = "\t" if kind == "tsv" else ","
                    return polars.read_csv(
                        file, columns=columns, n_rows=rows, separator=separator, infer_schema=False
                    )
        except Exception:  # a reader may raise any error about a file
            pass
        if not same:
            raise SchemaError(
                "FILE",
                "must stay as it was when the explorer was started",
                got=FileName(self.path),
                fix="start it again",
            ) from None
        raise SchemaError(
            "FILE", "must be a file that can be read as its ending says", got=FileName(self.path)
        ) from None


def _state(stat: os.stat_result) -> tuple[int, ...]:
    return stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev


def _typed(number: Decimal) -> str:
    """Return a number as one would type it: in digits, or with an exponent if there are many digits."""
    short = number.normalize()
    return f"{short:f}" if abs(short.adjusted()) < 16 else str(short)


def _decimals(records: Floats) -> int:
    """Return the least number of decimals that writes all records, at most `MOST_DECIMALS`."""
    for decimals in range(MOST_DECIMALS):
        scaled = records * 10.0**decimals
        if np.allclose(scaled, np.round(scaled), rtol=0, atol=1e-6):
            return decimals
    return MOST_DECIMALS


@dataclass(frozen=True, slots=True)
class PublicFiles:
    """All files on the page. On the page, a column is named with the number of its file in front: ``0/income``."""

    files: tuple[PublicFile, ...] = ()

    def parts(self, named: str) -> tuple[PublicFile, str]:
        """Return the file and the column that a field of the form names."""
        index, _, column = named.partition("/")
        if not index.isdecimal() or int(index) >= len(self.files):
            raise ParameterError(
                "column", "must be a column of a file that the explorer was started with"
            ) from None
        return self.files[int(index)], column

    def numbers(self, named: str) -> Floats:
        file, column = self.parts(named)
        return file.numbers(column)
