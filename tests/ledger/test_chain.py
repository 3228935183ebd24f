"""The chain: every row since the last look is followed, and whoever has seen one notices when it is gone."""

import json
from fractions import Fraction

import pytest

from noisewise.errors import LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.amounts import NOTHING
from noisewise.ledger.books import BookRow, open_book
from noisewise.ledger.chain import Point
from noisewise.ledger.entries import seal
from noisewise.ledger.ledger import Ledger
from tests.ledger.books.tampering import tamper

ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}


@pytest.fixture
def ledger(path):
    ledger = Ledger.open(path, PureDP(10))
    for _ in range(3):
        ledger.debit(PureDP(1), **ASKED)
    return ledger


def test_a_walk_starts_where_the_last_one_ended(ledger):
    chain, rows = ledger._chain, list(ledger._book.rows())
    end = chain.reach(rows, chain.start)
    assert end == Point(rows[3], end.total) and end.total.epsilon == 3
    middle = chain.reach(rows[:2], chain.start)
    assert chain.reach(rows[1:], middle) == end
    assert chain.reach(rows[3:], end) == end
    assert chain.start == Point(rows[0], NOTHING)


def test_rows_that_do_not_begin_with_the_one_last_seen_are_refused(ledger):
    chain, rows = ledger._chain, list(ledger._book.rows())
    seen = chain.reach(rows[:3], chain.start)
    other = rows[2]._replace(hash="0" * 64)
    for found in ([], rows[3:], [other, rows[3]], rows[:1]):
        with pytest.raises(LedgerError, match=r"the ledger staff.ledger has lost row 2, which was there"):
            chain.reach(found, seen)
    with pytest.raises(LedgerError, match=r"the ledger staff.ledger is gone: nothing is written there"):
        chain.reach([], chain.start)
    with pytest.raises(LedgerError, match=r"the opening of staff.ledger was replaced: it is no longer"):
        chain.reach([BookRow(0, "another", seal("another"))], chain.start)


def test_a_debit_reads_what_is_new_and_no_more(ledger, path, monkeypatch):
    seen, append = [], type(ledger._book).append

    def spy(self, write, since=None):
        return append(self, lambda rows: seen.append([row.number for row in rows]) or write(rows), since)

    monkeypatch.setattr(type(ledger._book), "append", spy)
    other = Ledger.open(path)
    other.debit(PureDP(1), **ASKED)
    ledger.debit(PureDP(1), **ASKED)
    ledger.debit(PureDP(1), **ASKED)
    other.debit(PureDP(1), **ASKED)
    assert seen == [[3], [3, 4], [5], [4, 5, 6]]


@pytest.mark.parametrize("ask", [Ledger.verify, lambda ledger: ledger.debit(PureDP(1), **ASKED), len])
def test_entries_cut_off_the_end_are_noticed_by_who_had_seen_them(ledger, path, ask):
    ledger.close()
    tamper(path, "DELETE FROM rows WHERE number = 3")
    for _ in range(2):
        with pytest.raises(LedgerError, match=r"has lost row 3, which was there"):
            ask(ledger)
    assert Ledger.open(path).verify() == 2


def test_an_entry_that_was_replaced_is_noticed_by_who_had_seen_it(ledger, path):
    ledger.close()
    rows = list(open_book(path).rows())
    said = json.loads(rows[3].body) | {"memo": "another"}
    body = json.dumps(said, sort_keys=True, separators=(",", ":"))
    tamper(path, ("UPDATE rows SET body = ?, hash = ? WHERE number = 3", (body, seal(body))))
    assert Ledger.open(path).verify() == 3
    for ask in (ledger.verify, lambda: ledger.spent):
        with pytest.raises(LedgerError, match=r"has lost row 3, which was there"):
            ask()


@pytest.mark.parametrize(
    "lie",
    [
        {"cost": {"epsilon": "0", "rho": "0", "delta": "0"}},
        {"cost": {"epsilon": "0"}},
        {"spent": {"epsilon": "0", "rho": "0", "delta": "0"}},
        {"loss": {"loss": "PureDP", "epsilon": "1/2"}},
        {"memo": "count"},
        {"neighbors": "swap"},
        {"contributions": 7},
        {"hash": "0" * 64},
    ],
)
def test_a_receipt_that_says_something_else_than_its_entry_is_refused(ledger, lie):
    receipt = list(ledger.entries())[1].to_dict()
    assert ledger.verify(receipt, {key: receipt[key] for key in ("ledger", "number", "hash")}) == 3
    with pytest.raises(LedgerError, match=r"entry 2 of staff.ledger is not the one of the receipt"):
        ledger.verify(receipt | lie)


def test_a_receipt_may_have_been_written_elsewhere_and_shown_otherwise(ledger):
    receipt = json.loads(json.dumps(list(ledger.entries())[2].to_dict()))
    receipt["loss"] |= {"epsilon_float": 1.0000001}
    assert ledger.verify(receipt | {"place": "/mnt/old/staff.ledger", "later": "field"}) == 3


def test_a_charge_may_differ_from_ours_in_the_last_digit_and_no_more(path):
    ledger = Ledger.open(path, PureDP(10))
    entry = ledger.debit(PureDP(1), **ASKED)
    for factor, sound in (
        (1 - Fraction(1, 2**60), True),
        (2, True),
        (1 - Fraction(1, 2**50), False),
        (0, False),
    ):
        rho = str(entry.cost.rho * factor)
        said = json.loads(list(ledger._book.rows())[1].body)
        said["cost"]["rho"] = said["spent"]["rho"] = rho
        body = json.dumps(said, sort_keys=True, separators=(",", ":"))
        rows = [ledger._chain.opening, BookRow(1, body, seal(body))]
        if sound:
            assert str(ledger._chain.reach(rows, ledger._chain.start).total.rho) == rho
        else:
            with pytest.raises(LedgerError, match=r"entry 1 of .* is more than the terms allow"):
                ledger._chain.reach(rows, ledger._chain.start)
