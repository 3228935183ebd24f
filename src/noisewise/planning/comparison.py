"""What a comparison of mechanisms says. It holds the answer without noise, so it says that it is not private."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import timedelta
from fractions import Fraction
from typing import Any, ClassVar, Literal

from noisewise.kernel.numbers.exact import spell
from noisewise.planning.distances import about, in_unit, unit_of
from noisewise.planning.plan_table import aligned
from noisewise.results.pictures.charts import Line, log_lines
from noisewise.results.pictures.digits import to_three
from noisewise.results.pictures.html import fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture


@dataclass(frozen=True, slots=True)
class Compared:
    """One mechanism at one price.

    Attributes:
        mechanism: Its name, and whether ``auto`` would choose it.
        epsilon: The epsilon it is asked with.
        rho: What that costs in a zCDP budget, rounded up; None where the guarantee has no such price.
        guarantee: What is promised to one person, in words.
        mean_error: The mean distance of a release from the true answer.
        error_95: How far a release is off at most, with probability 95%.
        bias: How far above the true answer a release is on average; None where that is not known.
        draws: How many draws these are measured in; None where they are computed from the law.
        seconds: How long one draw took, with what it reads of the data.
        released: Whether an answer can be released by it, or it stands here for comparison only.
    """

    mechanism: str
    epsilon: Fraction
    rho: Fraction | None
    guarantee: str
    mean_error: Any
    error_95: Any
    bias: Any
    draws: int | None
    seconds: float
    released: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class NotPrivateComparison:
    """Not private: the errors of several mechanisms on the same public data, each at the same prices.

    ``print(comparison)`` prints a table, `plot` draws it, and ``comparison.frame`` is a data frame.

    Attributes:
        private: Always False: nothing here is noisy, and nothing was paid for it.
        question: What is asked.
        answer: The true answer without noise.
        equal: What is the same for all mechanisms: ``"epsilon"`` or ``"rho"``.
        prices: The epsilons, or the rhos.
        each: One result for each price and mechanism.
        left_out: Mechanisms that cannot answer the question, and why.
    """

    private: ClassVar[Literal[False]] = False
    question: str
    answer: Any
    equal: Literal["epsilon", "rho"]
    prices: tuple[Fraction, ...]
    each: tuple[tuple[Fraction, Compared], ...]
    left_out: dict[str, str]

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[Compared]:
        return (compared for _, compared in self.each)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The table, a dictionary for each row."""
        names = [each.name for each in fields(Compared)]
        return [
            {f"equal_{self.equal}": price, **{name: getattr(compared, name) for name in names}}
            for price, compared in self.each
        ]

    @property
    def frame(self) -> Any:
        """A data frame with a row for each price and mechanism, of the first library that is there."""
        from noisewise.results.tidy import frame_of_columns

        rows = [{name: as_number(value) for name, value in row.items()} for row in self.rows]
        return frame_of_columns({name: [row[name] for row in rows] for name in rows[0]})

    def __str__(self) -> str:
        return "\n".join([self._head(), aligned(self._cells()), *self._notes()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        cells = self._cells()
        names = list(cells[0])
        right = [name not in ("mechanism", "guarantee") for name in names]
        rows = [[str(row[name]) for name in names] for row in cells]
        notes = [paragraph(each) for each in self._notes()]
        return fragment([heading(self._head(), 4), table(names, rows, right), *notes])

    def plot(self) -> Picture:
        """A picture of the mean error of each mechanism at each price; both axes are logarithmic."""
        unit = unit_of([each.mean_error for each in self])
        lines: dict[str, list[tuple[float, float]]] = {}
        for price, each in self.each:
            name = each.mechanism.partition(" ")[0]
            lines.setdefault(name, []).append((float(price), in_unit(each.mean_error, unit)))
        measured = f"mean error in {unit[0]}s" if unit else "mean error"
        return log_lines(
            [Line(name, tuple(points)) for name, points in lines.items()],
            title=f"{self.question}: {measured} at equal {self.equal}",
            note="NOT PRIVATE: computed from public data",
            across=self.equal,
        )

    def _head(self) -> str:
        return f"not private: {self.question} = {self.answer}, mechanisms at equal {self.equal}"

    def _cells(self) -> list[dict[str, str]]:
        return [
            {
                self.equal: spell(price),
                "mechanism": each.mechanism if each.released else f"{each.mechanism} *",
                **self._other_price(each),
                "mean error": about(each.mean_error),
                "95% within": about(each.error_95),
                "bias": "" if each.bias is None else about(each.bias, signed=True),
                "computed": "exactly" if each.draws is None else f"{each.draws} draws",
                "one draw": f"{to_three(1000 * each.seconds)} ms",
                "guarantee": each.guarantee,
            }
            for price, each in self.each
        ]

    def _other_price(self, each: Compared) -> dict[str, str]:
        """The rho of a mechanism at equal epsilon, and the other way round."""
        if self.equal == "rho":
            return {"epsilon": to_three(float(each.epsilon))}
        return {"rho": "" if each.rho is None else to_three(float(each.rho))}

    def _notes(self) -> list[str]:
        notes = [f"left out: {name}, as {reason}" for name, reason in self.left_out.items()]
        if any(not each.released for each in self):
            notes.insert(0, "* for comparison only: noisewise does not release answers by it")
        return notes


def as_number(value: object) -> object:
    """A value as a data frame and JSON hold it: fractions as floats, durations as seconds."""
    if isinstance(value, Fraction):
        return float(value)
    return value.total_seconds() if isinstance(value, timedelta) else value
