"""Formulas as text, by which two formulas are known to be the same.

Two formulas that are written alike compute the same of every row: operation by operation, constant by constant, of the
same columns. So the result of one is that of the other.
"""

from collections.abc import Hashable
from typing import Any

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.row_formulas import RowNumber


def written(number: RowNumber) -> Hashable:
    """A formula as it is written: two of them that are equal compute the same of every row."""
    by = Writing()
    result = number.formula(by, *(WrittenTerm(f"c{column}") for column in number.columns))
    return number.columns, *by.steps, _text(result)


class WrittenTerm:
    """Numbers in a formula, as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __neg__(self) -> "WrittenTerm":
        return WrittenTerm(f"(-{self.text})")

    def __add__(self, other: Any) -> "WrittenTerm":
        return _of_two("+", self, other)

    def __radd__(self, other: Any) -> "WrittenTerm":
        return _of_two("+", other, self)

    def __sub__(self, other: Any) -> "WrittenTerm":
        return _of_two("-", self, other)

    def __rsub__(self, other: Any) -> "WrittenTerm":
        return _of_two("-", other, self)

    def __mul__(self, other: Any) -> "WrittenTerm":
        return _of_two("*", self, other)

    def __rmul__(self, other: Any) -> "WrittenTerm":
        return _of_two("*", other, self)

    def __truediv__(self, other: Any) -> "WrittenTerm":
        return _of_two("/", self, other)

    def __rtruediv__(self, other: Any) -> "WrittenTerm":
        return _of_two("/", other, self)

    def __eq__(self, other: object) -> "WrittenTerm":  # type: ignore[override]
        return _of_two("==", self, other)

    def __ne__(self, other: object) -> "WrittenTerm":  # type: ignore[override]
        return _of_two("!=", self, other)

    def __lt__(self, other: Any) -> "WrittenTerm":
        return _of_two("<", self, other)

    def __le__(self, other: Any) -> "WrittenTerm":
        return _of_two("<=", self, other)

    def __gt__(self, other: Any) -> "WrittenTerm":
        return _of_two(">", self, other)

    def __ge__(self, other: Any) -> "WrittenTerm":
        return _of_two(">=", self, other)

    def __and__(self, other: Any) -> "WrittenTerm":
        return _of_two("&", self, other)

    def __or__(self, other: Any) -> "WrittenTerm":
        return _of_two("|", self, other)

    def __invert__(self) -> "WrittenTerm":
        return WrittenTerm(f"(~{self.text})")


class Writing:
    """The arithmetic that computes nothing and writes down what is to be computed."""

    def __init__(self) -> None:
        self.steps = list[str]()

    def once(self, numbers: Any) -> WrittenTerm:
        """Numbers that are used several times are written once, so that no text grows with each use."""
        self.steps.append(_text(numbers))
        return WrittenTerm(f"once{len(self.steps) - 1}")

    def where(self, condition: Any, then: Any, otherwise: Any) -> WrittenTerm:
        return _called("where", condition, then, otherwise)

    def absolute(self, numbers: Any) -> WrittenTerm:
        return _called("absolute", numbers)

    def divided(self, numbers: Any, by: float) -> WrittenTerm:
        return _called("divided", numbers, by)

    def clip(self, numbers: Any, low: float, high: float) -> WrittenTerm:
        return _called("clip", numbers, low, high)

    def rounded(self, numbers: Any) -> WrittenTerm:
        return _called("rounded", numbers)

    def nearest(self, numbers: Any, lattice: Lattice) -> WrittenTerm:
        return _called("nearest", numbers, lattice.low, lattice.high, lattice.granularity)

    def split(self, numbers: Any) -> tuple[WrittenTerm, WrittenTerm]:
        return self.once(_called("mantissa", numbers)), self.once(_called("exponent", numbers))


def _text(part: Any) -> str:
    """A part of a formula as text; of a float64, enough digits to be no other."""
    return part.text if isinstance(part, WrittenTerm) else repr(part)


def _of_two(operation: str, left: Any, right: Any) -> WrittenTerm:
    return WrittenTerm(f"({_text(left)}{operation}{_text(right)})")


def _called(name: str, *parts: Any) -> WrittenTerm:
    return WrittenTerm(f"{name}({', '.join(map(_text, parts))})")
