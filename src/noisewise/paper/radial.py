"""The paper's continuous density in many dimensions, to look at and to compute with. NOT PRIVATE, NOT FOR RELEASE.

Radii R_1, R_2, ... say how far an answer f(x) of d numbers could move in an L_p norm [Durfee25, Def. 5.1]. The balls of
radius R_1, R_1 + R_2, ... cut the space into shells. Inside a shell, the cost rises evenly by one:

    cost(r) = l - 1 + (r - a) / R_l      for a = R_1 + ... + R_(l-1) <= r <= a + R_l
    density of y, proportional to exp(-h * cost(|y - f(x)|))      with h = epsilon/2

The density depends only on the distance of y from f(x). So distance and direction are independent. The distance has a
density proportional to r^(d-1) * exp(-h * cost(r)), and the direction has the cone measure of the norm. Both are drawn
directly, without rejection, in any dimension and for any p.

The mass of a shell is a difference of incomplete gamma functions. Such differences cancel in thin shells. So the mass
is computed by Gauss-Legendre integration in log space, on eight panels. They cover the part of the shell in which the
density is at least exp(-40) of its peak. All numbers are floats, as in `density`. Proof: docs/proofs/radial.md.

[Durfee25] Unifying Laplace Mechanism with Instance Optimality in Differential Privacy; docs/concepts/paper.md
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator  # noqa: TID251  always seeded: no release comes from here
from numpy.typing import ArrayLike, NDArray

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import whole
from noisewise.paper.density import with_floats

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]

MAX_EPSILON = 128.0
NEGLIGIBLE = 40.0
"""A part of a shell whose density is exp(-40) of the shell's peak or less is left out."""
PANELS = 8
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, slots=True, eq=False)
class _Shells:
    """The shells with a width above 0, from the centre outwards.

    A distance from the centre is written as the index of a shell and an ``offset`` from the inner edge of this shell.
    """

    d: int
    rate: float
    level: Floats  # the cost at the inner edge; 0 for the first shell
    inner: Floats
    width: Floats  # the distance over which the cost rises by one
    depth: Floats  # the thickness of the shell: its width, or infinite

    def log_weight(self, shell: Whole, offset: Floats) -> Floats:
        """Return the log of the weight r^(d-1) * exp(-h * cost(r)) at an offset, where h is ``rate``."""
        cost = self.level[shell] + offset / self.width[shell]
        with np.errstate(divide="ignore"):
            room = (self.d - 1) * np.log(self.inner[shell] + offset) if self.d > 1 else np.zeros(1)
        return np.asarray(room - self.rate * cost)

    def integral(self, shell: Whole, start: Floats, stop: Floats, log_unit: float, moment: int = 0) -> Floats:
        """Return the integral of r^moment times the weight from ``start`` to ``stop``, divided by exp(log_unit)."""
        half, total = (stop - start) / 2, np.zeros(np.shape(start))
        with np.errstate(divide="ignore"):
            log_half = np.log(half)
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            offset = start + half * (1 + node)
            radius = (self.inner[shell] + offset) ** moment
            total += weight * radius * np.exp(self.log_weight(shell, offset) + log_half - log_unit)
        return total

    def peak(self) -> Floats:
        """Return the offset of the largest weight in each shell: r = (d-1) * width / h, or the edge nearest to it."""
        return np.clip((self.d - 1) * self.width / self.rate - self.inner, 0, self.depth)

    def cuts(self) -> Floats:
        """Return the offsets of the edges of all panels, with a row for each shell."""
        shell, peak = np.arange(self.inner.size), self.peak()
        floor = self.log_weight(shell, peak) - NEGLIGIBLE
        far = peak + (2 * NEGLIGIBLE + 0.4 * (self.d - 1)) * self.width / self.rate
        first, last = (
            self._last_above(floor, peak, end) for end in (np.zeros_like(peak), np.minimum(far, self.depth))
        )
        return np.linspace(first, last, PANELS + 1, axis=1)

    def _last_above(self, floor: Floats, peak: Floats, end: Floats) -> Floats:
        """Find by bisection the offset nearest to ``end`` at which the log weight is at least ``floor``."""
        shell, inside, outside = np.arange(peak.size), peak, end
        for _ in range(60):
            middle = (inside + outside) / 2
            above = self.log_weight(shell, middle) >= floor
            inside, outside = np.where(above, middle, inside), np.where(above, outside, middle)
        return np.where(self.log_weight(shell, end) >= floor, end, outside)


