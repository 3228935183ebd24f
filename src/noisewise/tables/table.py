"""Table: what a `Dataset` asks of the place where its data lives.

Names and declared types are public and judged before anything is paid; what is handed out is read after the debit.
A table is either in memory (`local.py`) or behind an engine that is asked by queries (`engines/table.py`).
"""

from typing import Any, Protocol

from noisewise.columns.arrays import Either
from noisewise.columns.column import Groups, Neighbors
from noisewise.numbers.lattice import Lattice
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held


class DeclaredGroups(Protocol):
    """A column in groups, of an accepted type and not yet looked at."""

    @property
    def keys(self) -> Keys:
        """The declared groups, as the columns' types hold them. Public."""

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Groups: ...


class Table(Protocol):
    """Rows of named columns."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """The columns that there are. Public. None where the data declares none, so that any may be asked about."""

    @property
    def cluster(self) -> str | None:
        """The name of the engine where the data is on other computers; None where it is on this one."""

    def column(self, name: str, choice: Choice | None, question: str, *, streamed: bool = True) -> Any:
        """Numbers of one column, as `declare` takes them; brought into memory unless the question can be streamed."""

    def columns(self, names: tuple[str, ...], choice: Choice | None) -> tuple[Any, ...]:
        """Several columns of numbers, side by side, in memory: the same rows of each."""

    def labels(self, name: str, choice: Choice | None) -> Either:
        """One column, as numbers or as labels, whichever the question turns out to want."""

    def rows(self, choice: Choice | None) -> Any:
        """A column of ones, one for each row, for counting rows whatever they hold."""

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> DeclaredGroups:
        """Numbers of one column (None: ones) in the groups of declared keys, empty groups included."""

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> Any:
        """Two columns of nodes, and maybe one of weights, in memory, as `declare_graph` takes them."""

    def holds(self, name: str) -> Held:
        """Which kind of time a column holds, by its declared type; None where it holds none."""

    def timed(self, name: str, clock: Clock) -> "Table":
        """The same table with a column of time as microseconds; one of Python objects is refused."""

    def like(self, columns: dict[str, Any]) -> Any:
        """A data frame of the user's own library, of equally long lists or arrays."""
