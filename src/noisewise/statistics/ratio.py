"""Ratios and rates: the sum of u over the sum of v, for rows (u, v) of numbers from 0 on, clamped to their bounds.

A row pulls the answer up by u/U and down by v/V, where U and V are the upper bounds. An answer y has the odds
r = y*V/U, and the score

    phi(y) = sum of (r*v/V - u/U) / max(r, 1)

A row's own part rises with y and lies between -1 and 1. A ratio has no upper end, so answers are clipped at a public
ceiling. If there are no rows, or all rows are (0, 0), the answer is 0. If only the sum of v is 0, it is the ceiling.
Proof: docs/proofs/ratio.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.errors import ParameterError
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import Number, describe, exact, spell
from noisewise.kernel.numbers.lattice import DEFAULT_STEPS, FINEST, nearest_power_of_two
from noisewise.statistics.mean import common_step
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import index_of
from noisewise.statistics.statistic import Frame, ScoreStatistic
from noisewise.statistics.summands import Box, Summands, outwards, share
from noisewise.statistics.two_lattices import TwoLattices, not_negative

USUAL_CEILING = 1024
"""The default ceiling is the ratio of the upper bounds times this. It hardly costs accuracy; the lattice needs it."""
LARGEST = Fraction(10**90)
MOST_DIGITS = 19


@dataclass(frozen=True, slots=True, init=False)
class Ratio(ScoreStatistic):
    """The sum of the first column over the sum of the second, from 0 up to a public ceiling; 0 if there are no rows.

    The bounds are a pair for both columns, or a pair of pairs; they begin at 0 or above. Without a ceiling, it is 1024
    times the ratio of the upper bounds.
    """

    ceiling: Fraction | None
    columns: ClassVar[int] = 2
    names: ClassVar[tuple[str, str]] = ("numerator", "denominator")

    def __init__(self, ceiling: Number | None = None) -> None:
        object.__setattr__(self, "ceiling", None if ceiling is None else positive("ceiling", ceiling))

    def __str__(self) -> str:
        said = [f"{name}={spell(value)}" for name, value in self.said().items()]
        return type(self).__name__.lower() + (f"({', '.join(said)})" if said else "")

    def said(self) -> dict[str, Fraction]:
        """The parameters that are not the default."""
        return {} if self.ceiling is None else {"ceiling": self.ceiling}

    def times(self) -> Fraction:
        """The factor that the ratio is multiplied by."""
        return Fraction(1)

    def frame(self, bounds: object, granularity: object) -> Frame:
        lattices = TwoLattices.of(bounds, self.names)
        not_negative(lattices, self.names[0])
        not_negative(lattices.y, self.names[1])
        even = self._even(lattices)
        _check_size("the ratio of the upper bounds", even)
        ceiling = USUAL_CEILING * even if self.ceiling is None else self.ceiling
        _check_size("the ceiling", ceiling)
        fine = nearest_power_of_two(min(ceiling, even) / DEFAULT_STEPS)
        step = max(fine, nearest_power_of_two(2 * ceiling / FINEST)) if granularity is None else granularity
        return Frame(lattices, Answers.between(Fraction(0), ceiling, step))

    def summands(self, frame: Frame) -> Summands:
        assert isinstance(frame.records, TwoLattices)
        return Summands((frame.records.high, frame.records.y.high), together=Fraction(2), share=True)

    def sums(self, rows: Rows) -> tuple[int, ...]:
        return _totals(rows)

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        """An answer is the odds of the first sum's share, times the answer with odds 1. A share of 1 is the ceiling."""
        assert isinstance(frame.records, TwoLattices) and frame.answers.high is not None
        even, top = self._even(frame.records) / frame.answers.granularity, Fraction(frame.answers.high)
        low, high = (even * x / (1 - x) if x < 1 else top for x in share(box))
        return outwards((low, high))

    def score(self, rows: Rows, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        assert isinstance(rows.lattice, TwoLattices)
        assert answers.low is not None and answers.high is not None, "a ratio has a ceiling"
        ups, downs = _totals(rows)
        highest = rows.lattice.high, rows.lattice.y.high
        even = self._even(rows.lattice)
        step = common_step(answers.granularity / 2, even)
        unit = int(answers.granularity / step)
        return Score.fraction(
            ups * highest[1],
            downs * highest[0],
            (answers.low, answers.high),
            odds=Odds(0, None, 1, int(even / step)),
            bottom=highest[0] * highest[1],
            unit=unit,
            end=unit * answers.high,
        )

    def _even(self, lattices: TwoLattices) -> Fraction:
        """The answer whose odds are 1: the answer for one row with both numbers at their upper bounds."""
        x, y = (each.high * each.granularity for each in (lattices, lattices.y))
        return self.times() * x / y


@dataclass(frozen=True, slots=True, init=False)
class Rate(Ratio):
    """Events for each ``per`` units of exposure: the sum of events over the sum of exposure, as a `Ratio`."""

    per: Fraction
    names: ClassVar[tuple[str, str]] = ("events", "exposure")

    def __init__(self, per: Number = 1, ceiling: Number | None = None) -> None:
        Ratio.__init__(self, ceiling)
        times = positive("per", per)
        if max(times.as_integer_ratio()) >= 10**MOST_DIGITS:
            raise ParameterError(
                "per", f"must have at most {MOST_DIGITS} digits", got=describe(per)
            ) from None
        object.__setattr__(self, "per", times)

    def said(self) -> dict[str, Fraction]:
        return ({} if self.per == 1 else {"per": self.per}) | Ratio.said(self)

    def times(self) -> Fraction:
        return self.per


def _totals(rows: Rows) -> tuple[int, int]:
    """The exact sums of both columns, as lattice indices."""
    assert isinstance(rows.lattice, TwoLattices)
    ups, downs = rows.sums([index_of(0, rows.lattice), index_of(1, rows.lattice.y)], [(0,), (1,)])
    return ups, downs


def _check_size(what: str, value: Fraction) -> None:
    """Refuse a value so large or small that its products with other numbers would leave float64."""
    if not 1 / LARGEST <= value <= LARGEST:
        order = len(str(value.numerator)) - len(str(value.denominator))
        raise ParameterError(what, "must be between 1e-90 and 1e90", got=f"about 1e{order}") from None


def positive(name: str, given: Number) -> Fraction:
    """A public parameter above 0."""
    value = exact(name, given)
    if value <= 0:
        raise ParameterError(name, "must be above 0", got=describe(given)) from None
    return value
