"""The laws of a book, and of a ledger on it: whoever stores rows inherits them and says where.

A suite overrides the fixture ``place``, a path or URL where nothing is written yet, and ``name`` where one place holds
several books.
"""

import copy
import os
import pickle
import subprocess
import sys
import threading
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from noisewise.errors import BudgetExceeded, LedgerError, ParameterError
from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.ledger.books import BookRow, open_book
from noisewise.ledger.ledger import Ledger

ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}
WINNERS = 10
RACER = """
import sys
from noisewise.errors import BudgetExceeded
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

place, name, tries = sys.argv[1], sys.argv[2] or None, int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
ledger = Ledger.open(place, PureDP(10), name=name)
won = 0
for _ in range(tries):
    try:
        ledger.debit(PureDP(1), neighbors="add_remove", contributions=1, memo="race")
        won += 1
    except BudgetExceeded:
        pass
print(won)
"""


def next_number(rows):
    """A row that counts: it is wrong if two writers saw the same last row."""
    body = str(int(rows[-1].body) + 1) if rows else "0"
    return body, f"hash of {body}"


def in_child(work):
    """Run ``work`` in a forked child and return its exit code; what it raises is printed and is 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads may live: that is the point
        child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Placed:
    """Where the books of a suite lie."""

    @pytest.fixture
    def place(self):
        raise NotImplementedError("say where an empty book lies")

    @pytest.fixture
    def name(self):
        return None


class BookLaws(Placed):
    """What ``Book`` promises."""

    def test_a_new_book_is_empty(self, place, name):
        book = open_book(place, name)
        assert book.last() is None
        assert list(book.rows()) == []

    def test_rows_are_numbered_from_zero_and_kept_as_written(self, place, name):
        book, seen = open_book(place, name), []
        texts = ["plain", "quotes \" and ' and \\", "two\nlines", "ε ≤ 0.1 \U0001f600", ""]

        def writing(text):
            return lambda rows: (seen.append(rows), (text, f"hash of {text}"))[1]

        made = [book.append(writing(text)) for text in texts]
        assert made == [BookRow(n, text, f"hash of {text}") for n, text in enumerate(texts)]
        assert seen == [[], *([row] for row in made[:-1])]
        assert list(book.rows()) == made
        assert book.last() == made[-1]

    def test_a_writer_may_write_nothing(self, place, name):
        book = open_book(place, name)
        assert book.append(lambda last: None) is None
        assert book.last() is None
        book.append(next_number)
        assert book.append(lambda last: None) is None
        assert [row.number for row in book.rows()] == [0]

    @pytest.mark.parametrize("error", [ParameterError, KeyboardInterrupt, SystemExit])
    def test_what_a_writer_raises_passes_and_nothing_is_stored(self, place, name, error):
        book = open_book(place, name)
        book.append(next_number)

        def write(last):
            raise error("no")

        with pytest.raises(error, match="no"):
            book.append(write)
        assert [row.number for row in book.rows()] == [0]
        assert book.append(next_number).number == 1

    def test_two_handles_are_one_book(self, place, name):
        one, other = open_book(place, name), open_book(place, name)
        one.append(next_number)
        assert other.append(next_number) == BookRow(1, "1", "hash of 1")
        assert list(one.rows()) == list(other.rows())
        assert one.last() == other.last() == BookRow(1, "1", "hash of 1")

    def test_an_address_opens_the_same_book(self, place, name):
        book = open_book(place, name)
        book.append(next_number)
        assert list(open_book(*book.address).rows()) == list(book.rows()) == [BookRow(0, "0", "hash of 0")]

    def test_reading_sees_the_book_as_it_stood_and_stops_no_writer(self, place, name):
        book = open_book(place, name)
        for _ in range(3):
            book.append(next_number)
        reading = book.rows()
        first = next(reading)
        open_book(place, name).append(next_number)
        book.append(next_number)
        assert [first.number, *(row.number for row in reading)] == [0, 1, 2]
        assert book.last().number == 4

    def test_many_rows_stream_in_order(self, place, name):
        book = open_book(place, name)
        for _ in range(1203):
            book.append(next_number)
        assert [(row.number, row.body) for row in book.rows()] == [(n, str(n)) for n in range(1203)]
        assert [row.number for row in book.rows(1100)] == list(range(1100, 1203))
        assert list(book.rows(1203)) == []

    def test_a_writer_sees_the_rows_since_one_it_knows(self, place, name):
        book, seen = open_book(place, name), []
        made = [book.append(next_number) for _ in range(4)]
        for since in (None, 3, 1, 0):
            book.append(lambda rows: seen.append(rows), since)
        assert seen == [made[3:], made[3:], made[1:], made]
        with pytest.raises(LedgerError, match="has lost row 4, which was there: an older copy"):
            book.append(next_number, 4)
        assert [row.number for row in book.rows()] == [0, 1, 2, 3]

    def test_a_book_that_was_closed_opens_itself_again(self, place, name):
        book = open_book(place, name)
        book.close()
        book.append(next_number)
        book.close()
        assert [book.append(next_number).number, book.last().number] == [1, 1]

    def test_writers_take_turns(self, place, name):
        books = [open_book(place, name) for _ in range(4)] * 2

        def work(book):
            return [book.append(next_number).number for _ in range(10)]

        with ThreadPoolExecutor(8) as threads:
            numbers = sorted(n for done in threads.map(work, books) for n in done)
        assert numbers == list(range(80))
        assert [row.body for row in books[0].rows()] == [str(n) for n in range(80)]

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
    def test_a_fork_shares_the_book(self, place, name):
        book = open_book(place, name)
        book.append(next_number)
        assert in_child(lambda: [book.append(next_number) for _ in range(3)]) == 0
        assert book.append(next_number) == BookRow(4, "4", "hash of 4")
        assert [row.body for row in open_book(place, name).rows()] == list("01234")

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
    def test_a_fork_while_another_thread_writes_shares_the_book(self, place, name):
        book, writing, go_on = open_book(place, name), threading.Event(), threading.Event()
        book.append(next_number)

        def slow(rows):
            writing.set()
            go_on.wait(0.5)  # the fork may have to wait for this writer, or may not
            return next_number(rows)

        writer = threading.Thread(target=book.append, args=(slow,))
        writer.start()
        assert writing.wait(10)
        code = in_child(lambda: [book.append(next_number) for _ in range(2)])
        go_on.set()
        writer.join(30)
        assert (code, writer.is_alive()) == (0, False)
        assert [row.body for row in book.rows()] == list("0123")


class LedgerLaws(Placed):
    """What a ledger promises, wherever its book lies."""

    @pytest.fixture
    def ledger(self, place, name):
        return Ledger.open(place, PureDP(1), name=name)

    def test_debits_add_up_and_verify(self, ledger, place, name):
        receipts = [ledger.debit(PureDP(0.1), **ASKED) for _ in range(10)]
        assert [receipt.number for receipt in receipts] == list(range(1, 11))
        with pytest.raises(BudgetExceeded):
            ledger.debit(PureDP(1e-320), **ASKED)
        again = Ledger.open(place, name=name)
        assert again.verify(*receipts) == 10
        assert (again.spent, again.remaining) == (PureDP(1), PureDP(0))
        assert list(again.entries()) == receipts

    def test_a_refusal_writes_nothing(self, ledger):
        ledger.debit(BoundedRange(0.7), **ASKED)
        for loss in (BoundedRange(0.4), PureDP(7)):
            with pytest.raises(BudgetExceeded):
                ledger.debit(loss, **ASKED)
        assert ledger.verify() == 1
        assert ledger.debit(PureDP(0.3), **ASKED).number == 2

    def test_copies_spend_from_the_same_budget(self, ledger):
        for same in (copy.copy(ledger), copy.deepcopy(ledger), copy.deepcopy([ledger])[0]):
            same.debit(PureDP(0.25), **ASKED)
        assert ledger.remaining == PureDP(0.25)

    def test_a_pickle_is_the_same_ledger_opened_again(self, ledger):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            pickle.loads(pickle.dumps(ledger, protocol)).debit(PureDP(0.1), **ASKED)
        assert ledger.remaining == PureDP(0.6)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
    def test_parent_and_child_spend_from_the_same_budget(self, ledger):
        ledger.debit(PureDP(0.5), **ASKED)
        assert in_child(lambda: ledger.debit(PureDP(0.3), **ASKED)) == 0
        assert ledger.remaining == PureDP(0.2)
        assert in_child(lambda: ledger.debit(PureDP(0.3), **ASKED)) == 1
        assert ledger.verify() == 2

    def test_a_debit_is_judged_by_every_entry_before_it(self, ledger, place, name, monkeypatch):
        """A rival's too, which was written after the first look and before the transaction."""
        memos, rival, append = [], Ledger.open(place, name=name), ledger._book.append

        def once(entry):
            memos.append(entry.memo)
            if entry.memo == "rival":
                raise ParameterError("study", "must not be run twice")

        ledger.debit(PureDP(0.1), **ASKED)
        assert ledger.debit(PureDP(0.1), **ASKED, check_entry=once).number == 2

        def late(*given, **keywords):
            rival.debit(PureDP(0.1), **(ASKED | {"memo": "rival"}))
            return append(*given, **keywords)

        with monkeypatch.context() as patch:
            patch.setattr(ledger._book, "append", late)
            with pytest.raises(ParameterError, match=r"^study must not be run twice$"):
                ledger.debit(PureDP(0.1), **ASKED, check_entry=once)
        with pytest.raises(ParameterError, match=r"^study must not be run twice$"):
            ledger.debit(PureDP(0.1), **ASKED, check_entry=once)
        assert memos == ["median", "median", "median", "rival", "median", "median", "rival"]
        assert ledger.verify() == 3


