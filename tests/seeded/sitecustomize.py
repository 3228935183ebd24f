"""Random bytes of a seed in place of the system's, in every process of a test: draws in tests repeat themselves.

Python imports a module of this name when it starts. tests/seeding.py puts this folder on the path of every process that
a test starts. The seed is the name of the test. Processes that draw are numbered, and so are the forks of a process, so
that no two of them draw the same bytes and no two ledgers get the same nonce. Besides the main thread one other thread
may draw, from bytes of its own. If several did, chance would decide which of them draws what.

Only the library's `kernel/sampling/bits.py` gets bytes of the seed; all other callers get the system's.
"""

import os
import sys
from collections.abc import Iterator
from itertools import count

PROCESSES = "NOISEWISE_TEST_PROCESSES"
"""The variable with the path of a file. Its name is the seed; each process that draws adds a byte to it."""
SEVERAL = "several threads draw, so their test must be marked with fails_by_chance(rate)"
SYSTEM = getattr(os.urandom, "system", os.urandom)


class Words:
    """Endless random bytes: of a seed, or of the system where the seed is empty."""

    def __init__(self) -> None:
        self.seed: str | None = None
        self.reads: dict[int, Iterator[int]] = {}
        self.forks, self.fork = count(1), 0

    def start(self, seed: str) -> None:
        self.seed, self.reads = seed, {}

    def read(self, size: int) -> bytes:
        if self.seed is None:
            self.start(seed_of_process())
        if not self.seed:
            return SYSTEM(size)
        from hashlib import shake_256  # here, as most processes that tests start draw nothing
        from threading import get_ident, main_thread

        thread, main = get_ident(), main_thread().ident
        reads = self.reads.setdefault(thread, count())
        if len({*self.reads, main}) > 2:
            print(SEVERAL, file=sys.stderr)
            raise RuntimeError(SEVERAL)
        return shake_256(f"{self.seed}, {thread == main}, read {next(reads)}".encode()).digest(size)

    def before_fork(self) -> None:
        self.fork = next(self.forks)

    def after_fork(self) -> None:
        if self.seed:
            self.start(f"{self.seed}, fork {self.fork}")


def seed_of_process() -> str:
    if not (path := os.environ.get(PROCESSES)):
        return ""
    file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(file, b".")
    number = os.lseek(file, 0, os.SEEK_CUR)  # where the byte is that was just added, whoever else adds one
    os.close(file)
    return f"{os.path.basename(path)}, process {number}"


def urandom(size: int) -> bytes:
    asks = sys._getframe(1).f_globals.get("__name__")
    return WORDS.read(size) if asks == "noisewise.kernel.sampling.bits" else SYSTEM(size)


WORDS = Words()
urandom.system = SYSTEM  # type: ignore[attr-defined]
os.urandom = urandom
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=WORDS.before_fork, after_in_child=WORDS.after_fork)
