"""Answers as text: a receipt for people, a table for groups, JSON for programs."""

import csv
import io
import json
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from rich.box import ASCII, HEAVY_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from noisewise.cli.screen import emit, escaped, is_terminal, lacks, legible, say
from noisewise.questions.functions.value_names import typed
from noisewise.questions.question import Question
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release


class AnswerColumns(NamedTuple):
    """What the numbers of an answer are called, and whether each is the first of a pair.

    Each number is a column of a table, or a line of a receipt.
    """

    names: tuple[str, ...]
    pairs: bool = False

    @classmethod
    def of(cls, question: Question) -> "AnswerColumns | None":
        """None where the answer is a single number or word. Made once a question is answered, so known to be fine."""
        names = question.value_names
        return None if names is None else cls(tuple(map(str, names)), question.can.time.pairs)

    def cells(self, value: Iterable[Any] | None) -> list[Any]:
        """A number for each name, a matrix row by row; or nothing for each name where there is no answer."""
        if value is None:
            return [None] * len(self.names)
        if self.pairs:
            return [first for first, _ in value]
        return _flat(value)


def _flat(value: Iterable[Any]) -> list[Any]:
    """All numbers of tuples within tuples."""
    return [each for part in value for each in (_flat(part) if isinstance(part, tuple) else (part,))]


def show(
    answer: Release | GroupedRelease,
    selection: Release | None,
    columns: AnswerColumns | None,
    *,
    as_json: bool,
) -> None:
    """Print an answer, and with it the release that found its groups, where they were not declared."""
    if as_json:
        card = answer.card() if selection is None else {**answer.card(), "selection": selection.card()}
        emit(json.dumps(card, default=str))
    elif isinstance(answer, Release):
        emit(_receipt(answer, columns))
    elif is_terminal(sys.stdout):
        found_by = [] if selection is None else ["", "groups found by:", *_notes(selection)]
        emit("\n".join([_table(answer, columns), *map(legible, [*_notes(answer.about), *found_by])]))
    else:
        emit(_csv(answer, columns))
        if selection is not None:
            say(f"groups found for {_cost(selection)}")
        say(f"privacy {_cost(answer)}" if selection is None else f"privacy, with the groups, {_cost(answer)}")


def _receipt(answer: Release, columns: AnswerColumns | None) -> str:
    """An answer and what a reader must know; an answer of several numbers has a line for each."""
    first, rest = str(answer).partition("\n")[0], _notes(answer)
    if answer.value is None:
        first = f"{answer.what} = no answer"
    elif columns is not None:
        named = [*zip(columns.names, columns.cells(answer.value), strict=True)]
        width = max(12, *map(len, columns.names))
        first, rest = (
            answer.what,
            [*(f"  {name:<{width}} {_cell(answer, value)}" for name, value in named), *rest],
        )
    elif isinstance(answer.value, tuple):
        first = f"{answer.what} = {_key_list(answer.value)}"
    return "\n".join([first, *rest])


def _cost(answer: Release | GroupedRelease) -> str:
    return f"{answer.privacy}" + ("" if answer.receipt is None else f"; paid {answer.receipt}")


def _notes(answer: Release) -> list[str]:
    """What a reader must know beside the answer; that Python gets pairs is left out."""
    return [line.replace("pairs (value, share): ", "") for line in str(answer).splitlines()[1:]]


def _key_list(keys: tuple[Any, ...]) -> str:
    """Keys of groups that were found; a key of several columns in their order."""
    parts = (key if isinstance(key, tuple) else (key,) for key in keys)
    return "; ".join(", ".join(str(typed(part)) for part in each) for each in parts) or "none"


def _rows(answer: GroupedRelease, columns: AnswerColumns | None) -> list[list[Any]]:
    """A row for each group: its key, and its answer or the numbers of it."""
    (values,) = (release.value for release in answer.each.values())
    keys, counts = zip(*answer.keys.columns, strict=True), zip(*answer.counts.values(), strict=True)
    ends, beside = zip(*answer.ends.values(), strict=True), list(counts) or [()] * len(answer)
    sides = list(ends) or [()] * len(answer)

    def cells(value: Any) -> list[Any]:
        return [value] if columns is None else columns.cells(value)

    return [
        [*map(typed, key), *cells(value), *(cell for end in pair for cell in cells(end)), *count]
        for key, value, pair, count in zip(keys, values, sides, beside, strict=True)
    ]


def _beside(answer: GroupedRelease, columns: AnswerColumns | None) -> list[str]:
    """The names of columns beside answers: ends of intervals, one for each number of an answer, and counts."""
    if columns is None:
        return [*answer.ends, *answer.counts]
    return [*(f"{end}_{name}" for end in answer.ends for name in columns.names), *answer.counts]


def _csv(answer: GroupedRelease, columns: AnswerColumns | None) -> str:
    (name,) = answer.each
    names = [name] if columns is None else [f"{name}_{each}" for each in columns.names]
    text = io.StringIO()
    head = [*answer.keys.names, *names, *_beside(answer, columns)]
    csv.writer(text, lineterminator="\n").writerows([head, *_rows(answer, columns)])
    return text.getvalue().rstrip("\n")


def _table(answer: GroupedRelease, columns: AnswerColumns | None) -> str:
    (name,) = answer.each
    what = ", ".join(release.what for release in answer.each.values())
    keys, names = answer.keys.names, [name] if columns is None else columns.names
    rows = [
        [*keys, *names, *_beside(answer, columns)],
        *(_cells(answer, row) for row in _rows(answer, columns)),
    ]
    if lacks("".join(map("".join, rows))):  # all alike, so that what differs still does
        rows = [[*map(escaped, row)] for row in rows]
    table = Table(box=ASCII if lacks(str(HEAVY_HEAD)) else HEAVY_HEAD)
    for index, head in enumerate(rows[0]):
        table.add_column(Text(head), justify="left" if index < len(keys) else "right", overflow="fold")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    text = io.StringIO()
    Console(file=text, force_terminal=False).print(table)
    title = legible(f"{what} by {', '.join(keys)}")
    return f"{title}\n{text.getvalue()}".rstrip("\n")


def _cells(answer: GroupedRelease, row: list[Any]) -> list[str]:
    """A row of a table: a key as it is, numbers of the answer as a receipt prints them."""
    (release,) = answer.each.values()
    keys = len(answer.keys.names)
    return [_cell(None, each) for each in row[:keys]] + [_cell(release, each) for each in row[keys:]]


def _cell(answer: Release | None, value: object) -> str:
    """A value as a person reads it; nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, float) and answer is not None:
        return answer.printed(value)
    return f"{value:,}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
