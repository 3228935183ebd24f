"""What an audit found: a verdict, the largest loss, and the two neighbours that show it.

An audit that finds nothing proves nothing: it is as good as its search. What it finds is certain, or as certain as its
confidence says.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noisewise.audit.climb import Enclosed
from noisewise.kernel.numbers.exact import spell
from noisewise.planning.plan_table import aligned
from noisewise.results.pictures.charts import ChartRow, Line, bars, line_chart
from noisewise.results.pictures.html import drawing, fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture
from noisewise.results.tidy import frame_of_columns

SHOWN = 12
"""How many records of a dataset are printed."""


class OneAudit(ABC):
    """What the audits of a question and of a black box have in common: a verdict, and a row of a table."""

    __slots__ = ()

    @property
    @abstractmethod
    def passed(self) -> bool:
        """Whether nothing was found that is above the claim."""

    @property
    @abstractmethod
    def row(self) -> dict[str, Any]:
        """The audit as a row of a table."""

    @property
    def verdict(self) -> str:
        return "passed" if self.passed else "VIOLATION"

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [self.row]

    @property
    def frame(self) -> Any:
        """A data frame of one row, of Polars, pandas or PyArrow: the first that is loaded, or that is installed."""
        return frame_of_rows(self.rows)


@dataclass(frozen=True, slots=True, repr=False)
class Audit(OneAudit):
    """The audit of one question. ``print(audit)`` prints it, and `plot` draws it.

    Attributes:
        question: What was audited.
        mechanism: The law it is drawn by, where that has a name.
        claimed: The epsilon that its receipt claims.
        ranged: Whether the log ratio is claimed to range over no more than epsilon, too.
        loss: The largest ln of a ratio of probabilities that was found, certain to lie between ``low`` and ``high``.
        range: The same from the least to the largest log ratio between two neighbours.
        pair: The two neighbours that show it.
        outcome: The outcome that shows it: one for each draw.
        pairs: How many pairs of neighbours were looked at.
        every: Whether these are all there are in the small world, or some that were searched for.
        curve: The log ratio of each outcome of the first draw, between the two neighbours.
    """

    question: str
    mechanism: str
    claimed: Fraction
    ranged: bool
    neighbors: str
    loss: Enclosed
    range: Enclosed
    pair: tuple[Any, Any]
    outcome: tuple[Any, ...]
    datasets: int
    pairs: int
    every: bool
    curve: tuple[tuple[float, float], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was found that is certainly above the claim."""
        return not (self.loss.exceeds(self.claimed) or (self.ranged and self.range.exceeds(self.claimed)))

    @property
    def found(self) -> float:
        """The number that is judged: the loss, or the range where that is the larger one of two claims."""
        return max(self.loss.high, self.range.high) if self.ranged else self.loss.high

    @property
    def row(self) -> dict[str, Any]:
        """The audit as a row of a table."""
        return {
            "question": self.question,
            "law": self.mechanism,
            "neighbors": self.neighbors,
            "claimed": self.claimed,
            "loss": str(self.loss),
            "range": str(self.range),
            "pairs": self.pairs,
            "verdict": self.verdict,
        }

    def __str__(self) -> str:
        by = f" by {self.mechanism}" if self.mechanism else ""
        looked = (
            f"all {self.pairs:,} pairs of neighbours among {self.datasets:,} datasets"
            if self.every
            else f"{self.pairs:,} pairs of neighbours, searched for"
        )
        claim = f"ε = {spell(self.claimed)}" + (", in its range" if self.ranged else "")
        return "\n".join(
            [
                f"{self.verdict}: {self.question}{by}, neighbors {self.neighbors}",
                f"  claimed       {claim}",
                f"  largest loss  {self.loss}",
                f"  range         {self.range}",
                f"  looked at     {looked}",
                f"  worst pair    {shown(self.pair[0])}",
                f"                {shown(self.pair[1])}",
                f"  outcome       {', '.join(map(_draw, self.outcome)) or 'none: nothing is drawn'}",
            ]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        names = list(self.row)
        cells = [[cell(value) for value in self.row.values()]]
        note = f"worst pair: {shown(self.pair[0])} and {shown(self.pair[1])}"
        return fragment([heading("Audit", 4), table(names, cells), paragraph(note), drawing(self.plot())])

    def plot(self) -> Picture:
        """A picture of the log ratio between the two neighbours over the outcomes of their first draw."""
        points = [(x, abs(y)) for x, y in self.curve if math.isfinite(y)]
        ends = [points[0][0], points[-1][0]] if points else [0.0, 1.0]
        limit = float(self.claimed)
        return line_chart(
            [Line("|log ratio|", tuple(points)), Line("claimed", tuple((x, limit) for x in ends))],
            title=f"{self.question}: how far one person moves probabilities",
            note=f"{self.verdict}; between {shown(self.pair[0])} and {shown(self.pair[1])}",
            across="outcome",
        )


@dataclass(frozen=True, slots=True, repr=False)
class Audits:
    """Several audits. ``print(audits)`` prints a table, and `plot` draws what part of its claim each one used."""

    each: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.each)

    def __getitem__(self, index: int | slice) -> Any:
        return self.each[index]

    @property
    def passed(self) -> bool:
        return all(audit.passed for audit in self.each)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [audit.row for audit in self.each]

    @property
    def frame(self) -> Any:
        """A data frame with a row for each audit."""
        return frame_of_rows(self.rows)

    def __str__(self) -> str:
        broken = [audit for audit in self.each if not audit.passed]
        said = f"{len(self.each)} audits, {len(broken)} violations"
        return "\n".join([aligned(self.rows), said, *map(str, broken)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        cells = [[cell(row.get(name)) for name in names] for row in self.rows]
        return fragment([heading("Audits", 4), table(names, cells), drawing(self.plot())])

    def plot(self) -> Picture:
        """A bar for each audit: the largest loss found, as a part of what was claimed."""
        rows = []
        for audit in self.each:
            part = audit.found / float(audit.claimed)
            name = f"{audit.question} {audit.neighbors}".strip()
            rows.append(ChartRow(name, min(part, 10.0), f"{part:.3g}" if math.isfinite(part) else "infinite"))
        return bars(
            rows, title="Audits: largest loss found, in parts of the claim", note="above 1: a violation"
        )


def frame_of_rows(rows: list[dict[str, Any]]) -> Any:
    """Rows as a data frame; exact numbers become floats."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return frame_of_columns(
        {
            name: [float(value) if isinstance(value := row.get(name), Fraction) else value for row in rows]
            for name in names
        }
    )


def shown(data: Any) -> str:
    """A dataset as it is printed: its first records, and how many there are."""
    records = list(data)
    text = ", ".join(map(str, records[:SHOWN]))
    return f"[{text}]" if len(records) <= SHOWN else f"[{text}, ... {len(records)} in all]"


def _draw(choice: tuple[Any, ...]) -> str:
    return str(choice[0]) if len(choice) == 1 else str(choice)


def cell(value: object) -> str:
    """What a table says."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else spell(value) if isinstance(value, Fraction) else str(value)
