"""What a vector statistic is: an answer of several numbers, as a centre and radii around it in a norm.

Records are rows of d columns, each column on its own fine lattice. An answer is a vector of lattice indices, all of one
granularity. Each coordinate is floored, and `radii` bounds how far the floored answer can move. Everything but
``radii`` is public.

If two numbers are t apart, their floors are at most ceil(t) apart. So if two answers are t apart, their floors are at
most ceil(t) apart in the largest coordinate, or ceil(t) + d - 1 in the sum of coordinates. `floored` computes this. It
rises with t, and a rising map of all radii keeps them nested. Proof: docs/proofs/vectors.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice

Norm = Literal["l1", "linf"]


def floored(distance: Any, norm: Norm, dimensions: int) -> Any:
    """The largest distance between the floors of two vectors that are ``distance`` apart, in whole steps."""
    return distance + (dimensions - 1) if norm == "l1" else distance


class VectorFrame(NamedTuple):
    """The lattice of each column, the answer's granularity, and the public box that its indices are clamped to."""

    records: tuple[Lattice, ...]
    granularity: Fraction
    low: Integers
    high: Integers


class VectorStatistic(ABC):
    """A question about the rows of several columns whose answer is a vector. ``str(statistic)`` is its name."""

    __slots__ = ()

    norm: Norm = "l1"
    """The norm of radii and sensitivity: the sum of absolute values, or the largest one."""

    relations: ClassVar[tuple[Neighbors, ...]] = ("add_remove",)
    """The relations of neighbours that the radii are right for."""

    def __str__(self) -> str:
        return type(self).__name__.lower()

    @abstractmethod
    def frame(self, columns: int, bounds: object, granularity: object) -> VectorFrame:
        """Where records and answers lie, from public parameters. Raises if a parameter is wrong."""

    def steady(self, neighbors: Neighbors) -> bool:
        """Whether one record moves the answer about equally far in any data. Then Laplace noise is best."""
        return False

    @abstractmethod
    def sensitivity(self, frame: VectorFrame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        """The most steps, in the norm, that one record can move the floored answer."""

    def squared_sensitivity(self, frame: VectorFrame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        """The most squared steps that one record can move the floored answer, added up over all numbers."""
        moved = self.sensitivity(frame, neighbors, size)
        return moved**2 * (1 if self.norm == "l1" else frame.low.size)

    @abstractmethod
    def radii(self, rows: Any, frame: VectorFrame, levels: int) -> tuple[Integers, RadiusBounds]:
        """The floored answer and its radii R_1 to R_levels. Secret. ``rows`` are `Rows` or `RowsInMemory`."""

    def as_answer(self, values: tuple[int | float, ...]) -> object:
        """The released numbers in the shape that the user gets, by default a tuple."""
        return values

    def notes(self) -> tuple[str, ...]:
        """Lines of text that this statistic adds to the receipt. They must not depend on records."""
        return ()
