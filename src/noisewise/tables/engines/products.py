"""Exact sums of products of whole numbers by an engine, in float64 and int64 alone.

The whole numbers are from 0 to 2^52. Those that are multiplied are cut into parts of at most 2^26, so that a product
of parts is at most 2^52, which float64 holds. What is added up, a number or a product of parts, is cut into limbs of 18
bits: 2^45 of them add up within int64. Python's integers put the sums together.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from noisewise.statistics.row_formulas import Term
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_records import LIMB, floored

PART = 26

MOST_SUMS = 300
"""So many sums are taken by one query."""

MOST_NUMBERS = 10_000_000
"""So many sums of all groups are held, and so many come back from one query, or one of each group."""


class ProductPart(NamedTuple):
    """A column that times 2^shift is a part of a number or of a product, and how many bits it has at most."""

    name: str
    shift: int
    bits: int

    @property
    def limbs(self) -> int:
        return max(1, -(-self.bits // LIMB))


def sums_of_terms(
    dialect: Dialect, rows: Callable[[list[int]], Frame], widths: Sequence[int], terms: Sequence[Term]
) -> dict[Term, int]:
    """The sum of each term over all rows. ``rows`` gives a frame with the numbers of some places, ``n0``, ``n1``, ...,
    each at most as its width says."""
    sums = dict[Term, int]()
    for some in _queries(widths, terms, MOST_SUMS):
        limbs = _Limbs(widths, some)
        totals = dialect.totals(limbs.of(rows(limbs.places)).select(*limbs.aggregates))
        sums |= limbs.sums(totals)
    return sums


def sums_in_groups(
    dialect: Dialect,
    rows: Callable[[list[int]], Frame],
    widths: Sequence[int],
    terms: Sequence[Term],
    groups: int,
) -> list[dict[Term, int]]:
    """The same for each group; the frame has the index of a row's group as ``group``."""
    sums = [dict.fromkeys(terms, 0) for _ in range(groups)]
    for some in _queries(widths, terms, max(min(MOST_SUMS, MOST_NUMBERS // groups), 1)):
        limbs = _Limbs(widths, some)
        added = limbs.of(rows(limbs.places), "group").group_by("group").agg(*limbs.aggregates)
        indices, *totals = dialect.arrays(added.select("group", *limbs.names))
        columns = (total.tolist() for total in totals)
        for index, *of_group in zip(indices.tolist(), *columns, strict=True):
            sums[int(index)] |= limbs.sums([int(total) for total in of_group])
    return sums


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


class _Limbs:
    """The columns that are added up for some terms, and what their sums mean."""

    def __init__(self, widths: Sequence[int], terms: list[Term]) -> None:
        self._widths, self._terms = widths, terms
        self._summands = {term: _summands(term, widths) for term in terms}
        self._parts = {part.name: part for each in self._summands.values() for part in each}
        self.places = sorted({place for term in terms for place in term})
        self.names = [f"{part.name}l{limb}" for part in self._parts.values() for limb in range(part.limbs)]

    def of(self, frame: Frame, *others: str) -> Frame:
        """The columns to add up, as int64, of a frame with the numbers of the places; and other columns of it."""
        import narwhals.stable.v2 as nw

        multiplied = sorted({place for term in self._terms if len(term) == 2 for place in term})
        frame = _with_parts(frame, [place for place in multiplied if len(_parts(place, self._widths)) == 2])
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
        """The sum of each term, from those of the columns."""
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
    """What is added up for a term: ones, a number, or the products of the parts of two."""
    if not term:
        return [ProductPart("one", 0, 1)]
    if len(term) == 1:
        return [ProductPart(f"n{term[0]}", 0, widths[term[0]].bit_length())]
    return [
        ProductPart(f"{a.name}x{b.name}", a.shift + b.shift, a.bits + b.bits)
        for a in _parts(term[0], widths)
        for b in _parts(term[1], widths)
    ]


def _parts(place: int, widths: Sequence[int]) -> list[ProductPart]:
    bits = widths[place].bit_length()
    if bits <= PART:
        return [ProductPart(f"n{place}", 0, bits)]
    return [ProductPart(f"n{place}low", 0, PART), ProductPart(f"n{place}high", PART, bits - PART)]


def _with_parts(frame: Frame, places: list[int]) -> Frame:
    import narwhals.stable.v2 as nw

    if not places:
        return frame
    frame = frame.with_columns(
        *(floored(nw.col(f"n{place}") * 2.0**-PART).alias(f"n{place}high") for place in places)
    )
    return frame.with_columns(
        *(
            (nw.col(f"n{place}") - nw.col(f"n{place}high") * 2.0**PART).alias(f"n{place}low")
            for place in places
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
