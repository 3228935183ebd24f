"""Table: what a `Dataset` needs of its data, wherever that is: in memory, behind an engine, or in a text file.

Names and declared types are public and checked before anything is paid; what is handed out is read after the debit.
`LocalTable` (local.py), `EngineTable` (engines/table.py) and `TextTable` (files/text_table.py) are tables. One group of
rows by itself (groups/one_by_one.py) is only a `ColumnSource`: it has columns, but cannot be grouped again.
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
    """A column in groups, of an accepted type and not yet looked at."""

    @property
    def keys(self) -> Keys:
        """The declared groups, as the columns' types hold them. Public."""

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Groups:
        """The records of all groups, after the debit."""


class ColumnSource(Protocol):
    """Rows of named columns, that a question is bound to."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """The columns that there are. Public. None where the data declares none, so that any may be asked about."""

    @property
    def cluster(self) -> str | None:
        """The name of the engine where the data is on other computers; None where it is on this one."""

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        """Numbers of one column, as `declare` takes them; brought into memory unless the question can be streamed."""

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        """Several columns of numbers, the same rows of each; in memory unless the question can be streamed."""

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        """One column, as numbers or as labels, whichever the question turns out to want."""

    def rows(self, choice: Choice | None) -> Declared:
        """A column of ones, one for each row, for counting rows whatever they hold."""

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> object:
        """Two columns of nodes, in memory, as `declare_graph` takes them."""


class GroupSources(Protocol):
    """All groups of a table, each a table by itself."""

    def __getitem__(self, group: int) -> ColumnSource: ...


class Table(ColumnSource, Protocol):
    """All rows of a user's data."""

    @property
    def is_text(self) -> bool:
        """Whether the data is a text file, whose columns of text are read as numbers."""

    @property
    def native_frame(self) -> object:
        """The user's own data frame, so that it is recognised where it is given a second time, as keys."""

    def snapshot(self) -> AbstractContextManager[object]:
        """A time in which all that is read is of the same rows, where the data can promise that. A question is checked,
        paid and answered within one."""

    def where(self, condition: Condition) -> "Table":
        """The same table with the rows alone that pass; refused where the columns do not suit what they are compared
        with. Which rows pass is read after the debit."""

    def holds(self, name: str) -> Held:
        """Which kind of time a column holds, by its declared type; None where it holds none."""

    def read_as(self, name: str, reading: Reading) -> "Table":
        """The same table with a column as numbers by this reading; a clock refuses one of Python objects."""

    def asked_whether_true(self, names: tuple[str, ...]) -> "Table":
        """The same table for a question that asks whether some columns are true: in a text file words say so too."""

    def compared_with(self, name: str, values: Sequence[object]) -> "Table":
        """The same table where a column is compared with keys or categories, which in a text file say what it is."""

    def notes(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """How columns of a text file were read as numbers or times, for a receipt; nothing where columns have types."""

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> DeclaredGroups:
        """Numbers of one column (None: ones) in the groups of declared keys, empty groups included."""

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        """Several columns in groups, for a question that is answered group by group; refused where rows are on other
        computers. ``question`` is what errors call it."""

    def streamed_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, *, of_rows: bool = False
    ) -> GroupSources | None:
        """Each group as a table of which counts, sums and order statistics are asked by queries about all groups at
        once; None where the rows are in memory, or where the question is about rows of several columns
        (``of_rows``) and the engine reads none. The columns are those that the question was checked with."""

    def count_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], KeyCounts]:
        """Which keys some columns have, to be called after the debit; a person counts for at most ``most`` of them."""

    def result_frame(self, columns: dict[str, Any]) -> Any:
        """A data frame of the user's own library, of equally long lists or arrays."""
