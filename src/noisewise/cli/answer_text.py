"""Answers as text: a receipt for people, a table for groups, JSON for programs."""

import csv
import io
import json
import sys
from typing import Any

from rich.box import ASCII, HEAVY_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from noisewise.cli.screen import emit, escaped, is_terminal, lacks, legible, say
from noisewise.dataset.answer_columns import AnswerColumns, beside, rows_of
from noisewise.questions.functions.value_names import typed
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release


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
        for note in answer.about.notes:
            say(f"note: {note}")


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


def _csv(answer: GroupedRelease, columns: AnswerColumns | None) -> str:
    (name,) = answer.each
    names = [name] if columns is None else [f"{name}_{each}" for each in columns.names]
    text = io.StringIO()
    head = [*answer.keys.names, *names, *beside(answer, columns)]
    csv.writer(text, lineterminator="\n").writerows([head, *rows_of(answer, columns)])
    return text.getvalue().rstrip("\n")


def _table(answer: GroupedRelease, columns: AnswerColumns | None) -> str:
    (name,) = answer.each
    what = ", ".join(release.what for release in answer.each.values())
    keys, names = answer.keys.names, [name] if columns is None else columns.names
    rows = [
        [*keys, *names, *beside(answer, columns)],
        *(_cells(answer, row) for row in rows_of(answer, columns)),
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
