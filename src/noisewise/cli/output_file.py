"""``--output FILE``: write an answer to a file of CSV, JSON, Parquet or HTML, or its picture. It is also printed.

A path that cannot be written to and an unknown ending are refused before anything is paid. For this, a new file is
opened in the same folder first. When it is complete, it gets the name FILE. So a reader never sees half of a file.
"""

import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisewise.cli.input_file import files_of
from noisewise.errors import ParameterError, ReleaseFailed, SchemaError, install
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.books import from_home, is_address
from noisewise.questions.functions.value_names import typed

if TYPE_CHECKING:
    from noisewise.dataset.answer_columns import AnswerColumns
    from noisewise.ledger.ledger import Ledger
    from noisewise.results.grouped_release import GroupedRelease
    from noisewise.results.joint_release import JointRelease
    from noisewise.results.pictures.svg import Picture
    from noisewise.results.release import Release

ENDINGS = (".csv", ".json", ".parquet", ".html")
PICTURES = (".svg", ".png")
Table = Mapping[str, list[Any]]
"""Columns by their names, all of one length."""


@dataclass(frozen=True, slots=True)
class Content:
    """A result in all formats. Only the format that is written is computed."""

    record: Callable[[], Any]
    """As JSON."""
    table: Callable[[], Table]
    page: Callable[[], str]
    """As HTML."""
    picture: "Callable[[], Picture] | None" = None

    @classmethod
    def of(
        cls,
        answer: "Release | GroupedRelease | JointRelease",
        columns: "Mapping[str, AnswerColumns | None]",
        record: Any,
        ledger: "Callable[[], Ledger] | None" = None,
    ) -> "Content":
        """Return the content of an answer: its card, a table of its numbers, and the report with the ledger."""

        def page() -> str:
            from noisewise.results.report import report

            return report(answer, ledger=None if ledger is None else ledger()).html

        def picture() -> "Picture":
            from noisewise.results.release_picture import any_picture

            return any_picture(answer)

        return cls(lambda: record, lambda: _numbers(answer, columns), page, picture)


def facts(title: str, record: Mapping[str, Any], html: str) -> Content:
    """Return the content of a result that is no release: its fields, and the HTML that a notebook shows."""

    def page() -> str:
        from noisewise.results.pictures.html import Markup
        from noisewise.results.pictures.html_page import Page

        return Page.of(title, [Markup(html)]).html

    shown = {name: value for name, value in record.items() if not isinstance(value, (dict, list))}
    return Content(
        lambda: record, lambda: {"name": list(shown), "value": list(map(str, shown.values()))}, page
    )


def _numbers(
    answer: "Release | GroupedRelease | JointRelease", columns: "Mapping[str, AnswerColumns | None]"
) -> Table:
    """Return a table with a row for each group. If there are no groups, it has a row for each number."""
    from noisewise.dataset.answer_columns import table_of
    from noisewise.results.grouped_release import GroupedRelease
    from noisewise.results.tidy import columns_of

    if isinstance(answer, GroupedRelease):
        names, rows = table_of(answer, columns)
        return {name: [row[index] for row in rows] for index, name in enumerate(names)}
    return columns_of(answer)


@contextmanager
def output_file(
    place: str | None, *inputs: str | None, pictures: bool = False
) -> "Iterator[Callable[[Content], None]]":
    """Give a function that writes a result to ``place``, or does nothing if it is None. Refuse to replace an input.

    ``pictures`` says whether the result has a picture.
    """
    if place is None:
        yield lambda content: None
        return
    kind = Path(place).suffix.lower()
    _check(place, kind, inputs, (*ENDINGS, *PICTURES) if pictures else ENDINGS)
    beside = os.path.join(os.path.dirname(place), f".noisewise-{os.getpid()}-{time.time_ns()}{kind}")
    try:
        file = open(beside, "xb")  # noqa: SIM115  # closed below, and removed where nothing came of it
    except (OSError, ValueError):
        file = None
    if file is None:
        raise _unwritable(place) from None
    try:
        with file:

            def write(content: Content) -> None:
                try:
                    file.write(_bytes(content, kind))
                    file.close()
                    os.replace(beside, place)
                    return
                except OSError:
                    pass
                raise ReleaseFailed(
                    f"the answer could not be written to {place}; where a ledger was debited, the debit stands"
                ) from None

            yield write
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def _check(place: str, kind: str, inputs: Iterable[str | None], endings: tuple[str, ...]) -> None:
    """Refuse a path that cannot be written to, or that is one of the inputs."""
    if kind not in endings:
        listed = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise ParameterError("output", f"must end in {listed}", got=describe(place)) from None
    if kind == ".png" and find_spec("vl_convert") is None:
        raise SchemaError("PNG files", "are drawn by vl-convert-python", extra=install("pictures")) from None
    if kind == ".parquet" and find_spec("pyarrow") is None:
        raise SchemaError("Parquet files", "are written by pyarrow", extra=install("duckdb")) from None
    there = Path(place)
    given = (each for each in inputs if each is not None and not is_address(each))
    read = (form for each in given for form in (each, from_home(each)))
    for other in (file for each in read for file in files_of(each)):
        try:
            same = there.exists() and os.path.exists(other) and os.path.samefile(place, other)
        except (OSError, ValueError):
            same = False
        if same:
            raise ParameterError(
                "output", "must be another file than what is read", got=describe(place)
            ) from None
    if there.exists() and (not there.is_file() or not os.access(place, os.W_OK)):
        raise _unwritable(place) from None


def _unwritable(place: str) -> ParameterError:
    return ParameterError("output", "must be a file that can be written", got=describe(place))


def _bytes(content: Content, kind: str) -> bytes:
    """Return a result as the bytes of a file. This never fails, as it is called after the debit."""
    if kind == ".json":
        return f"{json.dumps(content.record(), default=str)}\n".encode()
    if kind == ".html":
        return content.page().encode()
    if kind in PICTURES:
        assert content.picture is not None, "the ending was refused before"
        picture = content.picture()
        return picture.svg.encode() if kind == ".svg" else picture.png()
    table = content.table()
    if kind == ".parquet":
        return _parquet(table)
    text = io.StringIO()
    rows = zip(*table.values(), strict=True)
    csv.writer(text, lineterminator="\n").writerows(
        [list(table), *([_cell(each) for each in row] for row in rows)]
    )
    return text.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: Any) -> Any:
    return value if value is None else typed(value)


def _parquet(table: Table) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    def array(values: list[Any]) -> Any:
        try:
            return pa.array(values)
        except Exception:  # values of several types become text, and texts that are no Unicode are escaped
            return pa.array([None if value is None else text(value) for value in values], pa.string())

    def text(value: Any) -> str:
        return str(typed(value)).encode("utf-8", "backslashreplace").decode()

    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({name: array(values) for name, values in table.items()}), sink)
    return bytes(sink.getvalue())
