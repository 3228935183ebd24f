"""A reader in Python behind DuckDB: Ctrl-C is an interrupt, wherever it strikes, and nothing is read after it."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from types import SimpleNamespace

import duckdb
import pytest

import noisewise as nws
from noisewise.tables.engines.duckdb_thread import Reader, ThreadedDuckDB
from tests.cli.running import environment


class Frame:
    """A query that takes a while."""

    def __init__(self, connection, late=0.0):
        self.connection, self.late = connection, late

    def to_native(self):
        time.sleep(self.late)
        self.thread = threading.current_thread()
        return self.connection.sql(
            "SELECT count(*) FROM range(100000) a, range(100000) b WHERE a.range * 7 % 11 < b.range"
        )


def test_a_query_runs_in_another_thread_than_the_main_one():
    reader, frame = Reader(duckdb.connect()), Frame(None)
    frame.connection = type("Quick", (), {"sql": lambda self, text: reader.connection.sql("SELECT 3")})()
    assert ThreadedDuckDB(reader).totals(frame) == [3]
    assert frame.thread is not threading.main_thread()


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
@pytest.mark.parametrize("late", [0.0, 1.5])
def test_an_interrupt_stops_duckdb_also_where_it_comes_before_the_query(late):
    connection = duckdb.connect()
    frame = Frame(connection, late)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ThreadedDuckDB(Reader(connection)).totals(frame)
    assert time.monotonic() - begun < 30


def test_an_exit_that_a_signal_asks_for_stops_duckdb_too():
    stopped = threading.Event()

    class Reading(Reader):
        def fractions(self):
            raise SystemExit(143)

        def stop(self):
            stopped.set()

    with pytest.raises(SystemExit):
        ThreadedDuckDB(Reading(duckdb.connect()))._run(lambda frame: stopped.wait(30), None, None)
    assert stopped.is_set()


def test_a_stream_that_was_stopped_fails_and_the_next_one_does_not():
    reader = Reader(duckdb.connect())
    first = reader.steps(iter([1, 2, 3]))
    assert next(first) == 1
    reader.stop()
    with pytest.raises(InterruptedError):
        next(first)
    assert list(reader.steps(iter([1, 2, 3]))) == [1, 2, 3]


def test_an_error_of_the_reader_is_a_release_that_failed(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a\n1\n")
    data = nws.Dataset.scan(path, progress=lambda doing, done: done is None and path.unlink())
    with pytest.raises(nws.ReleaseFailed) as caught:
        data.count("a", epsilon=1)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
@pytest.mark.parametrize("after", [0.02, 0.3])
def test_a_program_that_is_interrupted_while_it_reads_ends_as_it_should(tmp_path, after):
    path = tmp_path / "x.csv"
    path.write_bytes(b"id,x\n" + b"".join(b'"%d","7"\n' % place for place in range(1_000_000)))
    program = f"""
        import os, signal, threading, noisewise as nws
        stop = lambda: threading.Timer({after}, os.kill, (os.getpid(), signal.SIGINT)).start()
        begun = []
        data = nws.Dataset.scan({str(path)!r}, unit="id", progress=lambda *said: begun or begun.append(stop()))
        try:
            data.mean("x", bounds=(0, 10), epsilon=1)
        except KeyboardInterrupt:
            print("interrupted")
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(), check=False)
    assert (ran.returncode, ran.stdout) == (0, "interrupted\n"), ran.stderr
    assert "Traceback" not in ran.stderr and "Fatal" not in ran.stderr


@pytest.mark.parametrize(("percent", "fractions"), [(-1.0, []), (0.0, []), (40.0, [0.4]), (100.0, [])])
def test_a_reader_that_scans_asks_duckdb_how_far_it_is(percent, fractions):
    connection = SimpleNamespace(execute=lambda text: None, query_progress=lambda: percent)
    assert list(Reader(connection, scans=True).fractions()) == fractions
    assert list(Reader(connection).fractions()) == []


def test_parquet_files_are_read_by_such_a_reader_where_polars_is_not_installed(tmp_path, monkeypatch):
    path = tmp_path / "x.parquet"
    duckdb.sql(f"COPY (SELECT range AS x FROM range(1000)) TO '{path}'")
    monkeypatch.setitem(sys.modules, "polars", None)
    dataset = nws.Dataset.scan(path, progress=lambda what, done: None)
    assert type(dataset._table.dialect) is ThreadedDuckDB
    assert dataset.count("x", epsilon=50).value == 1000
