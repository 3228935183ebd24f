"""The result of a simulation. It holds the answer without noise. Its name, its text and ``private`` say so."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import isfinite
from typing import Any, ClassVar, Literal

from noisewise.planning.distances import about, distance
from noisewise.planning.plan_table import aligned, price_text, prices_of
from noisewise.results.pictures.digits import rounded
from noisewise.tables.time.clock import Clock

SHARES = (50, 90, 95, 99)


@dataclass(frozen=True, slots=True, repr=False)
class NotPrivateSimulation:
    """Not private: the exact error of a release on data that is public or made up, and its answer without noise.

    Attributes:
        private: Always False: nothing here is noisy, and nothing was paid for it.
        answer: The answer without noise, of records that are clamped and put on the lattice. A tuple if the answer has
            several numbers.
        clamping: How far the bounds move the answer: a bias that no epsilon removes. None if there are no bounds, or
            the statistic has no answer without them.
        expected_error: The mean distance of a release from ``answer``. If there are several numbers, the mean over all
            of them. For a category, how many records fewer it has than the most common one. For bounds, how many
            records lie outside. For an interval, how far its farther end is. A timedelta if answers are dates or times.
        error_quantiles: The distances that a release keeps with probability 50%, 90%, 95% and 99%.
        epsilon: The epsilon that such a release costs. None if it is priced in rho.
        draws: How many draws were measured; None if the errors are computed from the law.
        rho: The rho that such a release costs, of all groups together. None if it is priced in epsilon.
    """

    private: ClassVar[Literal[False]] = False
    statistic: str
    answer: Any
    clamping: Any
    expected_error: Any
    error_quantiles: dict[str, Any]
    epsilon: Fraction | None
    draws: int | None = None
    rho: Fraction | None = None

    def __repr__(self) -> str:
        values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
        return f"not private: {type(self).__name__}({values})"

    def __str__(self) -> str:
        quantiles = ", ".join(
            f"{share} within {about(error)}" for share, error in self.error_quantiles.items()
        )
        lines = [
            f"not private: {self.statistic} = {rounded(self.answer, self._scale())} at {price_text(self)}",
            f"  mean error   {about(self.expected_error)} ({quantiles})",
        ]
        if self.clamping is not None:
            lines.append(
                f"  clamping     {about(self.clamping, signed=True)}, by the bounds, before any noise"
            )
        if self.draws is not None:
            lines.append(f"  measured     in {self.draws} draws, about")
        return "\n".join(lines)

    def _scale(self) -> float:
        """The smallest difference that the digits of the printed answer need to show."""
        error = self.expected_error
        return max(error / 10, 1e-6) if isinstance(error, float) and isfinite(error) else 1e-6

    def read_by(self, clock: Clock | None) -> "NotPrivateSimulation":
        """The same result with dates, times and durations in place of microseconds."""
        if clock is None or clock.answers is None:
            return self
        return replace(
            self,
            answer=clock.value(self.answer),
            clamping=distance(self.clamping, clock),
            expected_error=distance(self.expected_error, clock),
            error_quantiles={share: distance(each, clock) for share, each in self.error_quantiles.items()},
        )


@dataclass(frozen=True, slots=True, repr=False)
class NotPrivateSimulations:
    """Not private: simulations of several questions, or of one question in each group.

    Attributes:
        private: Always False.
        names: The names of the answers, or the groups.
        simulations: A simulation for each name, in the same order.
    """

    private: ClassVar[Literal[False]] = False
    names: tuple[Any, ...]
    simulations: tuple[NotPrivateSimulation, ...]

    def __len__(self) -> int:
        return len(self.simulations)

    def __iter__(self) -> Iterator[NotPrivateSimulation]:
        return iter(self.simulations)

    def __getitem__(self, name: Any) -> NotPrivateSimulation:
        return self.simulations[self.names.index(name)]

    def __str__(self) -> str:
        rows = [
            {
                "name": str(name),
                "question": each.statistic,
                "answer": str(each.answer),
                **prices_of(each),
            }
            | {"mean error": each.expected_error, "95% within": each.error_quantiles["95%"]}
            for name, each in zip(self.names, self.simulations, strict=True)
        ]
        return f"not private:\n{aligned(rows)}"

    __repr__ = __str__
