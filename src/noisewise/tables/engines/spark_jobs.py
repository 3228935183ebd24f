"""The jobs of one query in Spark: report how many tasks are done, and cancel the jobs.

Jobs are marked by a tag, which does not change a job group that the user has set. In a classic session a thread asks
for the number of tasks every `EVERY` seconds. Spark Connect calls a function.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, Thread
from typing import Any

Report = Callable[[float], None]
"""Called with the fraction of the known tasks that are done."""

EVERY = 0.25
"""Seconds between two requests for the number of tasks."""

_numbers = count(1)


@contextmanager
def watched(session: Any, report: Report | None) -> Iterator[None]:
    """While this lasts, the jobs of this thread are reported. An interrupt cancels them."""
    tag = f"noisewise-{os.getpid()}-{next(_numbers)}"
    connect = ".connect." in type(session).__module__
    jobs: _ConnectJobs | _ClassicJobs = _ConnectJobs(session, tag) if connect else _ClassicJobs(session, tag)
    jobs.begin(None if report is None else _rising(report))
    try:
        yield
    except KeyboardInterrupt:
        with suppress(Exception):  # they may be over by now
            jobs.cancel()
        raise
    finally:
        jobs.end()


def _rising(report: Report) -> Report:
    """A report of fractions that never fall, although Spark adds tasks while it runs. It leaves out the end, which is
    reported elsewhere."""
    highest = 0.0

    def report_higher(fraction: float) -> None:
        nonlocal highest
        if highest < fraction < 1:
            highest = fraction
            report(fraction)

    return report_higher


def fraction_of(tasks: Iterable[tuple[int, int]]) -> float:
    """The fraction of tasks that are done, by the numbers of all tasks and of completed tasks in each stage."""
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

    def begin(self, report: Report | None) -> None:
        self._context.addJobTag(self._tag)
        if report is not None:
            self._watcher = Thread(target=self._watch, args=(report,), daemon=True)
            self._watcher.start()

    def cancel(self) -> None:
        self._context.cancelJobsWithTag(self._tag)

    def end(self) -> None:
        self._over.set()
        if self._watcher is not None:
            self._watcher.join()
        self._context.removeJobTag(self._tag)

    def _watch(self, report: Report) -> None:
        with suppress(Exception):  # without an answer of Spark nothing is reported
            while not self._over.wait(EVERY):
                report(fraction_of(self._tasks()))

    def _tasks(self) -> Iterator[tuple[int, int]]:
        tracker = self._context.statusTracker()
        for job in self._context._jsc.sc().statusTracker().getJobIdsForTag(self._tag):
            info = tracker.getJobInfo(job)
            for stage in () if info is None else info.stageIds:
                if (known := tracker.getStageInfo(stage)) is not None:
                    yield known.numTasks, known.numCompletedTasks


class _ConnectJobs:
    """Jobs in a session of Spark Connect, whose driver is a server."""

    def __init__(self, session: Any, tag: str) -> None:
        self._session, self._tag = session, tag
        self._report: Report | None = None

    def begin(self, report: Report | None) -> None:
        self._session.addTag(self._tag)
        self._report = report
        if report is not None:
            self._session.registerProgressHandler(self._progressed)

    def cancel(self) -> None:
        self._session.interruptTag(self._tag)

    def end(self) -> None:
        if self._report is not None:
            self._session.removeProgressHandler(self._progressed)
        self._session.removeTag(self._tag)

    def _progressed(self, stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        if self._report is not None and stages:
            self._report(fraction_of((stage.num_tasks, stage.num_completed_tasks) for stage in stages))
