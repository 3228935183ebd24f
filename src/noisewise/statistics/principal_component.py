"""The first principal component: the direction v of most spread around the public middle, or its projector vvᵀ.

Rows y are counted from the middle of the bounds and are no longer than sqrt(L). Let A be the sum of yyᵀ over the rows.
One record moves A by a matrix of norm at most L. Let g be the gap between the two largest eigenvalues of A. Then one
record turns v by an angle with sin(2*angle) <= L/g, and moves g by at most L. So radii follow from the gap alone:

    R_l = radius(g - (l-1)*L),      or the whole range if less than 2*L of the gap may be left

A public direction u gives v its sign. Then a radius is also the whole range if v may have turned to the far side of u.

A is an exact integer matrix. It is symmetric and has no negative eigenvalue. No float decides what is read from it. The
gap comes from roots of its characteristic polynomial, isolated in balls. The projector is the limit of
A^k / trace(A^k). If balls are too wide, everything is computed again with twice the bits. So both succeed on all data.
Proof: docs/proofs/principal_component.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, count, islice
from math import ceil, isqrt, lcm
from typing import Any, ClassVar

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.balls import Ball, ball, load_flint, precision
from noisewise.kernel.numbers.exact import describe, exact, spell
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.products import sums_of_terms
from noisewise.statistics.row_formulas import IN_MEMORY, RowWhole
from noisewise.statistics.statistic import BOTH
from noisewise.statistics.vector import VectorFrame, VectorStatistic

MOST_COLUMNS = 64
DEFAULT_STEP, FINEST_STEP, COARSEST_STEP = Fraction(1, 2**24), Fraction(1, 2**28), Fraction(1, 4)
MOST_UNLIKE = 2**64
"""The widths of two columns differ by at most this factor."""

PARTS = 1024
"""The gap is measured in parts of L. L has this many parts."""
EDIT = PARTS + 1
"""One record moves the gap by at most this many parts, rounding included."""
ENOUGH = 2 * PARTS
"""A gap of at least this many parts makes the angle small, by sin(2*angle) <= L/gap."""

SLACK = 1 + Fraction(1, 2**40)
"""Rounding in float64 makes the squared length of a shortened row larger by at most this factor."""

Matrix = list[list[int]]

DIGITS, ERROR = 128, 8
"""Projectors are known to ``DIGITS`` binary digits, except the last ``ERROR`` digits."""


@dataclass(frozen=True, slots=True)
class PrincipalComponent(VectorStatistic):
    """The projector of the direction v of most spread. With a public direction ``toward``, it is v with that sign.

    Rows longer than ``length`` are shortened to it first.
    """

    length: Any = None
    toward: Any = None

    relations: ClassVar[tuple[Neighbors, ...]] = BOTH

    def __post_init__(self) -> None:
        if self.length is not None and exact("length", self.length) <= 0:
            raise ParameterError("length", "must be above 0", got=describe(self.length)) from None
        if self.toward is not None:
            object.__setattr__(self, "toward", _direction(self.toward))

    def __str__(self) -> str:
        said = [] if self.length is None else [f"length={spell(exact('length', self.length))}"]
        said += [] if self.toward is None else ["signed"]
        return f"principal_component({', '.join(said)})" if said else "principal_component"

    def frame(self, columns: int, bounds: object, granularity: object) -> VectorFrame:
        if not 2 <= columns <= MOST_COLUMNS:
            raise ParameterError(
                "data", f"must have from 2 to {MOST_COLUMNS} columns", got=str(columns)
            ) from None
        if self.toward is not None and len(self.toward) != columns:
            raise ParameterError(
                "toward", f"must have a number for each of {columns} columns", got=str(len(self.toward))
            ) from None
        records = tuple(Lattice.fine(each) for each in _each(bounds, columns))
        steps = [lattice.granularity for lattice in records]
        if max(steps) > MOST_UNLIKE * min(steps):
            raise ParameterError(
                "bounds", "must be of similar widths, none 10^19 times another", fix="use other units"
            ) from None
        step = DEFAULT_STEP if granularity is None else exact("granularity", granularity)
        if not FINEST_STEP <= step <= COARSEST_STEP:
            raise ParameterError(
                "granularity", "must be between 2^-28 and 1/4", got=describe(granularity)
            ) from None
        half = Fraction(1, 2)  # products of two numbers of v are between -1/2 and 1/2
        diagonal, above, number = (
            (int(a // step), int(b // step)) for a, b in ((0, 1), (-half, half), (-1, 1))
        )
        ends = [number] * columns
        if self.toward is None:
            ends = [diagonal if i == j else above for i, j in _triangle(columns)]
        low, high = np.array(ends, dtype=np.int64).T
        return VectorFrame(records, step, low, high)

    def sensitivity(self, frame: VectorFrame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return self._reach(frame) * (1 if self.toward is None else 2) + _rounding(frame)

    def radii(self, rows: Any, frame: VectorFrame, levels: int) -> tuple[Integers, RadiusBounds]:
        spread = _Spread.of(frame.records, self.length)
        moments = spread.moments(rows)
        parts = gap(moments, spread.longest, PARTS)
        centre, room = self._centre(moments, parts, frame)
        edits = 2 if rows.neighbors == "swap" else 1
        stride = self.sensitivity(frame, rows.neighbors, lambda: 0)
        steps = np.full(levels * edits, stride, dtype=np.int64)
        for l, radius in enumerate(islice(_turns(parts, self._reach(frame)), levels * edits)):
            radius += _rounding(frame)
            room = None if room is None else room - radius
            if room is not None and room <= 0:
                break
            steps[l] = min(stride, radius)
        return centre, RadiusBounds.of(RadiusBounds(steps, stride).per_person(edits).steps, stride)

    def as_answer(self, values: tuple[int | float, ...]) -> object:
        """The symmetric matrix, as a tuple of its rows; or v."""
        if self.toward is not None:
            return values
        columns = (isqrt(8 * len(values) + 1) - 1) // 2
        found = dict(zip(_triangle(columns), values, strict=True))
        return tuple(tuple(found[min(i, j), max(i, j)] for j in range(columns)) for i in range(columns))

    def _reach(self, frame: VectorFrame) -> int:
        """How far the answer moves in steps, in the l1 norm, for each unit of sin(angle). Rounded up."""
        columns = len(frame.records)
        square = Fraction(columns * (columns + 3), 2) if self.toward is None else Fraction(columns)
        return isqrt(ceil(square / frame.granularity**2) - 1) + 1

    def _centre(self, moments: Matrix, parts: int, frame: VectorFrame) -> tuple[Integers, int | None]:
        """The floored answer. If v has a sign, also how far v may turn before the sign changes, where a radian is
        `_reach`.

        If all radii of these data and of their neighbours are the whole range, the answer is a public constant.
        """
        columns, vague = len(moments), parts < ENOUGH - EDIT
        matrix = [[0] * columns] * columns if vague else projector(moments)
        if self.toward is None:
            even = (1 << DIGITS) // columns
            found = [even * (i == j) if vague else matrix[i][j] for i, j in _triangle(columns)]
            return _floored(found, 1 << DIGITS, frame), None
        towards = [sum(a * b for a, b in zip(row, self.toward, strict=True)) for row in matrix]
        square = sum(a * b for a, b in zip(towards, self.toward, strict=True))
        unsure = sum(map(abs, self.toward)) ** 2 << ERROR
        size = sum(each * each for each in self.toward) << DIGITS
        room = isqrt(self._reach(frame) ** 2 * max(0, square - unsure) // size)
        if room == 0:
            return np.zeros(columns, dtype=np.int64), 0
        return _floored(towards, isqrt(square << DIGITS), frame), room


@dataclass(frozen=True, slots=True)
class _Spread:
    """Turns rows into integers. They count halves of the finest step from the middle of the bounds. Public."""

    records: tuple[Lattice, ...]
    scales: tuple[int, ...]
    longest: int
    """L: no row has a larger squared length."""
    length: float | None
    """The length to which rows are shortened; None if the bounds allow no longer rows."""

    @classmethod
    def of(cls, records: tuple[Lattice, ...], length: Any) -> "_Spread":
        finest = min(lattice.granularity for lattice in records)
        scales = tuple(int(lattice.granularity / finest) for lattice in records)
        corner = sum(
            (scale * (lattice.high - lattice.low)) ** 2
            for scale, lattice in zip(scales, records, strict=True)
        )
        if length is None or (asked := (2 * exact("length", length) / finest) ** 2 * SLACK) >= corner:
            return cls(records, scales, corner, None)
        return cls(records, scales, max(1, int(asked)), float(2 * exact("length", length) / finest))

    def moments(self, rows: Any) -> Matrix:
        """The exact integer matrix A, the same for any order of the rows."""
        pairs = _triangle(len(self.records))
        if self.length is None:
            sums = rows.sums(self._wholes(), pairs)
        else:
            mosts = [whole.high for whole in self._wholes()]
            sums = sums_of_terms(rows.count, self._columns(rows.values), mosts, pairs)
        found = dict(zip(pairs, sums, strict=True))
        return [
            [found[min(i, j), max(i, j)] * a * b for j, b in enumerate(self.scales)]
            for i, a in enumerate(self.scales)
        ]

    def _wholes(self) -> list[RowWhole]:
        return [_from_middle(column, lattice) for column, lattice in enumerate(self.records)]

    def _columns(self, values: tuple[Floats, ...]) -> Callable[[int, slice], Floats]:
        """A column of some shortened rows; rows are shortened once for all of their columns."""

        @lru_cache(maxsize=1)
        def rows(start: int, stop: int) -> Floats:
            return self._rows([column[start:stop] for column in values])

        return lambda column, some: rows(some.start, some.stop)[column]

    def _rows(self, values: list[Floats]) -> Floats:
        """A matrix with a column for each row of data. It holds integers up to 2^33, which float64 holds exactly.

        Each of its columns depends on one row of data only.
        """
        away = np.array(
            [whole.formula(IN_MEMORY, column) for whole, column in zip(self._wholes(), values, strict=True)]
        )
        if self.length is None:
            return away
        square = np.zeros(away.shape[1])
        for scale, column in zip(self.scales, away, strict=True):
            square += (column * float(scale)) ** 2
        away *= np.minimum(1.0, self.length / np.sqrt(np.maximum(square, 1.0)))
        shortened: Floats = np.trunc(away)
        return shortened


def _from_middle(column: int, lattice: Lattice) -> RowWhole:
    """A column as whole numbers up to 2^33: they count halves of its steps from the middle of its bounds."""
    width, ends = lattice.high - lattice.low, float(lattice.low + lattice.high)
    return RowWhole((column,), lambda by, x: 2 * by.nearest(x, lattice) - ends, -width, width)


def _turns(parts: int, reach: int) -> Iterator[int]:
    """reach * sin(angle), rounded up, for the first edit, the second edit, and so on. It ends if the gap is too small.

    sin(angle) <= s/(2 - s²) for s = PARTS/parts.
    """
    for left in range(parts, ENOUGH - 1, -EDIT):
        yield -(-reach * PARTS * left // (2 * left * left - PARTS * PARTS))


def _floored(tops: list[int], bottom: int, frame: VectorFrame) -> Integers:
    """Fractions as indices of the answer, within its public range."""
    up, down = frame.granularity.denominator, frame.granularity.numerator * bottom
    return np.clip(np.array([top * up // down for top in tops], dtype=np.int64), frame.low, frame.high)


def _rounding(frame: VectorFrame) -> int:
    """The steps by which rounding can increase the distance of two answers: one for each number, and one more."""
    return int(frame.low.size) + 1


def _direction(toward: object) -> tuple[int, ...]:
    """A public direction as whole numbers."""
    if not isinstance(toward, (tuple, list, np.ndarray)):
        raise ParameterTypeError("toward", "must be a list of numbers", got=describe(toward)) from None
    numbers = [exact("toward", each) for each in toward]
    if not any(numbers):
        raise ParameterError(
            "toward", "must be a direction", got="one without a number other than 0"
        ) from None
    together = lcm(*(number.denominator for number in numbers))
    return tuple(int(number * together) for number in numbers)


def _triangle(columns: int) -> list[tuple[int, int]]:
    """The places of the released numbers in the matrix: on its diagonal and above."""
    return list(combinations_with_replacement(range(columns), 2))


def _each(bounds: Any, columns: int) -> list[Any]:
    """The bounds of each column. They were given as one pair for all columns, or as a pair for each."""
    listed = (tuple, list, np.ndarray)
    if not isinstance(bounds, listed) or not any(isinstance(each, listed) for each in bounds):
        return [bounds] * columns
    if len(bounds) != columns:
        raise ParameterError(
            "bounds", f"must be a pair, or one for each of {columns} columns", got=f"{len(bounds)} of them"
        ) from None
    return list(bounds)


def gap(matrix: Matrix, unit: int, parts: int) -> int:
    """The difference of the two largest eigenvalues, in parts of a unit, or less than 2 parts below it."""
    polynomial = load_flint().fmpz_mat(matrix).charpoly()
    first = max(64, sum(matrix[i][i] for i in range(len(matrix))).bit_length() - unit.bit_length() + 64)
    for bits in _rising(first):
        with precision(bits):
            found: Any = polynomial.complex_roots()
            roots = [root.real for root, times in found for _ in range(int(times))]
            error = ball(0, max(root.rad() for root in roots))
            second, top = sorted(root.mid() for root in roots)[
                -2:
            ]  # each within that error of its eigenvalue
            apart = (top - second + 2 * error) * parts / unit
            if apart.rad() < 0.25:
                return _floor(apart)
    raise AssertionError("unreachable")


def projector(matrix: Matrix) -> Matrix:
    """The entries of vvᵀ times 2^DIGITS. Each number is less than 2^ERROR below the true one.

    M = A^k / trace(A^k) has trace one and the eigenvectors of A. So each entry of M differs from the same entry of vvᵀ
    by at most 1 - |M|².
    """
    flint = load_flint()
    near = ball(2) ** (ERROR - DIGITS - 3)
    for bits in _rising(3 * DIGITS):
        with precision(bits):
            power = flint.arb_mat(flint.fmpz_mat(matrix))
            for _ in range(bits):
                power = power / power.trace()
                square = power * power
                far = 1 - square.trace()
                if far.upper() < near and max(entry.rad() for entry in power.entries()) < near:
                    error = ball(0, far.upper())
                    return [[_floor((entry + error) * 2**DIGITS) for entry in row] for row in power.tolist()]
                power = square
    raise AssertionError("unreachable")


def _floor(number: Ball) -> int:
    """The floor of the lower end of a ball."""
    return int(number.lower().floor().fmpz())


def _rising(bits: int) -> Iterator[int]:
    return (bits << times for times in count())
