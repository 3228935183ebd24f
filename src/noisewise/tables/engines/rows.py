"""Rows of several columns behind an engine. Queries compute what a statistic reads, and the rows are not fetched.

A row in which a number is missing is first replaced by the statistic's fill row, and marked. So no formula ever meets a
null or a NaN. Under swap the row counts as the fill row. Under add/remove it takes no part.

A question about groups reads the same from each group: sums of the same products, or a number per row by the same
formula. The query of the first group is about all groups, and the other groups find their results there. `written`
compares formulas, with their constants. If a constant differs between groups, each group needs its own query. Proof:
docs/proofs/engines.md.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, partial

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import RightPairs
from noisewise.statistics.row_formulas import RowNumber, RowWhole, Term
from noisewise.tables.engines.arithmetic import EngineArithmetic, with_steps
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_column import EngineColumn
from noisewise.tables.engines.engine_records import distances
from noisewise.tables.engines.groups import EngineGroups
from noisewise.tables.engines.right_pairs import right_pairs
from noisewise.tables.engines.sums import MOST_NUMBERS, sums_of_terms
from noisewise.tables.engines.written import written

MOST_COLUMNS = 30
"""The most columns of rows that queries read. For more, an engine takes longer to plan a query than to run it."""


def can_be_held(columns: int, groups: int) -> bool:
    """Whether memory can hold the sums of all products of two columns, for this number of columns and groups."""
    return columns <= MOST_COLUMNS and groups * (columns + 1) * (columns + 2) // 2 <= MOST_NUMBERS


class FromLow:
    """Sums of terms of whole numbers. An engine adds up the numbers less their low ends, which are added again here."""

    def __init__(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> None:
        self._wholes, self._terms = wholes, terms
        self._lows = [whole.low for whole in wholes]
        self.widths = [whole.high - whole.low for whole in wholes]

    @property
    def needed(self) -> list[Term]:
        """The terms that an engine adds up, of numbers less their low ends. The first is the count, ()."""
        lows = self._lows
        singles = {
            (index,) for term in self._terms if len(term) == 2 for index in term if any(lows[k] for k in term)
        }
        return [*dict.fromkeys([(), *self._terms, *sorted(singles)])]

    def of(self, frame: Frame, indices: list[int]) -> Frame:
        """The frame with some of the whole numbers, less their low ends, as columns ``n0``, ``n1``, ..."""
        formulas = {index: EngineArithmetic(index) for index in indices}
        numbers = [
            (
                self._wholes[index].formula(by, *columns_of(self._wholes[index])) - float(self._lows[index])
            ).alias(f"n{index}")
            for index, by in formulas.items()
        ]
        frame = with_steps(frame, [*formulas.values()])
        return frame.with_columns(*numbers) if numbers else frame

    def totals(self, sums: Mapping[Term, int]) -> list[int]:
        """The sums of the terms, from the engine's sums of numbers less their low ends."""
        return [self._total(sums, term) for term in self._terms]

    def _total(self, sums: Mapping[Term, int], term: Term) -> int:
        lows = self._lows
        if len(term) < 2:
            return sums[term] + sum(lows[index] for index in term) * sums[()]
        i, j = term
        crossed = lows[i] * sums.get((j,), 0) + lows[j] * sums.get((i,), 0)
        return sums[term] + crossed + lows[i] * lows[j] * sums[()]


def filled(frame: Frame, columns: list[str], fill: tuple[float, ...]) -> Frame:
    """Replace each row with a missing number by the fill row, and mark it by 1.0 in a new column ``missing``."""
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


class AllRows(Secret):
    """Rows of a table, or of all its declared groups. The lazy frame has columns ``c0``, ``c1``, ... and ``group``.

    If a number of a row was missing, ``missing`` is 1. Results for one group are kept for the other groups.
    """

    def __init__(
        self, dialect: Dialect, frame: Frame, neighbors: Neighbors, *, groups: int | None, chosen: bool
    ) -> None:
        import narwhals.stable.v2 as nw

        self._dialect, self._groups, self._neighbors = dialect, groups, neighbors
        self._by = () if groups is None else ("group",)
        present = frame.filter(nw.col("missing") == 0.0) if neighbors == "add_remove" else frame
        self._frame, self._chosen = present, chosen
        self._columns: dict[Hashable, EngineGroups] = {}
        self._sums: dict[Hashable, list[list[int]]] = {}
        self._pairs: dict[Hashable, list[RightPairs]] = {}
        self._counts: list[int] | None = None

    @property
    def counts(self) -> list[int]:
        """How many rows each group has."""
        if self._counts is None:
            self.sums([], [()])
        assert self._counts is not None
        return self._counts

    def numbers(self, number: RowNumber, lattice: Lattice, group: int) -> EngineColumn:
        """A column with one number for each row of a group."""
        key = (written(number), lattice)
        if key not in self._columns:
            by = EngineArithmetic()
            d = number.formula(by, *columns_of(number)).alias("d")
            frame = with_steps(self._for_passes, [by]).select(d, *self._by)
            frame = distances(frame, "d", lattice, self._neighbors)
            frame = self._dialect.settled(frame, "d", *self._by)
            if self._groups is None:
                return EngineColumn(self._dialect, frame, lattice, self._neighbors)
            self._columns[key] = EngineGroups(self._dialect, frame, self._groups, lattice, self._neighbors)
        return self._columns[key].group(group)

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[list[int]]:
        """The sums of terms, for each group."""
        key = (*((written(whole), whole.low, whole.high) for whole in wholes), *terms)
        if key not in self._sums:
            from_low, groups = FromLow(wholes, terms), self._groups or 1
            rows = partial(from_low.of, self._frame)
            sums = sums_of_terms(self._dialect, rows, from_low.widths, from_low.needed, self._by, groups)
            nothing = dict.fromkeys(from_low.needed, 0)
            of_groups = [sums.get((group,) if self._by else (), nothing) for group in range(groups)]
            self._counts = [of_group[()] for of_group in of_groups]
            self._sums[key] = [from_low.totals(of_group) for of_group in of_groups]
        return self._sums[key]

    def right_pairs(self, positive: RowWhole, score: int) -> list[RightPairs]:
        """How many pairs of rows the scores put in the right order, for each group."""
        key = (written(positive), score)
        if key not in self._pairs:
            (truth,), groups = columns_of(positive), self._groups or 1
            pairs = right_pairs(self._dialect, self._frame, positive, truth, f"c{score}", groups)
            self._counts = [of_group.positives + of_group.negatives for of_group in pairs]
            self._pairs[key] = pairs
        return self._pairs[key]

    @cached_property
    def _for_passes(self) -> Frame:
        """The rows for a question that takes several queries. Chosen rows are kept between queries. (Sums take one
        query.)"""
        return self._dialect.kept(self._frame) if self._chosen else self._frame


class EngineRows(Secret):
    """The rows of a table or of one group."""

    def __init__(self, rows: AllRows, group: int, lattice: Lattice, neighbors: Neighbors) -> None:
        self._rows, self._group = rows, group
        self.lattice, self.neighbors = lattice, neighbors

    @property
    def count(self) -> int:
        return self._rows.counts[self._group]

    def numbers(self, number: RowNumber) -> EngineColumn:
        return self._rows.numbers(number, self.lattice, self._group)

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[int]:
        return self._rows.sums(wholes, terms)[self._group]

    def right_pairs(self, positive: RowWhole, score: int) -> RightPairs:
        return self._rows.right_pairs(positive, score)[self._group]


def columns_of(number: RowNumber) -> list[Expression]:
    """The columns that a formula uses, as its arguments."""
    import narwhals.stable.v2 as nw

    return [nw.col(f"c{column}") for column in number.columns]