@dataclass(frozen=True, slots=True)
class BallDensity:
    """The density of Section 5 in d dimensions, on the balls of Definition 5.1 in the L_p norm, for analysis.

    All radii beyond R_K are ``stride``. Without a stride, the density is 0 outside the ball of radius R_1 + ... + R_K.
    A radius of 0 makes no shell. To release an answer, call ``nws.release`` with a centre and `RadiusBounds`.

    Args:
        centre: f(x), d numbers.
        radii: R_1 to R_K.
        epsilon: The privacy loss, above 0 and at most 128.
        p: The norm, from 1 to infinity.
        stride: The global sensitivity, the radius of every level beyond K.

    Examples:
        >>> ball = nws.paper.BallDensity([0, 0], radii=[1, 2, 3], epsilon=1, p=2, stride=3)
        >>> round(ball.expected_norm(), 3), ball.radius_cdf([1, 3]).round(3).tolist()
        (11.892, [0.016, 0.099])
    """

    centre: Sequence[float] = field(repr=False)
    radii: Sequence[float] = field(repr=False)
    epsilon: float
    p: float = 1.0
    stride: float | None = None
    _shells: _Shells = field(init=False, repr=False, compare=False)
    _cuts: Floats = field(init=False, repr=False, compare=False)
    _below: Floats = field(init=False, repr=False, compare=False)  # Pr[in an earlier panel]
    _log_unit: float = field(init=False, repr=False, compare=False)  # the integral of all weights

    def __post_init__(self) -> None:
        centre, radii = _finite("centre", self.centre), np.zeros(0)
        if np.size(self.radii):
            radii = _finite("radii", self.radii)
        epsilon, p = _number("epsilon", self.epsilon), _number("p", self.p)
        stride = None if self.stride is None else _number("stride", self.stride)
        if centre.ndim != 1 or radii.ndim != 1:
            raise ParameterTypeError("centre and radii", "must be flat sequences of numbers") from None
        if not 0 < epsilon <= MAX_EPSILON:
            raise ParameterError(
                "epsilon", f"must be above 0 and at most {MAX_EPSILON:g}", got=str(epsilon)
            ) from None
        if not p >= 1:
            raise ParameterError("p", "must be at least 1", got=str(p)) from None
        if stride is not None and not 0 < stride < 1e300:
            raise ParameterError("stride", "must be above 0 and finite", got=str(stride)) from None
        if np.any(radii < 0) or not radii.sum() < 1e300:
            raise ParameterError("radii", "must be at least 0, and their sum finite") from None
        if stride is None and not np.any(radii > 0):
            raise ParameterError(
                "radii", "must not all be 0 without a stride", why="a point has no density"
            ) from None
        for name, value in (
            ("centre", tuple(centre.tolist())),
            ("radii", tuple(radii.tolist())),
            ("epsilon", epsilon),
            ("p", p),
            ("stride", stride),
            ("_shells", _shells(centre.size, epsilon / 2, radii, stride)),
        ):
            object.__setattr__(self, name, value)
        self._weigh()

    def _weigh(self) -> None:
        shells, cuts = self._shells, self._shells.cuts()
        shell = np.arange(cuts.shape[0])
        with np.errstate(divide="ignore"):
            most = shells.log_weight(shell, shells.peak()) + np.log(cuts[:, -1] - cuts[:, 0])
        mass = shells.integral(shell[:, None], cuts[:, :-1], cuts[:, 1:], float(most.max()))
        below = np.append(0.0, np.cumsum(mass))
        object.__setattr__(self, "_cuts", cuts)
        object.__setattr__(self, "_below", below / below[-1])
        object.__setattr__(self, "_log_unit", float(most.max()) + math.log(below[-1]))

    @property
    def reach(self) -> float:
        """Return the radius of the support. It is infinite if there is a stride."""
        return math.inf if self.stride is not None else math.fsum(self.radii)

    def logpdf(self, points: ArrayLike) -> Floats:
        """Return the log density, -inf outside the support. The last axis of ``points`` holds the d coordinates."""
        at = _finite("points", points)
        if at.shape[-1:] != (len(self.centre),):
            raise ParameterError(
                "points", f"must have {len(self.centre)} coordinates in their last axis"
            ) from None
        distance, shells = norm(at - np.array(self.centre), self.p), self._shells
        shell = np.searchsorted(shells.inner[1:], distance, side="left")
        cost = shells.level[shell] + (distance - shells.inner[shell]) / shells.width[shell]
        log_sphere = math.log(len(self.centre)) + log_volume(len(self.centre), self.p)
        return np.where(
            distance <= self.reach, -self.epsilon / 2 * cost - self._log_unit - log_sphere, -np.inf
        )

    def radius_cdf(self, r: ArrayLike) -> Floats:
        """Return the probability that a draw Y is at most a distance ``r`` away: Pr[|Y - centre| <= r]."""
        at, shells = np.asarray(r, np.float64), self._shells
        starts = (shells.inner[:, None] + self._cuts[:, :-1]).ravel()
        panel = np.maximum(np.searchsorted(starts, at, side="right") - 1, 0)
        shell, start, stop = self._panel(panel)
        offset = np.clip(at - shells.inner[shell], start, stop)
        return np.minimum(self._below[panel] + shells.integral(shell, start, offset, self._log_unit), 1.0)

    def radius_quantile(self, u: ArrayLike) -> Floats:
        """Return the radius whose `radius_cdf` is the probability ``u``.

        It is found by Newton's method inside a panel. A step that leaves the known interval is replaced by bisection.
        """
        chance, shells = np.asarray(u, np.float64), self._shells
        if not np.all((chance >= 0) & (chance <= 1)):
            raise ParameterError("u", "must lie between 0 and 1") from None
        panel = np.clip(np.searchsorted(self._below, chance, side="left") - 1, 0, self._below.size - 2)
        shell, start, stop = self._panel(panel)
        goal = chance - self._below[panel]
        low, high, offset = start, stop, (start + stop) / 2
        for _ in range(64):
            over = shells.integral(shell, start, offset, self._log_unit) - goal
            low, high = np.where(over < 0, offset, low), np.where(over < 0, high, offset)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                newton = offset - over / np.exp(shells.log_weight(shell, offset) - self._log_unit)
            last, offset = offset, np.where((low <= newton) & (newton <= high), newton, (low + high) / 2)
            still = np.abs(offset - last) <= 1e-12 * (shells.inner[shell] + offset)
            if np.all(still | (np.abs(over) <= 1e-15 * chance)):
                break
        radius = np.where(chance == 0, 0.0, shells.inner[shell] + offset)
        return np.where(chance == 1, self.reach, np.minimum(radius, self.reach))

    def expected_norm(self) -> float:
        """Return E|Y - centre|, the mean distance of a draw Y from the answer, in the norm of the density."""
        shell = np.arange(self._cuts.shape[0])[:, None]
        parts = self._shells.integral(shell, self._cuts[:, :-1], self._cuts[:, 1:], self._log_unit, moment=1)
        return math.fsum(parts.ravel().tolist())

    def sample(self, size: int, *, seed: int) -> Floats:
        """Return ``size`` draws as rows of d coordinates. Each has a radius and a direction. Never for a release."""
        rng = np.random.default_rng(whole("seed", seed, least=0))  # noqa: TID251  seeded on purpose, as in `density`
        radius = self.radius_quantile(rng.random(size))
        return np.array(self.centre) + radius[:, None] * directions(size, len(self.centre), self.p, rng)

    def _panel(self, panel: Whole) -> tuple[Whole, Floats, Floats]:
        """Return the shell of a panel, and the offsets at which the panel begins and ends."""
        shell, part = np.divmod(panel, PANELS)
        return shell, self._cuts[shell, part], self._cuts[shell, part + 1]


