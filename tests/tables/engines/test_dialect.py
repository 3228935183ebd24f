"""The seam to the engines: digests, small tables, results, progress, and an interrupt that stops a query."""

from hashlib import sha256
from threading import Event, Thread, current_thread

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise import Dataset
from noisewise.errors import SchemaError
from noisewise.kernel.settle import settle
from noisewise.tables.engines.engine_table import dialect_of
from tests.tables.every_engine import ENGINES, LOCAL, EveryPass, lazily

TEXTS = ["", "a", "salt|record|p|0|-3|1", "ü€𝄞", "x" * 1000]


@pytest.mark.parametrize("engine", ENGINES)
def test_digests_are_the_same_numbers_on_every_engine(engine):
    frame = lazily(engine, pl.DataFrame({"t": [*TEXTS, None], "place": range(6)}))
    dialect = dialect_of(frame)
    found = dialect.digest_numbers(frame, "t").filter(~nw.col("t").is_null()).select("t", "place")
    digests, places = dialect.arrays(found)
    expected = {place: int(sha256(text.encode()).hexdigest()[:15], 16) for place, text in enumerate(TEXTS)}
    assert dict(zip(places.tolist(), digests.tolist(), strict=True)) == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_a_small_table_can_be_joined_with_a_frame(engine):
    frame = lazily(engine, pl.DataFrame({"k": ["a'b", "c", "c"], "n": [1.5, 2.5, 3.5]}))
    dialect = dialect_of(frame)
    small = dialect.small_table(frame, {"k": ["c", "a'b", "zz"], "place": np.arange(3)})
    found = dialect.arrays(frame.join(small, on="k", how="inner").select("place", "n"))
    assert sorted(zip(*(column.tolist() for column in found), strict=True)) == [(0, 2.5), (0, 3.5), (1, 1.5)]


@pytest.mark.parametrize("engine", ENGINES)
def test_results_are_the_frames_of_the_engine(engine):
    frame = lazily(engine, pl.DataFrame({"x": [1.0]}))
    found = dialect_of(frame).result(frame, {"dept": ["A", "B"], "median": [3, 4]})
    kinds = {"polars": "polars", "duckdb": "duckdb", "spark": "pyspark"}
    assert kinds[engine] in type(found).__module__
    lazy = nw.from_native(found).lazy()
    assert [column.tolist() for column in dialect_of(lazy).arrays(lazy)] == [["A", "B"], [3, 4]]


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_that_are_lists_stand_in_such_frames_too(engine):
    frame = lazily(engine, pl.DataFrame({"x": [1.0]}))
    answers = [[1.0, 2.0], [3.0, 4.0]]
    found = dialect_of(frame).result(
        frame, {"dept": ["A", "B"], "pair": answers, "pairs": [[[0.5]], [[1.5], [2.5]]]}
    )
    rows = {
        "polars": lambda: found.rows(),
        "duckdb": lambda: found.fetchall(),
        "spark": lambda: [tuple(row) for row in found.collect()],
    }[engine]()
    assert rows == [("A", [1.0, 2.0], [[0.5]]), ("B", [3.0, 4.0], [[1.5], [2.5]])]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sum_over_no_rows_is_zero(engine):
    frame = lazily(engine, pl.DataFrame({"x": pl.Series([], dtype=pl.Int64)}))
    assert dialect_of(frame).totals(frame.select(nw.col("x").sum())) == [0]


@pytest.mark.parametrize("engine", LOCAL)
def test_progress_tells_of_queries_and_never_of_rows(engine):
    for rows in (1, 1000):
        told = []
        frame = lazily(engine, pl.DataFrame({"x": range(rows)}))
        dialect = dialect_of(frame, EveryPass(lambda doing, done: told.append((doing, done))))  # noqa: B023
        dialect.totals(frame.select(nw.col("x").sum()))
        assert told == [("reading the data", None), ("reading the data", 1.0)]


@pytest.mark.parametrize("engine", LOCAL)
def test_what_is_checked_after_a_query_is_checked_after_each(engine):
    frame, checks = lazily(engine, pl.DataFrame({"x": [1]})), []
    dialect = dialect_of(frame, None, lambda: checks.append(1))
    dialect.totals(frame)
    dialect.arrays(frame)
    dialect.collect(frame)
    assert checks == [1, 1, 1]


def test_another_library_is_refused_by_its_name():
    class Frame:
        implementation = nw.Implementation.DASK

    with pytest.raises(
        SchemaError, match=r"^data must be a frame of Polars, DuckDB or Spark, got one of dask$"
    ):
        dialect_of(Frame())


def test_an_interrupt_of_duckdb_is_an_interrupt_and_the_debit_stands():
    debits = []

    class Ledger:
        def debit(self, loss, **said):
            debits.append(loss)

    class Interrupted:
        def to_native(self):
            raise RuntimeError("Query interrupted")

    class Asked:
        loss, neighbors, contributions, memo, unit = "loss", "add_remove", 1, "memo", None

        def answer(self, receipt=None):
            return dialect_of(lazily("duckdb", pl.DataFrame({"x": [1]}))).totals(Interrupted())

    with pytest.raises(KeyboardInterrupt):
        settle(Asked(), Ledger())
    assert debits == ["loss"]


def test_another_error_of_duckdb_is_not_taken_for_an_interrupt():
    class Broken:
        def to_native(self):
            raise RuntimeError("something else")

    with pytest.raises(RuntimeError, match="something else"):
        dialect_of(lazily("duckdb", pl.DataFrame({"x": [1]}))).totals(Broken())


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_are_withheld(engine):
    assert repr(dialect_of(lazily(engine, pl.DataFrame({"x": [1]})))).endswith(": withheld>")


@pytest.mark.parametrize("engine", LOCAL)
def test_progress_is_that_of_the_first_pass_of_each_question(engine):
    """How many follow depends on records: none in an empty column, one or more in others."""
    heard = []
    for records in ([], [5.0], [5.0, 6e8]):
        told = []
        frame = lazily(engine, pl.DataFrame({"x": pl.Series(records, dtype=pl.Float64)})).to_native()
        held = Dataset(frame, progress=lambda *said, told=told: told.append(said))
        for _ in range(2):
            held.median("x", bounds=(0, 1e9), epsilon=1)
        heard.append(told)
    assert heard[0] == heard[1] == heard[2]
    assert heard[0] == 2 * [("reading the data", None), ("reading the data", 1.0)]


def test_progress_is_that_of_the_first_pass_whoever_else_asks():
    """A question of another thread that begins between two passes lets the second one be heard no more than before."""

    def heard(records):
        told, begun, answered = [], Event(), Event()

        class Ledger:
            def debit(self, loss, **more):
                if current_thread() is other:
                    begun.set()
                    answered.wait(timeout=60)

        def progress(doing, done):
            told.append((current_thread() is other, done))
            if done == 1.0 and not begun.is_set():
                other.start()
                begun.wait(timeout=60)

        frame = pl.LazyFrame({"x": pl.Series(records, dtype=pl.Float64)})
        held = Dataset(frame, ledger=Ledger(), progress=progress)
        other = Thread(target=lambda: held.count(epsilon=1))
        held.median("x", bounds=(0, 1e6), epsilon=1)
        answered.set()
        other.join()
        return told

    assert heard([]) == heard([3.25]) == [(False, None), (False, 1.0), (True, None), (True, 1.0)]
