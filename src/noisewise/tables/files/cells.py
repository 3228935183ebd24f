"""The cells of CSV and TSV, line by line: a row is a line, whatever quotes are in it.

    line  =  cell (delimiter cell)*                    at least as many cells as the header has; others are left out
    cell  =  '"' (no quote | '""')* '"'           any bytes, a quote written twice
          |  nothing, or no quote and then no delimiter      as it stands, quotes further on too

Any other line is no row: a line with an open quote, such as one whose last cell goes on in the next line, a line with
too few cells, or a line of `LONGEST_LINE` bytes. A cell that is empty, or no UTF-8, is missing. All lines of a part are
split together. Lines with quotes that are not around a cell are split one by one. Only the columns
that a question names are read.
"""

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewise.tables.engines.dialect import sql_name
from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.files.encoded import Opened, uncompressed
from noisewise.tables.files.lines import FEED, RETURN, LineEnds, LineStream, Positions, Relation

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

QUOTE = 34


def cells_of(
    paths: tuple[str, ...], header: tuple[str, ...], delimiter: str, opened: Opened = uncompressed
) -> Relation:
    """A function that makes a relation of the columns it is given, as text. Without columns it has only rows."""
    index_of = {name: index for index, name in enumerate(header)}

    def relation(reader: Reader, names: list[str]) -> "duckdb.DuckDBPyRelation":
        indices = [index_of[name] for name in names] or [0]
        lines = LineStream(
            reader,
            paths,
            True,
            len(indices),
            lambda lines: columns(lines, ord(delimiter), len(header), indices),
            opened,
        )
        cells = reader.connection.from_arrow(lines)
        if not names:
            return cells
        texts = cells.project(", ".join(f"TRY(decode(c{i})) AS c{i}" for i in range(len(indices))))
        return texts.project(", ".join(_unquoted(f"c{i}", name) for i, name in enumerate(names)))

    return relation


def columns(lines: LineEnds, delimiter: int, width: int, indices: list[int]) -> "list[pa.Array]":
    """Some columns of all lines that are rows. Cells are bytes, and keep the quotes around them."""
    delimiters, closed = _delimiters(lines, delimiter)
    first = np.searchsorted(delimiters, lines.starts)
    behind = np.append(first[1:], len(delimiters))
    rows = closed & ~lines.long & (behind - first >= width - 1)
    starts, stops, first, behind = lines.starts[rows], lines.stops[rows], first[rows], behind[rows]
    limits = np.append(delimiters, 0)  # one more, to be looked up after the last
    cells = list[Any]()
    for index in indices:
        begins = limits[first + index - 1] + 1 if index else starts
        cells.append(lines.cut(begins, np.where(first + index < behind, limits[first + index], stops)))
    return cells


def _delimiters(lines: LineEnds, delimiter: int) -> tuple[Positions, NDArray[np.bool_]]:
    """The positions of the delimiters between cells in all lines, and whether the quotes of each line are closed."""
    letters, starts = lines.letters, lines.starts
    closed = np.ones(len(starts), bool)
    signs = np.flatnonzero(_among(letters, delimiter, QUOTE))
    quoted = letters[signs] == QUOTE
    if not quoted.any():
        return signs, closed
    line = np.append(np.searchsorted(signs, starts), len(signs))
    odd = np.append(False, np.bitwise_xor.accumulate(quoted))  # whether an odd number of quotes comes before
    plain = odd[line[1:]] == odd[line[:-1]]
    within = odd[:-1] ^ np.repeat(odd[line[:-1]], np.diff(line))  # whether a quote of the same line is open
    quotes = signs[quoted]
    # for the first byte the index is -1: the last byte, which is a line feed
    first = _among(letters[quotes - 1], delimiter, QUOTE, FEED)
    last = _among(letters[quotes + 1], delimiter, QUOTE, FEED)
    returns = np.flatnonzero(letters[quotes + 1] == RETURN)
    last[returns] = letters[quotes[returns] + 2] == FEED
    plain[np.searchsorted(starts, quotes[~np.where(within[quoted], last, first)], "right") - 1] = False
    parts = ~quoted & ~within
    if plain.all():
        return signs[parts], closed
    positions = [signs[parts & np.repeat(plain, np.diff(line))]]
    for other in np.flatnonzero(~plain):
        in_line = delimiters_of(lines.data[starts[other] : lines.stops[other]], delimiter)
        closed[other] = in_line is not None
        positions.append(np.array(in_line or [], np.intp) + starts[other])
    return np.sort(np.concatenate(positions)), closed


def _among(letters: NDArray[np.uint8], *wanted: int) -> NDArray[np.bool_]:
    return reduce(np.logical_or, [letters == letter for letter in wanted])


def delimiters_of(line: bytes, delimiter: int) -> list[int] | None:
    """The positions of delimiters in a line. None if a quote is not closed at the end of its cell."""
    positions, at = list[int](), 0
    while True:
        if line[at : at + 1] == b'"':
            at = line.find(b'"', at + 1)
            while at >= 0 and line[at + 1 : at + 2] == b'"':
                at = line.find(b'"', at + 2)
            at += 1
            if at == 0 or (at < len(line) and line[at] != delimiter):
                return None
        else:
            at = line.find(delimiter, at)
        if at < 0 or at == len(line):
            return positions
        positions.append(at)
        at += 1


def _unquoted(cell: str, name: str) -> str:
    """A cell without the quotes around it. An empty cell is missing."""
    inner = f"replace(substring({cell}, 2, length({cell}) - 2), '\"\"', '\"')"
    text = f"CASE WHEN starts_with({cell}, '\"') THEN {inner} ELSE {cell} END"
    return f"nullif({text}, '') AS {sql_name(name)}"
