"""Columns of Python as a DuckDB relation, to lay beside the user's own: by public calls, and by no name of theirs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.tables.people import fresh_salt


def relation_of(relation: Any, given: dict[str, Any]) -> Any:
    """A relation on the same connection; DuckDB finds the columns among our globals, by a name that nothing else has.

    Where the user has forbidden to look for names there, they are looked for this once.
    """
    name = f"noisewise_{fresh_salt()}"
    ours = f"{name}_ours"  # what the relation is called meanwhile, and the user may have a table "_"
    ((allowed,),) = relation.query(ours, "SELECT current_setting('python_enable_replacements')").fetchall()
    try:
        globals()[name] = {column: _as_array(values) for column, values in given.items()}
        if not allowed:
            relation.query(ours, "SET python_enable_replacements = true")
        return relation.query(ours, f"SELECT * FROM {name}")
    finally:
        globals().pop(name, None)
        if not allowed:
            relation.query(ours, "SET python_enable_replacements = false")
        relation.query(ours, f"DROP VIEW IF EXISTS {ours}")  # where DuckDB, before 2.0, leaves it to us


def _as_array(values: Any) -> NDArray[Any]:
    """As DuckDB reads it: numbers as such, everything else, lists of numbers too, as objects."""
    if isinstance(values, np.ndarray) or list not in set(map(type, values)):
        found = np.asarray(values)
        if found.dtype.kind in "biuf":
            return found
    return np.array([*values, None], object)[:-1]
