"""A Theil-Sen line: first the slope, then the intercept.

Half of epsilon pays for the median slope. Its *released* value s is public from then on, and turns each row into the
number y - s*x. The other half pays for the median of these numbers, which is the intercept. The second step depends on
the answer of the first. So the loss of both is the sum of their losses, and no longer has a bounded range. Proof:
docs/proofs/theil_sen.md.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from noisewise.errors import Parameter, ParameterError, ParameterTypeError, python_text
from noisewise.kernel.losses import Loss
from noisewise.kernel.numbers.exact import Number, exact, spell
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.kernel.prices import Rho
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import sum_of_losses
from noisewise.questions.choice import check_named, typed_again
from noisewise.questions.keywords import Unpriced
from noisewise.questions.measured import Measured, centre_of
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise
from noisewise.questions.request import Request
from noisewise.questions.terms import price_of
from noisewise.results.release import Release
from noisewise.statistics.quantile import Quantile
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from noisewise.tables.columns import declare


@dataclass(frozen=True, slots=True, repr=False)
class TheilSenLine(Payable):
    """Slope and intercept, checked and not yet paid for."""

    slope: Request
    intercept: Request
    loss: Loss

    @classmethod
    def of(
        cls,
        statistic: TheilSen,
        data: object,
        *,
        intercept_bounds: object,
        epsilon: Number | str | Rho | None = None,
        rho: Number | str | Rho | None = None,
        **keywords: Unpack[Unpriced],
    ) -> "TheilSenLine":
        """Check every parameter of both steps. ``keywords`` are the keywords of a release of the slope."""
        check_named(keywords.get("mechanism", "auto"), "", Parameter("intercept_bounds"), " are given")
        if width := exact("smooth", keywords.get("smooth", 0)):
            rule = ("must be 0 where ", Parameter("intercept_bounds"), " are given")
            raise ParameterError("smooth", rule, got=spell(width)) from None
        half = price_of(epsilon, rho) / 2
        slope = Request.of(statistic, data, epsilon=half, **keywords)
        intercept = Request.of(
            Quantile("1/2"),
            [],
            epsilon=half,
            bounds=_intercept_bounds(intercept_bounds),
            neighbors=slope.neighbors,
            contributions=slope.contributions,
            mechanism=typed_again(slope.mechanism, half),
        )
        return cls(slope, intercept, sum_of_losses(slope.loss, intercept.loss))

    @property
    def inner(self) -> Request:
        return self.slope

    def loss_of(self, records: int) -> Loss:
        return sum_of_losses(self.slope.loss_of(records), self.intercept.loss_of(records))

    @property
    def memo(self) -> str:
        return f"{self.slope.statistic} with intercept by {self.slope.mechanism.version}"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """The promise that holds for slope and intercept at once. Each gets half of the probability to miss."""
        steps = [each.promise(miss / 2, size) for each in (self.slope, self.intercept)]
        people = [each.people for each in steps if each.people is not None]
        return Promise(
            mechanism=self.slope.mechanism.name,
            people=max(people) if len(people) == len(steps) else None,
            numbers=2,
            wide=next((each.wide for each in steps if each.wide), ""),
        )

    def measured(self) -> Measured:
        slope = centre_of(self.slope.look(0))
        return Measured.of_numbers(self, (slope, centre_of(self._crossing(slope).look(0))))

    def _crossing(self, slope: float) -> Request:
        """The question about the intercept of a line with this slope."""
        x, y = self.slope.data.in_memory(self.slope.frame.records, self.neighbors).values
        return replace(self.intercept, data=declare(y - slope * x))

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        line = self.slope.answer(receipt, bits=bits)
        with np.errstate(all="ignore"):
            crossing = self._crossing(float(line.value))
        intercept = crossing.answer(bits=bits)
        (low, high), step = exact_bounds(self.intercept.bounds), self.intercept.frame.answers.granularity
        price = "rho" if isinstance(self.slope.price, Rho) else "epsilon"
        notes = (
            f"slope, then intercept: each paid for with half of {price}",
            f"intercept within {spell(low)} .. {spell(high)}, in steps of {spell(step)}",
        )
        return replace(
            line,
            value=(line.value, intercept.value),
            privacy=self.loss,
            statistic=f"{line.statistic} with intercept",
            notes=(*line.notes, *notes),
            names=("slope", "intercept"),
        )


def _intercept_bounds(bounds: object) -> tuple[Any, Any]:
    """The bounds as Fractions, so that the intercept has a fine lattice even if whole numbers were typed."""
    try:
        return exact_bounds(bounds)
    except (ParameterError, ParameterTypeError) as error:
        name, ends = Parameter("intercept_bounds"), python_text(error.what)
        renamed = error.with_fields(what=name if ends == "bounds" else (name, f": {ends}"))
    raise renamed from None
