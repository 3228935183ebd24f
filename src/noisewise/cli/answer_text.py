"""Answers as text: a receipt for people, a table for groups, JSON for programs."""

import csv
import io
import json
import sys
from collections.abc import Mapping
from typing import Any

from noisewise.cli.screen import emit, escaped, is_terminal, lacks, legible, say
from noisewise.dataset.answer_columns import AnswerColumns, table_of
from noisewise.questions.functions.value_names import typed
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import WORDS, Release

Answers = Release | GroupedRelease | JointRelease


def show(
    answers: Answers,
    selection: Release | None,
    columns: Mapping[str, AnswerColumns | None],
    *,
    as_json: bool,
) -> None:
    """Print answers. ``selection`` is the release that found their groups, if groups were searched for.

    ``columns`` has the names of the numbers in each answer.
    """
    if as_json:
        emit(json.dumps(card_with(answers, selection), default=str))
    elif isinstance(answers, JointRelease):
        receipts = (f"{name}: {_receipt(each, columns[name])}" for name, each in answers.items())
        emit("\n".join([*receipts, f"together: {_cost(answers)}", *_words()]))
    elif isinstance(answers, Release):
        emit("\n".join([_receipt(answers, next(iter(columns.values()), None)), *_words()]))
    elif is_terminal(sys.stdout):
        found_by = [] if selection is None else ["", "groups found by:", *_notes(selection)]
        notes = map(legible, [*_notes(answers.about), *found_by])
        emit("\n".join([_table(answers, columns), *notes, *_words()]))
    else:
        names, rows = table_of(answers, dict.fromkeys(answers.each) | dict(columns))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([names, *rows])
        emit(text.getvalue().rstrip("\n"))
        if selection is not None:
            say(f"groups found for {_cost(selection)}")
        say(
            f"privacy {_cost(answers)}"
            if selection is None
            else f"privacy, with the groups, {_cost(answers)}"
        )
        for note in answers.about.notes:
            say(f"note: {note}")


def _words() -> list[str]:
    """Return a line with a link to the glossary, if a terminal shows the output. Programs do not get this line."""
    return [WORDS] if is_terminal(sys.stdout) else []


def card_with(answer: Answers, selection: Release | None) -> dict[str, Any]:
    """Return the card of an answer, with the card of the release that found its groups, if there is one."""
    return answer.card() if selection is None else {**answer.card(), "selection": selection.card()}


def _receipt(answer: Release, columns: AnswerColumns | None) -> str:
    """Return an answer and its notes as text. An answer of several numbers has a line for each number."""
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


def _cost(answer: Answers) -> str:
    return f"{answer.privacy}" + ("" if answer.receipt is None else f"; paid {answer.receipt}")


def _notes(answer: Release) -> list[str]:
    """Return the lines of a receipt below the answer, without a note that is only about Python."""
    return [line.replace("pairs (value, share): ", "") for line in repr(answer).splitlines()[1:]]


def _key_list(keys: tuple[Any, ...]) -> str:
    """Return the keys of groups that were found, as one line of text."""
    parts = (key if isinstance(key, tuple) else (key,) for key in keys)
    return "; ".join(", ".join(str(typed(part)) for part in each) for each in parts) or "none"


def _table(answers: GroupedRelease, columns: Mapping[str, AnswerColumns | None]) -> str:
    """Return a table of groups with a title. Numbers are printed as in a receipt."""
    from rich.box import ASCII, HEAVY_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    names, found = table_of(answers, dict.fromkeys(answers.each) | dict(columns))
    releases, keys = [*answers.each.values()], len(answers.keys.names)
    release = releases[0] if len(releases) == 1 else None
    title = f"{', '.join(each.what for each in releases)} by {', '.join(answers.keys.names)}"
    rows = [
        names,
        *(
            [_cell(None if index < keys else release, each) for index, each in enumerate(row)]
            for row in found
        ),
    ]
    if lacks("".join(map("".join, rows))):  # all alike, so that what differs still does
        rows = [[*map(escaped, row)] for row in rows]
    table = Table(box=ASCII if lacks(str(HEAVY_HEAD)) else HEAVY_HEAD)
    for index, head in enumerate(rows[0]):
        table.add_column(Text(head), justify="left" if index < keys else "right", overflow="fold")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    text = io.StringIO()
    Console(file=text, force_terminal=False).print(table)
    return f"{legible(title)}\n" + text.getvalue().rstrip("\n")


def _cell(answer: Release | None, value: object) -> str:
    """Return a value as text for people, or an empty text if there is no value."""
    if value is None:
        return ""
    if isinstance(value, float) and answer is not None:
        return answer.printed(value)
    return f"{value:,}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
