"""What a receipt says of a Python list, which declares no type of what it holds.

Text in a list is as missing as None, and no error can say so: it would depend on a record. So the receipt says it of
every list that is read as numbers, whatever the list holds. What is compared with categories is read as text as well,
and the receipt says nothing of it.
"""

from collections.abc import Sequence

from noisewise.tables.columns.indicators import Indicator

NOTE = "whatever is not a number counts as missing"
"""What is said of data that may hold anything."""


def notes_on(data: Sequence[object], columns: Sequence[str], indicator: Indicator | None) -> tuple[str, ...]:
    """The note, if any of the data that is read as numbers is a list; the same for all lists."""
    if indicator is not None and indicator.category is not None:
        return ()
    return (NOTE,) if any(map(_is_list, data, columns)) else ()


def _is_list(data: object, column: str) -> bool:
    """A list of numbers, or several columns of which one is such a list."""
    if column == "matrix" and isinstance(data, tuple):
        return any(isinstance(each, (list, tuple)) for each in data)
    return column in ("column", "label", "matrix") and isinstance(data, (list, tuple))
