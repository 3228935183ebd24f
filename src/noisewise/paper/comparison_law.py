"""Laws to compare with: they say how far off an answer would be, and refuse to be drawn from."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.secret import Secret


class ComparisonLaw(Protocol):
    """The law of an answer that is never released."""

    @property
    def guarantee(self) -> str:
        """What would be promised to one person, in words."""

    @property
    def pure(self) -> bool:
        """Whether that is pure differential privacy."""

    def errors(self, share: float) -> tuple[float, float, float]:
        """The mean error, how far off an answer is at most with this probability, and the bias."""

    def draw(self, size: int) -> NoReturn: ...


class NotReleased(Secret):
    """What every law to compare with has in common."""

    __slots__ = ()

    def draw(self, size: int) -> NoReturn:
        """Refused: these laws are floats, and a draw by floats is not private."""
        raise ParameterError(
            "this law", "must not be drawn from", why="it is floats for comparison, not an exact law"
        ) from None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TableLaw(NotReleased):
    """A probability for each of a public list of answers."""

    values: Floats
    chances: Floats
    centre: float
    guarantee: str
    pure: bool = True

    def errors(self, share: float) -> tuple[float, float, float]:
        away, chances = self.values - self.centre, self.chances
        order = np.argsort(np.abs(away), kind="stable")
        held = int(np.searchsorted(np.cumsum(chances[order]), share - 1e-12))
        within = float(np.abs(away[order[min(held, order.size - 1)]]))
        return float(chances @ np.abs(away)), within, float(chances @ away)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class NoiseLaw(NotReleased):
    """The answer plus symmetric noise of a scale, clamped to the public ends of answers.

    ``tail`` is the chance of noise above a distance, in scales, and ``mean_up_to`` the integral of ``tail`` up to it.
    """

    centre: float
    scale: float
    ends: tuple[float, float]
    tail: Callable[[float], float]
    mean_up_to: Callable[[float], float]
    guarantee: str
    pure: bool = True

    def errors(self, share: float) -> tuple[float, float, float]:
        if self.scale == 0:
            return 0.0, 0.0, 0.0
        below, above = (abs(end - self.centre) for end in self.ends)
        down, up = self.mean_up_to(below / self.scale), self.mean_up_to(above / self.scale)
        low, high = 0.0, max(below, above)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if self.beyond(middle) <= 1 - share else (middle, high)
        return self.scale * (down + up), high, self.scale * (up - down)

    def beyond(self, far: float) -> float:
        """The chance of an answer that is farther off."""
        chance = self.tail(far / self.scale)
        return sum(chance if far < abs(end - self.centre) else 0.0 for end in self.ends)


def laplace_noise(
    centre: float, scale: float, ends: tuple[float, float], guarantee: str, *, pure: bool = False
) -> NoiseLaw:
    """Laplace noise of a scale."""
    return NoiseLaw(
        centre,
        scale,
        ends,
        lambda far: math.exp(-far) / 2,
        lambda far: -math.expm1(-far) / 2,
        guarantee,
        pure,
    )


def judged(name: str, fits: Any, rule: str) -> None:
    """Refuse a question that a mechanism of the family cannot answer."""
    if not fits:
        raise ParameterError("the question", f"must be {rule} for {name}") from None
