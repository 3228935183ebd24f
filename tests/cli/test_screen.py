"""What gets out, and what does not."""

import io
import os
import subprocess
import sys

import pytest

from noisewise.cli.codes import Closed
from noisewise.cli.screen import emit, hush, is_terminal, say
from noisewise.errors import ReleaseFailed
from tests.cli.running import environment

LOUD = """
import os, subprocess, sys, threading, warnings
from noisewise.cli.screen import emit, hush, say

def fail():
    raise ValueError("4711")

print("before")
with hush("reading [/x].csv") as told:
    told("looking at [/y]", None)
    told("looking at [/y]", 0.5)
    told("looking at [/y]", 1.0)
    told("looking at [/y]", None)
    print("4711")
    print("4711", file=sys.stderr)
    sys.__stderr__.write("4711")
    os.write(1, b"4711")
    os.write(2, b"4711")
    subprocess.run([sys.executable, "-c", "import sys; print(4711); print(4711, file=sys.stderr)"])
    warnings.warn("4711")
    thread = threading.Thread(target=fail)
    thread.start(); thread.join()
emit("after")
say("done")
"""


def loud(**streams):
    return subprocess.run(
        [sys.executable, "-c", LOUD], encoding="utf-8", env=environment(), timeout=120, check=False, **streams
    )


def test_nothing_that_an_engine_writes_by_itself_gets_out():
    done = loud(capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "before\nafter\n", "noisewise: done\n")


def test_a_sign_of_life_is_shown_on_a_terminal_only(tmp_path):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    done = loud(stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.stdout == "before\nafter\n"
    assert "reading [/x].csv" in shown and "4711" not in shown
    assert "looking at [/y], pass 2" in shown.replace("\r\n", " ")


def test_a_hush_ends_where_an_error_does(capfd):
    with pytest.raises(KeyError), hush("reading"):
        os.write(1, b"inside")
        raise KeyError
    os.write(1, b"outside")
    assert capfd.readouterr().out == "outside"


def test_streams_that_were_closed_from_the_start_stay_so():
    script = "import os; os.close(2)\nfrom noisewise.cli.screen import hush\nwith hush('reading'): pass\nprint('done')"
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment(), check=False
    )
    assert (done.returncode, done.stdout) == (0, b"done\n")


def test_what_engines_say_when_the_process_ends_does_not_get_out():
    script = (
        "import atexit, os\n"
        "atexit.register(lambda: [os.write(number, b'4711') for number in (1, 2)])\n"
        "from noisewise.cli import main\n"
        "main(['--version'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment(), check=False)
    assert done.stdout.startswith(b"noisewise ") and b"4711" not in done.stdout + done.stderr


def test_an_answer_that_nobody_reads_is_told_apart_from_one_that_is_lost(monkeypatch):
    class Pipe:
        def __init__(self, error):
            self.error = error

        def write(self, text):
            raise self.error

        def flush(self):
            pass

    monkeypatch.setattr(sys, "stdout", Pipe(BrokenPipeError()))
    with pytest.raises(Closed):
        emit("1")
    monkeypatch.setattr(sys, "stdout", Pipe(OSError(28, "No space left on device")))
    with pytest.raises(ReleaseFailed, match="could not be written"):
        emit("1")


def test_a_line_to_nobody_is_no_error(monkeypatch, capsys):
    say("one\ntwo")
    assert capsys.readouterr().err == "noisewise: one two\n"
    monkeypatch.setattr(sys, "stderr", open(os.devnull))  # noqa: SIM115
    say("three")
    sys.stderr.close()
    assert not is_terminal(sys.stderr)
    assert not is_terminal(None)


def test_streams_in_the_place_of_the_processs_own_are_closed_off_too(monkeypatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with hush("reading"):
        print("4711")
        print("4711", file=sys.stderr)
    assert (out.getvalue(), err.getvalue()) == ("", "")
