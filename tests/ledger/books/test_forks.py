"""A fork while another thread makes the first debit leaves a child that can debit, too.

A child inherits the lock of a module that a thread was importing, but not the thread: it would wait for ever when it
wants that module itself.
"""

import os
import subprocess
import sys

import pytest

from noisewise import Ledger

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

FIRST = """
import faulthandler, os, signal, sys, threading, time
import numpy as np
import noisewise as nws

PLACE, NAME = sys.argv[1], sys.argv[2] or None

def first():
    ledger = nws.Ledger.open(PLACE, nws.ApproxDP(100, 1e-6), name=NAME)
    for data in (np.arange(9.0), [1.0, 2.0, 3.0]):
        nws.median(data, bounds=(0, 9), epsilon=1, ledger=ledger)
    nws.mean(np.arange(9), bounds=(0, 9), epsilon=1, ledger=ledger)
    nws.most_common(np.array(["a", "b"]), categories=["a", "b"], epsilon=1, ledger=ledger)
    return ledger

def forked(patience):
    "Fork, let the child make its first debits, and tell how it ended; one that hangs is ended, with code -9."
    child = os.fork()
    if child == 0:
        try:
            faulthandler.dump_traceback_later(20)
            first()
            os._exit(0)
        finally:
            os._exit(1)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""

NOTHING = """
class Watch:
    def find_spec(self, name, path=None, target=None):
        wanted.append(name)

wanted = []
{before}
sys.meta_path.insert(0, Watch())
first()
print(*wanted)
"""

AMID = """
class Slow:
    "The thread stays amid the import for a while."
    def find_spec(self, name, path=None, target=None):
        if name == "psycopg" and threading.current_thread() is thread:
            amid.set()
            forking.wait(60)
            time.sleep(2)

def debit():
    first()
    amid.set()

amid, forking = threading.Event(), threading.Event()
thread = threading.Thread(target=debit)
if {slowly}:
    sys.meta_path.insert(0, Slow())
thread.start()
if {slowly}:
    amid.wait(60)
    forking.set()
else:
    time.sleep({attempt} / 100)
code = forked(30)
thread.join(60)
print(code, thread.is_alive())
"""


def run(script: str, place: object, name: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FIRST + script, str(place), name],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return (done.stdout + done.stderr).strip()  # where a child hangs is told there


def test_the_first_debits_import_nothing(tmp_path):
    assert run(NOTHING.format(before="nws._load()"), tmp_path / "ledger") == ""


def test_a_child_imports_nothing_that_its_parent_had_not(tmp_path):
    """The library is loaded before a fork, where nothing of it was used: a thread may be importing what it needs."""
    fork = "if os.fork(): sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))"
    assert run(NOTHING.format(before=fork), tmp_path / "ledger") == ""
    assert Ledger.open(tmp_path / "ledger").spent.epsilon == 4


@pytest.mark.parametrize("attempt", range(6))
def test_a_child_forked_amid_a_first_debit_debits_as_well(tmp_path, attempt):
    assert run(AMID.format(slowly=False, attempt=attempt), tmp_path / "ledger") == "0 False"
    assert Ledger.open(tmp_path / "ledger").spent.epsilon == 8


def test_a_child_forked_amid_the_import_of_a_driver_debits_as_well(url):
    assert run(AMID.format(slowly=True, attempt=0), url, "fork") == "0 False"
