"""A run of tests that is killed leaves no PostgreSQL behind."""

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

ROOT = Path(__file__).parents[3]
START = """
from tests.postgres import started
with started() as url:
    print(url, flush=True)
    input()
"""


def running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif("NOISEWISE_POSTGRES_URL" in os.environ, reason="no server is started here")
@pytest.mark.parametrize("end", ["killed", "of its own"])
def test_a_server_goes_with_the_process_that_started_it(end):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", START], cwd=ROOT, text=True, **pipes) as tests:
        folder = Path(parse_qs(urlsplit(tests.stdout.readline()).query)["host"][0])
        server = int((folder / "postmaster.pid").read_text().split()[0])
        assert running(server)
        tests.kill() if end == "killed" else tests.communicate("\n")
    for _ in range(300):
        if not running(server) and not folder.exists():
            break
        time.sleep(0.1)
    assert not running(server)
    assert not folder.parent.exists()
