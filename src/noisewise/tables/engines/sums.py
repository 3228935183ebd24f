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
"""One query takes at most so many sums."""

MOST_NUMBERS = 10_000_000
"""All groups together have at most so many sums, and one query returns at most so many, or one for each group."""

SumsByKey = dict[tuple[int, ...], dict[Term, int]]
"""The sum of each term, for each combination of the numbers in some columns."""


def counted(dialect: Dialect, frame: Frame, *by: str) -> list[Integers]:
    """How many rows have each combination of whole numbers in some columns: these numbers, sorted, and the counts."""
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
    """The terms in turn, as many together as one query may add up."""
    together, taken = list[Term](), 0
    for term in terms:
        sums = sum(part.limbs for part in _summands(term, widths))
        if together and taken + sums > most:
            yield together
            together, taken = [], 0
        together.append(term)
        taken += sums
    yield together


class ProductPart(NamedTuple):
    """A column which, times 2^shift, is a part of a number or of a product. It has at most so many bits."""

    name: str
    shift: int
    bits: int

    @property
    def limbs(self) -> int:
        return max(1, -(-self.bits // LIMB))


class _Limbs:
    """The columns that one query adds up for some terms, and the sums of the terms by those of the columns."""

    def __init__(self, widths: Sequence[int], terms: list[Term]) -> None:
        self._widths, self._terms = widths, terms
        self._summands = {term: _summands(term, widths) for term in terms}
        self._parts = {part.name: part for each in self._summands.values() for part in each}
        self.indices = sorted({index for term in terms for index in term})
        self.names = [f"{part.name}l{limb}" for part in self._parts.values() for limb in range(part.limbs)]

    def of(self, frame: Frame, *others: str) -> Frame:
        """The columns to add up, as int64, and some other columns of the frame."""
        import narwhals.stable.v2 as nw

        multiplied = sorted({index for term in self._terms if len(term) == 2 for index in term})
        frame = _with_parts(frame, [index for index in multiplied if len(_parts(index, self._widths)) == 2])
        ones = nw.lit(1, nw.Int64).cast(nw.Float64).alias("one")
        frame = frame.with_columns(ones, *_products(self._terms, self._widths))
        rests = [
            floored(nw.col(part.name) * 2.0 ** -(LIMB * limb)).alias(f"{part.name}r{limb}")
            for part in self._parts.values()
            for limb in range(1, part.limbs)
        ]
        frame = frame.with_columns(*rests) if rests else frame
        limbs = [
            _limb(part, limb).cast(nw.Int64).alias(f"{part.name}l{limb}")
            for part in self._parts.values()
            for limb in range(part.limbs)
        ]
        return frame.select(*others, *limbs)

    @property
    def aggregates(self) -> list[Expression]:
        import narwhals.stable.v2 as nw

        return [nw.col(name).sum().cast(nw.Int64).alias(name) for name in self.names]

    def sums(self, totals: Sequence[int]) -> dict[Term, int]:
        """The sum of each term, by the sums of the columns."""
        of_name = dict(zip(self.names, totals, strict=True))
        return {
            term: sum(
                of_name[f"{part.name}l{limb}"] << (part.shift + LIMB * limb)
                for part in each
                for limb in range(part.limbs)
            )
            for term, each in self._summands.items()
        }


def _summands(term: Term, widths: Sequence[int]) -> list[ProductPart]:
    """The parts that a term adds up: ones, the parts of a number, or the products of the parts of two numbers."""
    if not term:
        return [ProductPart("one", 0, 1)]
    if len(term) == 1:
        return [ProductPart(f"n{term[0]}", 0, widths[term[0]].bit_length())]
    return [
        ProductPart(f"{a.name}x{b.name}", a.shift + b.shift, a.bits + b.bits)
        for a in _parts(term[0], widths)
        for b in _parts(term[1], widths)
    ]


def _parts(index: int, widths: Sequence[int]) -> list[ProductPart]:
    bits = widths[index].bit_length()
    if bits <= PART:
        return [ProductPart(f"n{index}", 0, bits)]
    return [ProductPart(f"n{index}low", 0, PART), ProductPart(f"n{index}high", PART, bits - PART)]


def _with_parts(frame: Frame, indices: list[int]) -> Frame:
    import narwhals.stable.v2 as nw

    if not indices:
        return frame
    frame = frame.with_columns(
        *(floored(nw.col(f"n{index}") * 2.0**-PART).alias(f"n{index}high") for index in indices)
    )
    return frame.with_columns(
        *(
            (nw.col(f"n{index}") - nw.col(f"n{index}high") * 2.0**PART).alias(f"n{index}low")
            for index in indices
        )
    )


def _products(terms: list[Term], widths: Sequence[int]) -> list[Expression]:
    import narwhals.stable.v2 as nw

    return [
        (nw.col(a.name) * nw.col(b.name)).alias(f"{a.name}x{b.name}")
        for term in terms
        if len(term) == 2
        for a in _parts(term[0], widths)
        for b in _parts(term[1], widths)
    ]


def _limb(part: ProductPart, limb: int) -> Expression:
    import narwhals.stable.v2 as nw

    rest = nw.col(f"{part.name}r{limb}" if limb else part.name)
    return rest if limb == part.limbs - 1 else rest - nw.col(f"{part.name}r{limb + 1}") * 2.0**LIMB
