"""Silence of PySpark: it logs what a query failed with, the record included, before anybody can catch the error."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from logging import LogRecord

TALKATIVE = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""Loggers that write to the standard error by themselves."""


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing that this thread meanwhile tells those loggers is written; other threads are heard as before."""
    from pyspark.logger import PySparkLogger

    ours, loggers = threading.get_ident(), [PySparkLogger.getLogger(name) for name in TALKATIVE]

    def heard(record: LogRecord) -> bool:
        return record.thread != ours

    for logger in loggers:
        logger.addFilter(heard)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(heard)
