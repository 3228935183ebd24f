"""Names of columns. Most data declare them, which makes them public. JSON lines declare none.

If none are declared, it is secret which names a record has. So every name is accepted. A record that does not have the
name has a missing value there.
"""

from difflib import get_close_matches
from typing import Any

from noisewise.errors import Call, SchemaError, Text
from noisewise.kernel.numbers.exact import describe

SEPARATORS, WORDS = ";\t|", {"\t": "tab"}
"""Separators in text files other than commas, and names for those that are hard to type on a command line."""

Names = tuple[Any, ...] | None
"""The names of the columns, or None if the data declares none."""


def is_column(given: object, names: Names) -> bool:
    """Whether this is the name of a column. (If a user gives a series, it is not compared with names.)"""
    if names is None:
        return (
            isinstance(given, str) and given != "" and not any("\ud800" <= sign <= "\udfff" for sign in given)
        )
    return isinstance(given, (str, int)) and given in names


def unknown_column(parameter: str, given: object, names: Names) -> SchemaError:
    """The error for a name that the table does not have, or that no table could have."""
    if names is None:
        return SchemaError(parameter, "must be the name of a column, as text", got=describe(given))
    if not names:
        return SchemaError(parameter, "must be in the table, which has no columns", got=describe(given))
    by_text = {str(name): name for name in names}
    close = get_close_matches(str(given), by_text, 1)
    listed = ", ".join(repr(name) for name in names[:12]) + (", ..." if len(names) > 12 else "")
    hint: Text = f"did you mean {by_text[close[0]]!r}?" if close else ""
    if len(names) == 1 and (marks := [mark for mark in SEPARATORS if mark in str(names[0])]):
        separated = Call(f"say separator={marks[0]!r}", "separator", WORDS.get(marks[0], f"{marks[0]!r}"))
        hint = ("if the file has several columns, ", separated)
    elif not close and any(_spells_a_number(name) for name in names):
        hint = "if the first line of a file is no header, write one"
    return SchemaError(parameter, f"must be one of {listed}", got=describe(given), fix=hint)


def _spells_a_number(name: object) -> bool:
    """Whether the name of a column spells a number. Then it may be a record of a file without a header."""
    try:
        return isinstance(name, str) and float(name) is not None
    except ValueError:
        return False
