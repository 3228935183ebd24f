"""DuckDB asked in a thread of its own, where it reads what Python hands to it.

Ctrl-C interrupts whatever Python runs in the main thread. There it would break off the reader of a file, so that DuckDB
failed with an error of its own, or went on reading while Python ends. So the main thread waits, tells DuckDB to stop,
and waits until it has.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Any

from noisewise.tables.engines.dialect import DuckDB, Progress


class Reader:
    """A connection of DuckDB that nobody else uses, and the streams that Python hands to it."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._step, self._round = Lock(), 0

    def steps(self, stream: Iterator[Any]) -> Iterator[Any]:
        """A stream that fails once the reader is stopped: some threads of Arrow would read on."""
        begun = self._round

        def going() -> Iterator[Any]:
            while True:
                with self._step:
                    if begun != self._round:
                        raise InterruptedError
                    found = next(stream, None)
                if found is None:
                    return
                yield found

        return going()

    def stop(self) -> None:
        """Until no stream that has begun is being read any more."""
        self.connection.interrupt()
        with self._step:
            self._round += 1


class DuckDBApart(DuckDB):
    """DuckDB as a reader asks it."""

    def __init__(
        self, reader: Reader, progress: Progress | None = None, after: Callable[[], None] | None = None
    ) -> None:
        super().__init__(progress, after)
        self._reader = reader

    def _query(self, run: Callable[[Any], Any], frame: Any) -> Any:
        def apart(asked: Any) -> Any:
            with ThreadPoolExecutor(1) as pool:
                answer = pool.submit(run, asked)
                try:
                    return answer.result()
                except KeyboardInterrupt:
                    while not answer.done():  # what has not begun yet does not hear it
                        self._reader.stop()
                        wait([answer], timeout=0.1)
                    raise

        return super()._query(apart, frame)
