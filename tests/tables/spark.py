"""One real Spark for all tests of a process: local, with two threads, quiet, its ANSI mode on as Spark has it.

Java compiles with its quick compiler alone: a session of tests ends before the thorough one has paid. PySpark does not
ask Java, for every function of every expression, to note which line of Python called it: that is half of its own time.
"""

import os
from functools import cache

from tests.programs import JAVA
from tests.schedule import group


def session():
    """The session, started when a test first asks for it; tests that ask are skipped without a Java runtime."""
    asking = os.environ["PYTEST_CURRENT_TEST"].rpartition(" (")[0]
    if group(asking) != "spark":
        raise RuntimeError(f"a test on Spark must have Spark in its name (tests/schedule.py), got {asking}")
    return _session()


@cache
def _session():
    os.environ["JAVA_HOME"] = JAVA.path_or_skip()
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:NewSize=400m",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "ERROR",
        "spark.python.sql.dataFrameDebugging.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
    }
    builder = SparkSession.builder.master("local[2]").appName("noisewise tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
