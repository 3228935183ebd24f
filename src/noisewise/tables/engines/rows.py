"""Rows of several columns behind an engine: what a statistic reads of them is a query, and they stay where they are.

A row with something missing is replaced by the statistic's fill row first, and marked: no formula ever meets a null or
a NaN. Under swap it counts as that row; under add/remove it is left out of every sum, and its number is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import RightPairs
from noisewise.statistics.row_formulas import RowNumber, RowWhole, Term
from noisewise.tables.columns.array_rows import ColumnOfRows
from noisewise.tables.engines.arithmetic import EngineArithmetic, with_steps
from noisewise.tables.engines.declared import never_fetched
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_column import EngineColumn
from noisewise.tables.engines.engine_records import distances
from noisewise.tables.engines.groups import in_one_group
from noisewise.tables.engines.people import chosen_rows
from noisewise.tables.engines.products import MOST_NUMBERS, sums_of_terms
from noisewise.tables.engines.right_pairs import right_pairs
from noisewise.tables.people import Choice

if TYPE_CHECKING:
    from noisewise.tables.engines.engine_table import EngineTable

MOST_COLUMNS = 30
"""Rows of more columns are not read by queries, which engines would take longer to plan than to run."""


def can_be_held(columns: int, groups: int) -> bool:
    """Whether the sums of all products of so many columns in so many groups are few enough to be held at once."""
    return columns <= MOST_COLUMNS and groups * (columns + 1) * (columns + 2) // 2 <= MOST_NUMBERS


@dataclass(frozen=True, slots=True, repr=False)
class EngineRowSource(Secret):
    """Columns of a table, not yet looked at."""

    table: "EngineTable"
    names: tuple[str, ...]
    choice: Choice | None

    def read(
        self, columns: tuple[int, ...], fill: tuple[float, ...], lattice: Lattice, neighbors: Neighbors
    ) -> "EngineRows":
        dialect, names = self.table.dialect, tuple(self.names[column] for column in columns)
        aliases = [f"c{place}" for place in range(len(names))]
        frame = filled(self.table.row_records(names, self.choice), aliases, fill)
        if self.choice is not None:
            frame = chosen_rows(dialect, frame, self.choice, aliases)
            frame = dialect.computed_once(frame, *aliases, "missing")
        return EngineRows(dialect, frame, lattice, neighbors, chosen=self.choice is not None)


class FromLow:
    """Sums of terms, by those of whole numbers that are counted from their low ends."""

    def __init__(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> None:
        self._wholes, self._terms = wholes, terms
        self._lows = [whole.low for whole in wholes]
        self.widths = [whole.high - whole.low for whole in wholes]

    @property
    def needed(self) -> list[Term]:
        """The terms to add up of such numbers, () first."""
        lows = self._lows
        singles = {
            (place,) for term in self._terms if len(term) == 2 for place in term if any(lows[k] for k in term)
        }
        return [*dict.fromkeys([(), *self._terms, *sorted(singles)])]

    def of(self, frame: Frame, places: list[int]) -> Frame:
        """The frame with some of the whole numbers, counted from their low ends, as ``n0``, ..."""
        formulas = {place: EngineArithmetic(place) for place in places}
        numbers = [
            (
                self._wholes[place].formula(by, *columns_of(self._wholes[place])) - float(self._lows[place])
            ).alias(f"n{place}")
            for place, by in formulas.items()
        ]
        frame = with_steps(frame, [*formulas.values()])
        return frame.with_columns(*numbers) if numbers else frame

    def totals(self, found: Mapping[Term, int]) -> list[int]:
        """The sums of the terms, with the low ends given back."""
        return [self._total(found, term) for term in self._terms]

    def _total(self, found: Mapping[Term, int], term: Term) -> int:
        lows = self._lows
        if len(term) < 2:
            return found[term] + sum(lows[place] for place in term) * found[()]
        i, j = term
        crossed = lows[i] * found.get((j,), 0) + lows[j] * found.get((i,), 0)
        return found[term] + crossed + lows[i] * lows[j] * found[()]


def columns_of_rows(
    table: "EngineTable", names: tuple[str, ...], choice: Choice | None, size: Callable[[], int]
) -> tuple[ColumnOfRows, ...]:
    """Columns of a table whose rows are read by queries."""
    source = EngineRowSource(table, names, choice)
    return tuple(ColumnOfRows(never_fetched, size, source, index) for index in range(len(names)))


def filled(frame: Frame, columns: list[str], fill: tuple[float, ...]) -> Frame:
    """The frame with ``missing``, 1.0 where a row misses a number and 0.0 elsewhere, and the fill row in its place."""
    import narwhals.stable.v2 as nw

    absent = [nw.col(column).is_null() | nw.col(column).is_nan() for column in columns]
    missing = nw.when(nw.any_horizontal(*absent, ignore_nulls=True)).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    frame = frame.with_columns(missing.alias("missing"))
    return frame.with_columns(
        *(
            nw.when(nw.col("missing") == 1.0).then(nw.lit(each)).otherwise(nw.col(column)).alias(column)
            for column, each in zip(columns, fill, strict=True)
        )
    )


class EngineRows(Secret):
    """Rows in the columns ``c0``, ``c1``, ... of a lazy frame, those where ``missing`` is 1 missing."""

    def __init__(
        self, dialect: Dialect, frame: Frame, lattice: Lattice, neighbors: Neighbors, *, chosen: bool = False
    ) -> None:
        self._dialect, self._frame, self._chosen = dialect, frame, chosen
        self.lattice, self.neighbors = lattice, neighbors
        self._count: int | None = None

    @property
    def count(self) -> int:
        if self._count is None:
            self.sums([], [()])
        assert self._count is not None
        return self._count

    def numbers(self, number: RowNumber) -> EngineColumn:
        import narwhals.stable.v2 as nw

        by = EngineArithmetic()
        d = number.formula(by, *columns_of(number))
        if self.neighbors == "add_remove":
            d = nw.when(nw.col("missing") == 1.0).then(nw.lit(None, nw.Float64)).otherwise(d)
        frame = distances(
            with_steps(self._for_passes, [by]).select(d.alias("d")), "d", self.lattice, self.neighbors
        )
        return EngineColumn(self._dialect, self._dialect.settled(frame, "d"), self.lattice, self.neighbors)

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[int]:
        from_low = FromLow(wholes, terms)
        found = sums_of_terms(
            self._dialect, partial(from_low.of, self._present), from_low.widths, from_low.needed
        )
        self._count = found[()]
        return from_low.totals(found)

    def right_pairs(self, positive: RowWhole, score: int) -> RightPairs:
        (truth,), frame = columns_of(positive), in_one_group(self._present)
        (found,) = right_pairs(self._dialect, frame, positive, truth, f"c{score}", 1)
        self._count = found.positives + found.negatives
        return found

    @cached_property
    def _for_passes(self) -> Frame:
        """The rows for a question that makes several passes. (Sums take one, for which nothing need be kept.)"""
        return self._dialect.kept(self._frame) if self._chosen else self._frame

    @property
    def _present(self) -> Frame:
        import narwhals.stable.v2 as nw

        return self._frame.filter(nw.col("missing") == 0.0) if self.neighbors == "add_remove" else self._frame


def columns_of(number: RowNumber) -> list[Expression]:
    """The columns that a formula is given."""
    import narwhals.stable.v2 as nw

    return [nw.col(f"c{column}") for column in number.columns]
