"""What gets out, and what does not."""

import io
import os
import shlex
import subprocess
import sys

import pytest

from noisewise.cli.exit_codes import Closed
from noisewise.cli.screen import emit, escaped, hush, is_terminal, legible, say
from noisewise.errors import ReleaseFailed
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import MEDIAN, command, environment, run

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


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_a_sign_of_life_is_shown_on_a_terminal_only(tmp_path):
    import pty

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


ASK = ("count", "--epsilon", "1")


@pytest.mark.skipif(os.name == "nt", reason="the words are those of a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", "1</dev/null", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_an_answer_that_has_nowhere_to_go_is_refused_before_it_is_paid(table, tmp_path, closed):
    ledger = Ledger.open(tmp_path / "t.ledger", PureDP(9))
    words = " ".join(map(shlex.quote, command(*ASK, table, "--ledger", tmp_path / "t.ledger")))
    done = subprocess.run(
        ["/bin/sh", "-c", f"{words} {closed}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stdout, ledger.verify()) == (2, "", 0)
    if "2>" not in closed:
        assert (
            done.stderr.startswith("noisewise: standard output must be open") and done.stderr.count("\n") == 1
        )


@pytest.mark.skipif(os.name == "nt", reason="the words are those of a POSIX shell")
@pytest.mark.parametrize("closed", ["2>&-", "<&-", "<&- 2>&-"])
def test_other_streams_may_be_closed_and_no_file_takes_their_place(table, tmp_path, closed):
    """A ledger in the place of standard error would be written over by an engine that complains."""
    ledger = Ledger.open(tmp_path / "t.ledger", PureDP(9))
    script = (
        "import os, sys\nfrom noisewise.cli import main\nfrom noisewise.ledger.ledger import Ledger\n"
        "opened = Ledger.open\n"
        "def loud(*given, **more):\n"
        "    ledger = opened(*given, **more)\n    ledger.spent\n    os.write(2, b'4711')\n    return ledger\n"
        "Ledger.open = loud\nmain()"
    )
    words = [sys.executable, "-c", script, "ledger", "show", str(tmp_path / "t.ledger")]
    done = subprocess.run(
        ["/bin/sh", "-c", f"{' '.join(map(shlex.quote, words))} {closed}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    assert (done.returncode, "remaining" in done.stdout, "4711" in done.stdout) == (0, True, False)
    assert b"4711" not in (tmp_path / "t.ledger").read_bytes() and ledger.verify() == 0


@pytest.mark.skipif(os.name == "nt", reason="the words are those of a POSIX shell")
def test_an_error_is_not_told_on_standard_output_where_standard_error_is_closed(table):
    words = " ".join(map(shlex.quote, command(*ASK, table, "--column", "incme")))
    done = subprocess.run(
        ["/bin/sh", "-c", f"{words} 2>&-"], capture_output=True, env=environment(), check=False
    )
    assert (done.returncode, done.stdout) == (3, b"")
    words = " ".join(map(shlex.quote, command(*ASK, "-", "--format", "csv")))
    done = subprocess.run(
        ["/bin/sh", "-c", f"{words} <&-"], capture_output=True, env=environment(), check=False
    )
    assert (done.returncode, b"standard input, which is closed" in done.stderr) == (3, True)


def test_an_answer_without_a_stream_is_a_failure(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(ReleaseFailed, match="could not be written"):
        emit("1")


class Ascii(io.StringIO):
    encoding = "ascii"


def test_what_an_encoding_lacks_is_escaped_and_what_differs_still_does(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Ascii())
    assert legible(r"plain \xe9") == r"plain \xe9"
    assert legible("é \\xe9") == r"\xe9 \\xe9"
    texts = ["é", "ü", r"\xe9", r"\\xe9", "\u03b5", r"\u03b5"]
    assert len({escaped(text) for text in texts}) == len(texts)
    emit("é")
    assert sys.stdout.getvalue() == "\\xe9\n"


@pytest.mark.rest
def test_progress_is_told_in_lines_where_somebody_asks_for_it(table, capfd):
    with hush("data.csv", 2000, lines=True) as report:
        print("an engine")
        for done in (None, 0.05, 0.1, 0.12, 0.5, 1.0):
            report("reading the data", done)
    out, err = capfd.readouterr()
    said = [
        "pass 1",
        "200 bytes of 2.0 kB read",
        "1.0 kB of 2.0 kB read",
        "2.0 kB of 2.0 kB read",
    ]
    assert out == "" and err.splitlines() == [
        f"noisewise: data.csv: reading the data, {each}" for each in said
    ]
    with hush("data.csv", 2000) as report:
        report("reading the data", 0.5)
    assert capfd.readouterr() == ("", "")
    told = run(*MEDIAN, table, "--epsilon", "1", "--progress")
    assert "median of income = " in told.stdout and "pass 1" in told.stderr and "pass" not in told.stdout
    assert "pass" not in run(*MEDIAN, table, "--epsilon", "1").stderr
