"""Answers as text: a receipt for people, a table for groups, JSON for programs."""

import csv
import io
import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from noisewise.cli.screen import emit, is_terminal, say
from noisewise.grouped_release import GroupedRelease
from noisewise.receipt import Release


def show(answer: Release | GroupedRelease, found: Release | None, *, as_json: bool) -> None:
    """Print an answer, and before it the release that found its groups, where they were not declared."""
    if as_json:
        card = answer.card() if found is None else {**answer.card(), "selection": found.card()}
        emit(json.dumps(card, default=str))
    elif isinstance(answer, Release):
        emit(str(answer))
    elif is_terminal(sys.stdout):
        _, *receipt = str(answer.about).splitlines()
        emit("\n".join([_table(answer), *receipt, *_found(found)]))
    else:
        emit(_csv(answer))
        for cost in (found, answer):
            if cost is not None:
                say(f"privacy {cost.privacy}" + ("" if cost.receipt is None else f"; paid {cost.receipt}"))


def _found(found: Release | None) -> list[str]:
    return [] if found is None else ["", "groups found by:", *str(found).splitlines()[1:]]


def _rows(answer: GroupedRelease) -> tuple[list[str], list[list[Any]]]:
    """The names of columns, and a row for each group."""
    names = [*answer.keys.names, *answer.each]
    columns = [*answer.keys.columns, *(release.value for release in answer.each.values())]
    return names, [list(row) for row in zip(*columns, strict=True)]


def _csv(answer: GroupedRelease) -> str:
    names, rows = _rows(answer)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    return text.getvalue().rstrip("\n")


def _table(answer: GroupedRelease) -> str:
    names, rows = _rows(answer)
    table = Table(title=f"{answer.about.statistic} by {', '.join(answer.keys.names)}", title_justify="left")
    for name in names:
        table.add_column(
            Text(name), justify="left" if name in answer.keys.names else "right", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(_cell(cell)) for cell in row))
    text = io.StringIO()
    Console(file=text, force_terminal=False).print(table)
    return text.getvalue().rstrip("\n")


def _cell(value: Any) -> str:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"{value:,}" if plain else str(value)
