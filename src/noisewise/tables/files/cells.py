"""The cells of CSV and TSV, line by line: a row is a line, whatever quotes are in it.

    line  =  cell (mark cell)*                    at least as many cells as the header has; more are left out
    cell  =  '"' (no quote | '""')* '"'           any bytes, a quote written twice
          |  nothing, or no quote and then no mark      as it stands, quotes further on too

What is no such line is no row: one whose quote is left open, as where a cell goes on in the next line, one of too few
cells, or of `LONGEST_LINE` bytes. A cell that is empty, or no UTF-8, is missing. All lines of a part are taken apart at
once where quotes stand around cells only; where one does not, that line is gone through by itself. Only the columns
that a question names are cut out.
"""

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.files.lines import FEED, RETURN, Ends, Lines, Places

QUOTE = 34


def cells_of(paths: tuple[str, ...], header: tuple[str, ...], mark: str) -> Any:
    """How a question gets a relation of the columns that it names, each as text; without any, of rows."""
    places = {name: place for place, name in enumerate(header)}

    def relation(reader: Reader, names: list[str]) -> Any:
        asked = [places[name] for name in names] or [0]
        lines = Lines(
            reader, paths, True, len(asked), lambda ends: columns(ends, ord(mark), len(header), asked)
        )
        found = reader.connection.from_arrow(lines)
        if not names:
            return found
        texts = found.project(", ".join(f"TRY(decode(c{place})) AS c{place}" for place in range(len(asked))))
        return texts.project(", ".join(_taken(f"c{place}", name) for place, name in enumerate(names)))

    return relation


def columns(ends: Ends, mark: int, width: int, asked: list[int]) -> list[Any]:
    """Some columns of the lines that are rows, in bytes, with the quotes around them."""
    marks, closed = _marks(ends, mark)
    first = np.searchsorted(marks, ends.starts)
    behind = np.append(first[1:], len(marks))
    rows = closed & ~ends.long & (behind - first >= width - 1)
    starts, stops, first, behind = ends.starts[rows], ends.stops[rows], first[rows], behind[rows]
    limits = np.append(marks, 0)  # so that there is one to be looked up behind the last
    found = list[Any]()
    for place in asked:
        begins = limits[first + place - 1] + 1 if place else starts
        found.append(ends.cut(begins, np.where(first + place < behind, limits[first + place], stops)))
    return found


def _marks(ends: Ends, mark: int) -> tuple[Places, NDArray[np.bool_]]:
    """Where cells part, in all lines; and which lines leave no quote open."""
    letters, starts = ends.letters, ends.starts
    closed = np.ones(len(starts), bool)
    signs = np.flatnonzero(_among(letters, mark, QUOTE))
    quoted = letters[signs] == QUOTE
    if not quoted.any():
        return signs, closed
    line = np.append(np.searchsorted(signs, starts), len(signs))
    odd = np.append(False, np.bitwise_xor.accumulate(quoted))  # whether so many quotes stand before a sign
    plain = odd[line[1:]] == odd[line[:-1]]
    within = odd[:-1] ^ np.repeat(odd[line[:-1]], np.diff(line))  # an open quote of the same line
    quotes = signs[quoted]
    first = _among(
        letters[quotes - 1], mark, QUOTE, FEED
    )  # of the first line, the last sign of all: it is a feed
    last = _among(letters[quotes + 1], mark, QUOTE, FEED)
    returns = np.flatnonzero(letters[quotes + 1] == RETURN)
    last[returns] = letters[quotes[returns] + 2] == FEED
    plain[np.searchsorted(starts, quotes[~np.where(within[quoted], last, first)], "right") - 1] = False
    parts = ~quoted & ~within
    if plain.all():
        return signs[parts], closed
    found = [signs[parts & np.repeat(plain, np.diff(line))]]
    for other in np.flatnonzero(~plain):
        cuts = cuts_of(ends.data[starts[other] : ends.stops[other]], mark)
        closed[other] = cuts is not None
        found.append(np.array(cuts or [], np.intp) + starts[other])
    return np.sort(np.concatenate(found)), closed


def _among(letters: NDArray[np.uint8], *wanted: int) -> NDArray[np.bool_]:
    return reduce(np.logical_or, [letters == letter for letter in wanted])


def cuts_of(line: bytes, mark: int) -> list[int] | None:
    """Where the cells of a line part, sign by sign; None where a quote is not closed at the end of its cell."""
    found, at = list[int](), 0
    while True:
        if line[at : at + 1] == b'"':
            at = line.find(b'"', at + 1)
            while at >= 0 and line[at + 1 : at + 2] == b'"':
                at = line.find(b'"', at + 2)
            at += 1
            if at == 0 or (at < len(line) and line[at] != mark):
                return None
        else:
            at = line.find(mark, at)
        if at < 0 or at == len(line):
            return found
        found.append(at)
        at += 1


def _taken(cell: str, name: str) -> str:
    """A cell without the quotes around it; an empty one has nothing."""
    inner = f"replace(substring({cell}, 2, length({cell}) - 2), '\"\"', '\"')"
    text = f"CASE WHEN starts_with({cell}, '\"') THEN {inner} ELSE {cell} END"
    called = name.replace('"', '""')
    return f"nullif({text}, '') AS \"{called}\""
