"""Frames that Spark holds on to while one question is answered: the chosen records of people.

A person's rows must meet to be chosen from, so all rows are moved and sorted. A question of several passes would do
so in each of them; a frame that is kept (`DataFrame.persist`, in the memory of the executors, and on their disks
where that is full) is computed in the first, and read back in the others. It is let go when the question ends,
however it ends. Keeping changes what a question costs, never its answer: where Spark refuses, or fails at it, each
pass computes the frame.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

MERGES = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
"""Whether Spark merges the small partitions of what it keeps, as it does with what it does not keep. By default it does
not, and every pass over a few million rows would have hundreds of tasks, each with hundreds of files."""

_settings = threading.Lock()


class KeptFrames:
    """The frames that each thread keeps for the question that it is answering."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    @contextmanager
    def during_question(self) -> Iterator[None]:
        """What is kept meanwhile is let go at the end; a question within another ends with the other."""
        if hasattr(self._of_thread, "frames"):
            yield
            return
        self._of_thread.frames = []
        try:
            yield
        finally:
            self.let_go()
            del self._of_thread.frames

    def keep(self, native: Any) -> None:
        """Keep a frame until the question ends; nothing happens outside of one, since nobody would let it go."""
        frames: list[Any] | None = getattr(self._of_thread, "frames", None)
        if frames is None:
            return
        frames.append(native)
        with suppress(Exception), _merging(native.sparkSession):  # some platforms keep nothing
            native.persist()

    def let_go(self) -> bool:
        """Whether there was any frame to let go."""
        frames: list[Any] = getattr(self._of_thread, "frames", [])
        kept = bool(frames)
        while frames:
            with suppress(Exception):  # the session may be over
                frames.pop().unpersist()
        return kept


@contextmanager
def _merging(session: Any) -> Iterator[None]:
    """A setting of the user's session, changed for a moment: Spark reads it when it is told to keep a frame."""
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
