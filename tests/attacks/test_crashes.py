"""A crash at every line between the debit and the end of the draw.

The library is traced; at its k-th line after the debit an error is raised, for every k there is. Afterwards the debit
stands, no answer came out, nothing says why, and no random word was drawn for the same debit a second time: whoever can
provoke failures gets no second choice of an answer.

The same with a ledger in a file, where lines of the debit itself crash too: afterwards, and after a process has opened
the file anew, the debit stands once or not at all, it stands if a random word was drawn, and the chain verifies.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noisewise as nws
from noisewise.errors import ReleaseFailed
from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling import SystemBits
from noisewise.kernel.settle import after_debit, settle
from tests.attacks import vulnerable
from tests.attacks.outcomes import TIMES
from tests.attacks.vulnerable import DrawsFirst, DrawsThenPays, TriesAgain

LIBRARY = str(Path(nws.__file__).parent)
STAND_INS = str(Path(vulnerable.__file__))
DATA = [1.0, 2.0, 3.5, 8.0]


class Boom(BaseException):
    """Speaks of a record. It is no Exception: code of a record itself may raise those, which makes it missing."""


class Crash:
    """Pays; from then on counts lines of the library, and raises at the k-th. Words of the generator are counted."""

    def __init__(self, at: int) -> None:
        self.at, self.lines, self.paid, self.words = at, 0, 0, 0
        self.crashed_after, self.looking = -1, False
        self.bits = SeededBits(1)

    def debit(self, loss: Any, **_said: Any) -> str:
        self.paid += 1
        return "paid"

    def draw(self, count: int) -> Any:
        self.words += 1
        return self.bits.words(count)

    def trace(self, frame: Any, event: str, _argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith((LIBRARY, STAND_INS)):
            return None
        if event == "line" and self.paid and self.crashed_after < 0:
            self.lines += 1
            if self.lines == self.at:
                self.crashed_after, self.looking = self.words, answering(frame)
                raise Boom(f"record {DATA[2]}")
        return self.trace


def answering(frame: Any) -> bool:
    """Whether a question is being answered: what was done before, after the debit, has not looked at the data."""
    while frame is not None:
        if frame.f_code.co_qualname == f"{settle.__qualname__}.<locals>.<lambda>":
            return True
        frame = frame.f_back
    return False


def crash(ask: Callable[[Crash], Any], at: int) -> tuple[Crash, Any]:
    """Ask with a crash at a line; what came out, an answer or an error."""
    run, before = Crash(at), sys.gettrace()
    sys.settrace(run.trace)
    try:
        came: Any = ask(run)
    except BaseException as error:
        came = error
    finally:
        sys.settrace(before)
    return run, came


def finding(ask: Callable[[Crash], Any], step: int = 1) -> str | None:
    """What a crash gives away, at the first line where it does; None if at no line."""
    at, whole = 1, crash(ask, 10**9)[0].lines
    while at <= whole:
        run, came = crash(ask, at)
        if run.paid != 1:
            return f"line {at}: paid {run.paid} times"
        if run.words > run.crashed_after >= 0:
            return f"line {at}: drawn again after the crash"
        if run.crashed_after >= 0 and not isinstance(came, BaseException):
            return f"line {at}: an answer came out"
        if isinstance(came, Boom) and run.looking:
            return f"line {at}: the error of the crash came out"
        at += step
    return None


QUESTIONS: dict[str, Callable[[Crash], Any]] = {
    "median": lambda run: nws.median(DATA, bounds=(0, 10), granularity=1, epsilon=1, ledger=run),
    "mean": lambda run: nws.mean(
        DATA, bounds=(0, 10), granularity=1, epsilon=1, mechanism="laplace", ledger=run
    ),
    "histogram": lambda run: nws.histogram(DATA, [0, 5, 10], epsilon=1, ledger=run),
    "quantiles": lambda run: nws.quantiles(DATA, [0.25, 0.75], bounds=(0, 4), epsilon=1, ledger=run),
}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random words are those of a seed, and each call for them is noted by the run whose debit was last."""
    runs: list[Crash] = []
    made = Crash.__init__

    def noted(self: Crash, at: int) -> None:
        made(self, at)
        runs.append(self)

    monkeypatch.setattr(Crash, "__init__", noted)
    monkeypatch.setattr(SystemBits, "words", lambda _self, count: runs[-1].draw(count))


class Words:
    """A source that counts with the run."""

    def __init__(self, run: Crash) -> None:
        self.run = run

    def words(self, count: int) -> Any:
        self.run.words += 1
        return np.ones(count, np.uint64)


