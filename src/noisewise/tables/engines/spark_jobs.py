"""What Spark does for one query: how many of its tasks are done, and how to call them off.

Jobs are marked by a tag, which leaves a job group of the user's as it is. A classic session is looked at every now and
then by a thread of its own; Spark Connect calls back.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, Thread
from typing import Any

Report = Callable[[float], None]
"""Called with the fraction of the known tasks that is done."""

EVERY = 0.25
"""Seconds between two looks."""

_numbers = count(1)


@contextmanager
def watched(session: Any, report: Report | None) -> Iterator[None]:
    """While this lasts, jobs of this thread are reported; where it is interrupted, they are called off."""
    tag = f"noisewise-{os.getpid()}-{next(_numbers)}"
    connect = ".connect." in type(session).__module__
    jobs: _ConnectJobs | _ClassicJobs = _ConnectJobs(session, tag) if connect else _ClassicJobs(session, tag)
    tell = None if report is None else _rising(report)
    jobs.begin(tell)
    try:
        yield
    except KeyboardInterrupt:
        with suppress(Exception):  # they may be over by now
            jobs.cancel()
        raise
    finally:
        jobs.end()


def _rising(report: Report) -> Report:
    """A report of fractions that never fall: Spark gets to know further tasks on its way. The end is said elsewhere."""
    highest = 0.0

    def tell(fraction: float) -> None:
        nonlocal highest
        if highest < fraction < 1:
            highest = fraction
            report(fraction)

    return tell


def fraction_of(tasks: Iterable[tuple[int, int]]) -> float:
    """How much is done of stages with so many tasks, of which so many are done."""
    of, done = 0, 0
    for all_tasks, completed in tasks:
        of, done = of + all_tasks, done + completed
    return done / of if of else 0.0


class _ClassicJobs:
    """Jobs in a session whose driver is this process."""

    def __init__(self, session: Any, tag: str) -> None:
        self._context, self._tag = session.sparkContext, tag
        self._over, self._watcher = Event(), None

    _watcher: Thread | None

    def begin(self, tell: Report | None) -> None:
        self._context.addJobTag(self._tag)
        if tell is not None:
            self._watcher = Thread(target=self._watch, args=(tell,), daemon=True)
            self._watcher.start()

    def cancel(self) -> None:
        self._context.cancelJobsWithTag(self._tag)

    def end(self) -> None:
        self._over.set()
        if self._watcher is not None:
            self._watcher.join()
        self._context.removeJobTag(self._tag)

    def _watch(self, tell: Report) -> None:
        with suppress(Exception):  # Spark does not tell: then nothing is reported
            while not self._over.wait(EVERY):
                tell(fraction_of(self._tasks()))

    def _tasks(self) -> Iterator[tuple[int, int]]:
        tracker = self._context.statusTracker()
        for job in self._context._jsc.sc().statusTracker().getJobIdsForTag(self._tag):
            found = tracker.getJobInfo(job)
            for stage in () if found is None else found.stageIds:
                if (known := tracker.getStageInfo(stage)) is not None:
                    yield known.numTasks, known.numCompletedTasks


class _ConnectJobs:
    """Jobs in a session of Spark Connect, whose driver is a server."""

    def __init__(self, session: Any, tag: str) -> None:
        self._session, self._tag = session, tag
        self._tell: Report | None = None

    def begin(self, tell: Report | None) -> None:
        self._session.addTag(self._tag)
        self._tell = tell
        if tell is not None:
            self._session.registerProgressHandler(self._hear)

    def cancel(self) -> None:
        self._session.interruptTag(self._tag)

    def end(self) -> None:
        if self._tell is not None:
            self._session.removeProgressHandler(self._hear)
        self._session.removeTag(self._tag)

    def _hear(self, stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        if self._tell is not None and stages:
            self._tell(fraction_of((stage.num_tasks, stage.num_completed_tasks) for stage in stages))
