"""R²: the share of the variation of y_true that predictions explain, 1 - SSE/SST, clipped to a public [floor, 1].

Both numbers of a row are clamped to the bounds, which are W apart. SSE is the sum of squared errors, and SST is the sum
of squared distances of y_true from its mean. The answer falls with SSE and rises with SST, so bounds of SSE and SST
bound the answer. With d rows removed and m rows added:

    SSE >= SSE - the d largest squares                   SSE <= SSE + m*W^2 (swap: the m smallest become W^2)
    SST <= SST with m rows added at the two bounds       SST >= SST with d made-up rows taken from one bound

Here d + m = l if rows are added and removed, and d = m = l if they are swapped. If SST is 0, the answer is the floor.
Proof: docs/proofs/r2.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import ClassVar, NamedTuple

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import Number, describe, exact, spell
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Column, Rows
from noisewise.statistics.row_formulas import Arithmetic, Numbers, RowNumber
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.summands import Box, Summands, outwards, spread_sums, squared_deviations

LEAST_FLOOR = -1_000_000

TRUTH = RowNumber((0,), lambda by, truth: truth)

Ratio = tuple[int, int]
"""A numerator and a positive denominator."""


@dataclass(frozen=True, slots=True, init=False)
class R2(Statistic):
    """R² = 1 - SSE/SST, clipped to [floor, 1]; the floor if y_true does not vary."""

    relations = BOTH

    floor: Fraction
    columns: ClassVar[int] = 2

    def __init__(self, floor: Number = -1) -> None:
        least = exact("floor", floor)
        if not LEAST_FLOOR <= least <= 0:
            raise ParameterError(
                "floor", f"must be between {LEAST_FLOOR} and 0", got=describe(floor)
            ) from None
        object.__setattr__(self, "floor", least)

    def __str__(self) -> str:
        return "r2" if self.floor == -1 else f"r2(floor={spell(self.floor)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        return Frame(Lattice.fine(bounds), Answers.between(self.floor, Fraction(1), granularity))

    def summands(self, frame: Frame) -> Summands:
        width = frame.records.high - frame.records.low
        return Summands((width**2,) * 4, together=Fraction(2))

    def sums(self, rows: Rows) -> tuple[int, ...]:
        """SSE, and the sums that determine SST."""
        lattice, truth = rows.lattice, rows.numbers(TRUTH)
        squares = _errors(rows).sums(squares=True).squares
        return squares, *spread_sums(truth.sums(squares=True), lattice.high - lattice.low)

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        (least, most), *truth = box
        smallest, largest = squared_deviations(truth)
        low = 1 - most / smallest if smallest else self.floor
        high = 1 - least / largest if largest else self.floor
        return outwards((low / frame.answers.granularity, high / frame.answers.granularity))

    def envelope(self, rows: Rows, answers: Answers, levels: int) -> Envelope:
        """A nested bound. Level 0 is the answer itself."""
        edits = min(levels, rows.count)
        errors, truth = _read(rows, edits)
        bare = answers.floor(*self.floor.as_integer_ratio())
        reach = _swapped if rows.neighbors == "swap" else _added_or_removed

        def answer(sse: int, sst: Ratio) -> int:
            top, bottom = sst
            return answers.floor(top - sse * bottom, top) if top > 0 else bare

        lower, upper = [], []
        for l in range(edits + 1):
            worst, best = reach(errors, truth, l)
            lower.append(min(answer(*each) for each in worst))
            upper.append(answer(*best))
        return Envelope.of(lower, upper, answers.support)


class _Errors(NamedTuple):
    """SSE in squares of lattice steps, with edits.

    ``without`` is SSE without its 0, 1, ... largest terms. ``replaced`` is SSE with its 0, 1, ... smallest terms
    replaced by W^2.
    """

    total: int
    without: list[int]
    replaced: list[int]


class _Truth(NamedTuple):
    """The number of y_true, their sum and their sum of squares. They count lattice steps from the lower bound."""

    rows: int
    total: int
    squares: int
    width: int

    def with_added(self, m: int) -> Ratio:
        """An upper bound of SST with m rows added, some at the upper bound and the others at the lower bound.

        The best number of rows at the upper bound may be a fraction here. So this function is concave in m.
        """
        n, balance = self.rows + m, self.rows * self.width - 2 * self.total
        if balance + m * self.width < 0:
            return _spread(n, self.total, self.squares)
        if balance - m * self.width > 0:
            return _spread(n, self.total + m * self.width, self.squares + m * self.width**2)
        return 4 * (self.squares - self.total * self.width) + n * self.width**2, 4

    def with_removed(self, d: int) -> Ratio:
        """A lower bound of SST with d rows removed, as if d rows were at one of the bounds. It may be negative."""
        n = self.rows - d
        from_low = _spread(n, self.total, self.squares)
        from_high = _spread(n, self.total - d * self.width, self.squares - d * self.width**2)
        return min(from_low, from_high)  # they have the same denominator


Candidate = tuple[int, Ratio]
"""A bound of SSE and a bound of SST."""


def _errors(rows: Rows) -> Column:
    """The absolute error of each row, plus the lower bound."""
    lattice = rows.lattice

    def error(by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        apart = by.absolute(by.nearest(truth, lattice) - by.nearest(prediction, lattice))
        # exact: the granularity of a fine lattice is a power of two
        return (apart + float(lattice.low)) * float(lattice.granularity)

    return rows.numbers(RowNumber((0, 1), error))


def _read(rows: Rows, edits: int) -> tuple[_Errors, _Truth]:
    low, width = rows.lattice.low, rows.lattice.high - rows.lattice.low
    errors, sums = _errors(rows), rows.numbers(TRUTH).sums(squares=True)
    total = errors.sums(squares=True).squares
    smallest, largest = ((end - low).tolist() for end in errors.extremes(edits))
    without = accumulate((-error * error for error in reversed(largest)), initial=total)
    replaced = accumulate((width * width - error * error for error in smallest), initial=total)
    return _Errors(total, list(without), list(replaced)), _Truth(sums.count, sums.total, sums.squares, width)


def _swapped(errors: _Errors, truth: _Truth, l: int) -> tuple[list[Candidate], Candidate]:
    """The worst and the best bounds of SSE and SST after l swaps."""
    return [(errors.replaced[l], truth.with_removed(l))], (errors.without[l], truth.with_added(l))


def _added_or_removed(errors: _Errors, truth: _Truth, l: int) -> tuple[list[Candidate], Candidate]:
    """The worst and the best bounds of SSE and SST after l rows are added or removed.

    It is worst to only add or only remove. The best number of removals is found by bisection, since the bound gets
    worse on both sides of it.
    """
    only_added = errors.total + l * truth.width**2, truth.with_added(0)
    only_removed = errors.total, truth.with_removed(l)

    def removing(d: int) -> Candidate:
        return errors.without[d], truth.with_added(l - d)

    low, high = 0, l
    while low < high:
        middle = (low + high) // 2
        (sse, (top, bottom)), (next_sse, (next_top, next_bottom)) = removing(middle), removing(middle + 1)
        if sse * bottom * next_top <= next_sse * next_bottom * top:
            high = middle
        else:
            low = middle + 1
    return [only_added, only_removed], removing(low)


def _spread(count: int, total: int, squares: int) -> Ratio:
    """The sum of squared distances from the mean, from the sum and the sum of squares; 0 if there are no records."""
    return (count * squares - total * total, count) if count > 0 else (0, 1)
