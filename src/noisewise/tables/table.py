"""Table: what a `Dataset` needs of its data, in memory, behind an engine, or in a text file.

Names and declared types are public, and checked before the debit. Records are read after the debit. `LocalTable`
(local.py), `EngineTable` (engines/engine_table.py) and `TextTable` (files/text_table.py) are tables. One group of rows
(groups/one_by_one.py, engines/queries.py) is only a `ColumnSource`: it has columns, but cannot be grouped again.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Groups
from noisewise.tables.columns.array_column import Declared, NumbersOrLabels
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.conditions import Condition
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupReader
from noisewise.tables.people import Choice
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held

Reading: TypeAlias = Clock | Indicator
"""How a column that holds no numbers is read as numbers: time as microseconds, a category as ones and zeros. Public."""


class DeclaredGroups(Protocol):
    """A column in groups, of an accepted type. No record is read yet."""

    @property
    def keys(self) -> Keys:
        """The declared groups, as the columns' types hold them. Public."""

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Groups:
        """The records of all groups, after the debit."""


class ColumnSource(Protocol):
    """Rows of named columns. A question is asked of them."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the columns, or None if the data declares none, so that a question may name any. Public."""

    @property
    def cluster(self) -> str | None:
        """The name of the engine if the data is on other computers, or None."""

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        """One column of numbers, for `declare`. It is fetched into memory unless the question can be streamed."""

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        """Several columns of numbers with the same rows. They are fetched unless the question can be streamed."""

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        """One column, as numbers or as labels; the question decides which."""

    def rows(self, choice: Choice | None) -> Declared:
        """A column of ones, one for each row, to count rows."""

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> object:
        """Two columns of nodes in memory, for `declare_graph`."""


class GroupSources(Protocol):
    """All groups of a table. Each group is a source of columns."""

    def __getitem__(self, group: int) -> ColumnSource: ...


class Table(ColumnSource, Protocol):
    """All rows of a user's data."""

    @property
    def is_text(self) -> bool:
        """Whether the data is a text file. Its columns of text are read as numbers."""

    @property
    def native_frame(self) -> object:
        """The user's own data frame. It may be given a second time, as keys."""

    def snapshot(self) -> AbstractContextManager[object]:
        """While this lasts, all queries read the same rows, if the data can guarantee it. A question is checked, paid
        and answered meanwhile."""

    def where(self, condition: Condition) -> "Table":
        """The same table with only the rows that pass. Literals that do not suit their columns are refused. Which rows
        pass is read after the debit."""

    def holds(self, name: str) -> Held:
        """The kind of time that a column holds, by its declared type, or None."""

    def read_as(self, name: str, reading: Reading) -> "Table":
        """The same table, but one column is read as numbers in this way. A clock refuses a column of Python objects."""

    def with_truths(self, names: tuple[str, ...]) -> "Table":
        """The same table for a question about whether some columns are true. In a text file words may mean true or
        false."""

    def compared_with(self, name: str, values: Sequence[object]) -> "Table":
        """The same table for a question that compares a column with keys or categories. In a text file they imply the
        type of the column."""

    def notes(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """How columns of a text file were read as numbers or times, for a receipt. Empty if columns have types."""

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> DeclaredGroups:
        """One column of numbers in the groups of declared keys, which may be empty. Without a name it is a column of
        ones."""

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        """Several columns in groups, for a question that is answered group by group. Rows on other computers are
        refused. ``question`` is its name in errors."""

    def streamed_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, *, of_rows: bool = False
    ) -> GroupSources | None:
        """Each group as a table whose counts, sums and order statistics come from queries about all groups.

        None if the rows are in memory. None, too, if the question is about rows of several columns (``of_rows``) and
        the engine cannot compute with them. The question was checked with these columns.
        """

    def count_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], KeyCounts]:
        """A function that counts the keys in some columns. A person counts for at most ``most`` keys."""

    def result_frame(self, columns: dict[str, Any]) -> Any:
        """A data frame of the user's own library, from lists or arrays of equal length."""
