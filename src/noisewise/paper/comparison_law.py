"""Laws for comparisons. They tell how far an answer would be from the true one. Answers cannot be drawn from them."""

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
        """Return in words which kind of privacy the law would give."""

    @property
    def pure(self) -> bool:
        """Whether the law would give pure differential privacy."""

    def errors(self, share: float) -> tuple[float, float, float]:
        """Return the mean error, a bound on the error that holds with probability ``share``, and the bias."""

    def draw(self, size: int) -> NoReturn: ...


class NotReleased(Secret):
    """The common part of all laws for comparisons: nothing can be drawn from them."""

    __slots__ = ()

    def draw(self, size: int) -> NoReturn:
        """Raise an error. These laws are computed with floats, and a draw by floats is not private."""
        raise ParameterError(
            "this law", "must not be drawn from", why="it is floats for comparison, not an exact law"
        ) from None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TableLaw(NotReleased):
    """A law with a probability for each answer of a public list."""

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
    """The law of the true answer plus symmetric noise, clamped to the public ends of answers.

    ``scale`` is the scale of the noise. ``tail`` returns the probability that noise of scale 1 is above a distance, and
    ``mean_up_to`` returns the integral of ``tail`` from 0 to a distance.
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
        """Return the probability that an answer is farther than ``far`` from the true one."""
        chance = self.tail(far / self.scale)
        return sum(chance if far < abs(end - self.centre) else 0.0 for end in self.ends)


def laplace_noise(
    centre: float, scale: float, ends: tuple[float, float], guarantee: str, *, pure: bool = False
) -> NoiseLaw:
    """Return the law of an answer with Laplace noise of scale ``scale``."""
    return NoiseLaw(
        centre,
        scale,
        ends,
        lambda far: math.exp(-far) / 2,
        lambda far: -math.expm1(-far) / 2,
        guarantee,
        pure,
    )


def refuse_unless(name: str, fits: Any, rule: str) -> None:
    """Refuse a question that the mechanism ``name`` cannot answer. ``rule`` says which questions it can answer."""
    if not fits:
        raise ParameterError("the question", f"must be {rule} for {name}") from None
