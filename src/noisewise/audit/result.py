"""The result of an audit: a verdict, the largest loss that was found, and the two neighbours that show it.

An audit without a violation proves nothing, as a better search might find one. A violation in an exact audit is
certain. A violation in the audit of a black box is as certain as the confidence of that audit.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noisewise.audit.pair_search import Enclosed
from noisewise.kernel.numbers.exact import spell
from noisewise.planning.plan_table import aligned
from noisewise.results.pictures.charts import ChartRow, Line, bars, line_chart
from noisewise.results.pictures.html import drawing, fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture
from noisewise.results.tidy import frame_of_columns

SHOWN = 12
"""The most records of a dataset that are printed."""


class OneAudit(ABC):
    """The common part of an exact audit and of the audit of a black box: a verdict, and ways to show it."""

    __slots__ = ()
    pair: tuple[Any, Any]

    @property
    @abstractmethod
    def passed(self) -> bool:
        """Whether the audit shows no violation of the claim."""

    @property
    @abstractmethod
    def row(self) -> dict[str, Any]:
        """Return the audit as a row of a table, by the names of columns."""

    @property
    @abstractmethod
    def lines(self) -> list[tuple[str, str]]:
        """Return the lines of the printed audit as pairs: a name and a text.

        The first line says what was audited, and its name is empty. Each other line is a fact about the audit.
        """

    @abstractmethod
    def plot(self) -> Picture:
        """A picture of the two neighbours that show the largest loss."""

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

    def __str__(self) -> str:
        (_, subject), *facts = self.lines
        width = max(len(name) for name, _ in facts)
        return "\n".join(
            [f"{self.verdict}: {subject}", *(f"  {name:<{width}}  {text}" for name, text in facts)]
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return shown_as_html("Audit", self.rows, self.plot(), " and ".join(map(dataset_text, self.pair)))


@dataclass(frozen=True, slots=True, repr=False)
class Audit(OneAudit):
    """The audit of one question. ``print(audit)`` prints it, and `plot` draws it.

    Attributes:
        question: What was audited.
        mechanism: The law that the answer is drawn from, if it has a name.
        claimed: The epsilon that the receipt claims, or the rho if there is an ``order``.
        ranged: Whether the receipt also claims that the log ratio ranges over at most epsilon.
        loss: The largest log ratio of probabilities. It is certain to lie between ``low`` and ``high``.
        range: The largest range of the log ratio between two neighbours, enclosed in the same way.
        pair: The two neighbours that show it.
        outcome: The outcome that shows it: one for each draw.
        pairs: How many pairs of neighbours were looked at.
        every: Whether these were all pairs of the small world, or some that a search chose.
        curve: The log ratio of each outcome of the first draw, between the two neighbours.
        order: For a claim in rho, the order of the Rényi divergence that is ``loss`` times this order. None otherwise.
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
    order: Fraction | None = None

    @property
    def passed(self) -> bool:
        """Whether no loss, and no range if it is claimed, is certainly above the claim."""
        return not (self.loss.exceeds(self.claimed) or (self.ranged and self.range.exceeds(self.claimed)))

    @property
    def largest(self) -> float:
        """Return the number to compare with the claim: the loss. If the range is claimed too, the larger of both."""
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

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The lines of the printed audit."""
        by = f" by {self.mechanism}" if self.mechanism else ""
        looked = (
            f"all {self.pairs:,} pairs of neighbours among {self.datasets:,} datasets"
            if self.every
            else f"{self.pairs:,} pairs of neighbours, searched for"
        )
        outcomes = (str(draw[0] if len(draw) == 1 else draw) for draw in self.outcome)
        return [
            ("", f"{self.question}{by}, neighbors {self.neighbors}"),
            (
                "claimed",
                f"{'ε' if self.order is None else 'ρ'} = {spell(self.claimed)}"
                + (", in its range" if self.ranged else ""),
            ),
            ("largest loss", str(self.loss)),
            *([("range", str(self.range))] if self.order is None else []),
            ("looked at", looked),
            ("worst pair", dataset_text(self.pair[0])),
            ("", dataset_text(self.pair[1])),
            ("outcome", ", ".join(outcomes) or "none: nothing is drawn")
            if self.order is None
            else ("order", f"{spell(self.order)}, of the Rényi divergence"),
        ]

    def plot(self) -> Picture:
        """A picture of the log ratio between the two neighbours over the outcomes of their first draw."""
        points = [(x, abs(y)) for x, y in self.curve if math.isfinite(y)]
        ends = [points[0][0], points[-1][0]] if points else [0.0, 1.0]
        limit = float(self.claimed)
        return line_chart(
            [Line("|log ratio|", tuple(points)), Line("claimed", tuple((x, limit) for x in ends))],
            title=f"{self.question}: how far one person moves probabilities",
            note=f"{self.verdict}; between {dataset_text(self.pair[0])} and {dataset_text(self.pair[1])}",
            across="outcome",
        )


@dataclass(frozen=True, slots=True, repr=False)
class Audits:
    """Several audits. ``print(audits)`` prints a table, and `plot` draws the share of its claim that each one used."""

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
        summary = f"{len(self.each)} audits, {len(broken)} violations"
        return "\n".join([aligned(self.rows), summary, *map(str, broken)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return shown_as_html("Audits", self.rows, self.plot())

    def plot(self) -> Picture:
        """A bar for each audit: the largest loss it found, divided by the claim."""
        rows = []
        for audit in self.each:
            part = audit.largest / float(audit.claimed)
            name = f"{audit.question} {audit.neighbors}".strip()
            rows.append(ChartRow(name, min(part, 10.0), f"{part:.3g}" if math.isfinite(part) else "infinite"))
        return bars(rows, title="Audits: largest loss, in parts of the claim", note="above 1: a violation")


def frame_of_rows(rows: list[dict[str, Any]]) -> Any:
    """Return rows as a data frame. Exact fractions become floats."""

    def cell(value: Any) -> Any:
        return float(value) if isinstance(value, Fraction) else value

    names = dict.fromkeys(name for row in rows for name in row)
    return frame_of_columns({name: [cell(row.get(name)) for row in rows] for name in names})


def shown_as_html(title: str, rows: list[dict[str, Any]], picture: Picture, pair: str = "") -> str:
    """Return audits as HTML for a notebook: a table, the pair that shows the largest loss, and a picture."""

    def text(value: object) -> str:
        if isinstance(value, float):
            return f"{value:.4g}"
        return "" if value is None else spell(value) if isinstance(value, Fraction) else str(value)

    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[text(row.get(name)) for name in names] for row in rows]
    note = [paragraph(f"worst pair: {pair}")] if pair else []
    return fragment([heading(title, 4), table(names, cells), *note, drawing(picture)])


def dataset_text(data: Any) -> str:
    """Return a dataset as text: its first records and, if there are more, the number of records."""
    records = list(data)
    text = ", ".join(map(str, records[:SHOWN]))
    return f"[{text}]" if len(records) <= SHOWN else f"[{text}, ... {len(records)} in all]"
