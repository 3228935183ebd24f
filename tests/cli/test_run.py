"""Running a command to its end: signals, and what a command returns or raises."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import permutations

import pytest

from noisewise.cli import run
from noisewise.cli.exit_codes import Code
from noisewise.cli.run import run_and_exit, stoppable


@pytest.mark.parametrize(
    ("returned", "code"), [(None, 0), ("text", 0), (0, 0), (3, 3), (Code.INTERRUPTED, 130)]
)
def test_what_a_command_returns_is_its_code(returned, code):
    with pytest.raises(SystemExit) as ended:
        run_and_exit(lambda: returned)
    assert ended.value.code == code


@pytest.mark.parametrize(("raised", "code"), [(SystemExit(4), 4), (SystemExit(), 0), (KeyError("4711"), 1)])
def test_an_error_becomes_a_code_and_at_most_one_line(raised, code, capsys):
    def fails():
        raise raised

    with pytest.raises(SystemExit) as ended:
        run_and_exit(fails)
    assert ended.value.code == code
    captured = capsys.readouterr()
    assert captured.out == "" and "4711" not in captured.err and len(captured.err.splitlines()) == (code == 1)


def test_a_command_that_is_told_to_stop_unwinds_and_hands_the_signal_back():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended, stoppable() as told:
        os.kill(os.getpid(), signal.SIGTERM)
    assert (ended.value.code, told) == (143, [signal.SIGTERM])
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_second_signal_does_not_break_the_unwinding_off():
    with pytest.raises(SystemExit) as ended, stoppable() as told:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGINT)
    assert (ended.value.code, told) == (143, [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("order", [*permutations([signal.SIGTERM, signal.SIGHUP, signal.SIGINT])])
def test_the_signal_that_came_first_decides_whatever_its_number(order):
    """Python calls the handler of the lowest number first where several came while it did not look."""

    def stopped():
        handlers = [signal.getsignal(number) for number in order]
        for number, handler in zip(order, handlers, strict=True):
            signal.signal(number, lambda *_: None)
            os.kill(os.getpid(), number)
            signal.signal(number, handler)
        try:
            handlers[0](min(order), None)
        except BaseException as error:
            raised.append(getattr(error, "code", 130))
            raise

    raised = []
    with pytest.raises(SystemExit) as ended:
        run_and_exit(stopped)
    assert [ended.value.code] == raised == [128 + order[0]]


LATE = """
import atexit, os, signal
from noisewise.cli import main

def late():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), number)
    open(os.environ["ENDED"], "w").close()

def told(*_, **__):
    os.kill(os.getpid(), signal.SIGTERM)

atexit.register(late)
import noisewise.cli.app as app
app.TyperGroup.main = told
main(["version"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_no_later_signal_ends_a_command_that_is_ending(tmp_path):
    ended = tmp_path / "ended"
    environment = {**os.environ, "ENDED": str(ended)}
    done = subprocess.run([sys.executable, "-c", LATE], env=environment, capture_output=True, check=False)
    assert (done.returncode, ended.exists()) == (143, True), done.stderr


def test_a_signal_whose_error_was_swallowed_can_be_sent_again():
    with pytest.raises(KeyboardInterrupt), stoppable():
        with suppress(SystemExit):
            os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)


class Going:
    """Tells the process to stop when it goes, where Python swallows whatever is raised."""

    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)


def by_a_callback():
    Going()


def by_somebody():
    with suppress(BaseException):
        os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("swallow", [by_a_callback, by_somebody])
def test_a_signal_whose_error_is_swallowed_raises_again(swallow, capsys):
    reached, before = [], sys.unraisablehook
    with pytest.raises(SystemExit) as ended, stoppable() as told:
        swallow()
        reached.append(list(told))
        time.sleep(10)
    assert (ended.value.code, reached, set(told)) == (143, [[signal.SIGTERM]], {signal.SIGTERM})
    assert sys.unraisablehook is before and capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_is_not_sent_again_while_its_error_unwinds(monkeypatch):
    monkeypatch.setattr(run, "AGAIN", 0.001)
    with pytest.raises(SystemExit) as ended, stoppable() as told:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            while len(told) < 10:
                time.sleep(0.001)
    assert ended.value.code == 143
    time.sleep(0.05)  # a later one would end this process


@pytest.mark.skipif(sys.platform != "linux", reason="what a process may dump is said so on Linux")
def test_a_command_leaves_no_core_file(tmp_path):
    program = (
        "import ctypes, resource, sys, noisewise.cli as cli\n"
        "limit = resource.RLIMIT_CORE\n"
        "resource.setrlimit(limit, (resource.getrlimit(limit)[1],) * 2)\n"
        "try:\n    cli.main(['--version'])\n"
        "finally:\n    found = resource.getrlimit(limit)[0], ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)\n"
        "    open(sys.argv[1], 'w').write(str(found))"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path / "found"], check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "found").read_text() == "(0, 0)"


def test_a_signal_that_is_to_be_ignored_is():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with stoppable() as told:
            os.kill(os.getpid(), signal.SIGTERM)
        assert told == []
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_command_in_another_thread_leaves_signals_alone():
    found = []

    def inside():
        with stoppable() as told:
            found.append((told, signal.getsignal(signal.SIGTERM)))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    assert found == [([], before)]
