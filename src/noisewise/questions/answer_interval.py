"""Intervals that come with an answer: between which numbers the answer without noise lies, and how surely.

    public noise   what Laplace noise exceeds is known, so that an interval around the answer costs nothing

Proof: docs/proofs/answer_interval.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from noisewise.errors import Keyword, ParameterTypeError
from noisewise.mechanisms import Auto, Laplace
from noisewise.numbers.exact import describe, exact_confidence
from noisewise.questions.request import Request
from noisewise.questions.settle import Payable, no_interval
from noisewise.results.answer_interval import AnswerInterval
from noisewise.results.release import Release
from noisewise.sampling import Bits


@dataclass(frozen=True, slots=True, repr=False)
class AroundAnswer(Payable):
    """A statistic by Laplace noise, with an interval as wide as that noise, which is public."""

    inner: Request
    confidence: Fraction
    steps: int
    """How far the noise reaches to either side, but for the chance to miss."""

    @classmethod
    def of(cls, request: Request, mechanism: Laplace, confidence: Fraction) -> "AroundAnswer":
        return cls(request, confidence, mechanism.farthest((1 - confidence) / 2))

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        law = self.inner.look()
        release, index = self.inner.drawn(law, receipt, bits=bits)
        low, high = (self.inner.number(end) for end in self.ends(index, law.ends))
        return replace(release, interval=AnswerInterval(low, high, self.confidence))

    def ends(self, index: int, public: tuple[int | None, int | None]) -> tuple[int, int]:
        """The indices between which the answer lies, within those that can be drawn at all."""
        above = self.inner.statistic.floored(
            self.inner.frame
        )  # the answer is up to a step higher than its index
        low, high = index - self.steps, index + self.steps + above
        least, most = public
        return low if least is None else max(low, least), high if most is None else min(high, most)


def bound(make: Callable[..., Payable], keywords: Mapping[str, Any]) -> Payable:
    """The question that ``make`` makes of its keywords, with an interval where ``interval`` is among them."""
    own = {name: value for name, value in keywords.items() if name != "interval"}
    payable = make(**own)
    if (interval := keywords.get("interval")) is None:
        return payable

    def at(epsilon: Fraction) -> Payable:
        if not isinstance(mechanism := own.get("mechanism", "auto"), (str, Auto)):
            raise ParameterTypeError(
                "mechanism",
                "must be a name where a part of epsilon pays for an interval",
                got=describe(mechanism),
            ) from None
        return make(**{**own, "epsilon": epsilon})

    return with_interval(payable, exact_confidence(interval, "interval"), at)


def with_interval(payable: Payable, confidence: Fraction, at: Callable[[Fraction], Payable]) -> Payable:
    """A question with an interval that comes with its answer, at the same price; refused where none is known."""
    if not isinstance(payable, Request):
        return payable.with_interval(confidence, at)
    statistic, mechanism = payable.statistic, payable.mechanism
    if type(mechanism) is Laplace and statistic.attained(0):
        return AroundAnswer.of(payable, mechanism, confidence)
    raise no_interval(
        f"{statistic} by {mechanism.name}",
        "how far the answer is from the true one depends on the data",
        fix=(Keyword("mechanism", "laplace"), " has noise that does not") if statistic.attained(0) else "",
    ) from None
