"""Frames that Spark keeps while one question is answered: the chosen records of people.

To choose from the rows of a person, Spark moves and sorts all rows. A question of several queries would do so in each
of them. A frame that is kept (`DataFrame.persist`, in the memory of the executors, and on their disks if that is full)
is computed by the first query, and read back by the others. It is released when the question ends, however it ends.
Keeping a frame changes the cost of a question, never its answer: if Spark refuses or fails to keep it, each query
computes the frame.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

MERGES = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
"""Whether Spark merges the small partitions of frames that it keeps, as it does for other frames. By default it does
not, and every query over a few million rows has hundreds of tasks, each with hundreds of files."""

_settings = threading.Lock()


class KeptFrames:
    """The frames that each thread keeps for the question that it is answering."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    @contextmanager
    def during_question(self) -> Iterator[None]:
        """While this lasts, frames may be kept. They are released at the end, or at the end of an outer question."""
        if hasattr(self._of_thread, "frames"):
            yield
            return
        self._of_thread.frames = []
        try:
            yield
        finally:
            self.release()
            del self._of_thread.frames

    def keep(self, native: Any) -> None:
        """Keep a frame until the question ends. Outside of a question nothing would release it, so nothing is kept."""
        frames: list[Any] | None = getattr(self._of_thread, "frames", None)
        if frames is None:
            return
        frames.append(native)
        with suppress(Exception), _merging(native.sparkSession):  # some platforms keep nothing
            native.persist()

    def release(self) -> bool:
        """Release all frames. Return whether there was any."""
        frames: list[Any] = getattr(self._of_thread, "frames", [])
        kept = bool(frames)
        while frames:
            with suppress(Exception):  # the session may be over
                frames.pop().unpersist()
        return kept


@contextmanager
def _merging(session: Any) -> Iterator[None]:
    """Change a setting of the user's session for a moment. Spark reads it when it begins to keep a frame."""
    with _settings:
        before = session.conf.get(MERGES, None)
        session.conf.set(MERGES, "true")
        try:
            yield
        finally:
            if before is None:
                session.conf.unset(MERGES)
            else:
                session.conf.set(MERGES, before)
