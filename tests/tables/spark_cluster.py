"""A Spark cluster in miniature: a standalone master and two workers, each a process of its own on this computer.

What is asked of it goes over sockets to executors that share nothing with the driver, as on a real cluster.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 120
"""Seconds until a server must be up."""

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java compiles with its quick compiler alone: what runs here ends before the thorough one has paid."""


@dataclass(frozen=True)
class Cluster:
    """A running cluster: the address of its master, and the folder where its workers keep their logs."""

    address: str
    folder: Path

    @property
    def busy_executors(self) -> int:
        """How many executors have finished a task."""
        logs = self.folder.glob("app-*/*/stderr")
        return sum("Finished task" in log.read_text(errors="replace") for log in logs)


@contextmanager
def cluster(workers: int = 2) -> Iterator[Cluster]:
    """A fresh master with so many workers of one core each; all are gone afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder, started = Path(name), list[subprocess.Popen[bytes]]()

        def start(what: str, *words: str) -> Path:
            log = folder / f"{len(started)}.log"
            started.append(_started(folder, log, f"org.apache.spark.deploy.{what}", *words))
            return log

        try:
            here = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
            master = _said(start("master.Master", *here), r"Starting Spark master at (spark://\S+)")
            logs = [
                start("worker.Worker", *here, "--cores", "1", "--memory", "700m", "--work-dir", name, master)
                for _ in range(workers)
            ]
            for log in logs:
                _said(log, "(Successfully registered with master)")
            yield Cluster(master, folder)
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()


def _started(folder: Path, log: Path, *words: str) -> "subprocess.Popen[bytes]":
    import pyspark

    home = Path(pyspark.__file__).parent
    settings = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "SPARK_WORKER_DIR": str(folder),
        "SPARK_LOCAL_DIRS": str(folder),
    }
    with log.open("wb") as out:
        return subprocess.Popen(
            [home / "bin" / "spark-class", *words],
            env={**os.environ, **settings},
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
        )


def _said(log: Path, pattern: str) -> str:
    """What a server wrote into its log, as soon as it did."""
    for _ in range(10 * PATIENCE):
        if found := re.search(pattern, log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(log.read_text(errors="replace")[-2000:])
