"""A text file as a table: every question reads only the columns that it names, each as text or as its declared type.

Nothing is inferred from the records.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from typing import Any

from noisewise.errors import SchemaError
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import Declared, NumbersOrLabels
from noisewise.tables.columns.edge_lists import DeferredEdges
from noisewise.tables.conditions import Condition
from noisewise.tables.engines.dialect import FirstPass
from noisewise.tables.engines.duckdb_thread import Reader, ThreadedDuckDB
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.queries import QueriedGroups, TableQueries
from noisewise.tables.files.cell_types import CellTypes
from noisewise.tables.files.file_state import FileState
from noisewise.tables.files.lines import Relation
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupReader, RowsInGroups
from noisewise.tables.people import Choice
from noisewise.tables.table import Reading
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held


class TextTable(Secret):
    """CSV, TSV or JSON lines.

    Args:
        reader: The connection that reads the files.
        relation: Makes a relation of the columns that a question names.
        names: The columns of the file, or None if it declares none.
        types: The declared types of the cells.
        files: The files, which must stay as they were when they were opened.
        progress: Called when a query begins and ends.
    """

    def __init__(
        self,
        reader: Reader,
        relation: Relation,
        names: tuple[str, ...] | None,
        types: CellTypes,
        *,
        files: FileState,
        progress: FirstPass | None = None,
    ) -> None:
        import narwhals.stable.v2 as nw

        self._reader, self._relation, self.names = reader, relation, names
        self._types, self._files = types, files
        self._readings = dict[str, Reading]()
        self._condition: Condition | None = None
        self.frame = nw.from_native(relation(reader, []))
        self.dialect = ThreadedDuckDB(reader, progress, files.fail_if_changed)

    @property
    def types(self) -> dict[str, Any] | None:
        """The type of each column, a type of narwhals: text if none is declared. None without names. Public."""
        return None if self.names is None else self._types.types(self.names)

    @property
    def cluster(self) -> None:
        return None

    @property
    def is_text(self) -> bool:
        return True

    @property
    def native_frame(self) -> object:
        native: object = self.frame.to_native()
        return native

    def fetch_columns(self) -> None:
        """Fetch every column of numbers once, for public data about which hundreds of questions are asked."""
        self._reader.fetches = self.dialect.fetches = True

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        return self._of_numbers((name,), choice).column(name, choice, question, streamed=streamed)

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        return self._of_numbers(names, choice).columns(names, choice, question, streamed=streamed)

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        column = self._of((name,), choice).labels(name, choice)

        def numbers() -> Declared:
            self._types.check_numbers((name,))
            return column.numbers()

        return NumbersOrLabels(numbers, column.labels, column.fractional)

    def rows(self, choice: Choice | None) -> Declared:
        return self._of((), choice).rows(choice)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> DeferredEdges:
        return self._of(names, choice).edges(names, choice)

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> QueriedGroups:
        numeric = () if name is None else (name,)
        return self._of_numbers(numeric, choice, keys.names).grouped(name, keys, choice)

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        declared = self._of((*columns, *keys.names), choice).in_groups(columns, keys, choice, question)

        def read(names: tuple[str, ...], labels: bool) -> RowsInGroups:
            table = self._of((*names, *keys.names), choice)
            return table.in_groups(names, declared.keys, choice, question).read(names, labels)

        return GroupReader(declared.keys, read)

    def streamed_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, *, of_rows: bool = False
    ) -> TableQueries | None:
        return self._of((*columns, *keys.names), choice).streamed_groups(
            columns, keys, choice, of_rows=of_rows
        )

    def count_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], KeyCounts]:
        return self._of(names, choice).count_keys(names, choice, most)

    def snapshot(self) -> AbstractContextManager[object]:
        self.dialect.begin()
        return nullcontext()

    def holds(self, name: str) -> Held:
        return self._types.holds(name)

    def read_as(self, name: str, reading: Reading) -> "TextTable":
        if isinstance(reading, Clock):
            self._types.check_times(name, reading.kind)
        return self._but(_readings={**self._readings, name: reading})

    def where(self, condition: Condition) -> "TextTable":
        table = self._but(_condition=condition.checked(self.names, self._types.column_kind))
        table._of((), None)  # refuses columns that differ by capitals
        return table

    def with_truths(self, names: tuple[str, ...]) -> "TextTable":
        return self._but(_types=self._types.with_truths(names))

    def compared_with(self, name: str, values: Sequence[object]) -> "TextTable":
        types = self._types.compared_with(name, values)
        return self if types is self._types else self._but(_types=types)  # the same: nothing is implied

    def notes(self, names: tuple[str, ...]) -> tuple[str, ...]:
        notes = (self._types.note(name, self._readings.get(name)) for name in dict.fromkeys(names))
        return tuple(filter(None, notes))

    def _but(self, **changed: Any) -> "TextTable":
        """The same table with other values of some attributes."""
        table = copy(self)
        vars(table).update(changed)
        return table

    def _of_numbers(
        self, names: tuple[str, ...], choice: Choice | None, others: tuple[str, ...] = ()
    ) -> EngineTable:
        """The table of the columns that a question reads as numbers, and of other columns."""
        self._types.check_numbers(tuple(name for name in names if name not in self._readings))
        return self._of((*names, *others), choice)

    def result_frame(self, columns: dict[str, Any]) -> Any:
        return self.dialect.result(self.frame, columns)

    def _of(self, names: tuple[str, ...], choice: Choice | None) -> EngineTable:
        """The table of the columns that a question names, each as text. Without names it has rows only."""
        import narwhals.stable.v2 as nw

        deciding = () if self._condition is None else self._condition.columns
        used = list(dict.fromkeys((*names, *deciding, *([] if choice is None else [choice.unit]))))
        if len({name.lower() for name in used}) < len(used):
            raise SchemaError(
                "a question",
                "must not name columns that differ by capitals alone",
                got=", ".join(map(repr, used)),
            ) from None
        frame = nw.from_native(self._relation(self._reader, used))
        frame = self._types.typed(self.dialect, frame) if used else frame
        return EngineTable(
            frame,
            text=self._types.spelling,
            readings=self._readings,
            files=self._files,
            dialect=self.dialect,
            condition=self._condition,
        )
