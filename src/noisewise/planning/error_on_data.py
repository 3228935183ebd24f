"""The error of a question about public data, or about made-up records of a guessed shape."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP
from noisewise.kernel.mechanisms import ByScore
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.planning.asked import Asked
from noisewise.planning.shapes import Shaped
from noisewise.planning.simulation import SHARES, NotPrivateSimulation
from noisewise.questions.measured import centre_of, known_records
from noisewise.questions.noise_interval import FromSums
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request


def simulated(payable: Payable) -> NotPrivateSimulation:
    """Not private: the error of a question about data that anybody may see."""
    payable = payable.alone
    measured, loss = payable.measured(), payable.loss
    in_rho = isinstance(loss, ZCDP)
    return NotPrivateSimulation(
        statistic=payable.name,
        answer=measured.answer,
        clamping=None,
        expected_error=measured.mean,
        error_quantiles={f"{share}%": measured.within(share / 100) for share in SHARES},
        epsilon=None if in_rho else loss.as_pure().epsilon,
        rho=loss.as_zcdp().rho if in_rho else None,
        draws=measured.draws,
    )


def request_in(payable: Payable) -> Request | None:
    """The question about one statistic, if noisy sums or its own law answer it; None for any other question."""
    if isinstance(payable, FromSums):
        return payable.inner
    return payable if isinstance(payable, Request) else None


def without_bounds(request: Request, asked: Asked, data: Any) -> float | None:
    """The answer if the bounds are wide enough for every record; None if the question refuses such bounds."""
    known, records = known_records(*request.data.fetch()), request.frame.records
    low, high = (float(end * records.granularity) for end in (records.low, records.high))
    bounds = float(known.min(initial=low)), float(known.max(initial=high))
    mechanism = "balance" if isinstance(request.mechanism, ByScore) else "piecewise_laplace"
    try:
        wide = asked.at(bounds=bounds, mechanism=mechanism, interval=None, with_count=False)
        free = wide.at_price(Fraction(1)).bind(data).alone
    except ParameterError:
        return None
    return centre_of(free.look(0)) if isinstance(free, Request) else None


@dataclass(frozen=True, slots=True)
class Typical:
    """The error on records of a shape."""

    size: int
    error: float
    mean: float


def on_shape(asked: Asked, shape: Shaped, size: int | None, confidence: Fraction) -> Typical:
    """The error of a release of made-up records of this shape."""
    if asked.columns not in (("column",), ("label",)):
        raise ParameterError(
            "shape",
            f"must be left out for {asked.name}, which reads more than a column",
            fix="try it on public data by simulate",
        ) from None
    if shape.in_time != (asked.clock is not None):
        rule = (
            "must be of numbers"
            if shape.in_time
            else "must be of dates, times or durations, as the bounds are"
        )
        raise ParameterError("shape", rule, got=str(shape)) from None
    records = shape.records(size)
    payable = asked.bind(records).alone
    measured = payable.measured()
    within, mean = measured.within(float(confidence)), measured.mean
    if (request := request_in(payable)) is not None:
        step = float(request.frame.answers.granularity)
        rounded = abs(measured.answer - _unrounded(asked, records, measured.answer))
        within, mean = within + rounded, (mean if mean > step / 10**9 else 0.0) + rounded
    return Typical(records.size, within, mean)


def _unrounded(asked: Asked, records: Floats, centre: float) -> float:
    """The true answer of made-up records on a fine lattice, if a coarse granularity or whole bounds round it."""
    given = asked.keywords
    if given.get("granularity") is None and given.get("bounds") is None:
        return centre
    fine = {} if given.get("bounds") is None else {"bounds": exact_bounds(given["bounds"])}
    try:
        payable = asked.at(granularity=None, **fine).bind(records).alone
    except ParameterError:  # the question cannot be asked on a finer lattice
        return centre
    request = request_in(payable)
    assert request is not None, "the same question"
    true = centre_of(request.look(0))
    return (
        centre if abs(true - centre) <= request.frame.answers.granularity else true
    )  # the fine lattice rounds as well
