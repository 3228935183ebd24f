"""Columns that an engine on this computer hands out, after the debit: those that are needed, of rows that may count.

People come by the names that the engine writes, and groups as the places of their keys, each in a column of its own: a
column may be asked about, name people and make groups at once. Rows of groups that nobody declared stay where they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.secret import Secret
from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.groups import in_groups
from noisewise.tables.engines.people import names_of_people
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns, which of them as numbers, in which groups, and who chooses. Public but for the salt."""

    names: tuple[str, ...]
    numeric: tuple[str, ...]
    choice: Choice | None
    keys: Keys | None = None
    kinds: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Fetched(Secret):
    """Columns in memory, the choice among their people, and where rows are in groups, the place of each row's key."""

    table: LocalTable
    choice: Choice | None
    places: NDArray[np.int64]


def fetched(
    dialect: Dialect, frame: Frame, wanted: Wanted, read: Callable[[Frame, dict[str, str]], Frame]
) -> Fetched:
    """Run the query. ``read`` turns columns, by what they are called there and in the table, into numbers."""
    import narwhals.stable.v2 as nw

    called = {f"column{place}": name for place, name in enumerate(dict.fromkeys(wanted.names))}
    taken = [nw.col(name).alias(there) for there, name in called.items()]
    handed, choice = list(called), wanted.choice
    if wanted.keys is not None:
        taken += [nw.col(key).alias(f"key{place}") for place, key in enumerate(wanted.keys.names)]
        handed.append("group")
    if choice is not None:
        taken.append(nw.col(choice.unit).alias("person"))
        handed.append("person")
        called["person"] = max(("", *wanted.names), key=len) + "_person"  # a name that no column has
        choice = replace(choice, unit=called["person"])
    frame = read(
        frame.select(*taken), {there: name for there, name in called.items() if name in wanted.numeric}
    )
    if choice is not None and not _whole(frame.collect_schema()["person"]):
        frame = names_of_people(dialect, frame, "person")
    if wanted.keys is not None:
        frame = in_groups(dialect, frame, wanted.keys, wanted.kinds)
    found = dialect.collect(frame.select(*handed))
    places = np.empty(0, np.int64)
    if wanted.keys is not None:
        places = found.get_column("group").to_numpy().astype(np.int64)
        found = found.drop("group")
    return Fetched(LocalTable(found.rename(called)), choice, places)


def _whole(dtype: Any) -> bool:
    """Whether people are numbers that every library reads alike, and faster than text."""
    import narwhals.stable.v2 as nw

    return bool(dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128))
