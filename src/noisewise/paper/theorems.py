"""The paper's statements about its densities, as functions: Algorithm 1, the Laplace case, bounded range, Theorem 2.

They are computed in floats, for analysis.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, BoundedRange
from noisewise.kernel.numbers.exact import Number
from noisewise.paper.density import Density, PiecewiseLaplaceDensity
from noisewise.paper.levels import Rational

BETWEEN = 32
"""In how many places between two edges the laws of Theorem 2 are compared."""

SAME = 1e-12
"""Probabilities this close are the same, and widths this close for levels near 1: they are computed in floats."""


@dataclass(frozen=True, slots=True)
class SampledInterval:
    """One interval of Algorithm 1.

    Attributes:
        level: l if the interval is above f(x), -l if it is below.
        probability: The probability that step 1 chooses the interval.
        start: The end that is nearer to f(x).
        width: The length of the interval.
        rate: Half of epsilon.
    """

    level: int
    probability: float
    start: float
    width: float
    rate: float

    def point(self, u: float) -> float:
        """Return the point of step 2: the u-quantile of an exponential cut to the interval, outwards from ``start``."""
        if not 0 <= u <= 1:
            raise ParameterError("u", "must lie between 0 and 1") from None
        depth = -math.log1p(u * math.expm1(-self.rate)) / self.rate * self.width
        return self.start + math.copysign(depth, self.level)


def algorithm_1(
    lower: Sequence[Rational], upper: Sequence[Rational], epsilon: Rational
) -> tuple[SampledInterval, ...]:
    """Return the intervals of Algorithm 1 with their probabilities. Each interval can draw a point. For analysis.

    Args:
        lower: The lower levels. The first is f(x) itself.
        upper: The upper levels, the same number of them.
        epsilon: The privacy loss.

    Examples:
        >>> steps = nws.paper.algorithm_1([5, 3, 0], [5, 6, 10], epsilon=2)
        >>> [(each.level, round(each.probability, 3), round(each.point(0.5), 2)) for each in steps]
        [(1, 0.179, 5.38), (2, 0.264, 7.52), (-1, 0.359, 4.24), (-2, 0.198, 1.86)]
    """
    PiecewiseLaplaceDensity(lower, upper, epsilon)  # type: ignore[arg-type]  # this refuses wrong levels
    if lower[0] != upper[0]:
        raise ParameterError(
            "lower and upper", "must begin with the answer itself, lower[0] = upper[0]"
        ) from None
    rate = float(epsilon) / 2
    found = [
        (sign * l, float(sides[l - 1]), abs(float(sides[l]) - float(sides[l - 1])))
        for sign, sides in ((1, upper), (-1, lower))
        for l in range(1, len(sides))
        if sides[l] != sides[l - 1]
    ]
    nearest = min(abs(level) for level, _, _ in found)
    weights = [math.exp(-rate * (abs(level) - nearest)) * width for level, _, width in found]
    total = math.fsum(weights)
    return tuple(
        SampledInterval(level, weight / total, start, width, rate)
        for (level, start, width), weight in zip(found, weights, strict=True)
    )


def laplace_reduction(
    lower: Sequence[Rational], upper: Sequence[Rational], epsilon: Rational
) -> float | None:
    """Return the scale 2*Delta/epsilon of a Laplace distribution that equals (M.1), if all steps have width Delta.

    The distribution is cut to the support [Sec. 4.1]. Return None if the steps have different widths, or if the first
    level is more than a point. It takes the same arguments as `algorithm_1`. For analysis.

    Examples:
        >>> nws.paper.laplace_reduction([5, 3, 1], [5, 7, 9], epsilon=0.5)
        8.0
    """
    law = PiecewiseLaplaceDensity(lower, upper, epsilon)  # type: ignore[arg-type]  # this refuses wrong levels
    if law.lower[0] != law.upper[0]:
        return None
    widths = np.append(-np.diff(law.lower), np.diff(law.upper))
    equal = np.ptp(widths) <= SAME * max(map(abs, law.support))
    return 2 * float(widths[0]) / law.epsilon if equal else None


def bounded_range(first: Density, second: Density) -> float:
    """Return the range of the log ratio of two densities. It is at most epsilon for neighbours [Prop. 2].

    It is computed in floats, for analysis.

    Examples:
        >>> x = nws.paper.PiecewiseLaplace([5, 3, 0], [5, 6, 9], epsilon=1)
        >>> neighbor = nws.paper.PiecewiseLaplace([6, 5, 0], [6, 9, 9], epsilon=1)
        >>> round(nws.paper.bounded_range(x, neighbor), 3)
        1.0
    """
    _check_densities(first, second)
    if first.support != second.support:
        return math.inf
    edges = np.unique(np.concatenate([first._edge, second._edge]))
    start, width = edges[:-1], np.diff(edges)
    near, far = (first.logpdf(at) - second.logpdf(at) for at in (start + width / 3, start + 2 * width / 3))
    ends = np.concatenate([2 * near - far, 2 * far - near])  # log ratios are straight between two edges
    return float(np.ptp(ends))


def bounded_range_zcdp(epsilon: Number) -> ZCDP:
    """Return the least cost in zCDP of a loss with range epsilon. It is at most epsilon^2/8 [Sec. 4.1].

    Examples:
        >>> rho = nws.paper.bounded_range_zcdp(1).rho
        >>> round(float(rho), 4), 1 / 8
        (0.1233, 0.125)
    """
    return BoundedRange(epsilon).as_zcdp()


def dominates(first: Density, second: Density) -> bool:
    """Whether the first density has at least as much mass as the second within every distance alpha of f(x) [Thm. 2].

    It is computed in floats, for analysis. Both are compared at distances in 32 equal steps from each edge to the next.

    Examples:
        >>> levels = [5, 3, 0], [5, 6, 10]
        >>> nws.paper.dominates(nws.paper.PiecewiseLaplace(*levels, 1), nws.paper.InverseSensitivity(*levels, 1))
        True
    """
    _check_densities(first, second)
    if first.answer != second.answer:
        raise ParameterError("first and second", "must be densities of the same answer f(x)") from None
    ends = np.unique(np.abs(np.concatenate([each._edge - each.answer for each in (first, second)])))
    alphas = np.interp(
        np.linspace(0, ends.size - 1, (ends.size - 1) * BETWEEN + 1), np.arange(ends.size), ends
    )
    return bool(np.all(first.within(alphas) >= second.within(alphas) - SAME))


def _check_densities(first: object, second: object) -> None:
    if not (isinstance(first, Density) and isinstance(second, Density)):
        raise ParameterTypeError(
            "first and second", "must be a PiecewiseLaplace or an InverseSensitivity of nws.paper"
        ) from None
