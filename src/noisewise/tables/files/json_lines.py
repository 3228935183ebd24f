"""JSON lines as a table: whatever columns a question names, as text; nothing of the file is looked at before.

Such a file declares no columns: the keys of its first line are those of a record. So the names are those of the
question, and a line that lacks one has nothing there; one that is no object has nothing at all. DuckDB hands out the
lines as text and takes each apart by itself, in expressions that are total. Proof: docs/proofs/engines.md.
"""

from collections.abc import Callable
from glob import escape
from typing import Any

from noisewise.columns.arrays import Declared, Either
from noisewise.errors import SchemaError
from noisewise.tables.engines.declared import EngineDeclaredGroups
from noisewise.tables.engines.dialect import Progress, native_of
from noisewise.tables.engines.fetch import Fetched
from noisewise.tables.engines.table import EngineTable
from noisewise.tables.files.source import Source
from noisewise.tables.groups.found_keys import FoundKeys
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held

LONGEST_LINE = 2**20
"""A line of so many bytes is no record: far less than DuckDB reads, so that it reads every shorter one."""
OPENS = "^[ \t]*[{]"
"""How an object begins."""
NO_SIGN = "\x01"
"""Parts the cells of a line, of which there is only one: JSON has no such sign."""


def lines_of(duckdb: Any, paths: tuple[str, ...]) -> Any:
    """A relation with a row for each line that is not empty: its text, or nothing where it cannot be an object."""
    found = duckdb.connect().read_csv(
        [escape(path) for path in paths],
        columns={"line": "VARCHAR"},
        header=False,
        auto_detect=False,
        delimiter=NO_SIGN,
        quotechar="",
        escapechar="",
        compression="none",
        ignore_errors=True,
        strict_mode=False,
        parallel=False,
    )
    rows = found.filter(f"strlen(line) < {LONGEST_LINE}")
    return rows.project(f"CASE WHEN regexp_matches(line, '{OPENS}') THEN line END AS line")


class LinesTable:
    """A file of JSON lines: every question is asked of a table of the columns that it names."""

    names = None
    is_text = True

    def __init__(
        self,
        lines: Any,
        *,
        source: Source | None = None,
        progress: Progress | None = None,
        clocks: dict[str, Clock] | None = None,
    ) -> None:
        import narwhals.stable.v2 as nw

        self._lines, self._clocks = lines, clocks or {}
        self._how: dict[str, Any] = {"source": source, "progress": progress}
        self.frame = nw.from_native(lines)
        self.native = native_of(self.frame, progress)

    def __repr__(self) -> str:
        return "<LinesTable: withheld>"

    @property
    def cluster(self) -> None:
        return None

    def column(self, name: str, choice: Choice | None, question: str, *, streamed: bool = True) -> Declared:
        return self._of((name,), choice).column(name, choice, question, streamed=streamed)

    def columns(self, names: tuple[str, ...], choice: Choice | None) -> tuple[Declared, ...]:
        return self._of(names, choice).columns(names, choice)

    def labels(self, name: str, choice: Choice | None) -> Either:
        return self._of((name,), choice).labels(name, choice)

    def rows(self, choice: Choice | None) -> Declared:
        return self._of((), choice).rows(choice)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> Any:
        return self._of(names, choice).edges(names, choice)

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> EngineDeclaredGroups:
        names = (*keys.names, *([] if name is None else [name]))
        return self._of(names, choice).grouped(name, keys, choice)

    def found(self, keys: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], FoundKeys]:
        return self._of(keys, choice).found(keys, choice, most)

    def kinds(self, keys: tuple[str, ...]) -> tuple[Kind, ...]:
        return self._of(keys, None).kinds(keys)

    def numeric(self, name: str) -> bool:
        return False

    def local(
        self,
        names: tuple[str, ...],
        choice: Choice | None,
        question: str,
        *,
        numeric: tuple[str, ...] = (),
        keys: Keys | None = None,
    ) -> Callable[[], Fetched]:
        table = self._of((*names, *(() if keys is None else keys.names)), choice)
        return table.local(names, choice, question, numeric=numeric, keys=keys)

    def holds(self, name: str) -> Held:
        return "text"

    def timed(self, name: str, clock: Clock) -> "LinesTable":
        return LinesTable(self._lines, clocks={**self._clocks, name: clock}, **self._how)

    def like(self, columns: dict[str, Any]) -> Any:
        return self.native.like(self.frame, columns)

    def _of(self, names: tuple[str, ...], choice: Choice | None) -> EngineTable:
        """The table of the columns that a question names, each as text; without any, of the lines themselves."""
        import narwhals.stable.v2 as nw

        asked = list(dict.fromkeys((*names, *([] if choice is None else [choice.unit]))))
        if len({name.lower() for name in asked}) < len(asked):
            raise SchemaError(
                f"a question must not name columns that differ by capitals alone, got {', '.join(map(repr, asked))}"
            ) from None
        taken = self._lines.project(", ".join(map(_taken, asked))) if asked else self._lines
        return EngineTable(nw.from_native(taken), text=True, clocks=self._clocks, **self._how)


def _taken(name: str) -> str:
    """What an object has under a key, by a JSON pointer: the first where the key stands twice. No JSON has nothing."""
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    value, called = pointer.replace("'", "''"), name.replace('"', '""')
    return f"TRY(json_extract_string(line, '{value}')) AS \"{called}\""
