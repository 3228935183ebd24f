"""DuckDB in a separate thread, for files that Python reads for it.

Ctrl-C, or another signal that raises, interrupts the main thread of Python. If the main thread were reading a file,
DuckDB would fail with an error of its own, or read on while Python ends. So the main thread only waits. If it is
interrupted, it stops DuckDB and waits until DuckDB has stopped.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from noisewise.tables.engines.dialect import FirstPass, Frame, Report
from noisewise.tables.engines.duckdb import DuckDBDialect

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
Item = TypeVar("Item")


class Reader:
    """A connection of DuckDB that nothing else uses, and the streams of Python that it reads.

    If ``scans``, DuckDB reads the files without Python, and reports its own progress.
    """

    def __init__(self, connection: "duckdb.DuckDBPyConnection", *, scans: bool = False) -> None:
        self.connection, self.fetches, self._scans = connection, False, scans
        if scans:
            connection.execute("SET enable_progress_bar = true")
            connection.execute("SET enable_progress_bar_print = false")
        self._step, self._round = Lock(), 0
        self._passed: deque[float] = deque()

    def passed(self, fraction: float) -> None:
        """Note the fraction of the files that is read, for the main thread."""
        self._passed.append(fraction)

    def fractions(self) -> Iterator[float]:
        """The fractions that were noted since the last call, in order. If DuckDB scans, its own progress is added."""
        while self._passed:
            yield self._passed.popleft()
        if self._scans and 0 < (percent := self.connection.query_progress()) < 100:
            yield percent / 100

    def steps(self, stream: Iterator[Item]) -> Iterator[Item]:
        """The same stream, but it fails after the reader is stopped. (Otherwise some threads of Arrow would read
        on.)"""
        begun = self._round

        def going() -> Iterator[Item]:
            while True:
                with self._step:
                    if begun != self._round:
                        raise InterruptedError
                    item = next(stream, None)
                if item is None:
                    return
                yield item

        return going()

    def stop(self) -> None:
        """Interrupt DuckDB, and return when no thread reads a stream any more."""
        self.connection.interrupt()
        with self._step:
            self._round += 1


class ThreadedDuckDB(DuckDBDialect):
    """DuckDB on the connection of a reader. Every query runs in a separate thread."""

    def __init__(
        self, reader: Reader, progress: FirstPass | None = None, after: Callable[[], None] | None = None
    ) -> None:
        super().__init__(progress, after)
        self._reader, self.fetches = reader, reader.fetches

    def _run(self, run: Callable[[Frame], T], frame: Frame, report: Report | None) -> T:
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(run, frame)
            try:
                while not answer.done():  # a longer wait misses Ctrl-C once Polars handles it
                    wait([answer], timeout=0.1)
                    self._report(report)
                self._report(report)
                return answer.result()
            except BaseException:  # an interrupt, or an exit that a signal asks for
                while not answer.done():  # a query that has not begun yet misses the interrupt
                    self._reader.stop()
                    wait([answer], timeout=0.1)
                raise

    def _report(self, report: Report | None) -> None:
        """Report the fractions of the files that were read, in the thread of the question."""
        for fraction in self._reader.fractions():
            if report is not None:
                report(fraction)
