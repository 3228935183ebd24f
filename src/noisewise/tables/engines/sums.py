"""Exact sums by an engine: of whole numbers, and of products of two, in float64 and int64 alone.

The whole numbers are between 0 and 2^52. Numbers that are multiplied are cut into parts of at most 26 bits, so that
float64 holds every product of two parts. Then each number and each product is cut into limbs of 18 bits, so that int64
holds the sum of 2^45 of them. Python's integers put the sums together. Proof: docs/proofs/engines.md.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.statistics.row_formulas import Term
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_records import floored

LIMB = 18
PART = 26

MOST_SUMS = 300
"""The most sums in one query."""

MOST_NUMBERS = 10_000_000
"""The most sums for all groups together. One query returns at most this many, or one sum for each group."""

SumsByKey = dict[tuple[int, ...], dict[Term, int]]
"""The sum of each term, for each combination of the numbers in some columns."""


def counted(dialect: Dialect, frame: Frame, *by: str) -> list[Integers]:
    """Count the rows of each combination of whole numbers in some columns. Return the sorted numbers and the counts."""
    import narwhals.stable.v2 as nw

    ones = frame.select(*by, nw.lit(1, nw.Int64).alias("one"))
    counts = ones.group_by(*by).agg(nw.col("one").sum().cast(nw.Int64))
    columns = [column.astype(np.int64) for column in dialect.arrays(counts.select(*by, "one"))]
    order = np.lexsort(columns[-2::-1])
    return [column[order] for column in columns]


def sums_of_terms(
    dialect: Dialect,
    rows: Callable[[list[int]], Frame],
    widths: Sequence[int],
    terms: Sequence[Term],
    by: Sequence[str] = (),
    groups: int = 1,
) -> SumsByKey:
    """The sum of each term over all rows, or for each combination of whole numbers in the columns ``by``.

    ``rows`` returns a frame with the columns ``by`` and with some of the whole numbers in the columns ``n0``,
    ``n1``, ... Number i is between 0 and ``widths[i]``. ``groups`` is the number of declared groups.
    """
    sums_by_key: SumsByKey = {} if by else {(): {}}
    for some in _queries(widths, terms, max(min(MOST_SUMS, MOST_NUMBERS // groups), 1)):
        limbs = _Limbs(widths, some)
        cut = limbs.of(rows(limbs.indices), *by)
        if by:
            columns = dialect.arrays(cut.group_by(*by).agg(*limbs.aggregates).select(*by, *limbs.names))
        else:
            columns = [np.array([total]) for total in dialect.totals(cut.select(*limbs.aggregates))]
        for row in zip(*(column.tolist() for column in columns), strict=True):
            numbers = [int(number) for number in row]
            sums = sums_by_key.setdefault(tuple(numbers[: len(by)]), dict.fromkeys(terms, 0))
            sums.update(limbs.sums(numbers[len(by) :]))
    return sums_by_key


def _queries(widths: Sequence[int], terms: Sequence[Term], most: int) -> Iterator[list[Term]]:
    """The terms in order, divided into lists. One query can add up the terms of a list."""
    together, taken = list[Term](), 0
    for term in terms:
        sums = sum(len(_cut(summand, LIMB)) for summand in _summands(term, widths))
        if together and taken + sums > most:
            yield together
            together, taken = [], 0
        together.append(term)
        taken += sums
    yield together


class Piece(NamedTuple):
    """A column of whole numbers of up to ``bits`` bits. Times 2^shift they are parts of numbers or of products."""

    name: str
    shift: int
    bits: int


class _Limbs:
    """The columns that one query adds up to find the sums of some terms."""

    def __init__(self, widths: Sequence[int], terms: list[Term]) -> None:
        self._widths, self._terms = widths, terms
        self._summands = {term: _summands(term, widths) for term in terms}
        self._different = {each.name: each for summands in self._summands.values() for each in summands}
        self.indices = sorted({index for term in terms for index in term})
        self.names = [limb.name for each in self._different.values() for limb in _cut(each, LIMB)]

    def of(self, frame: Frame, *others: str) -> Frame:
        """The columns to add up, as int64, and some other columns of the frame."""
        import narwhals.stable.v2 as nw

        products = [term for term in self._terms if len(term) == 2]
        multiplied = sorted({index for term in products for index in term})
        frame = _with_pieces(frame, [_number(index, self._widths) for index in multiplied], PART)
        ones = nw.lit(1, nw.Int64).cast(nw.Float64).alias("one")
        pairs = [pair for term in products for pair in _pairs(term, self._widths)]
        frame = frame.with_columns(
            ones, *((nw.col(a.name) * nw.col(b.name)).alias(_product(a, b).name) for a, b in pairs)
        )
        frame = _with_pieces(frame, [*self._different.values()], LIMB)
        return frame.select(*others, *(nw.col(name).cast(nw.Int64) for name in self.names))

    @property
    def aggregates(self) -> list[Expression]:
        import narwhals.stable.v2 as nw

        return [nw.col(name).sum().cast(nw.Int64).alias(name) for name in self.names]

    def sums(self, totals: Sequence[int]) -> dict[Term, int]:
        """The sum of each term, computed from the sums of the columns."""
        of_name = dict(zip(self.names, totals, strict=True))
        return {
            term: sum(of_name[limb.name] << limb.shift for each in summands for limb in _cut(each, LIMB))
            for term, summands in self._summands.items()
        }


def _summands(term: Term, widths: Sequence[int]) -> list[Piece]:
    """The pieces whose sum is a term: ones, a number, or products of parts of two numbers."""
    if not term:
        return [Piece("one", 0, 1)]
    if len(term) == 1:
        return [_number(term[0], widths)]
    return [_product(a, b) for a, b in _pairs(term, widths)]


def _number(index: int, widths: Sequence[int]) -> Piece:
    return Piece(f"n{index}", 0, widths[index].bit_length())


def _pairs(term: Term, widths: Sequence[int]) -> list[tuple[Piece, Piece]]:
    """The pairs of parts that are multiplied to compute the product of two numbers."""
    first, second = (_cut(_number(index, widths), PART) for index in term)
    return [(a, b) for a in first for b in second]


def _product(a: Piece, b: Piece) -> Piece:
    return Piece(f"{a.name}x{b.name}", a.shift + b.shift, a.bits + b.bits)


def _cut(number: Piece, size: int) -> list[Piece]:
    """Cut a number into pieces of at most ``size`` bits, the lowest bits first."""
    if number.bits <= size:
        return [number]
    name, shift, bits = number
    return [Piece(f"{name}_{size}_{low}", shift + low, min(size, bits - low)) for low in range(0, bits, size)]


def _with_pieces(frame: Frame, numbers: Sequence[Piece], size: int) -> Frame:
    """The frame with the pieces of some numbers as columns. A piece is the difference of two floors of the number."""
    import narwhals.stable.v2 as nw

    cut = [(number, low) for number in numbers for low in range(0, number.bits, size) if number.bits > size]
    floors = {
        (number.name, low): f"{number.name}_{size}_floor{low}" if low else number.name for number, low in cut
    }
    made = [floored(nw.col(name) * 2.0**-low).alias(alias) for (name, low), alias in floors.items() if low]
    frame = frame.with_columns(*made) if made else frame
    pieces = []
    for number, low in cut:
        piece, above = nw.col(floors[number.name, low]), floors.get((number.name, low + size))
        piece = piece if above is None else piece - nw.col(above) * 2.0**size
        pieces.append(piece.alias(f"{number.name}_{size}_{low}"))
    return frame.with_columns(*pieces) if pieces else frame
