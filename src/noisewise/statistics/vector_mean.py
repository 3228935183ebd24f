"""Mean of the rows of a matrix, each clamped to public bounds.

Rows lie in a public set of diameter D. The set is the box of the bounds. If a ``radius`` is given, the set is the part
of the box with sums of absolute values up to the radius. Let A be the distance from the mean to the farthest point of
the set. There are n rows, and m = l - 1 edits change some of them. Then adding or removing one more row moves the mean
by at most

    R_l = min(D, A + m * D/(n - m)) / (n - l)        and by D from l = n on

since m edits move the mean, and so also A, by at most m * D/(n - m). If rows are swapped, n is public and every radius
is D/n. Everything is computed in whole steps, and each quotient is rounded up. The answer of an empty matrix is zero,
clamped to the bounds. Proof: docs/proofs/vector_mean.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import Keyword, Pair, ParameterError, Value, Words
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe, exact, spell
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.records import Rows, RowsInMemory
from noisewise.statistics.row_formulas import index_of
from noisewise.statistics.statistic import BOTH
from noisewise.statistics.vector import Norm, VectorFrame, VectorStatistic, floored

NORMS: tuple[object, ...] = ("l1", "linf")

MOST_STEPS = 2**38
"""By default the ranges of all columns have at most this many steps in total."""

BLOCK = 1 << 20
"""The sum of this many indices of at most 2^42 fits into 64 bits."""

LEAST_RADIUS = 1_000_000
"""The radius is at least the larger bound divided by this."""


@dataclass(frozen=True, slots=True, init=False)
class VectorMean(VectorStatistic):
    """The mean row. Numbers are clamped to the bounds. If the absolute values of a row add up to more than ``radius``,
    the row is scaled down.

    ``norm`` is the norm of the noise. ``"linf"`` is for rows whose numbers may be anywhere between the bounds, and
    ``"l1"`` is for rows with small sums of absolute values.
    """

    norm: Norm
    radius: Fraction | None

    relations = BOTH

    def __init__(self, norm: Norm | None = None, radius: object = None) -> None:
        """By default, use the norm that makes the answer most accurate: l1 with a radius, otherwise linf."""
        if norm is None:
            norm = "linf" if radius is None else "l1"
        named: object = norm  # an array, too, may be given
        if not isinstance(named, str) or named not in NORMS:
            raise ParameterError("norm", ("must be ", Words("l1", "linf")), got=describe(norm)) from None
        if radius is not None and norm == "linf":
            raise ParameterError(
                "radius",
                (
                    "must be ",
                    Value("None", "left out"),
                    " with ",
                    Keyword("norm", "linf"),
                    ", where the bounds say all",
                ),
                got=describe(radius),
            ) from None
        reach = None if radius is None else exact("radius", radius)
        if reach is not None and reach <= 0:
            raise ParameterError("radius", "must be above 0", got=describe(radius)) from None
        object.__setattr__(self, "norm", norm)
        object.__setattr__(self, "radius", reach)

    def __str__(self) -> str:
        return "vector mean"

    def notes(self) -> tuple[str, ...]:
        scaled = "rows whose absolute values add up to more than {} are scaled down to it"
        return () if self.radius is None else (scaled.format(spell(self.radius)),)

    def frame(self, columns: int, bounds: object, granularity: object) -> VectorFrame:
        low, high = exact_bounds(bounds)
        answers = Lattice.between((low, high), granularity)
        if granularity is None and self.norm == "l1":
            step = answers.granularity
            while columns * (high - low) > step * MOST_STEPS:
                step *= 2
            answers = Lattice.between((low, high), min(step, (high - low) / 2))
        records = Lattice.fine((low, high)) if self.radius is None else self._scaled(low, high, columns)
        return VectorFrame(
            (records,) * columns,
            answers.granularity,
            np.full(columns, answers.low),
            np.full(columns, answers.high),
        )

    def _scaled(self, low: Fraction, high: Fraction, columns: int) -> Lattice:
        """A lattice on which an index times the radius fits into 64 bits. So rows are scaled in integers."""
        assert self.radius is not None
        largest = max(abs(low), abs(high))
        if not low <= 0 <= high:
            raise ParameterError(
                "bounds",
                "must hold 0 where a radius is given",
                got=Pair(f"{float(low):g}", f"{float(high):g}"),
            ) from None
        if self.radius * LEAST_RADIUS < largest:
            raise ParameterError(
                "radius",
                f"must be at least a millionth of the larger bound {float(largest):g}",
                got=f"{float(self.radius):g}",
                fix="narrow the bounds",
            ) from None
        step, product = Lattice.fine((low, high)).granularity, largest * min(self.radius, columns * largest)
        while product > step**2 * 2**60:
            step *= 2
        return Lattice.between((low, high), step)

    def steady(self, neighbors: Neighbors) -> bool:
        return neighbors == "swap"

    def sensitivity(self, frame: VectorFrame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return self._stride(frame, max(size(), 1) if neighbors == "swap" else 1)

    def _stride(self, frame: VectorFrame, count: int) -> int:
        moved: int = floored(-(-self._diameter(frame) // count), self.norm, len(frame.records))
        return moved

    def _diameter(self, frame: VectorFrame) -> int:
        """D in steps of the answer, rounded up. Two rows, or a row and the answer of no rows, are at most D apart."""
        records = frame.records[0]
        across = (records.high - records.low) * (1 if self.norm == "linf" else len(frame.records))
        return self._steps(min(across, 2 * self._ball(frame)), 1, frame)

    def _ball(self, frame: VectorFrame) -> int:
        """The radius in steps of the records. Without a radius, the largest size of a row."""
        records = frame.records[0]
        corner = max(abs(records.low), abs(records.high)) * len(frame.records)
        return corner if self.radius is None else min(corner, self.radius // records.granularity)

    def _steps(self, top: int, bottom: int, frame: VectorFrame) -> int:
        """A distance of top/bottom steps of the records in whole steps of the answer, rounded up."""
        unit = frame.records[0].granularity / frame.granularity
        return -(-top * unit.numerator // (bottom * unit.denominator))

    def radii(self, rows: Any, frame: VectorFrame, levels: int) -> tuple[Integers, RadiusBounds]:
        sums, count = self._sums(rows, frame), rows.count
        centre = np.array(_floors(sums, max(count, 1), frame), np.int64)
        if rows.neighbors == "swap":
            return centre, RadiusBounds.of(np.zeros(0, np.int64), self._stride(frame, max(count, 1)))
        widest, stride = self._diameter(frame), self._stride(frame, 1)
        kept = min(levels, max(count - 1, 0))
        reach = self._reach(sums, count, frame) if kept else 0
        m = np.arange(kept)
        early = np.minimum(m, count // 2)
        drift = early * -(-widest // (count - early))
        local = np.where(2 * m >= count, widest, np.minimum(widest, reach + drift))
        return centre, RadiusBounds.of(floored(-(-local // (count - 1 - m)), self.norm, len(sums)), stride)

    def _sums(self, rows: Any, frame: VectorFrame) -> list[int]:
        """The exact sum of each column, in steps of the records. For an empty matrix, its answer."""
        scaled = self.radius is not None
        sums = self._scaled_sums(rows, frame) if scaled else _column_sums(rows, frame.records)
        if rows.count == 0:
            low, high = frame.records[0].low, frame.records[0].high
            return [min(max(0, low), high)] * len(sums)
        return sums

    def _scaled_sums(self, rows: RowsInMemory, frame: VectorFrame) -> list[int]:
        """The exact sum of each column after rows are scaled down to the radius."""
        lattice = frame.records[0]
        indices = [lattice.index(values) for values in rows.values]
        size, ball = np.zeros(rows.count, np.int64), self._ball(frame)
        for column in indices:
            size += np.abs(column)
        far = np.flatnonzero(size > ball)
        for column in indices:
            column[far] = np.sign(column[far]) * (np.abs(column[far]) * ball // size[far])
        return [_total(column) for column in indices]

    def _reach(self, sums: list[int], count: int, frame: VectorFrame) -> int:
        """A in steps of the answer, rounded up: the distance from the mean to the farthest point of the set."""
        low, high = frame.records[0].low, frame.records[0].high
        sides = [max(count * high - total, total - count * low) for total in sums]
        across = max(sides) if self.norm == "linf" else sum(sides)
        if self.radius is not None:
            across = min(across, count * self._ball(frame) + sum(map(abs, sums)))
        return self._steps(across, count, frame)


def _column_sums(rows: Rows, lattices: tuple[Lattice, ...]) -> list[int]:
    indices = [index_of(column, lattice) for column, lattice in enumerate(lattices)]
    return rows.sums(indices, [(column,) for column in range(len(indices))])


def _total(indices: Integers) -> int:
    return sum(int(indices[at : at + BLOCK].sum()) for at in range(0, indices.size, BLOCK))


def _floors(sums: list[int], count: int, frame: VectorFrame) -> list[int]:
    """The index at or below the mean of each column, within its public ends."""
    unit = frame.records[0].granularity / frame.granularity
    over, under = unit.numerator, unit.denominator * count
    ends = zip(sums, frame.low.tolist(), frame.high.tolist(), strict=True)
    return [min(max(total * over // under, low), high) for total, low, high in ends]
