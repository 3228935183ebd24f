"""Formulas as text, by which two formulas are known to be the same.

Two formulas with the same text do the same operations with the same constants on the same columns. So they compute the
same number for every row.
"""

from collections.abc import Callable, Hashable
from typing import Any

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.row_formulas import RowNumber


def written(number: RowNumber) -> Hashable:
    """The text of a formula and its columns. Formulas with the same text compute the same number for every row."""
    by = Writing()
    result = number.formula(by, *(WrittenTerm(f"c{column}") for column in number.columns))
    return number.columns, *by.steps, _text(result)


def _operator(sign: str) -> Callable[[Any, Any], "WrittenTerm"]:
    return lambda left, right: WrittenTerm(f"({_text(left)}{sign}{_text(right)})")


def _reflected(sign: str) -> Callable[[Any, Any], "WrittenTerm"]:
    """Python's operator for a term with a number on its left, as in 2 * x."""
    return lambda right, left: WrittenTerm(f"({_text(left)}{sign}{_text(right)})")


class WrittenTerm:
    """Numbers in a formula, as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    __add__, __radd__ = _operator("+"), _reflected("+")
    __sub__, __rsub__ = _operator("-"), _reflected("-")
    __mul__, __rmul__ = _operator("*"), _reflected("*")
    __truediv__, __rtruediv__ = _operator("/"), _reflected("/")
    __eq__, __ne__ = _operator("=="), _operator("!=")  # type: ignore[assignment]
    __lt__, __le__, __gt__, __ge__ = _operator("<"), _operator("<="), _operator(">"), _operator(">=")
    __and__, __or__ = _operator("&"), _operator("|")

    def __neg__(self) -> "WrittenTerm":
        return WrittenTerm(f"(-{self.text})")

    def __invert__(self) -> "WrittenTerm":
        return WrittenTerm(f"(~{self.text})")


class Writing:
    """Arithmetic that computes nothing. It writes down the formula as text."""

    def __init__(self) -> None:
        self.steps = list[str]()

    def once(self, numbers: Any) -> WrittenTerm:
        """Write numbers that are used several times only once. So the text does not grow with each use."""
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
    """A part of a formula as text. A float64 has enough digits to differ from every other float64."""
    return part.text if isinstance(part, WrittenTerm) else repr(part)


def _called(name: str, *parts: Any) -> WrittenTerm:
    return WrittenTerm(f"{name}({', '.join(map(_text, parts))})")
