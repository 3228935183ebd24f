"""What to expect of records of a guessed shape: the error of a release of such records, by the law it is drawn from."""

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe, spell
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.planning.asked import Asked
from noisewise.planning.measured import error_quantile, simulated
from noisewise.planning.promises import answer_of
from noisewise.planning.readings.read_law import read_law
from noisewise.planning.shapes import Shaped
from noisewise.questions.request import Request


@dataclass(frozen=True, slots=True)
class Typical:
    """The error on records of a shape."""

    size: int
    error: float
    mean: float


def on_shape(asked: Asked, shape: Shaped, size: int | None, confidence: Fraction) -> Typical:
    """The error of a release of made-up records of this shape, by the law that it would be drawn from."""
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
    payable = answer_of(asked.bind(records))
    if isinstance(payable, Request):
        law = payable.look()
        centre = float(read_law(law).centre * law.granularity)
        rounded = abs(centre - _unrounded(asked, records, centre))
        return Typical(
            records.size,
            error_quantile(law, centre, float(confidence)) + rounded,
            _unless_tiny(read_law(law).expected_error(), float(law.granularity)) + rounded,
        )
    result = simulated(payable)
    share = f"{spell(100 * confidence)}%"
    if share not in result.error_quantiles:
        raise ParameterError(
            "confidence",
            f"must be 0.5, 0.9, 0.95 or 0.99 for {asked.name} with a shape",
            got=describe(confidence),
        ) from None
    error, mean = result.error_quantiles[share], result.expected_error
    assert not isinstance(error, timedelta) and not isinstance(mean, timedelta), "no clock has read them"
    return Typical(records.size, error, mean)


def _unrounded(asked: Asked, records: Floats, centre: float) -> float:
    """The true answer of made-up records on a fine lattice, where a coarse granularity rounds it, or whole bounds."""
    given = asked.keywords
    if given.get("granularity") is None and given.get("bounds") is None:
        return centre
    fine = {} if given.get("bounds") is None else {"bounds": exact_bounds(given["bounds"])}
    try:
        payable = asked.at(granularity=None, **fine).bind(records)
    except ParameterError:  # no such question on a finer lattice
        return centre
    payable = answer_of(payable)
    assert isinstance(payable, Request), "the same question"
    law = payable.look(0)
    true = float(read_law(law).centre * law.granularity)
    return centre if abs(true - centre) <= law.granularity else true  # the fine lattice rounds as well


def _unless_tiny(error: float, step: float) -> float:
    """A mean error, or 0 where hardly ever another answer than the true one is released."""
    return error if error > step / 10**9 else 0.0
