"""Columns of Python as a DuckDB relation, to lay beside the user's own: by public calls, and by no name of theirs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.tables.people import fresh_salt


def readable(relation: Any) -> bool:
    """Whether DuckDB may look for names among the objects of Python, or be told that it may. All settings."""
    settings = ("enable_external_access", "python_enable_replacements", "lock_configuration")
    said = ", ".join(f"current_setting('{setting}')" for setting in settings)
    ((external, names, locked),) = _asked(relation, f"SELECT {said}").fetchall()
    return bool(external and (names or not locked))


def relation_of(relation: Any, given: dict[str, Any]) -> Any:
    """A relation on the same connection, of numbers and text where DuckDB may not look for the names of Python."""
    columns = {column: _as_array(values) for column, values in given.items()}
    return _named(relation, columns) if readable(relation) else _written(relation, columns)


def result_of(relation: Any, given: dict[str, Any]) -> Any:
    """A small result for the user: on a connection of its own where theirs may not read it."""
    import duckdb

    return relation_of(relation if readable(relation) else duckdb.connect().sql("SELECT 1"), given)


def _named(relation: Any, columns: dict[str, NDArray[Any]]) -> Any:
    """DuckDB finds the columns among our globals, by a name that nothing else has.

    Where the user has forbidden to look for names there, they are looked for this once.
    """
    name = f"noisewise_{fresh_salt()}"
    ((allowed,),) = _asked(relation, "SELECT current_setting('python_enable_replacements')").fetchall()
    try:
        globals()[name] = columns
        if not allowed:
            _asked(relation, "SET python_enable_replacements = true")
        return _asked(relation, f"SELECT * FROM {name}")
    finally:
        globals().pop(name, None)
        if not allowed:
            _asked(relation, "SET python_enable_replacements = false")


def _written(relation: Any, columns: dict[str, NDArray[Any]]) -> Any:
    """The columns as one text each in the query itself: numbers in digits that are read back exactly, text in bytes."""
    parts = list[str]()
    for name, values in columns.items():
        quoted = '"' + name.replace('"', '""') + '"'
        texts, read = (value.encode().hex() for value in values.tolist()), "decode(unhex({}))"
        if values.dtype.kind in "biuf":
            texts = (repr(value) for value in values.tolist())
            read = f"CAST({{}} AS {'DOUBLE' if values.dtype.kind == 'f' else 'BIGINT'})"
        part = f"unnest(string_split('{','.join(texts)}', ','))"
        parts.append(f"{read.format(part)} AS {quoted}")
    (rows,) = {len(values) for values in columns.values()}
    return _asked(relation, f"SELECT {', '.join(parts)} LIMIT {rows}")  # of no text at all, one is split off


def _asked(relation: Any, query: str) -> Any:
    """A query on the connection of a relation, which is called something else than any table meanwhile."""
    ours = f"noisewise_{fresh_salt()}_ours"  # the user may have a table "_"
    try:
        return relation.query(ours, query)
    finally:
        relation.query(ours, f"DROP VIEW IF EXISTS {ours}")  # where DuckDB, before 2.0, leaves it to us


def _as_array(values: Any) -> NDArray[Any]:
    """As DuckDB reads it: numbers as such, everything else, lists of numbers too, as objects."""
    if isinstance(values, np.ndarray) or list not in set(map(type, values)):
        found = np.asarray(values)
        if found.dtype.kind in "biuf":
            return found
    return np.array([*values, None], object)[:-1]
