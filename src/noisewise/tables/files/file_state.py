"""The files behind a table. A release reads them several times, and they must not change between two queries.

Sizes, times and identities of the files show a change. Their contents are not compared, because an error that depends
on rows would be a release. For data that is no file, or that changes without a trace, the user guarantees that it does
not change.
"""

import os
from dataclasses import dataclass

from noisewise.errors import ReleaseFailed, SchemaError


@dataclass(frozen=True, slots=True)
class FileState:
    """Files, and their sizes, times and identities when they were opened."""

    paths: tuple[str, ...]
    opened: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> "FileState":
        return cls(paths, _states(paths))

    def check_unchanged(self) -> None:
        """Refuse, before the debit, files that changed since they were opened."""
        if _states(self.paths) != self.opened:
            raise SchemaError(
                "the files of a scan", "must stay as they were when it was opened", fix="scan them again"
            ) from None

    def fail_if_changed(self) -> None:
        """Raise after a query if the files changed. Its result means nothing if it mixes old and new rows."""
        if _states(self.paths) != self.opened:
            raise ReleaseFailed("the files of the scan changed while they were read") from None


def _states(paths: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(_state(path) for path in paths)


def _state(path: str) -> tuple[int, ...]:
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev
