"""Answers as text: a receipt for people, a table for groups, JSON for programs."""

import csv
import io
import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.box import ASCII, HEAVY_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from noisewise.cli.screen import emit, escaped, is_terminal, lacks, legible, say
from noisewise.dataset.answer_columns import AnswerColumns, beside, rows_of, table_of
from noisewise.questions.functions.value_names import typed
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import WORDS, Release


def show(
    answer: Release | GroupedRelease,
    selection: Release | None,
    columns: AnswerColumns | None,
    *,
    as_json: bool,
) -> None:
    """Print an answer, and with it the release that found its groups, where they were not declared."""
    if as_json:
        emit(json.dumps(card_with(answer, selection), default=str))
    elif isinstance(answer, Release):
        emit("\n".join([_receipt(answer, columns), *_words()]))
    elif is_terminal(sys.stdout):
        found_by = [] if selection is None else ["", "groups found by:", *_notes(selection)]
        emit(
            "\n".join([_table(answer, columns), *map(legible, [*_notes(answer.about), *found_by]), *_words()])
        )
    else:
        emit(_csv(answer, columns))
        if selection is not None:
            say(f"groups found for {_cost(selection)}")
        say(f"privacy {_cost(answer)}" if selection is None else f"privacy, with the groups, {_cost(answer)}")
        for note in answer.about.notes:
            say(f"note: {note}")


def show_several(
    answers: JointRelease | GroupedRelease,
    selection: Release | None,
    columns: Mapping[str, AnswerColumns | None],
    *,
    as_json: bool,
) -> None:
    """Print the answers to several questions: a receipt each, or one table of them all where they are in groups."""
    if as_json:
        emit(json.dumps(card_with(answers, selection), default=str))
    elif isinstance(answers, JointRelease):
        receipts = (f"{name}: {_receipt(each, columns[name])}" for name, each in answers.items())
        emit("\n".join([*receipts, f"together: {_cost(answers)}", *_words()]))
    else:
        names, rows = table_of(answers, columns)
        if is_terminal(sys.stdout):
            cells = [[_cell(None, each) for each in row] for row in rows]
            found_by = [] if selection is None else ["", "groups found by:", *_notes(selection)]
            text = _drawn([names, *cells], len(answers.keys.names))
            title = (
                f"{', '.join(each.what for each in answers.each.values())} by {', '.join(answers.keys.names)}"
            )
            emit(
                "\n".join(
                    [legible(title), text, *map(legible, [*_notes(answers.about), *found_by]), *_words()]
                )
            )
        else:
            emit(_csv_of(names, rows))
            if selection is not None:
                say(f"groups found for {_cost(selection)}")
            say(f"privacy {_cost(answers)}")
            for note in answers.about.notes:
                say(f"note: {note}")


def _words() -> list[str]:
    """Where the words of a receipt are explained, for people alone: a program reads the same lines as ever."""
    return [WORDS] if is_terminal(sys.stdout) else []


def card_with(answer: Release | GroupedRelease | JointRelease, selection: Release | None) -> dict[str, Any]:
    """The card of an answer, and with it that of the release that found its groups."""
    return answer.card() if selection is None else {**answer.card(), "selection": selection.card()}


def _receipt(answer: Release, columns: AnswerColumns | None) -> str:
    """An answer and what a reader must know; an answer of several numbers has a line for each."""
    first, rest = repr(answer).partition("\n")[0], _notes(answer)
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


def _cost(answer: Release | GroupedRelease | JointRelease) -> str:
    return f"{answer.privacy}" + ("" if answer.receipt is None else f"; paid {answer.receipt}")


def _notes(answer: Release) -> list[str]:
    """What a reader must know beside the answer; that Python gets pairs is left out."""
    return [line.replace("pairs (value, share): ", "") for line in repr(answer).splitlines()[1:]]


def _key_list(keys: tuple[Any, ...]) -> str:
    """Keys of groups that were found; a key of several columns in their order."""
    parts = (key if isinstance(key, tuple) else (key,) for key in keys)
    return "; ".join(", ".join(str(typed(part)) for part in each) for each in parts) or "none"


def _csv(answer: GroupedRelease, columns: AnswerColumns | None) -> str:
    return _csv_of(*table_of(answer, dict.fromkeys(answer.each, columns)))


def _csv_of(names: list[str], rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    return text.getvalue().rstrip("\n")


def _table(answer: GroupedRelease, columns: AnswerColumns | None) -> str:
    (name,) = answer.each
    what = ", ".join(release.what for release in answer.each.values())
    keys, names = answer.keys.names, [name] if columns is None else columns.names
    rows = [
        [*keys, *names, *beside(answer, columns)],
        *(_cells(answer, row) for row in rows_of(answer, columns)),
    ]
    title = legible(f"{what} by {', '.join(keys)}")
    return f"{title}\n{_drawn(rows, len(keys))}"


def _drawn(rows: list[list[str]], keys: int) -> str:
    """A table for people, whose first row is its head."""
    if lacks("".join(map("".join, rows))):  # all alike, so that what differs still does
        rows = [[*map(escaped, row)] for row in rows]
    table = Table(box=ASCII if lacks(str(HEAVY_HEAD)) else HEAVY_HEAD)
    for index, head in enumerate(rows[0]):
        table.add_column(Text(head), justify="left" if index < keys else "right", overflow="fold")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    text = io.StringIO()
    Console(file=text, force_terminal=False).print(table)
    return text.getvalue().rstrip("\n")


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
