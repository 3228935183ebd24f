"""Parquet and Arrow files, read by Polars, whose text may be no UTF-8.

The format says that text is UTF-8. If a single text is not, Polars refuses to read its column, so one record would
decide whether a release fails. Hence the columns of text in a question are read once after the debit. If that fails,
PyArrow reads the files instead: it returns bytes as they are, and text that is no UTF-8 is missing. Both readers return
the same other records. Columns of types that they read differently are refused in questions that also read text. Other
columns of the file are not decoded.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from noisewise.errors import SchemaError
from noisewise.tables.columns.labels import text_of_bytes
from noisewise.tables.engines.dialect import FirstPass, Frame, as_frame
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.files.file_state import FileState


class FileTable(EngineTable):
    """Files that an engine reads. If the engine cannot read their text, ``spare`` reads the same columns by PyArrow.

    The columns ``always``, such as the dictionaries of an Arrow file, are read for every question.
    """

    def __init__(
        self,
        frame: Frame,
        spare: "Spare",
        always: tuple[str, ...] = (),
        *,
        files: FileState | None = None,
        progress: FirstPass | None = None,
    ) -> None:
        super().__init__(frame, files=files, progress=progress)
        self._spare, self._always, self._seen = spare, always, frozenset[str]()

    def _with_ones(self, used: tuple[str, ...] = ()) -> Frame:
        """Add a column of ones by a column that is not text, if there is one. (Polars always reads some column.)"""
        import narwhals.stable.v2 as nw

        self._look(used)
        one = nw.lit(1, nw.Int64)
        missing = nw.col(self._plainest).is_null()
        return self._rows.with_columns(nw.when(missing).then(one).otherwise(one).alias(self._ones))

    @cached_property
    def _plainest(self) -> str:
        texts, types = texts_of(self._frame), self.types.items()
        plain = [name for name, dtype in types if not dtype.is_nested() and name not in texts]
        return [*plain, *texts][0]

    def _look(self, names: tuple[str, ...]) -> None:
        """Read columns of text once. If that fails, change to PyArrow. The query reports progress like any other."""
        import narwhals.stable.v2 as nw

        new = [name for name in self._texts(names) if name not in self._seen]
        if not new:
            return
        longest = [nw.col(name).cast(nw.String).str.len_chars().max() for name in new]
        if not self.dialect.succeeds(self._frame.select(*longest)):
            self._frame = self._spare.frame()
            self._seen |= {*self.names}
        self._seen |= {*new}

    def _check_names(self, used: tuple[str, ...]) -> None:
        """Also refuse columns that PyArrow and Polars read differently, in a question that reads text. All is
        public."""
        super()._check_names(used)
        for name in (*used, *self._of_condition):
            if name in self._spare.unlike and (texts := self._texts(used)):
                raise SchemaError(
                    f"column {name!r}",
                    "must be of a type that PyArrow and Polars read alike to be asked about together with text, "
                    f"as {texts[0]!r} is",
                    got=str(str(self.types[name]).partition("(")[0]),
                ) from None

    def _texts(self, names: tuple[str, ...]) -> list[str]:
        """The columns of text that a question about some columns reads."""
        read = {*names, *self._of_condition, *self._always, self._plainest}
        return [name for name in texts_of(self._frame) if name in read]

    @property
    def _of_condition(self) -> tuple[str, ...]:
        """The columns of the condition, which decide which rows take part."""
        return () if self._condition is None else self._condition.columns


def texts_of(frame: Frame) -> list[str]:
    """The columns whose declared type is text."""
    import narwhals.stable.v2 as nw

    plain = [name for name, dtype in frame.collect_schema().items() if dtype == nw.String]
    return [*plain, *dictionaries_of(frame)]


def dictionaries_of(frame: Frame) -> list[str]:
    """The columns of text that the file stores as numbers and a dictionary."""
    import narwhals.stable.v2 as nw

    return [name for name, dtype in frame.collect_schema().items() if dtype in (nw.Categorical, nw.Enum)]


@dataclass(frozen=True, slots=True)
class Spare:
    """A frame of files that PyArrow reads, with any text, and the columns that Polars may read differently."""

    frame: Callable[[], Frame]
    unlike: frozenset[str]


def by_arrow(frame: Frame, paths: tuple[str, ...], kind: str) -> Spare:
    """The same files, read by PyArrow. Nothing is read before a query is run.

    ``unlike`` has the times of 96 bits, an old type, because the two readers round far times differently."""
    import polars as pl
    from polars.io.plugins import register_io_source
    from pyarrow import dataset

    files = dataset.dataset(list(paths), format={"arrow": "ipc"}.get(kind, kind))
    schema = frame.to_native().collect_schema()

    def batches(
        columns: list[str] | None, predicate: Any, rows: int | None, size: int | None
    ) -> Iterator[Any]:
        names = list(schema) if columns is None else columns
        for batch in files.to_batches(columns={name: dataset.field(name) for name in names}):
            read = pl.DataFrame({name: _series(batch.column(name)) for name in names})
            read = read.cast({name: schema[name] for name in names}, strict=False)
            yield read if predicate is None else read.filter(predicate)

    by_reader = pl.from_arrow(files.schema.empty_table()).schema  # type: ignore[union-attr]
    others = {name for name, dtype in schema.items() if by_reader.get(name) != dtype} - {*texts_of(frame)}
    if kind == "parquet":
        others |= {name for path in paths for name in _of_96_bits(path)} | _of_seconds(schema)
    return Spare(lambda: as_frame(register_io_source(batches, schema=schema)), frozenset(others))


def _of_seconds(schema: Mapping[str, Any]) -> set[str]:
    """All columns of times of day, if this Polars misreads those in seconds. Its schema does not show the unit."""
    import polars as pl

    misread = int(pl.__version__.partition(".")[0]) < 2
    return {name for name, dtype in schema.items() if misread and dtype == pl.Time}


def _of_96_bits(path: str) -> list[str]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        columns = [file.schema.column(index) for index in range(len(file.schema))]
        return [column.name for column in columns if column.physical_type == "INT96"]


def _series(array: Any) -> Any:
    """A Polars series of an Arrow array. Text is read by its bytes."""
    import polars as pl
    import pyarrow as pa

    types = (pa.string(), pa.large_string(), pa.string_view())
    if pa.types.is_dictionary(array.type) and array.type.value_type in types:
        return _series(array.dictionary).gather(pl.Series(pl.from_arrow(array.indices)).cast(pl.UInt32))
    if array.type in types:
        return text_of_bytes(pl.Series(pl.from_arrow(array.cast(pa.large_binary()))))
    return pl.from_arrow(array)
