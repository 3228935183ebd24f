"""An engine computes one record for each person and group: the same totals as `Total.of_rows` in memory.

One query groups the rows by person and group. Numbers are float64 and int64 below 2^53, and quotients are whole, so no
engine rounds or overflows. A quotient of whole numbers is rounded to the nearest whole number, because Polars may
multiply by an inexact inverse.
"""

from itertools import pairwise

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.engines.dialect import Expression, Frame
from noisewise.tables.engines.engine_records import distances, floored, nearest
from noisewise.tables.totals import LIMB, MOST, Grid, Total

LIMBS = ("limb0", "limb1", "limb2")


def rows_of_totals(frame: Frame, total: Total, lattice: Lattice) -> Frame:
    """The frame with a float64 column ``d`` replaced by the distances of rows from the low end of their lattice. A
    missing row is -1."""
    if total.rule in ("sum", "mean"):
        lattice = Grid.under(lattice).rows
    return distances(frame, "d", lattice, "add_remove")


def totals(frame: Frame, total: Total, lattice: Lattice) -> Frame:
    """One row for each ``person`` and ``group``: the distance ``d`` of the total from the low end of the lattice."""
    import narwhals.stable.v2 as nw

    d, by, whole = nw.col("d"), ("person", "group"), nw.Int64
    frame = frame.filter((d >= 0.0) & ~nw.col("person").is_null())
    if total.rule in ("max", "min"):
        return frame.group_by(*by).agg(d.max() if total.rule == "max" else d.min())
    frame = frame.with_columns(nw.lit(1, nw.Int64).alias("rows"))
    if total.rule == "count":
        counted = frame.group_by(*by).agg(nw.col("rows").sum().cast(whole))
        number = nearest(nw.col("rows").cast(nw.Float64), lattice) - float(lattice.low)
        return counted.with_columns(number.alias("d"))
    middle, high = floored(d * 2.0**-LIMB), floored(d * 2.0 ** (-2 * LIMB))
    limbs = (d - middle * 2.0**LIMB, middle - high * 2.0**LIMB, high)
    frame = frame.with_columns(
        *(limb.cast(whole).alias(name) for name, limb in zip(LIMBS, limbs, strict=True))
    )
    frame = frame.group_by(*by).agg(*(nw.col(name).sum().cast(whole) for name in ("rows", *LIMBS)))
    if total.rule == "mean":
        frame = _divided(frame)
    return _rounded(frame, Grid.under(lattice), lattice)


def _divided(frame: Frame) -> Frame:
    """The limbs of the mean distance, rounded down, from those of the sum: a long division by the number of rows."""
    import narwhals.stable.v2 as nw

    rows = nw.col("rows")
    for name, below in zip(LIMBS[::-1], (*LIMBS[1::-1], None), strict=True):
        rest = nw.col(name) % rows
        quotient = (nw.col(name) - rest).cast(nw.Float64) / rows.cast(nw.Float64)
        steps = [floored(quotient + 0.5).cast(nw.Int64).alias(name)]
        if below is not None:
            steps.append((nw.col(below) + rest * 2**LIMB).alias(below))
        frame = frame.with_columns(*steps)
    return frame.with_columns(nw.lit(1, nw.Int64).alias("rows"))


def _rounded(frame: Frame, grid: Grid, lattice: Lattice) -> Frame:
    """The sum of the limbs, less so many times the distance of 0, rounded to the lattice."""
    import narwhals.stable.v2 as nw

    rows = nw.col("rows")
    low, middle, high = (
        (nw.col(name) - rows * zero).cast(nw.Float64) for name, zero in zip(LIMBS, grid.zero, strict=True)
    )
    frame = frame.with_columns(low.alias("limb0"), middle.alias("limb1"), high.alias("limb2"))
    for name, above in pairwise(LIMBS):
        carry = floored(nw.col(name) * 2.0**-LIMB)
        frame = frame.with_columns(
            (nw.col(name) - carry * 2.0**LIMB).alias(name), (nw.col(above) + carry).alias(above)
        )
    low, middle, high = map(nw.col, LIMBS)
    sums = high.clip(float(-MOST), float(MOST)) * 2.0 ** (2 * LIMB) + middle * 2.0**LIMB + low
    index: Expression = floored((sums + float(grid.half)) * 2.0**-grid.bits)
    distance = index.clip(float(lattice.low), float(lattice.high)) - float(lattice.low)
    return frame.with_columns(distance.alias("d"))
