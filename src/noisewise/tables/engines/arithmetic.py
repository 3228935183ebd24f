"""The arithmetic of formulas as expressions of an engine, which computes the same bits as NumPy.

Sums, differences, products, quotients and comparisons of float64 have one correct result on every engine, infinite or
not. No engine raises an error in such an operation, or fuses two of them. Other operations are made of these. To round
a number, a large constant is added, so that the sum has no fractions. A mantissa is found by products with powers of
two. A number that a formula uses several times becomes a column of the frame, so that expressions stay small. For many
formulas the first such columns are computed together, then the second ones, so that a query is no deeper than for one
formula.
"""

from collections.abc import Sequence
from itertools import zip_longest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.row_formulas import Numbers
from noisewise.tables.engines.dialect import Expression, Frame
from noisewise.tables.engines.engine_records import nearest

NO_FRACTIONS = 1.5 * 2.0**52
"""Float64 numbers within 2^51 of this are whole. So a sum with it is rounded to a whole number, halves to even."""

DOUBLINGS = (512, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
"""Exponents of powers of two. If a positive float64 is multiplied by each power in turn that leaves it below 1, it
becomes 1/2 or more."""


class EngineArithmetic:
    """One formula, and the columns that it needs computed first, one after the other.

    ``index`` distinguishes its columns from those of other formulas over the same frame.
    """

    def __init__(self, index: int = 0) -> None:
        self.steps, self._index = list[Expression](), index

    def once(self, numbers: Numbers) -> Numbers:
        import narwhals.stable.v2 as nw

        name = f"once{self._index}_{len(self.steps)}"
        self.steps.append(numbers.alias(name))
        return nw.col(name)

    def where(self, condition: Numbers, then: Numbers, otherwise: Numbers) -> Numbers:
        import narwhals.stable.v2 as nw

        one, other = (nw.lit(each) if isinstance(each, float) else each for each in (then, otherwise))
        return nw.when(condition).then(one).otherwise(other)

    def absolute(self, numbers: Numbers) -> Numbers:
        return numbers.abs()

    def divided(self, numbers: Numbers, by: float) -> Numbers:
        """Divide by a column of two values. (For a single value, Polars multiplies by the inverse, which is
        inexact.)"""
        numbers = self.once(numbers)
        above = numbers > 0.0
        size = self.once(numbers / self.where(above, by, -by))
        return self.where(above, size, size * -1.0)  # the oldest narwhals cannot negate a column

    def clip(self, numbers: Numbers, low: float, high: float) -> Numbers:
        return numbers.clip(low, high)

    def rounded(self, numbers: Numbers) -> Numbers:
        return self.once(numbers + NO_FRACTIONS) - NO_FRACTIONS

    def nearest(self, numbers: Numbers, lattice: Lattice) -> Numbers:
        return self.once(nearest(numbers, lattice))

    def split(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        mantissa, exponent = self.once(numbers), self.once(numbers * 0.0)
        for power in DOUBLINGS:
            small = mantissa < 2.0**-power
            exponent = self.once(exponent - self.where(small, float(power), 0.0))
            mantissa = self.once(self.where(small, mantissa * 2.0**power, mantissa))
        one = mantissa >= 1.0
        exponent = self.once(exponent + self.where(one, 1.0, 0.0))
        return self.once(self.where(one, mantissa * 0.5, mantissa)), exponent


def with_steps(frame: Frame, formulas: Sequence[EngineArithmetic]) -> Frame:
    """The frame with the columns that some formulas need computed first."""
    for together in zip_longest(*(formula.steps for formula in formulas)):
        frame = frame.with_columns(*(step for step in together if step is not None))
    return frame
