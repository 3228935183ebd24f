"""DuckDB queried in a thread of its own, where it reads streams that Python makes.

Ctrl-C, or another signal that raises, interrupts whatever Python runs in the main thread. There it would break off the
reader of a file, so that DuckDB failed with an error of its own, or went on reading while Python ends. So the main
thread waits, tells DuckDB to stop, and waits until it has.
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
    """A connection of DuckDB that nobody else uses, and the streams of Python that it reads.

    ``scans``: DuckDB reads the files by itself, and so it knows how far it is.
    """

    def __init__(self, connection: "duckdb.DuckDBPyConnection", *, scans: bool = False) -> None:
        self.connection, self.fetches, self._scans = connection, False, scans
        if scans:
            connection.execute("SET enable_progress_bar = true")
            connection.execute("SET enable_progress_bar_print = false")
        self._step, self._round = Lock(), 0
        self._passed: deque[float] = deque()

    def passed(self, fraction: float) -> None:
        """Note that so much of the files was read, for whoever waits in the main thread."""
        self._passed.append(fraction)

    def fractions(self) -> Iterator[float]:
        """What was noted since, in order."""
        while self._passed:
            yield self._passed.popleft()
        if self._scans and 0 < (percent := self.connection.query_progress()) < 100:
            yield percent / 100

    def steps(self, stream: Iterator[Item]) -> Iterator[Item]:
        """A stream that fails once the reader is stopped: some threads of Arrow would read on."""
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
        """Interrupt DuckDB, and return when no stream that has begun is being read any more."""
        self.connection.interrupt()
        with self._step:
            self._round += 1


class ThreadedDuckDB(DuckDBDialect):
    """DuckDB on the connection of a reader: every query runs in a thread of its own."""

    def __init__(
        self, reader: Reader, progress: FirstPass | None = None, after: Callable[[], None] | None = None
    ) -> None:
        super().__init__(progress, after)
        self._reader, self.fetches = reader, reader.fetches

    def _run(self, run: Callable[[Frame], T], frame: Frame, report: Report | None) -> T:
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(run, frame)
            try:
                while not answer.done():  # a longer wait does not hear Ctrl-C once Polars handles it
                    wait([answer], timeout=0.1)
                    self._tell(report)
                self._tell(report)
                return answer.result()
            except BaseException:  # an interrupt, or an exit that a signal asks for
                while not answer.done():  # what has not begun yet does not hear it
                    self._reader.stop()
                    wait([answer], timeout=0.1)
                raise

    def _tell(self, report: Report | None) -> None:
        """Report how much of the files was read, from the thread that asked."""
        for fraction in self._reader.fractions():
            if report is not None:
                report(fraction)
