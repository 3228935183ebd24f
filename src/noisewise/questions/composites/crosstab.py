"""Cross-tabulation: how many records have each combination of declared categories, with totals that agree.

A record is in one cell or in none, so the cells are the bins of a histogram. They have the law and the loss of a
histogram. All totals are sums of released cells. So they agree with the cells and with each other, and cost nothing.
Proof: docs/proofs/crosstab.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Unpack, cast

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.kernel.mechanisms.laplace import WIDEST
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.sampling import Bits
from noisewise.kernel.secret import Secret
from noisewise.questions.composites.histogram import Histogram
from noisewise.questions.keywords import Protection
from noisewise.questions.terms import SIGNED, PrivacyTerms, exact_signed
from noisewise.results.release import Release
from noisewise.statistics.count import ANY
from noisewise.tables.columns.labels import (
    MOST_LABELS,
    Labels,
    aligned_records,
    declare_labels,
    label_indices,
    length,
)
from noisewise.tables.table import DeclaredGroups

MOST_COLUMNS = 8
"""The most columns in one cross-tabulation."""


@dataclass(frozen=True, slots=True)
class Cells:
    """One bin for each combination of declared categories. The categories of the last column change fastest."""

    categories: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, categories: object, names: Sequence[str] | None = None) -> "Cells":
        """Check the categories that the user declared: a list for each column, by name or in the order of columns."""
        given = categories
        if isinstance(given, Mapping):
            if names is not None and set(given) != set(names):
                raise ParameterError(
                    "categories",
                    f"must be a list for each column, by the names {', '.join(map(repr, names))}",
                    got=", ".join(map(repr, given)),
                ) from None
            given = [given[name] for name in names or given]
        if not isinstance(given, (list, tuple)) or not all(
            isinstance(each, (list, tuple, range)) for each in given
        ):
            raise ParameterTypeError(
                "categories",
                "must be a list for each column, of categories that you know without looking at the data",
                got=describe(categories),
            ) from None
        if not 1 <= len(given) <= MOST_COLUMNS or (names is not None and len(given) != len(names)):
            count = f"1 to {MOST_COLUMNS}" if names is None else str(len(names))
            raise ParameterError("categories", f"must be {count} lists", got=str(len(given))) from None
        cells = math.prod(map(length, given))
        if not 1 <= cells <= MOST_LABELS:
            raise ParameterError(
                "categories", f"must make from 1 to {MOST_LABELS:,} cells", got=f"{cells:,}"
            ) from None
        return cls(tuple(map(tuple, given)))

    def __len__(self) -> int:
        return math.prod(map(len, self.categories))

    def counts(self, data: "TableCells | ListedCells") -> Integers:
        return data.counts()

    @property
    def names(self) -> list[str]:
        return [", ".join(map(str, parts)) for parts in product(*self.categories)]

    def with_totals(self, counts: Sequence[int]) -> tuple[Any, ...]:
        """The counts as tuples within tuples. A tuple holds an entry for each category of a column, then the total."""
        table = np.array(counts, object).reshape([*map(len, self.categories)])
        for axis in range(table.ndim):
            table = np.concatenate([table, table.sum(axis=axis, keepdims=True)], axis=axis)
        return tuple(map(_tuples, table.tolist()))


@dataclass(frozen=True, slots=True, repr=False)
class TableCells(Secret):
    """The cells of columns of a table, not yet counted. Each cell is a group of rows."""

    groups: DeclaredGroups
    cells: Cells

    def counts(self) -> Integers:
        return self.groups.read(ANY, "add_remove").counts


@dataclass(frozen=True, slots=True, repr=False)
class ListedCells(Secret):
    """The cells of columns outside a table. Their types were checked, and the records were not looked at."""

    columns: tuple[Any, ...]
    labels: tuple[Labels, ...]
    cells: Cells

    @classmethod
    def of(cls, data: object, cells: Cells) -> "ListedCells":
        """Check that the columns are labels of one length. Only types and lengths are looked at."""
        columns = cells.categories
        if not isinstance(data, (list, tuple)) or len(data) != len(columns):
            raise SchemaError(
                "data",
                f"must be {len(columns)} columns as a tuple, as there are {len(columns)} lists of categories",
                got=f"{len(data)}" if isinstance(data, (list, tuple)) else f"a {type(data).__name__}",
            ) from None
        labels = tuple(Labels.of(list(each)) for each in columns)
        for column, known in zip(data, labels, strict=True):
            declare_labels(column).check(known)
        if len({len(column) for column in data}) > 1:
            raise SchemaError("columns", "must have the same number of rows") from None
        return cls(tuple(data), labels, cells)

    def counts(self) -> Integers:
        cells: Any = 0
        inside: Any = True
        for column, labels in zip(self.columns, self.labels, strict=True):
            indices = label_indices(aligned_records(column), labels)
            cells, inside = cells * len(labels.names) + indices, inside & (indices >= 0)
        size = math.prod(len(labels.names) for labels in self.labels)
        return np.bincount(cells[inside], minlength=size)


@dataclass(frozen=True, slots=True, repr=False)
class Crosstab(Histogram):
    """The counts of all cells, checked and not yet paid for."""

    @classmethod
    def of(  # type: ignore[override]
        cls, data: object, categories: object, *, signed: object = False, **terms: Unpack[Protection]
    ) -> "Crosstab":
        """Check every parameter and the data's declared types. Errors are the same whatever the records are."""
        checked = PrivacyTerms.of(**terms)
        whole("contributions", checked.contributions, least=1, most=WIDEST)
        given: Any = data
        if not isinstance(data, TableCells):
            given = ListedCells.of(data, Cells.of(categories))
        return cls(given, given.cells, *checked, exact_signed(signed))

    @property
    def memo(self) -> str:
        return f"crosstab by {self.noise.version}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        release, cells = Histogram.answer(self, receipt, bits=bits), cast("Cells", self.bins)
        shape = " x ".join(f"{len(each):,}" for each in cells.categories)
        interval = release.interval
        if interval is not None:
            low, high = map(cells.with_totals, interval)
            interval = replace(interval, low=low, high=high)
        return replace(
            release,
            value=cells.with_totals(release.value),
            statistic="crosstab",
            interval=interval,
            names=tuple((*map(str, each), "total") for each in cells.categories),
            notes=(
                f"{shape} cells of declared categories, each list followed by its total: the sum of released cells",
                "records in none of the cells are ignored",
                *([SIGNED] if self.signed else []),
            ),
        )


def _tuples(nested: Any) -> Any:
    return tuple(map(_tuples, nested)) if isinstance(nested, list) else int(nested)