class LedgerRaces(Placed):
    """Many want what is left: as many get it as there is budget for."""

    @pytest.mark.parametrize("handles", [1, 5])
    def test_fifty_threads_race_for_ten_spends(self, place, name, handles):
        ledgers = [Ledger.open(place, PureDP(WINNERS), name=name) for _ in range(handles)]
        together = threading.Barrier(50)

        def spend(n):
            together.wait(60)
            try:
                return ledgers[n % handles].debit(PureDP(1), **ASKED).number
            except BudgetExceeded:
                return 0

        with ThreadPoolExecutor(50) as threads:
            numbers = list(threads.map(spend, range(50)))
        assert sorted(numbers) == [0] * (50 - WINNERS) + list(range(1, WINNERS + 1))
        assert ledgers[0].verify() == WINNERS
        assert ledgers[0].remaining == PureDP(0)

    def test_eight_processes_race_to_create_it_and_for_ten_spends(self, place, name):
        command = [sys.executable, "-c", RACER, str(place), name or "", "5"]
        racers = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(8)
        ]
        assert [racer.stdout.readline() for racer in racers] == ["ready\n"] * 8
        for racer in racers:
            racer.stdin.write("go\n")
            racer.stdin.flush()
        won = [racer.communicate(timeout=120)[0] for racer in racers]
        assert [racer.returncode for racer in racers] == [0] * 8
        assert sum(map(int, won)) == WINNERS
        assert Ledger.open(place, name=name).verify() == WINNERS
