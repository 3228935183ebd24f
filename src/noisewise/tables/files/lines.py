r"""The lines of text files as a stream of bytes. Only a line feed ends a line.

A carriage return before the line feed belongs to the end of the line, as Windows writes it. Any other carriage return
is a byte like all others. Nothing in a line affects another line: neither its quotes nor its length, since only the
beginning of a line that is too long is kept. So one line more in a file is one line more here. Names of folders mean
nothing. Proof: docs/proofs/engines.md.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.files.encoded import Opened, bytes_read, uncompressed

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

Relation: TypeAlias = "Callable[[Reader, list[str]], duckdb.DuckDBPyRelation]"
"""Makes a relation of DuckDB from a reader and the names of columns of text. Without names it has only rows."""

LONGEST_LINE = 2**21
"""A line of this many bytes or more is no record. So memory need not hold a line that never ends."""
PART = 2**22
"""The number of bytes that are read at once."""
STEPS = 100
"""How often progress is reported. For smaller files it is once for each `PART`. The size of the files decides, which is
public, and never their lines."""
FEED, RETURN = 10, 13

Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class LineEnds:
    """Lines of a file: their bytes, and the positions where each begins and stops. Each ends with a line feed."""

    data: bytes
    letters: NDArray[np.uint8]
    starts: Positions
    stops: Positions

    @classmethod
    def of(cls, data: bytes) -> "LineEnds":
        letters = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(letters == FEED)
        starts = np.append(0, ends[:-1] + 1)
        stops = ends - ((ends > starts) & (letters[ends - 1] == RETURN))
        return cls(data, letters, starts, stops)

    @property
    def long(self) -> NDArray[np.bool_]:
        """Which lines are too long to be records."""
        return self.stops - self.starts >= LONGEST_LINE

    def cut(self, begins: Positions, ends: Positions) -> "pa.Array":
        """Cut pieces from the lines, as an Arrow array of bytes. The pieces must be in order and not overlap."""
        import pyarrow as pa

        limits = np.append(np.column_stack((begins, ends)), len(self.data)).astype(np.int32)
        buffers = [None, pa.py_buffer(limits), pa.py_buffer(self.data)]
        pieces = pa.Array.from_buffers(pa.binary(), 2 * len(begins), buffers)
        even = pa.py_buffer(np.arange(0, 2 * len(begins), 2, dtype=np.int64))
        return pieces.take(
            pa.Array.from_buffers(pa.int64(), len(begins), [None, even])
        )  # pa.array would import pandas


@dataclass(frozen=True, slots=True)
class LineStream:
    """Columns ``c0``, ``c1``, ... of bytes, made from the lines of files each time DuckDB reads them.

    No file is opened earlier.
    """

    reader: Reader
    paths: tuple[str, ...]
    header: bool
    width: int
    columns: Callable[[LineEnds], "list[pa.Array]"]
    opened: Opened = uncompressed

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        import pyarrow as pa

        schema = pa.schema([(f"c{index}", pa.binary()) for index in range(self.width)])

        def batches() -> "Iterator[pa.RecordBatch]":
            for data in self._parts():
                columns = self.columns(LineEnds.of(data))
                if len(columns[0]):
                    yield pa.record_batch(columns, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, self.reader.steps(batches())).__arrow_c_stream__(
            requested_schema
        )

    def _parts(self) -> Iterator[bytes]:
        sizes = [os.path.getsize(path) for path in self.paths]
        steps, reported = min(STEPS, sum(sizes) // PART), 0

        def progress(read: int) -> None:
            nonlocal reported
            while reported + 1 < steps and read * steps >= (reported + 1) * sum(sizes):
                reported += 1
                self.reader.passed(reported / steps)

        for index, path in enumerate(self.paths):
            before = sum(sizes[:index])
            yield from parts(
                path,
                self.header,
                self.opened,
                lambda read, before=before: progress(before + read),  # type: ignore[misc]
            )


def parts(
    path: str, header: bool, opened: Opened = uncompressed, progress: Callable[[int], None] | None = None
) -> Iterator[bytes]:
    """A file in parts of whole lines, without the header. ``progress`` is called with the number of bytes read."""
    with opened(path) as file:
        while header and (line := file.readline(PART)):
            header = not line.endswith(b"\n")
        rest = b""
        while some := file.read(PART):
            if progress is not None:
                progress(bytes_read(file))
            lines, feed, rest = (rest + some).rpartition(b"\n")
            if feed:
                yield lines + feed
            rest = rest[:LONGEST_LINE]
        if rest:
            yield rest + b"\n"
