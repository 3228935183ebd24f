"""The guard of a PostgreSQL server that tests started: it stops the server if the tests were killed.

    python postgres_guard.py FOLDER     guards the server in FOLDER/data

It waits until its stdin ends, which happens even if the process at the other end is killed. If nothing was written to
stdin, it stops the server and removes the folder.
"""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

PATIENCE = 10
"""Seconds for a server that was just being started to come up, and to go away."""


def main(root: Path) -> None:
    if sys.stdin.buffer.read():
        return  # the tests have stopped it themselves
    end = time.monotonic() + PATIENCE
    while (root / "data").exists() and time.monotonic() < end:
        try:
            process = int((root / "data" / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            process = None  # not up yet, or gone: it takes its file along
        if process is not None:
            try:
                os.kill(process, signal.SIGQUIT)  # at once: there is nothing to save
            except ProcessLookupError:
                break
        time.sleep(0.1)
    shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
