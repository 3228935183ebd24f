"""Spark tells how far it is, and stops when it is told to; both on a real session, and Connect's by what it is sent."""

from contextlib import suppress
from threading import Event
from time import sleep
from types import SimpleNamespace

import pytest

import noisewise as nws
from noisewise.tables.engines import spark_jobs
from noisewise.tables.engines.spark import SparkDialect
from noisewise.tables.engines.spark_jobs import fraction_of, watched
from tests.tables.spark import session

SLOW = "cast(aggregate(sequence(1, 200000), 0D, (a, x) -> a + sin(x)) * 0 + id AS DOUBLE) AS x"
"""A column whose every record takes a while."""


def test_fractions_are_of_all_known_tasks():
    assert fraction_of([]) == 0
    assert fraction_of([(4, 1), (4, 3)]) == 0.5


def test_spark_tells_which_part_of_its_tasks_is_done(monkeypatch):
    monkeypatch.setattr(spark_jobs, "EVERY", 0.01)
    told = []
    frame = session().range(0, 24, 1, 12).selectExpr(SLOW)
    frame.sparkSession.sparkContext.setLocalProperty("spark.jobGroup.id", "the user's")
    answer = nws.Dataset(frame, progress=lambda *said: told.append(said)).count("x", epsilon=50)
    assert answer.value == 24
    assert (told[0], told[-1]) == (("reading the data", None), ("reading the data", 1.0))
    between = [fraction for _, fraction in told[1:-1]]
    assert between == sorted(between) and all(0 < fraction < 1 for fraction in between)
    assert between, "twelve tasks of some milliseconds are seen on their way"
    context = frame.sparkSession.sparkContext
    assert context.getLocalProperty("spark.jobGroup.id") == "the user's"
    assert set(context.getJobTags()) == set()
    context.setLocalProperty("spark.jobGroup.id", None)


def test_the_end_is_told_last(monkeypatch):
    """Also where a look at the tasks takes longer than the tasks."""
    over, told, arrays = Event(), [], SparkDialect._arrays

    def late(tasks):
        over.wait(timeout=60)
        sleep(0.3)
        return 0.5

    def noted(dialect, frame):
        found = arrays(dialect, frame)
        over.set()
        return found

    monkeypatch.setattr(spark_jobs, "EVERY", 0.001)
    monkeypatch.setattr(spark_jobs, "fraction_of", late)
    monkeypatch.setattr(SparkDialect, "_arrays", noted)
    nws.Dataset(session().range(0, 24), progress=lambda *said: told.append(said[1])).count("id", epsilon=50)
    assert told == [None, 0.5, 1.0]


def test_jobs_on_spark_are_called_off_when_interrupted():
    spark = session()
    called_off = []

    class Context:
        """Spark's own, but for what is noted."""

        def __getattr__(self, name):
            return getattr(spark.sparkContext, name)

        def cancelJobsWithTag(self, tag):  # noqa: N802
            called_off.append((tag, set(spark.sparkContext.getJobTags())))
            spark.sparkContext.cancelJobsWithTag(tag)

    with suppress(KeyboardInterrupt), watched(SimpleNamespace(sparkContext=Context()), None):
        raise KeyboardInterrupt
    ((tag, tags),) = called_off
    assert tags == {tag}
    assert set(spark.sparkContext.getJobTags()) == set()


class ConnectSession:
    """What Spark Connect is asked, in order."""

    __module__ = "pyspark.sql.connect.session"

    def __init__(self):
        self.handlers, self.asked = [], []

    def __getattr__(self, name):
        return lambda tag: self.asked.append((name, tag))

    def registerProgressHandler(self, handler):  # noqa: N802
        self.handlers.append(handler)

    def removeProgressHandler(self, handler):  # noqa: N802
        self.handlers.remove(handler)


def test_connect_calls_back_with_stages():
    connect, told = ConnectSession(), []
    with watched(connect, told.append):
        (handler,) = connect.handlers
        for completed in (0, 1, 3, 2, 4):
            stages = [SimpleNamespace(num_tasks=4, num_completed_tasks=completed)]
            handler(stages=stages, inflight_tasks=1, operation_id="x", done=False)
        handler(stages=None, inflight_tasks=0, operation_id="x", done=True)
    assert told == [0.25, 0.75]
    assert connect.handlers == []
    (added, tag), (removed, same) = connect.asked
    assert (added, removed, tag) == ("addTag", "removeTag", same)


def test_connect_interrupts_what_is_tagged():
    connect = ConnectSession()
    with pytest.raises(KeyboardInterrupt), watched(connect, None):
        raise KeyboardInterrupt
    assert [name for name, _ in connect.asked] == ["addTag", "interruptTag", "removeTag"]
