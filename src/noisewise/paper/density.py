"""The paper's continuous densities (M.1) and (M.2), for analysis. NOT PRIVATE, NOT FOR RELEASE.

Everything here is floating point, and every draw has a seed. Somebody who knows the seed knows the noise, and the low
bits of a float can tell neighbours apart. Releases are exact draws from a law on a lattice. This module only serves to
check theorems and to draw pictures.

Let f(x) be the answer, lower[l] and upper[l] the ends of level l, h = epsilon/2, and l(y) the first level that contains
the outcome y. The score of y is

    M.1    l(y) + (y - upper[l-1]) / (upper[l] - upper[l-1])    if y is above f(x), the same mirrored below, 1 at f(x)
    M.2    l(y)

and the density of y is proportional to exp(-h * score) [Durfee25, Def. 3.1, (M.1), (M.2)]. To draw from it, choose
step l with weight exp(-l*h) * width, and then a point of that step: by an exponential distribution cut to the step
(M.1) or uniformly (M.2) [Algorithm 1, Thm. 2]. A public width ``smooth`` moves every edge outwards. This leaves a
plateau in the middle with the score of f(x) [Sec. 4.2]. Algorithm 1 has no step for the plateau. Its weight is
width * h / (e^h - 1) under M.1, and its width under M.2.

[Durfee25] Unifying Laplace Mechanism with Instance Optimality in Differential Privacy; docs/concepts/paper.md
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import whole
from noisewise.paper.figures import plot
from noisewise.results.pictures.svg import Picture

Floats = NDArray[np.float64]

MAX_EPSILON = 64.0
EXACT = (int, float, Fraction, Decimal)


@dataclass(frozen=True, slots=True)
class Density:
    """The common part of both densities of the levels lower[0..K] and upper[0..K].

    The support is lower[K] - smooth to upper[K] + smooth. Steps without width have no mass and are left out. From left
    to right, the steps are K..1 below, the plateau, and 1..K above. Step i lies between _edge[i] and _edge[i+1].
    """

    interpolate: ClassVar[bool]

    lower: Sequence[float] = field(repr=False)
    upper: Sequence[float] = field(repr=False)
    epsilon: float
    smooth: float = 0.0
    _edge: Floats = field(init=False, repr=False, compare=False)
    _mass: Floats = field(init=False, repr=False, compare=False)
    _first: int = field(init=False, repr=False, compare=False)  # the first level with a width
    _log_norm: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lower, upper = _finite("lower", self.lower, ndim=1), _finite("upper", self.upper, ndim=1)
        epsilon = float(_finite("epsilon", self.epsilon, ndim=0))
        smooth = float(_finite("smooth", self.smooth, ndim=0))
        h, K = epsilon / 2, lower.size - 1
        if not 0 < h <= MAX_EPSILON / 2:
            raise ParameterError("epsilon", f"must be above 0 and at most {MAX_EPSILON:g}", got=str(epsilon))
        if smooth < 0:
            raise ParameterError("smooth", "must be at least 0", got=str(smooth))
        if upper.size != lower.size:
            raise ParameterError(
                "upper", "must be as long as lower", got=f"{upper.size} and {lower.size} levels"
            )
        if lower[0] > upper[0] or np.any(np.diff(lower) > 0) or np.any(np.diff(upper) < 0):
            raise ParameterError(
                "lower", "must never rise, upper never fall, and lower[0] not exceed upper[0]"
            )
        edge = np.concatenate([lower[::-1] - smooth, upper + smooth])
        if edge[0] == edge[-1]:
            raise ParameterError(
                "lower and upper", "must differ somewhere", why="a single point has no density"
            )

        width, level = np.diff(edge), np.abs(np.arange(-K, K + 1))
        first = int(level[width > 0].min())
        with np.errstate(divide="ignore"):
            log_mass = np.log(width) - h * (level - first)
        log_mass[K] += math.log(h / math.expm1(h)) if self.interpolate else 0.0
        log_total = float(np.logaddexp.reduce(log_mass))
        log_norm = log_total + (math.log(-math.expm1(-h) / h) if self.interpolate else 0.0)
        for name, value in (
            ("lower", tuple(lower.tolist())),
            ("upper", tuple(upper.tolist())),
            ("epsilon", epsilon),
            ("smooth", smooth),
            ("_edge", edge),
            ("_mass", np.exp(log_mass - log_total)),
            ("_first", first),
            ("_log_norm", log_norm),
        ):
            object.__setattr__(self, name, value)

    @property
    def support(self) -> tuple[float, float]:
        """Return the lowest and the highest outcome."""
        return float(self._edge[0]), float(self._edge[-1])

    def quality_score(self, y: ArrayLike) -> Floats:
        """Return q(y; x) [Def. 3.1]: -1 at f(x) and -(l+1) at the edge of level l, or -l(y) under M.2.

        It is -inf outside the support.
        """
        return -self._score_beyond(0, y)

    def within(self, alpha: ArrayLike) -> Floats:
        """Return Pr[|Y - f(x)| <= alpha] for an outcome Y, as in Theorem 2."""
        far = np.asarray(alpha, np.float64)
        return np.maximum(self.cdf(self.answer + far) - self.cdf(self.answer - far), 0)

    @property
    def answer(self) -> float:
        """Return f(x), the middle of lower[0] and upper[0]."""
        return (self.lower[0] + self.upper[0]) / 2

    def plot(self) -> Picture:
        """Return a picture of the density. It is as secret as the levels."""
        return plot({type(self).__name__: self}, title="A density of the paper")

    def logpdf(self, y: ArrayLike) -> Floats:
        """Return the log density. It is finite on the whole support, even if the density itself underflows."""
        return -self.epsilon / 2 * self._score_beyond(self._first, y) - self._log_norm

    def pdf(self, y: ArrayLike) -> Floats:
        """Return the density M.1 or M.2. It is zero outside the support."""
        with np.errstate(over="ignore"):  # at f(x) itself, a null set, if many levels are tied there
            return np.asarray(np.exp(self.logpdf(y)))

    def cdf(self, y: ArrayLike) -> Floats:
        """Return Pr[Y <= y] for an outcome Y."""
        at = np.clip(np.asarray(y, np.float64), *self.support)
        step = np.minimum(np.searchsorted(self._edge, at, side="right") - 1, self._mass.size - 1)
        left, width = self._edge[step], np.diff(self._edge)[step]
        share = np.divide(at - left, width, out=np.zeros_like(at), where=width > 0)
        below = self._below()
        return np.asarray(below[step] + np.diff(below)[step] * _cut_cdf(share, self._rates()[step]))

    def quantile(self, p: ArrayLike) -> Floats:
        """Return the p-quantile: the outcome at which the cdf reaches p. For p = 1, it is the end of the support."""
        at = np.asarray(p, np.float64)
        if not np.all((at >= 0) & (at <= 1)):
            raise ParameterError("p", "must lie between 0 and 1")
        below = self._below()
        step = np.maximum(np.searchsorted(below, at, side="left") - 1, 0)
        mass = np.diff(below)[step]
        share = np.divide(at - below[step], mass, out=np.zeros_like(at), where=mass > 0)
        y = self._edge[step] + np.diff(self._edge)[step] * _cut_ppf(share, self._rates()[step])
        return np.asarray(np.where(at == 1, self._edge[-1], np.minimum(y, self._edge[step + 1])))

    def expected_error(self) -> float:
        """Return E|Y - f(x)| for an outcome Y, by a formula."""
        K, width, answer = len(self.lower) - 1, np.diff(self._edge), self.answer
        depth = _cut_mean(self.epsilon / 2) if self.interpolate else 0.5
        error = np.abs(self._inner() - answer) + width * depth
        error[K] = width[K] / 4
        return float(self._mass @ error)

    def sample(self, size: int | tuple[int, ...], *, seed: int) -> Floats:
        """Draw outcomes by Algorithm 1: a step, then a point of the step. For simulations, never for a release."""
        generator = np.random.default_rng(whole("seed", seed, least=0))  # noqa: TID251  seeded on purpose: no release comes from here
        step = generator.choice(self._mass.size, size=size, p=self._mass / self._mass.sum())
        depth = _cut_ppf(generator.random(size), np.abs(self._rates())[step])
        outwards = np.where(step < len(self.lower) - 1, -1.0, 1.0)
        return np.clip(self._inner()[step] + outwards * depth * np.diff(self._edge)[step], *self.support)

    def _score_beyond(self, first: int, y: ArrayLike) -> Floats:
        """Return the score minus ``first``, without cancellation. An edge belongs to the step nearer to f(x)."""
        at, K = np.asarray(y, np.float64), len(self.lower) - 1
        up = np.searchsorted(self._edge[K + 1 :], at, side="left")
        down = K + 1 - np.searchsorted(self._edge[: K + 1], at, side="right")
        level, step = np.maximum(up, down), np.clip(K + up - down, 0, 2 * K)
        inside, off = (self._edge[0] <= at) & (at <= self._edge[-1]), np.where(np.isnan(at), np.nan, np.inf)
        if not self.interpolate:
            return np.where(inside, level - first, off)
        run = np.abs(at - self._inner()[step])
        depth = np.divide(run, np.diff(self._edge)[step], out=np.zeros_like(at), where=inside & (level > 0))
        return np.where(inside, np.maximum(level, 1) - first + depth, off)

    def _inner(self) -> Floats:
        """Return for each step the edge that is nearer to f(x), and for the plateau its lower edge."""
        K = len(self.lower) - 1
        return np.append(self._edge[1 : K + 1], self._edge[K:-1])

    def _below(self) -> Floats:
        """Return Pr[Y <= edge] for every edge."""
        below = np.append(0.0, np.cumsum(self._mass))
        return np.asarray(below / below[-1])

    def _rates(self) -> Floats:
        """Return how fast the density falls across each step from left to right: -h below the plateau, h above it."""
        K = len(self.lower) - 1
        return np.sign(np.arange(-K, K + 1)) * (self.epsilon / 2 if self.interpolate else 0.0)


@dataclass(frozen=True, slots=True)
class PiecewiseLaplaceDensity(Density):
    """The piecewise Laplace density (M.1) of levels that never narrow, for analysis.

    `nws.PiecewiseLaplace`, or ``mechanism="plm"``, releases by its law on a lattice.

    Args:
        lower: The lower levels. The first is f(x) itself.
        upper: The upper levels, the same number of them.
        epsilon: The privacy loss, above 0 and at most 64.
        smooth: The width of the rho-smooth variant [Sec. 4.2].

    Examples:
        >>> law = nws.paper.PiecewiseLaplace([5, 3, 0], [5, 6, 10], epsilon=2)
        >>> round(law.expected_error(), 3), law.quality_score([5, 6, 8]).tolist()
        (1.724, [-1.0, -2.0, -2.5])
    """

    interpolate: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class InverseSensitivityDensity(Density):
    """The inverse sensitivity density (M.2) of levels that never narrow, for analysis.

    `nws.InverseSensitivity`, or ``mechanism="inverse"``, releases by its law on a lattice. It takes the same arguments
    as `PiecewiseLaplace`.

    Examples:
        >>> law = nws.paper.InverseSensitivity([5, 3, 0], [5, 6, 10], epsilon=2)
        >>> round(law.expected_error(), 3), law.quality_score([5, 6, 8]).tolist()
        (1.933, [-0.0, -1.0, -2.0])
    """

    interpolate: ClassVar[bool] = False


def _cut_cdf(share: Floats, rate: Floats) -> Floats:
    """Return the cdf of an exponential distribution that is cut to [0, 1].

    The distribution is uniform if the rate is 0, and its density rises if the rate is negative.
    """
    safe = np.where(rate == 0, 1.0, rate)
    return np.where(rate == 0, share, np.expm1(-safe * share) / np.expm1(-safe))


def _cut_ppf(p: Floats, rate: Floats) -> Floats:
    """Return the inverse of `_cut_cdf`."""
    safe = np.where(rate == 0, 1.0, rate)
    return np.where(rate == 0, p, -np.log1p(p * np.expm1(-safe)) / safe)


def _cut_mean(h: float) -> float:
    """Return the mean of the cut exponential, 1/h - 1/(e^h - 1). For small h, use its series to avoid cancellation."""
    series = 0.5 - h / 12 + h**3 / 720 - h**5 / 30240 + h**7 / 1209600
    return series if h < 0.1 else 1 / h - 1 / math.expm1(h)


def with_floats(value: ArrayLike) -> NDArray[Any]:
    """Return numbers as an array. Fractions, decimals and whole numbers beyond 64 bits become floats."""
    try:
        numbers = np.asarray(value)
    except ValueError:  # lists of several lengths
        return np.asarray(None)
    if numbers.dtype != object or not all(isinstance(each, EXACT) for each in numbers.flat):
        return numbers
    return np.array([_float(each) for each in numbers.flat]).reshape(numbers.shape)


def _float(number: int | float | Fraction | Decimal) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _finite(name: str, value: ArrayLike, *, ndim: int) -> Floats:
    numbers = with_floats(value)
    if numbers.ndim != ndim or numbers.dtype.kind not in "iuf" or numbers.size == 0:
        kind = "a sequence of numbers, at least one" if ndim else "a real number"
        raise ParameterTypeError(name, f"must be {kind}", got=f"a {type(value).__name__}")
    if not np.all(np.abs(numbers) < 1e300):
        raise ParameterError(name, "must be finite")
    return numbers.astype(np.float64)
