"""A release acts as its number: in ``float()``, ``int()``, ``round()``, comparisons, arithmetic and NumPy.

The result is a plain number. It is no release, so that nothing computed from two answers claims a receipt.
"""

import operator
from collections.abc import Callable
from typing import Any


def _forward(operation: Callable[[Any, Any], Any]) -> Any:
    def calculate(self: "ActsAsNumber", other: Any) -> Any:
        return operation(self._one(), plain(other))

    return calculate


def _reflected(operation: Callable[[Any, Any], Any]) -> Any:
    def calculate(self: "ActsAsNumber", other: Any) -> Any:
        return operation(plain(other), self._one())

    return calculate


def plain(value: Any) -> Any:
    """The number of a release, or the value itself if it is no release."""
    return value._one() if isinstance(value, ActsAsNumber) else value


class ActsAsNumber:
    """A class whose method ``_one`` returns its number, or raises an error that says why it has none."""

    __slots__ = ()

    _one: Callable[[], Any]

    def __float__(self) -> float:
        return float(self._one())

    def __int__(self) -> int:
        return int(self._one())

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._one(), digits)

    def __neg__(self) -> Any:
        return -self._one()

    def __abs__(self) -> Any:
        return abs(self._one())

    __add__, __radd__ = _forward(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _forward(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _forward(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _forward(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _forward(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _forward(operator.mod), _reflected(operator.mod)
    __pow__, __rpow__ = _forward(operator.pow), _reflected(operator.pow)
    __lt__, __le__ = _forward(operator.lt), _forward(operator.le)
    __gt__, __ge__ = _forward(operator.gt), _forward(operator.ge)
