"""Tests and the processes that they start do not ignore signals, even if the shell that started the tests did."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
IGNORING = """
import os, signal, sys
numbers = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD]
signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
for number in numbers:
    signal.signal(number, signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
HEARING = """
import os, signal, subprocess, pytest

def test_an_interrupt_is_heard():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)

def test_a_hangup_ends_neither_the_worker_nor_its_controller():
    os.kill(os.getpid(), signal.SIGHUP)
    os.kill(os.getppid(), signal.SIGHUP)

@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_another_process_is_ended(number):
    with subprocess.Popen(["sleep", "9"]) as started:
        started.send_signal(number)
    assert started.returncode == -number
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_tests_and_what_they_start_hear_signals_that_were_ignored_at_the_start(tmp_path):
    (tmp_path / "test_it.py").write_text(HEARING)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = -p no:tach -p no:cacheprovider -p tests.conftest"
    )
    done = subprocess.run(
        [sys.executable, "-c", IGNORING, "-m", "pytest", "-n", "1", "-c", "pytest.ini", "--rootdir", "."],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
