"""Vectors: answers of several numbers, drawn at once from balls around the true answer.

The cost of an outcome is the number of people who must change their data until a ball reaches the outcome, interpolated
between two radii. The cost differs by at most one between neighbours, in any dimension (docs/proofs/radii.md). Every
coordinate of the draw is then clamped to its public range. Laplace noise depends only on the distance in the norm, and
has the full rate. In the norm l1 it is independent noise on every coordinate. Proof: docs/proofs/vectors.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.radii import FARTHEST, RadiusBounds
from noisewise.kernel.losses import Loss, Neighbors, PureDP, group_loss
from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.mechanisms.scored import Scored
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe, spell
from noisewise.kernel.prices import Price, Rho, pure_epsilon
from noisewise.kernel.sampling import Bits
from noisewise.questions.choice import Noise, choose, loss_at
from noisewise.questions.keywords import Protection
from noisewise.questions.measured import Measured
from noisewise.questions.payable import Payable, bounds_as_typed
from noisewise.questions.promise import Promise, noise_steps, radial_steps, sums_off, sure
from noisewise.questions.request import MOST_LEVELS, check_terms
from noisewise.questions.wide import FEW
from noisewise.results.release import Release
from noisewise.statistics.covariance import STEPS
from noisewise.statistics.vector import VectorFrame, VectorStatistic
from noisewise.tables.columns.array_rows import DeclaredRows, declare_matrix

WIDE = 64
"""The levels of the widest radii reach this many times as far as a typical draw."""

LEAST_EPSILON = Fraction(1, 10**100)
"""The least epsilon. Below it, float64 could not hold the numbers of lattice points."""


@dataclass(frozen=True, slots=True, repr=False)
class VectorRequest(Payable):
    """One vector statistic of a matrix, checked and not yet paid for."""

    statistic: VectorStatistic
    data: DeclaredRows
    bounds: Any
    frame: VectorFrame
    neighbors: Neighbors
    contributions: int
    price: Price
    mechanism: Noise | Scored

    @classmethod
    def of(
        cls,
        statistic: VectorStatistic,
        data: object,
        *,
        bounds: Any = None,
        granularity: object = None,
        mechanism: object = "auto",
        smooth: object = 0,
        **terms: Unpack[Protection],
    ) -> "VectorRequest":
        """Check every parameter and the declared type of the data. Errors are the same whatever the records say."""
        if not isinstance(statistic, VectorStatistic):
            raise ParameterTypeError(
                "statistic", "must be a vector statistic such as VectorMean()", got=describe(statistic)
            ) from None
        price, relation, owned = check_terms(statistic, **terms)
        if pure_epsilon(price) < LEAST_EPSILON:
            raise ParameterError(
                "epsilon", f"must be at least 1e-100 for {statistic}", got=describe(terms["epsilon"])
            ) from None
        declared = declare_matrix(data)
        frame = statistic.frame(len(declared.columns), bounds, granularity)
        chosen = choose(
            mechanism,
            price=price,
            steady=statistic.steady(relation),
            sensitivity=lambda: owned * statistic.sensitivity(frame, relation, declared.size),
            squared=lambda: owned**2 * statistic.squared_sensitivity(frame, relation, declared.size),
            smooth=smooth,
        )
        if not isinstance(chosen, (Gaussian, Laplace, Scored)):
            raise ParameterError(
                "mechanism",
                f"must be gaussian, laplace, piecewise_laplace or inverse_sensitivity for {statistic}",
                got=str(chosen.name),
            ) from None
        if isinstance(chosen, Laplace) and isinstance(price, Rho) and statistic.norm == "linf":
            # only the price of independent noise is known to be less than that of any pure loss
            chosen = Laplace(epsilon=pure_epsilon(price), sensitivity=chosen.sensitivity)
        if isinstance(chosen, Scored) and chosen.smooth:
            raise ParameterError("smooth", f"must be 0 for {statistic}", got=spell(chosen.smooth)) from None
        typed = None if bounds is None else bounds_as_typed(bounds)
        request = cls(statistic, declared, typed, frame, relation, owned, price, chosen)
        if isinstance(chosen, Scored) and request.stride * request.levels > FARTHEST:
            raise ParameterError(
                "granularity",
                f"must be coarser, or epsilon larger, for {statistic} of {frame.low.size:,} numbers",
                why="its radii could sum to more than 2^61 steps",
            ) from None
        return request

    @property
    def loss(self) -> Loss:
        """The loss of the mechanism. The zCDP cost of discrete Laplace noise is known only if noise is independent."""
        if isinstance(self.price, Fraction) and self._together:
            return PureDP(self.price)
        return loss_at(self.price, self.mechanism)

    def loss_of(self, records: int) -> Loss:
        if type(self.mechanism) is Laplace and not self._together:
            return self.mechanism.loss_of(records)
        return group_loss(self.loss, records)

    @property
    def memo(self) -> str:
        return f"{self.statistic} by {self.version}"

    @property
    def version(self) -> str:
        """The permanent name of the law."""
        if self._together:
            return "discrete-laplace-linf/1"
        if not isinstance(self.mechanism, Scored):
            return self.mechanism.version
        return self.mechanism.version.replace("/", f"-{self.statistic.norm}/")

    @property
    def _together(self) -> bool:
        """Whether the noise is Laplace noise in the maximum norm. Its coordinates are not independent."""
        return isinstance(self.mechanism, Laplace) and self.statistic.norm == "linf"

    @property
    def stride(self) -> int:
        """The farthest that one person can move the answer, measured in the norm, in any data. Public."""
        return self.contributions * self.statistic.sensitivity(self.frame, self.neighbors, self.data.size)

    @property
    def levels(self) -> int:
        """The number of radii, one for each number of people. Hardly any probability lies beyond the last radius."""
        assert isinstance(self.mechanism, Scored), "noise of a public width has no levels"
        rate, dimensions = self.mechanism.epsilon / 2, self.frame.low.size
        far = WIDE * self.stride * dimensions / rate
        across = 6 * far / dimensions if self.statistic.norm == "l1" else 2 * far
        return min(level_rule((int(across) + 6) ** dimensions, rate), MOST_LEVELS // self.contributions)

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """The errors, if noise is the same for all data; otherwise nothing is known."""
        numbers, name = int(self.frame.low.size), self.mechanism.name
        if (steps := self.noise_steps(miss)) is None:
            return Promise(mechanism=name, numbers=numbers)
        each, every = (float((step + 1) * self.frame.granularity) for step in steps)  # rounded down
        return Promise(mechanism=name, error=each, error_of_all=every, numbers=numbers)

    def noise_steps(self, miss: Fraction) -> tuple[int, int] | None:
        """How many steps the noise moves a single number, and the number that it moves most. None if the data decides
        this."""
        noise, numbers = self.mechanism, int(self.frame.low.size)
        if isinstance(noise, Scored):
            return None
        if isinstance(noise, Gaussian) or self.statistic.norm == "l1":
            return noise_steps(noise, miss, numbers)
        return radial_steps(float(noise.epsilon) / noise.sensitivity, float(miss), numbers)

    def sums_off(self, miss: Fraction) -> tuple[Fraction, str] | None:
        """The error of the farthest of several sums, in rows, and a sentence about it. A row adds at most 1 to a sum.

        None if the noise depends on the data.
        """
        if (steps := self.noise_steps(miss)) is None:
            return None
        rows = Fraction(steps[1] + 1, STEPS)
        people = math.ceil(rows * STEPS / self.stride)
        return rows, sums_off(sure(1 - miss), int(self.frame.low.size), people)

    def measured(self) -> Measured:
        return Measured.of_numbers(self, self.statistic.as_answer(self.without_noise()))

    def without_noise(self) -> tuple[float, ...]:
        """Not private: the numbers to which a draw adds noise, before the noise."""
        law = self.look(0)
        if isinstance(law, GaussianLaw):
            centre = law.centres
        else:
            centre = law.envelope.lower if isinstance(law, Law) else np.asarray(law.centre)
        inside = np.minimum(np.maximum(centre, self.frame.low), self.frame.high)
        return tuple(float(int(index) * self.frame.granularity) for index in inside)

    def look(self, levels: int | None = None) -> "BallLaw | GaussianLaw | Law":
        """The secret law of the vector of indices. If noise is independent, there is one law for each coordinate."""
        people = (self.levels if isinstance(self.mechanism, Scored) else 0) if levels is None else levels
        with np.errstate(all="ignore"):
            rows = self.data.read(self.frame.records[0], self.neighbors)
            centre, radii = self.statistic.radii(rows, self.frame, people * self.contributions)
        step, box = self.frame.granularity, (self.frame.low, self.frame.high)
        if isinstance(self.mechanism, Gaussian):
            return GaussianLaw(centre, self.mechanism.variance, granularity=step)
        if isinstance(self.mechanism, Laplace):
            reach, rate = self.mechanism.sensitivity, self.mechanism.epsilon
            if self._together:
                everywhere = RadiusBounds.of(np.zeros(0, np.int64), reach)
                return BallLaw(centre, everywhere, "linf", rate, granularity=step, box=box)
            groups = np.arange(centre.size + 1)
            return Law(Envelope(centre, centre, groups, (None, None), reach), rate, granularity=step)
        return BallLaw(
            centre,
            radii.per_person(self.contributions),
            self.statistic.norm,
            self.mechanism.epsilon / 2,
            graded=self.mechanism.graded,
            granularity=step,
            box=box,
        )

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        law, step = self.look(), self.frame.granularity
        with np.errstate(all="ignore"):
            drawn: Integers = (
                law.draw_one(bits=bits) if isinstance(law, BallLaw) else law.draw_each(bits=bits)
            )
            indices = np.minimum(np.maximum(drawn, self.frame.low), self.frame.high).tolist()
        values = tuple(int(k * step) if step.denominator == 1 else float(Fraction(k) * step) for k in indices)
        return self.released(
            self.statistic.as_answer(values),
            receipt,
            bits,
            statistic=str(self.statistic),
            mechanism=self.mechanism.name,
            granularity=step,
            bounds=self.bounds,
            law=self.version,
            notes=(*self.statistic.notes(), FEW),
        )
