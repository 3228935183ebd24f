"""What a failing query of the user's says about a record is written nowhere by PySpark's own loggers."""

import logging
import threading

import pytest

from noisewise import Dataset, ReleaseFailed
from noisewise.tables.engines.spark import QUERY_LOGGERS, SENDING_LOGGERS, without_logs
from tests.tables.spark import session


class Listener(logging.Handler):
    """Remembers what was written, and by whom."""

    def __init__(self):
        super().__init__()
        self.heard = []

    def emit(self, record):
        self.heard.append((record.name, record.getMessage()))


@pytest.fixture
def listener():
    from pyspark.logger import PySparkLogger

    found, loggers = Listener(), [PySparkLogger.getLogger(name) for name in QUERY_LOGGERS]
    for logger in loggers:
        logger.addHandler(found)
    yield found
    for logger in loggers:
        logger.removeHandler(found)


def test_this_thread_is_not_heard_and_others_are_and_all_are_after(listener):
    from pyspark.logger import PySparkLogger

    loggers = [PySparkLogger.getLogger(name) for name in QUERY_LOGGERS]
    with without_logs(QUERY_LOGGERS):
        for logger in loggers:
            logger.error("ours")
            thread = threading.Thread(target=logger.error, args=("theirs",))
            thread.start()
            thread.join()
    assert listener.heard == [(name, "theirs") for name in QUERY_LOGGERS]
    for logger in loggers:
        logger.error("later")
    assert listener.heard[2:] == [(name, "later") for name in QUERY_LOGGERS]
    with pytest.raises(ValueError, match="a query"), without_logs(QUERY_LOGGERS):
        raise ValueError("a query")
    assert not any(logger.filters for logger in loggers)
    with without_logs(("that nobody has made",)):
        assert "that nobody has made" not in logging.root.manager.loggerDict


def test_the_record_that_fails_a_query_of_the_users_is_not_logged(listener):
    by_sql = session().sql("SELECT CAST(k AS INT) AS x FROM VALUES ('1'), ('secret') AS t(k)")
    texts = session().createDataFrame([("1",), ("secret",)], "k string")
    for frame in (by_sql, texts.select(texts.k.cast("int").alias("x"))):
        with pytest.raises(ReleaseFailed):
            Dataset(frame).median("x", bounds=(0, 9), epsilon=1)
        assert listener.heard == []
        with pytest.raises(Exception, match="secret"):
            frame.collect()
        assert any("secret" in text for _, text in listener.heard)
        listener.heard.clear()


def test_what_is_sent_to_spark_is_not_logged_though_all_else_is():
    """From the second pass on a query has limits of bins, which are close to records."""
    found, limit = Listener(), 2.0**27 - 1
    frame = session().createDataFrame([(123_456_789.0,)], "x double")
    loggers = [logging.getLogger(name) for name in SENDING_LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(found)
        logger.setLevel(logging.DEBUG)
    try:
        Dataset(frame).median("x", bounds=(0, 2**40), granularity=1, epsilon=1)
        assert not any(str(limit) in text for _, text in found.heard)
        frame.filter(frame.x > limit)
        assert any(str(limit) in text for _, text in found.heard)
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(found)
            logger.setLevel(level)
    assert not any(logger.filters for logger in loggers)
