"""Words of a seed in place of the system's, in every process of a test: what the library draws in tests repeats itself.

Python imports a module of this name as it starts, and luck.py beside this folder puts it on the path of whatever a test
starts. The seed is the name of the test. Processes of a test that draw are numbered, and so are the forks of a process:
no two of them draw the same words, and no ledger gets the nonce of another. One thread besides the main one may draw,
from words of its own. Which of several draws what would be luck.

Nothing of this is in the library, and only its `kernel/sampling/bits.py` is answered so: whoever else asks gets the
system's.
"""

import os
import sys
from collections.abc import Iterator
from itertools import count

PROCESSES = "NOISEWISE_TEST_PROCESSES"
"""The variable with the path of a file. Its name is the seed; each process that draws adds a byte to it."""
SEVERAL = "several threads draw, so their test must be marked with luck(rate)"
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
