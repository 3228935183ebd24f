"""The files behind a table: a release reads them several times, and between two passes they must not change.

Whether they did is told by their sizes, times and identities, never by what is in them: an error that depended on the
number of rows would be a release of its own. A source that is not a file, or changes without a trace, is the user's
promise.
"""

import os
from dataclasses import dataclass

from noisewise.errors import ReleaseFailed, SchemaError


@dataclass(frozen=True, slots=True)
class Source:
    """Files, and what they looked like from outside when they were opened."""

    paths: tuple[str, ...]
    seen: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> "Source":
        return cls(paths, _look(paths))

    def judge(self) -> None:
        """Before anything is paid."""
        if _look(self.paths) != self.seen:
            raise SchemaError(
                "the files of a scan", "must stay as they were when it was opened", fix="scan them again"
            ) from None

    def still(self) -> None:
        """After a query: what was read before and after a change is nobody's data."""
        if _look(self.paths) != self.seen:
            raise ReleaseFailed("the files of the scan changed while they were read") from None


def _look(paths: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(_outside(path) for path in paths)


def _outside(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev
