"""Told to stop in the middle of a scan: the command ends at once with its code, and the debit stands in the ledger."""

import os
import signal
import subprocess
import time

import pytest

from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import command, environment

ROWS = 12_000_000
ASK = ("--column", "x", "--bounds", "0", "1000000", "--epsilon", "1/2")


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
@pytest.mark.parametrize("told", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_scan_that_is_interrupted_after_the_debit_leaves_it_standing(tmp_path, told):
    path, place = tmp_path / "big.csv", tmp_path / "big.ledger"
    path.write_bytes(b"x\n" + b"471100\n" * ROWS)
    ledger = Ledger.open(str(place), budget=PureDP(1))
    running = subprocess.Popen(
        command("median", path, *ASK, "--ledger", place),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    for _ in range(3000):
        if ledger.spent == PureDP(0.5) or running.poll() is not None:
            break
        time.sleep(0.02)
    running.send_signal(signal.Signals[told])
    began = time.monotonic()
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (128 + signal.Signals[told], b"")
    assert err == b"noisewise: interrupted; what a ledger has debited stands\n"
    assert ledger.spent == PureDP(0.5) and ledger.verify() == 1
    assert time.monotonic() - began < 20
