"""What a table tells on Spark Connect, its server the driver of a cluster: a standalone master and two workers.

Run by itself, since a process has either a classic session or one of these.
"""

import json
import sys

import numpy as np
import pyarrow as pa

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from tests.tables.spark_cluster import QUICK, cluster

LATTICE = Lattice.between((0, 30))
KEYS = Keys.of(("key",), ["a", "zz", "b"])
CHOICE = Choice("person", contributions=3, max_groups=1, salt="salt")
X = [3.0, float("nan"), 29.6, float("inf"), None, 7.2, 7.2, 1e300, -1e300, float("-inf"), -0.0, 12.5]
DATA = pa.table({"x": X * 5, "key": ["a", "b", "c", None, "b"] * 12, "person": [k // 7 for k in range(60)]})
SETTINGS = {
    "spark.api.mode": "connect",
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": QUICK,
    "spark.driver.extraJavaOptions": QUICK,
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
}


def told(table):
    """All that a column and groups can be asked, with people and without."""
    with table.snapshot():
        return [_told(table, choice) for choice in (None, CHOICE)]


def _told(table, choice):
    column = table.column("x", choice, "median").read(LATTICE, "add_remove")
    groups = table.grouped("x", KEYS, choice).read(LATTICE, "add_remove")
    counts = groups.counts
    windows = groups.ranks(np.ones_like(counts), counts + 1)
    ranks = column.ranks(1, column.count + 1)
    sums = column.sums(squares=True)
    return [
        sums.count,
        sums.total,
        sums.squares,
        ranks.tolist(),
        counts.tolist(),
        windows.tolist(),
        groups.sums(),
    ]


if __name__ == "__main__":
    import narwhals.stable.v2 as nw
    from pyspark.sql import SparkSession

    with cluster() as servers:
        builder = SparkSession.builder.master(servers.address)
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        try:
            frame = spark.createDataFrame(DATA).repartition(4)
            table = EngineTable(nw.from_native(frame))
            found = told(table)
            kind = [table.dialect.name, type(frame).__module__, servers.busy_executors]
            json.dump([*kind, found], sys.stdout)
        finally:
            spark.stop()
