"""Refusals of a statement: what stands where in its text, and what to do instead. All of it is public."""

from collections.abc import Mapping
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe

RULE = "must be a SELECT of aggregates of one table, with WHERE and GROUP BY alone"
SHOWN = 40
"""The most characters of the statement that an error shows."""


class NotAsked(Exception):
    """A part of a statement that cannot be asked, before its place in the text is known."""

    def __init__(self, node: Any, what: str, fix: str) -> None:
        super().__init__(what)
        self.node, self.what, self.fix = node, what, fix

    def error(self, text: str) -> ParameterError:
        """The error for the user, with the line and the column where the part begins."""
        return refusal(text, start_of(self.node), self.what, self.fix)


def refusal(text: str, start: int | None, what: str, fix: str) -> ParameterError:
    place = ""
    if start is not None:
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        place = f" at line {line}, column {column}"
    return ParameterError("sql", RULE, got=f"{what}{place}", fix=fix)


def start_of(node: Any) -> int | None:
    """The first character of a part of a statement; if unknown, that of what it is part of."""
    while node is not None:
        starts = [each.meta["start"] for each in node.walk() if "start" in each.meta]
        if starts:
            return int(min(starts))
        node = node.parent
    return None


def shown(node: Any) -> str:
    """A part of a statement as text, shortened."""
    text = node.sql()
    return describe(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def only(node: Any, *allowed: str, fixes: Mapping[str, str] | None = None) -> None:
    """Refuse a part that has anything else than these."""
    for name, given in node.args.items():
        if name in allowed or given is None or given is False or given == []:
            continue
        part = given[0] if isinstance(given, list) else given
        word = "JOIN" if name == "joins" else name.rstrip("_").upper().replace("_", " ")
        fix = (fixes or {}).get(name.rstrip("_"), "leave it out")
        raise NotAsked(part if hasattr(part, "walk") else node, word, fix)
