"""The files behind a table: a release reads them several times, and between two passes they must not change.

Whether they did is decided by their sizes, times and identities, never by what is in them: an error that depended on
the number of rows would be a release of its own. Of data that is no file, or changes without a trace, the user must
guarantee it.
"""

import os
from dataclasses import dataclass

from noisewise.errors import ReleaseFailed, SchemaError


@dataclass(frozen=True, slots=True)
class FileState:
    """Files, and what they looked like from outside when they were opened."""

    paths: tuple[str, ...]
    opened: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> "FileState":
        return cls(paths, _states(paths))

    def check_unchanged(self) -> None:
        """Refuse files that changed since they were opened, before anything is paid."""
        if _states(self.paths) != self.opened:
            raise SchemaError(
                "the files of a scan", "must stay as they were when it was opened", fix="scan them again"
            ) from None

    def fail_if_changed(self) -> None:
        """After a query: what was read in part before and in part after a change is no data at all."""
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
