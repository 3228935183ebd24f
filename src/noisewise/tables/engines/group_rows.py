"""Rows of several columns in groups, behind an engine: what a statistic reads of one group is asked for all at once.

A question that is asked of one group after the other reads the same of each: sums of the same products, or a number of
each row by the same formula. The first group's query is about all groups, and the others find their part of it. That
two formulas are the same is seen by how they are written (`Writing`), constants included: a formula with a constant of
one group's own would be a query of its own, never the answer to another. Proof: docs/proofs/engines.md.
"""

from collections.abc import Hashable, Sequence
from functools import cached_property, partial
from typing import Any

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import RightPairs
from noisewise.statistics.row_formulas import RowNumber, RowWhole, Term
from noisewise.tables.engines.arithmetic import EngineArithmetic, with_steps
from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.engine_records import distances
from noisewise.tables.engines.group_column import EngineGroup
from noisewise.tables.engines.groups import EngineGroups
from noisewise.tables.engines.products import sums_in_groups
from noisewise.tables.engines.right_pairs import right_pairs
from noisewise.tables.engines.rows import FromLow, columns_of


class RowsOfGroups(Secret):
    """Rows in the columns ``c0``, ``c1``, ... and indices of keys ``group`` of a lazy frame, and what was asked of all
    groups at once. Rows where ``missing`` is 1 take no part: groups are only asked under add/remove."""

    def __init__(self, dialect: Dialect, frame: Frame, groups: int, *, chosen: bool) -> None:
        import narwhals.stable.v2 as nw

        self._dialect, self._groups, self._chosen = dialect, groups, chosen
        self._frame, self._present = frame, nw.col("missing") == 0.0
        self._columns: dict[Hashable, EngineGroups] = {}
        self._sums: dict[Hashable, list[list[int]]] = {}
        self._pairs: dict[Hashable, list[RightPairs]] = {}
        self._counts: list[int] | None = None

    def count(self, group: int) -> int:
        """How many rows a group has."""
        if self._counts is None:
            self.sums([], [()])
        assert self._counts is not None
        return self._counts[group]

    def numbers(self, number: RowNumber, lattice: Lattice, neighbors: Neighbors) -> EngineGroups:
        """One number per row, in all groups."""
        key = (written(number), lattice, neighbors)
        if key not in self._columns:
            by = EngineArithmetic()
            d = number.formula(by, *columns_of(number)).alias("d")
            frame = with_steps(self._for_passes.filter(self._present), [by]).select(d, "group")
            frame = self._dialect.settled(distances(frame, "d", lattice, neighbors), "d", "group")
            self._columns[key] = EngineGroups(self._dialect, frame, self._groups, lattice, neighbors)
        return self._columns[key]

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[list[int]]:
        """The sums of terms, for each group."""
        key = (*((written(whole), whole.low, whole.high) for whole in wholes), *terms)
        if key not in self._sums:
            from_low, present = FromLow(wholes, terms), self._frame.filter(self._present)
            rows = partial(from_low.of, present)
            found = sums_in_groups(self._dialect, rows, from_low.widths, from_low.needed, self._groups)
            self._counts = [of_group[()] for of_group in found]
            self._sums[key] = [from_low.totals(of_group) for of_group in found]
        return self._sums[key]

    def right_pairs(self, positive: RowWhole, score: int) -> list[RightPairs]:
        """How scores order the rows, for each group."""
        key = (written(positive), score)
        if key not in self._pairs:
            (truth,), present = columns_of(positive), self._frame.filter(self._present)
            found = right_pairs(self._dialect, present, positive, truth, f"c{score}", self._groups)
            self._counts = [pairs.positives + pairs.negatives for pairs in found]
            self._pairs[key] = found
        return self._pairs[key]

    @cached_property
    def _for_passes(self) -> Frame:
        """The rows for a question that makes several passes."""
        return self._dialect.kept(self._frame) if self._chosen else self._frame


class EngineGroupRows(Secret):
    """The rows of one group."""

    def __init__(self, rows: RowsOfGroups, group: int, lattice: Lattice, neighbors: Neighbors) -> None:
        self._rows, self._group = rows, group
        self.lattice, self.neighbors = lattice, neighbors

    @property
    def count(self) -> int:
        return self._rows.count(self._group)

    def numbers(self, number: RowNumber) -> EngineGroup:
        return self._rows.numbers(number, self.lattice, self.neighbors).streamed(self._group)

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[int]:
        return self._rows.sums(wholes, terms)[self._group]

    def right_pairs(self, positive: RowWhole, score: int) -> RightPairs:
        return self._rows.right_pairs(positive, score)[self._group]


def written(number: RowNumber) -> Hashable:
    """A formula as it is written: two of them that are equal compute the same of every row."""
    by = Writing()
    result = number.formula(by, *(WrittenTerm(f"c{column}") for column in number.columns))
    return number.columns, *by.steps, _text(result)


class WrittenTerm:
    """Numbers in a formula, as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __neg__(self) -> "WrittenTerm":
        return WrittenTerm(f"(-{self.text})")

    def __add__(self, other: Any) -> "WrittenTerm":
        return _of_two("+", self, other)

    def __radd__(self, other: Any) -> "WrittenTerm":
        return _of_two("+", other, self)

    def __sub__(self, other: Any) -> "WrittenTerm":
        return _of_two("-", self, other)

    def __rsub__(self, other: Any) -> "WrittenTerm":
        return _of_two("-", other, self)

    def __mul__(self, other: Any) -> "WrittenTerm":
        return _of_two("*", self, other)

    def __rmul__(self, other: Any) -> "WrittenTerm":
        return _of_two("*", other, self)

    def __truediv__(self, other: Any) -> "WrittenTerm":
        return _of_two("/", self, other)

    def __rtruediv__(self, other: Any) -> "WrittenTerm":
        return _of_two("/", other, self)

    def __eq__(self, other: object) -> "WrittenTerm":  # type: ignore[override]
        return _of_two("==", self, other)

    def __ne__(self, other: object) -> "WrittenTerm":  # type: ignore[override]
        return _of_two("!=", self, other)

    def __lt__(self, other: Any) -> "WrittenTerm":
        return _of_two("<", self, other)

    def __le__(self, other: Any) -> "WrittenTerm":
        return _of_two("<=", self, other)

    def __gt__(self, other: Any) -> "WrittenTerm":
        return _of_two(">", self, other)

    def __ge__(self, other: Any) -> "WrittenTerm":
        return _of_two(">=", self, other)

    def __and__(self, other: Any) -> "WrittenTerm":
        return _of_two("&", self, other)

    def __or__(self, other: Any) -> "WrittenTerm":
        return _of_two("|", self, other)

    def __invert__(self) -> "WrittenTerm":
        return WrittenTerm(f"(~{self.text})")


class Writing:
    """The arithmetic that computes nothing and writes down what is to be computed."""

    def __init__(self) -> None:
        self.steps = list[str]()

    def once(self, numbers: Any) -> WrittenTerm:
        """Numbers that are used several times are written once, so that no text grows with each use."""
        self.steps.append(_text(numbers))
        return WrittenTerm(f"once{len(self.steps) - 1}")

    def where(self, condition: Any, then: Any, otherwise: Any) -> WrittenTerm:
        return _called("where", condition, then, otherwise)

    def absolute(self, numbers: Any) -> WrittenTerm:
        return _called("absolute", numbers)

    def divided(self, numbers: Any, by: float) -> WrittenTerm:
        return _called("divided", numbers, by)

    def clip(self, numbers: Any, low: float, high: float) -> WrittenTerm:
        return _called("clip", numbers, low, high)

    def rounded(self, numbers: Any) -> WrittenTerm:
        return _called("rounded", numbers)

    def nearest(self, numbers: Any, lattice: Lattice) -> WrittenTerm:
        return _called("nearest", numbers, lattice.low, lattice.high, lattice.granularity)

    def split(self, numbers: Any) -> tuple[WrittenTerm, WrittenTerm]:
        return self.once(_called("mantissa", numbers)), self.once(_called("exponent", numbers))


def _text(part: Any) -> str:
    """A part of a formula as text; of a float64, enough digits to be no other."""
    return part.text if isinstance(part, WrittenTerm) else repr(part)


def _of_two(operation: str, left: Any, right: Any) -> WrittenTerm:
    return WrittenTerm(f"({_text(left)}{operation}{_text(right)})")


def _called(name: str, *parts: Any) -> WrittenTerm:
    return WrittenTerm(f"{name}({', '.join(map(_text, parts))})")
