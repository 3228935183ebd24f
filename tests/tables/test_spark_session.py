"""Spark itself: whatever session a DataFrame is of, the numbers are those of memory, and the cluster finds them."""

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import narwhals.stable.v2 as nw
import numpy as np
import pytest

import noisewise as nws
from noisewise.errors import ReleaseFailed
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.local import LocalTable
from tests.programs import JAVA
from tests.tables.spark import session
from tests.tables.spark_connect import CHOICE, DATA, KEYS, LATTICE, told

ROOT = Path(__file__).resolve().parents[2]
IN_MEMORY = told(LocalTable(nw.from_native(DATA, eager_only=True)))


@pytest.fixture
def frame():
    """The data in a session of its own, whose settings are not those of other tests."""
    return session().newSession().createDataFrame(DATA)


def test_numbers_do_not_depend_on_the_ansi_mode(frame):
    """The test of workers has that mode."""
    frame.sparkSession.conf.set("spark.sql.ansi.enabled", "false")
    assert told(EngineTable(nw.from_native(frame))) == IN_MEMORY


def test_numbers_do_not_depend_on_partitions(frame):
    frame.sparkSession.conf.set("spark.sql.adaptive.enabled", "false")
    frame.sparkSession.conf.set("spark.sql.shuffle.partitions", "5")
    assert told(EngineTable(nw.from_native(frame.repartition(7)))) == IN_MEMORY


def test_workers_run_no_python(frame, monkeypatch):
    frame.sparkSession.conf.set("spark.sql.ansi.enabled", "true")
    table, plans = EngineTable(nw.from_native(frame)), []
    for run in ("_arrays", "_row"):
        real = getattr(table.dialect, run)

        def watched(asked, real=real):
            plans.append(asked.to_native()._jdf.queryExecution().toString())
            return real(asked)

        monkeypatch.setattr(table.dialect, run, watched)
    assert told(table) == IN_MEMORY
    assert len(plans) >= 6
    assert [plan for plan in plans if "Python" in plan] == []


def test_a_median_counts_before_it_moves_anything(frame, monkeypatch):
    table, plans = EngineTable(nw.from_native(frame)), []

    def watched(asked):
        plans.append(asked.to_native()._jdf.queryExecution().executedPlan().toString())
        return [np.array([3, 7]), np.array([2, 2])]

    monkeypatch.setattr(table.dialect, "_arrays", watched)
    assert table.column("x", None, "median").read(LATTICE, "add_remove").count == 4
    (plan,) = plans
    assert plan.count("Exchange") == 1
    assert plan.index("Exchange") < plan.index("partial_")


def test_groups_are_counted_before_anything_is_moved(frame, monkeypatch):
    table, plans = EngineTable(nw.from_native(frame)), []

    def watched(asked):
        plans.append(asked.to_native()._jdf.queryExecution().executedPlan().toString())
        return [np.array([0]), np.array([3]), np.array([2])]

    monkeypatch.setattr(table.dialect, "_arrays", watched)
    groups = table.grouped("x", KEYS, None).read(LATTICE, "add_remove")
    assert groups.counts.tolist() == [2, 0, 0]
    assert plans[0].count("Exchange hashpartitioning") == 1
    assert plans[0].index("Exchange hashpartitioning") < plans[0].index("partial_")


def test_a_derived_column_that_fails_says_nothing_of_the_record(frame):
    failing = nws.Dataset(frame.selectExpr("CAST(concat('secret ', person) AS INT) AS x"))
    with pytest.raises(ReleaseFailed) as failed:
        failing.median("x", bounds=(0, 10), epsilon=1)
    assert "secret" not in str(failed.value)
    assert failed.value.__cause__ is None and failed.value.__context__ is None


def test_people_have_at_most_their_records(frame):
    table = EngineTable(nw.from_native(frame))
    rows = table.records("x", CHOICE)
    assert rows.collect_schema()["person"] == nw.Int64
    counts = table.grouped("x", KEYS, CHOICE).read(LATTICE, "add_remove").counts
    assert 0 < counts.sum() <= CHOICE.contributions * len(set(DATA["person"].to_pylist()))


def test_the_records_of_people_are_chosen_once_for_all_passes_of_a_question(frame, monkeypatch):
    table, plans = EngineTable(nw.from_native(frame)), []
    cache = frame.sparkSession._jsparkSession.sharedState().cacheManager()

    def watched(asked):
        plans.append(asked.to_native()._jdf.queryExecution().executedPlan().toString())
        return [np.array([3, 7]), np.array([2, 2])]

    monkeypatch.setattr(table.dialect, "_arrays", watched)
    for scope, reads_what_is_kept in ((table.snapshot(), True), (nullcontext(), False)):
        with scope:
            assert table.column("x", CHOICE, "median").read(LATTICE, "add_remove").count == 4
            assert cache.isEmpty() != reads_what_is_kept
        assert cache.isEmpty()
        assert ("InMemoryTableScan" in plans.pop()) == reads_what_is_kept


def test_spark_connect_on_a_cluster_of_two_workers_tells_the_same():
    paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    settings = {
        "JAVA_HOME": JAVA.path_or_skip(),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": os.pathsep.join(paths),
    }
    command = [sys.executable, "-m", "tests.tables.spark_connect"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    name, module, executors, found = json.loads(done.stdout)
    assert name == "Spark" and ".connect." in module
    assert executors == 2
    assert found == IN_MEMORY
