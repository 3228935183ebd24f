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

from noisewise.cli.parts import Parts
from noisewise.cli.screen import emit, escaped, is_terminal, lacks, legible, say
from noisewise.questions.functions.value_names import typed
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release


def show(
    answer: Release | GroupedRelease, found: Release | None, parts: Parts | None, *, as_json: bool
) -> None:
    """Print an answer, and before it the release that found its groups, where they were not declared."""
    if as_json:
        card = answer.card() if found is None else {**answer.card(), "selection": found.card()}
        emit(json.dumps(card, default=str))
    elif isinstance(answer, Release):
        emit(_receipt(answer, parts))
    elif is_terminal(sys.stdout):
        emit("\n".join([_table(answer, parts), *map(legible, [*_told(answer.about), *_found(found)])]))
    else:
        emit(_csv(answer, parts))
        if found is not None:
            say(f"groups found for {_cost(found)}")
        say(f"privacy {_cost(answer)}" if found is None else f"privacy, with the groups, {_cost(answer)}")


def _receipt(answer: Release, parts: Parts | None) -> str:
    """One answer and what a reader must know; one of several numbers in a line for each."""
    first, rest = str(answer).partition("\n")[0], _told(answer)
    if answer.value is None:
        first = f"{answer.what} = no answer"
    elif parts is not None:
        named = [*zip(parts.names, parts.cells(answer.value), strict=True)]
        width = max(12, *map(len, parts.names))
        first, rest = answer.what, [*(f"  {name:<{width}} {_cell(value)}" for name, value in named), *rest]
    elif isinstance(answer.value, tuple):
        first = f"{answer.what} = {_listed(answer.value)}"
    return "\n".join([first, *rest])


def _cost(answer: Release | GroupedRelease) -> str:
    return f"{answer.privacy}" + ("" if answer.receipt is None else f"; paid {answer.receipt}")


def _told(answer: Release) -> list[str]:
    """What a reader must know; that the library has pairs is not among it."""
    return [line.replace("pairs (value, share): ", "") for line in str(answer).splitlines()[1:]]


def _listed(keys: tuple[Any, ...]) -> str:
    """Keys that were found, those of several columns in order."""
    parts = (key if isinstance(key, tuple) else (key,) for key in keys)
    return "; ".join(", ".join(str(typed(part)) for part in each) for each in parts) or "none"


def _found(found: Release | None) -> list[str]:
    return [] if found is None else ["", "groups found by:", *_told(found)]


def _rows(answer: GroupedRelease, parts: Parts | None) -> list[list[Any]]:
    """A row for each group: its key, and its answer or the parts of it."""
    (values,) = (release.value for release in answer.each.values())
    keys = zip(*answer.keys.columns, strict=True)
    return [
        [*map(typed, key), *([value] if parts is None else parts.cells(value))]
        for key, value in zip(keys, values, strict=True)
    ]


def _csv(answer: GroupedRelease, parts: Parts | None) -> str:
    (name,) = answer.each
    names = [name] if parts is None else [f"{name}_{part}" for part in parts.names]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[*answer.keys.names, *names], *_rows(answer, parts)])
    return text.getvalue().rstrip("\n")


def _table(answer: GroupedRelease, parts: Parts | None) -> str:
    (name,) = answer.each
    what = ", ".join(release.what for release in answer.each.values())
    keys, columns = answer.keys.names, [name] if parts is None else parts.names
    rows = [[*keys, *columns], *([_cell(cell) for cell in row] for row in _rows(answer, parts))]
    if lacks("".join(map("".join, rows))):  # all alike, so that what differs still does
        rows = [[*map(escaped, row)] for row in rows]
    table = Table(box=ASCII if lacks(str(HEAVY_HEAD)) else HEAVY_HEAD)
    for place, head in enumerate(rows[0]):
        table.add_column(Text(head), justify="left" if place < len(keys) else "right", overflow="fold")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    text = io.StringIO()
    Console(file=text, force_terminal=False).print(table)
    title = legible(f"{what} by {', '.join(keys)}")
    return f"{title}\n{text.getvalue()}".rstrip("\n")


def _cell(value: Any) -> str:
    """A value as a person reads it; nothing where there is none."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if value is None else f"{value:,}" if plain else str(value)