def directions(size: int, d: int, p: float, rng: Generator) -> Floats:
    """Return ``size`` random points of the unit sphere of the L_p norm, as rows of d coordinates, by its cone measure.

    A point is g/|g|, where |g| is the L_p norm of a vector g. The coordinates g_i of g are independent, with a density
    at t proportional to exp(-|t|^p). Then |g_i|^p has a gamma distribution of shape 1/p. The product of u^p and a gamma
    variate of shape 1 + 1/p has the same distribution, if u is uniform between 0 and 1. So g_i is computed as the
    product of u, a random sign and the p-th root of this gamma variate. If p = inf, g_i is u with a random sign.
    """
    g = np.copysign(1 - rng.random((size, d)), rng.random((size, d)) - 0.5)
    if not math.isinf(p):
        g *= rng.standard_gamma(1 + 1 / p, (size, d)) ** (1 / p)
    return np.asarray(g / norm(g, p)[:, None])


def norm(points: Floats, p: float) -> Floats:
    """Return the L_p norm along the last axis. Coordinates are divided by the largest first, to avoid overflow."""
    size = np.abs(points)
    top = size.max(axis=-1)
    if math.isinf(p):
        return np.asarray(top)
    unit = np.where(top > 0, top, 1.0)
    return np.asarray(top * ((size / unit[..., None]) ** p).sum(axis=-1) ** (1 / p))


def log_volume(d: int, p: float) -> float:
    """Return the log of the volume of the L_p unit ball, (2 Gamma(1 + 1/p))^d / Gamma(1 + d/p) [Dirichlet]."""
    return d * (math.log(2) + math.lgamma(1 + 1 / p)) - math.lgamma(1 + d / p)


def _shells(d: int, rate: float, radii: Floats, stride: float | None) -> _Shells:
    width = radii if stride is None else np.append(radii, stride)
    depth = radii if stride is None else np.append(radii, np.inf)
    inner, kept = np.append(0.0, np.cumsum(radii))[: width.size], np.flatnonzero(width)
    level = (kept - kept[0]).astype(np.float64)
    return _Shells(d, rate, level, inner[kept], width[kept], depth[kept])


def _finite(name: str, value: ArrayLike) -> Floats:
    numbers = with_floats(value)
    if numbers.ndim == 0 or numbers.dtype.kind not in "iuf" or numbers.size == 0:
        raise ParameterTypeError(
            name, "must be a sequence of numbers", got=f"a {type(value).__name__}"
        ) from None
    if not np.all(np.abs(numbers) < 1e300):
        raise ParameterError(name, "must be finite") from None
    return numbers.astype(np.float64)


def _number(name: str, value: ArrayLike) -> float:
    number = with_floats(value)
    if number.ndim or number.dtype.kind not in "iuf":
        raise ParameterTypeError(name, "must be a real number", got=f"a {type(value).__name__}") from None
    return float(number)