def test_an_answer_before_its_debit_is_noticed() -> None:
    """The crash of a ledger itself: the answer is there, the debit is not."""

    def attack(ask: Callable[[Any], Any], drawn: Callable[[], int]) -> bool:
        class Broken:
            def debit(self, *_loss: Any, **_said: Any) -> Any:
                raise OSError("the disk is full")

        with pytest.raises(OSError, match="disk"):
            ask(Broken())
        return drawn() > 0

    stand_in = DrawsFirst()
    assert attack(lambda ledger: stand_in.ask(DATA, ledger), lambda: len(stand_in.drawn))
    words: list[int] = []
    original = SystemBits.words
    try:
        SystemBits.words = lambda self, count: words.append(count) or original(self, count)  # type: ignore[method-assign,func-returns-value]
        for ask in QUESTIONS.values():
            assert not attack(ask, lambda: len(words))
    finally:
        SystemBits.words = original  # type: ignore[method-assign]


def test_a_second_draw_for_one_debit_is_noticed() -> None:
    assert "drawn again" in (finding(lambda run: TriesAgain(Words(run)).ask(DATA, run)) or "")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_crash_at_any_line_leaves_the_debit_and_nothing_else(name: str, counted: None) -> None:
    ask = QUESTIONS[name]
    ask(Crash(0))  # what is loaded and kept once is loaded
    whole, answer = crash(ask, 10**9)
    assert isinstance(answer, nws.Release) and whole.words > 0 and whole.lines > 100
    assert finding(ask, step=1 + whole.lines // 600) is None
    run, came = crash(ask, whole.lines // 2)
    assert isinstance(came, ReleaseFailed) and came.__context__ is None and run.paid == 1


# With a ledger in a file


class FileCrash(Crash):
    """Counts lines from the first one of the question on: those of the debit are among them."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.paid = 1  # lines count from the start
        self.settled = 0

    def trace(self, frame: Any, event: str, argument: Any) -> Any:
        if not self.settled and frame.f_code is after_debit.__code__:
            self.settled = self.lines
        return super().trace(frame, event, argument)


def finding_in_a_file(
    ask: Callable[[FileCrash, nws.Ledger], Any], path: Path, before_step: int, after_step: int
) -> str | None:
    """What a crash gives away, or leaves in the file, at the first line where it does; None if at no line.

    Lines up to the end of the debit are tried in the first step, those after it in the second.
    """
    ledger = nws.Ledger.open(path, nws.PureDP(2000))
    whole = FileCrash(10**9)
    _traced(whole, lambda: ask(whole, ledger))
    lines = [
        *range(1, whole.settled, before_step),
        *range(max(whole.settled, 1), whole.lines + 1, after_step),
    ]
    for at in lines:
        entries, run = len(ledger), FileCrash(at)
        came = _traced(run, lambda: ask(run, ledger))  # noqa: B023
        ledger.close()  # what the end of a process does
        ledger = nws.Ledger.open(path)
        added = len(ledger) - entries
        if added not in (0, 1):
            return f"line {at}: {added} entries"
        if run.words and not added:
            return f"line {at}: drawn, and nobody has paid"
        if run.crashed_after >= 0 and (not isinstance(came, BaseException) or run.words > run.crashed_after):
            return f"line {at}: an answer came out, or was drawn after the crash"
        if isinstance(came, Boom) and run.looking:
            return f"line {at}: the error of the crash came out"
    ledger.verify()
    ledger.close()
    return None


def _traced(run: Crash, ask: Callable[[], Any]) -> Any:
    before = sys.gettrace()
    sys.settrace(run.trace)
    try:
        return ask()
    except BaseException as error:
        return error
    finally:
        sys.settrace(before)


def test_a_draw_that_a_crash_leaves_unpaid_is_noticed(tmp_path: Path) -> None:
    def ask(run: FileCrash, ledger: nws.Ledger) -> Any:
        return DrawsThenPays(Words(run)).ask(DATA, ledger)

    found = finding_in_a_file(ask, tmp_path / "a.ledger", 1, 1)
    assert found is not None and "nobody has paid" in found


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # a connection that a crash left open
def test_a_crash_at_any_line_leaves_a_whole_ledger(tmp_path: Path, counted: None) -> None:
    def ask(_run: FileCrash, ledger: nws.Ledger) -> Any:
        return nws.median(DATA, bounds=(0, 10), granularity=1, epsilon=1, ledger=ledger)

    ask(FileCrash(0), nws.Ledger.open(tmp_path / "warm.ledger", nws.PureDP(1)))
    steps = (41, 7) if TIMES == 1 else (1, 1)
    assert finding_in_a_file(ask, tmp_path / "a.ledger", *steps) is None
