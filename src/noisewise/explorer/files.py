"""Public files: those that the explorer was started with, and no others. Their numbers are read once, and kept."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from noisewise.errors import FileName, ParameterError, SchemaError
from noisewise.explorer.bindings import Bindings
from noisewise.numbers.arrays import Floats
from noisewise.numbers.exact import describe
from noisewise.planning.shapes import MOST
from noisewise.tables.files.scan import ENDINGS, format_of

LARGEST = 256 * 2**20
"""The most bytes of a file."""


@dataclass(eq=False)
class PublicFile:
    """A file that anybody may see."""

    path: str
    _numbers: dict[str, Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, path: str, bindings: Bindings) -> "PublicFile":
        """A file that may be shown; refused where a ledger is bound to it, or where it cannot be read."""
        file = Path(path)
        if not file.is_file():
            raise SchemaError("FILE", "must be a file that can be read", got=FileName(path)) from None
        bindings.judge(path)
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
        opened = cls(path)
        if not opened.columns:
            raise SchemaError("FILE", "must have a column of numbers or text", got=FileName(path)) from None
        return opened

    @property
    def name(self) -> str:
        return Path(self.path).name

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that can hold numbers."""
        import polars

        frame = self._frame(rows=0)
        return tuple(
            name
            for name, dtype in frame.schema.items()
            if dtype.is_numeric() or dtype in (polars.String, polars.Boolean)
        )

    def numbers(self, column: str) -> Floats:
        """The numbers of a column; what is none is missing."""
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
        try:
            if kind == "parquet":
                return polars.read_parquet(self.path, columns=columns, n_rows=rows, glob=False)
            if kind == "arrow":
                return polars.read_ipc(self.path, columns=columns, n_rows=rows)
            if kind == "jsonl":
                return polars.read_ndjson(self.path)
            separator = "\t" if kind == "tsv" else ","
            return polars.read_csv(
                self.path, columns=columns, n_rows=rows, separator=separator, infer_schema=False, glob=False
            )
        except Exception:  # whatever a reader may raise about a file
            pass
        raise SchemaError(
            "FILE", "must be a file that can be read as its ending says", got=FileName(self.path)
        ) from None


@dataclass(frozen=True, slots=True)
class PublicFiles:
    """All files that can be picked. A column is named by its file's place in the list, ``0/income``."""

    files: tuple[PublicFile, ...] = ()

    def parts(self, named: str) -> tuple[PublicFile, str]:
        """The file and the column that a field names."""
        index, _, column = named.partition("/")
        if not index.isdecimal() or int(index) >= len(self.files):
            raise ParameterError(
                "column", "must be a column of a file that the explorer was started with"
            ) from None
        return self.files[int(index)], column

    def numbers(self, named: str) -> Floats:
        file, column = self.parts(named)
        return file.numbers(column)
