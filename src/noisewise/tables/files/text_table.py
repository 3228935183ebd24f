"""A text file as a table: every question reads a table of the columns that it names, each as text.

No other column is read, however many there are, and nothing is inferred from what a line holds.
"""

from collections.abc import Callable
from typing import Any

from noisewise.columns.arrays import Declared, NumbersOrLabels
from noisewise.columns.graphs import DeferredEdges
from noisewise.errors import SchemaError
from noisewise.secret import Secret
from noisewise.tables.engines.declared import EngineDeclaredGroups
from noisewise.tables.engines.dialect import Progress
from noisewise.tables.engines.duckdb_thread import Reader, ThreadedDuckDB
from noisewise.tables.engines.table import EngineTable
from noisewise.tables.files.file_state import FileState
from noisewise.tables.files.lines import Relation
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupReader, RowsInGroups
from noisewise.tables.people import Choice
from noisewise.tables.table import Reading
from noisewise.tables.time.ticks import Held


class TextTable(Secret):
    """CSV, TSV or JSON lines.

    Args:
        reader: The connection that reads the files.
        relation: Makes a relation of the columns that a question names.
        names: The columns that there are, None where the file declares none.
        files: The files, which must stay as they were when opened.
        progress: Called when a query begins and ends.
        readings: How columns that hold no numbers are read as numbers, by their names.
    """

    def __init__(
        self,
        reader: Reader,
        relation: Relation,
        names: tuple[str, ...] | None,
        *,
        files: FileState,
        progress: Progress | None = None,
        readings: dict[str, Reading] | None = None,
    ) -> None:
        import narwhals.stable.v2 as nw

        self._reader, self._relation, self.names, self._readings = reader, relation, names, readings or {}
        self._files, self._progress = files, progress
        self.frame = nw.from_native(relation(reader, []))
        self.dialect = ThreadedDuckDB(reader, progress, files.fail_if_changed)

    @property
    def types(self) -> dict[str, Any] | None:
        """The declared type of each column, as narwhals names it: text. None where none are declared. Public."""
        import narwhals.stable.v2 as nw

        return None if self.names is None else dict.fromkeys(self.names, nw.String())

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

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        return self._of((name,), choice).column(name, choice, question, streamed=streamed)

    def columns(self, names: tuple[str, ...], choice: Choice | None) -> tuple[Declared, ...]:
        return self._of(names, choice).columns(names, choice)

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        return self._of((name,), choice).labels(name, choice)

    def rows(self, choice: Choice | None) -> Declared:
        return self._of((), choice).rows(choice)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> DeferredEdges:
        return self._of(names, choice).edges(names, choice)

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> EngineDeclaredGroups:
        names = (*keys.names, *([] if name is None else [name]))
        return self._of(names, choice).grouped(name, keys, choice)

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        declared = self._of((*columns, *keys.names), choice).in_groups(columns, keys, choice, question)

        def read(names: tuple[str, ...], labels: bool) -> RowsInGroups:
            table = self._of((*names, *keys.names), choice)
            return table.in_groups(names, declared.keys, choice, question).read(names, labels)

        return GroupReader(declared.keys, read)

    def count_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], KeyCounts]:
        return self._of(names, choice).count_keys(names, choice, most)

    def holds(self, name: str) -> Held:
        return "text"

    def read_as(self, name: str, reading: Reading) -> "TextTable":
        readings = {**self._readings, name: reading}
        return TextTable(
            self._reader,
            self._relation,
            self.names,
            files=self._files,
            progress=self._progress,
            readings=readings,
        )

    def result_frame(self, columns: dict[str, Any]) -> Any:
        return self.dialect.result(self.frame, columns)

    def _of(self, names: tuple[str, ...], choice: Choice | None) -> EngineTable:
        """The table of the columns that a question names, each as text; without any, of rows."""
        import narwhals.stable.v2 as nw

        used = list(dict.fromkeys((*names, *([] if choice is None else [choice.unit]))))
        if len({name.lower() for name in used}) < len(used):
            raise SchemaError(
                "a question",
                "must not name columns that differ by capitals alone",
                got=", ".join(map(repr, used)),
            ) from None
        frame = nw.from_native(self._relation(self._reader, used))
        return EngineTable(frame, text=True, readings=self._readings, files=self._files, dialect=self.dialect)
