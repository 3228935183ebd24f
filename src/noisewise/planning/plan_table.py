"""Tables of plans, for several questions or for one question at several prices."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noisewise.kernel.numbers.exact import spell
from noisewise.planning.distances import in_unit, unit_of, up
from noisewise.results.pictures.charts import Line, line_chart
from noisewise.results.pictures.html import fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture

if TYPE_CHECKING:
    from noisewise.planning.plan import Plan
    from noisewise.planning.simulation import NotPrivateSimulation


class PlanTable:
    """A table with a row for each of several plans. ``print(table)`` prints it."""

    __slots__ = ()

    plans: "tuple[Plan, ...]"

    @property
    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table, each a dictionary."""

    def __len__(self) -> int:
        return len(self.plans)

    def __iter__(self) -> "Iterator[Plan]":
        return iter(self.plans)

    def __repr__(self) -> str:
        return str(self)

    def _html(self, title: str) -> str:
        """Return the table as HTML for a notebook, with a text that says what its numbers mean."""
        names, cells, right = _cells(self.rows)
        return fragment([heading(title, 4), table(names, cells, right), paragraph(meaning(self.plans))])


@dataclass(frozen=True, slots=True, repr=False)
class Plans(PlanTable):
    """The plans of several questions, as `agg` takes them. ``print(plans)`` prints a table.

    Attributes:
        names: The names of the answers; empty if none were given.
        plans: The plans, one for each row of the table.
    """

    names: tuple[str, ...]
    plans: "tuple[Plan, ...]"

    def __getitem__(self, key: int | str) -> "Plan":
        return self.plans[self.names.index(key) if isinstance(key, str) else key]

    @property
    def epsilon(self) -> Fraction | None:
        """The epsilon that all questions cost together. None if all of them are priced in rho."""
        return self._together.get("epsilon", None if self.plans else Fraction(0))

    @property
    def rho(self) -> Fraction | None:
        """The rho that all questions priced in rho cost together. None if there are none."""
        return self._together.get("rho")

    @property
    def _together(self) -> dict[str, Fraction]:
        """The sum of the prices of each kind."""
        found = [prices_of(each) for each in self.plans]
        prices = {name: [each[name] for each in found if name in each] for name in ("epsilon", "rho")}
        return {name: sum(each, Fraction(0)) for name, each in prices.items() if each}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table, each a dictionary."""
        named = any(self.names)
        return [
            {
                **({"name": name} if named else {}),
                "question": each.statistic,
                "mechanism": each.mechanism,
                **{price: prices_of(each).get(price) for price in self._together},
                **promised(each),
            }
            for name, each in zip(self.names, self.plans, strict=True)
        ]

    def __str__(self) -> str:
        if not self.plans:
            return "no questions"
        together = {next(iter(self.rows[0])): "together", **self._together}
        return f"{meaning(self.plans)}\n{aligned([*self.rows, together])}"

    def _repr_html_(self) -> str:
        return self._html("Plans") if self.plans else fragment([paragraph("no questions")])


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(PlanTable):
    """One question at several prices. ``print(sweep)`` prints a table, and `svg` draws it.

    Attributes:
        varied: For each plan, the parameters that differ between plans, epsilon or rho first.
        plans: The plans, one for each row of the table.
    """

    varied: tuple[dict[str, Any], ...]
    plans: "tuple[Plan, ...]"

    def __getitem__(self, index: int) -> "Plan":
        return self.plans[index]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table, each a dictionary."""
        return [
            {**varied, "mechanism": each.mechanism, **promised(each)}
            for varied, each in zip(self.varied, self.plans, strict=True)
        ]

    def __str__(self) -> str:
        return f"{self.plans[0].statistic}, {meaning(self.plans)}\n{aligned(self.rows)}"

    def svg(self) -> str:
        """The picture of `plot`, as the text of an SVG file."""
        return self.plot().svg

    def _repr_html_(self) -> str:
        return self._html(self.plans[0].statistic)

    def plot(self) -> Picture:
        """A picture of what is promised at each epsilon, or at each rho; both axes are logarithmic."""
        what, price = self._drawn(), next(iter(self.varied[0]))
        unit = unit_of([each.get(what) for each in self.rows])
        lines: dict[str, list[tuple[float, float]]] = {}
        for varied, each in zip(self.varied, self.rows, strict=True):
            name = ", ".join(f"{key} {_cell(value)}" for key, value in varied.items() if key != price)
            if each.get(what) is not None:
                lines.setdefault(name, []).append((float(each[price]), in_unit(each[what], unit)))
        measured = f"{what} in {unit[0]}s" if unit else what
        return line_chart(
            [Line(name, tuple(points)) for name, points in lines.items()],
            title=f"{self.plans[0].statistic}: {measured} at each {price}",
            note=meaning(self.plans),
            across=price,
            log=True,
        )

    def _drawn(self) -> str:
        """Return the name of the column to draw: the first one that has a value other than 0."""
        for what in ("error on shape", "error", "people", "records", "records behind"):
            if any(each.get(what) for each in self.rows):
                return what
        return "error"


def prices_of(priced: "Plan | NotPrivateSimulation") -> dict[str, Fraction]:
    """Return the price of a plan or a simulation, by its name: "epsilon" or "rho"."""
    found = {"epsilon": priced.epsilon, "rho": priced.rho}
    return {name: price for name, price in found.items() if price is not None}


def price_text(priced: "Plan | NotPrivateSimulation") -> str:
    """Return the price as text, such as "rho 0.5"."""
    return ", ".join(f"{name} {spell(price)}" for name, price in prices_of(priced).items())


def promised(plan: "Plan") -> dict[str, Any]:
    """Return what a plan promises about the error of the answer, as the cells of a row in a table.

    The columns are named ``"error"``, ``"people"`` or ``"records"``, ``"records behind"`` and ``"error on shape"``.
    A column is left out if the plan promises nothing in it.
    """
    counted = "people" if plan.groups is None else "records"
    found = {
        "error": plan.error,
        counted: plan.people,
        "records behind": plan.behind,
        "error on shape": plan.shape_error,
    }
    return {name: value for name, value in found.items() if value is not None}


def meaning(plans: "Sequence[Plan]") -> str:
    """Return a text about the meaning of the numbers in a table of these plans."""
    first = plans[0]
    says = f"with probability {spell(100 * first.confidence)}% at most so far from the true answer"
    return says if first.shape is None else f"{says}; on shape: {first.size:,} records like {first.shape}"


def aligned(rows: list[dict[str, Any]]) -> str:
    """Return the text of a table. It has a column for each name that is in any row. Numbers are aligned right."""
    names, cells, right = _cells(rows)
    lines = [names, *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def _cells(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]], list[bool]]:
    """Return the names of all columns, the text of every cell, and for each column whether it holds numbers."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    return names, cells, [not any(isinstance(row.get(name), str) for row in rows) for name in names]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return spell(value)
    if isinstance(value, (float, timedelta)):
        return up(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
